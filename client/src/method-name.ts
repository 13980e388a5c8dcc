/** The group and name of the method for a path: `/social/user/last_tweets` becomes `['user', 'lastTweets']`. */
export function methodNameOf(path: string): [group: string, name: string] {
  const [, , group = '', name = ''] = path.split('/');
  return [group, name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())];
}
