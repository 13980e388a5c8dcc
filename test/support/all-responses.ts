/** The answers of an archive to every reading operation, about everything in it. */
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Page, PageRequest } from '../../server/contract/page.ts';
import { parse } from '../../server/search/language/parse.ts';
import { linesOf, type ServiceArchive } from './stored-archive.ts';

/** All items of a list, page by page; the name of the error where there is no such list. */
async function allItems(list: (page: PageRequest) => Promise<Page<unknown>>): Promise<unknown> {
  const items: unknown[] = [];
  let after: PageRequest['after'];
  try {
    do {
      const page = await list({ limit: 100, after });
      items.push(...page.items);
      after = page.next ?? undefined;
    } while (after !== undefined);
  } catch (error) {
    return (error as Error).message;
  }
  return items;
}

/** The ids of what the records name. */
function namesIn(
  records: Iterable<ArchiveRecord>,
): Record<'users' | 'usernames' | 'tweets' | 'communities' | 'spaces', Set<string>> {
  const names = {
    users: new Set<string>(),
    usernames: new Set<string>(),
    tweets: new Set<string>(),
    communities: new Set<string>(),
    spaces: new Set<string>(),
  };
  for (const record of records) {
    if (record.kind === 'user') {
      names.users.add(record.user.id);
      names.usernames.add(record.user.username);
    } else if (record.kind === 'tweet') {
      names.tweets.add(record.tweet.id);
      names.users.add(record.tweet.author_id);
      for (const { username } of record.tweet.entities?.mentions ?? []) names.usernames.add(username);
    } else if (record.kind === 'community') names.communities.add(record.community.id);
    else if (record.kind === 'space') names.spaces.add(record.space.id);
    else if (record.kind === 'follow') names.users.add(record.follower_id).add(record.following_id);
  }
  return names;
}

/** Every answer about what the records name, and to the queries. */
export async function allAnswers(
  archive: Pick<ServiceArchive, 'engine' | 'platform'>,
  records: Iterable<ArchiveRecord>,
  queries: readonly string[],
): Promise<Map<string, unknown>> {
  const { platform } = archive;
  const likes = (await linesOf(archive)).filter((line) => line.startsWith('{"kind":"like"'));
  const { users, usernames, tweets, communities, spaces } = namesIn(records);
  const answers = new Map<string, unknown>();
  const ask = async (name: string, list: (page: PageRequest) => Promise<Page<unknown>>): Promise<void> =>
    void answers.set(name, await allItems(list));
  const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
  for (const ref of [
    ...Array.from(users, (user_id) => ({ user_id })),
    ...Array.from(usernames, (username) => ({ username })),
  ]) {
    const user = JSON.stringify(ref);
    await ask(`last tweets ${user}`, (page) => platform.lastTweets(ref, true, page));
    await ask(`posts ${user}`, (page) => platform.lastTweets(ref, false, page));
    await ask(`highlights ${user}`, (page) => platform.highlights(ref, page));
    await ask(`followings ${user}`, (page) => platform.followings(ref, page));
    await ask(`mentions ${user}`, (page) => platform.mentions(ref, always, page));
  }
  for (const username of usernames)
    await ask(`communities ${username}`, (page) => platform.communitiesOf(username, page));
  for (const id of tweets) {
    await ask(`replies ${id}`, (page) => platform.replies(id, page));
    await ask(`retweeters ${id}`, (page) => platform.retweeters(id, page));
    answers.set(`liked ${id}`, likes.includes(`{"kind":"like","tweet_id":"${id}"}`));
  }
  for (const id of communities) {
    await ask(`discover ${id}`, (page) => platform.discover(id, page));
    await ask(`media ${id}`, (page) => platform.communityMedia(id, page));
  }
  for (const id of spaces) answers.set(`space ${id}`, await platform.space(id).catch((error: Error) => error.message));
  for (const query of queries) {
    await ask(`latest ${query}`, (page) => platform.search(parse(query), 'Latest', page));
    await ask(`top ${query}`, (page) => platform.search(parse(query), 'Top', page));
  }
  return answers;
}
