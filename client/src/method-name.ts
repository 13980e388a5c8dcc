/** The group and name of a method: as the table has it, else `/social/user/last_tweets` is `['user', 'lastTweets']`. */
export function methodNameOf(path: string, given?: string): [group: string, name: string] {
  const [group, name] = (given?.split('.') ?? path.split('/').slice(-2)) as [string, string];
  return [group, name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
}
