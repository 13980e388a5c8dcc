// Not in `npm run test:fast`: it reads large data sets.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { expectSchema } from '../support/contract.ts';
import { temporaryFolder } from '../support/folder.ts';
import { filesOf, hasSets, largeSet, sets, smallSets } from '../support/real-sets.ts';
import { nightlyDescribe } from '../support/nightly.ts';
import { inTurn, isFull } from '../support/rounds.ts';
import { openServiceArchive, type ServiceArchive } from '../support/stored-archive.ts';

/** A file that all tests below use. */
const known = join(sets, '01-v1.1/twitter.json');

/** The files of a set, of large numbers of files a third, others with another TEST_TURN. */
function triedOf(set: string): readonly string[] {
  const files = filesOf(set);
  const others = files.filter((path) => path !== known);
  const tried = inTurn(others, Math.max(5, Math.ceil(others.length / 3)));
  return files.length > others.length ? [known, ...tried] : tried;
}

/** How many records a file has, counted without any code of the import: by parsing it whole. Undefined where it is not JSON. */
function countRecords(path: string): number | undefined {
  const text = readFileSync(path, 'utf8').replace(/^window\.\S+ = /, '');
  const elements = (value: unknown): number => {
    if (Array.isArray(value)) return value.map(elements).reduce((sum, each) => sum + each, 0);
    const object = value as Record<string, unknown>;
    if (typeof object !== 'object' || object === null) return 1;
    for (const name of ['statuses', 'users', 'results', 'lists'])
      if (Array.isArray(object[name]) && !('text' in object)) return Math.max(1, (object[name] as unknown[]).length);
    // Recorded exchanges and examples, with the answer inside.
    const answer = object.body ?? object.example;
    // A list of languages or numbers is nothing that an import could know, and counts as one.
    const isForeign =
      Array.isArray(answer) &&
      !answer.some((each) => typeof each === 'object' && each !== null && ('user' in each || 'screen_name' in each));
    if (typeof answer === 'object' && answer !== null) return isForeign ? 1 : Math.max(1, elements(answer));
    // A look-up of many ids: each status under its own.
    if (typeof object.id === 'object' && object.id !== null)
      return Object.values(object.id).filter((status) => status !== null).length;
    // Collections by user: the profile, and the tweets that the user liked.
    const collected = Object.values(object).filter(
      (member) => typeof member === 'object' && member !== null && 'userData' in member,
    ) as { liked_tweets?: unknown[] }[];
    if (collected.length > 0) return collected.reduce((sum, { liked_tweets = [] }) => sum + 1 + liked_tweets.length, 0);
    return Array.isArray(object.data) ? Math.max(1, object.data.length) : 1;
  };
  try {
    return elements(JSON.parse(text));
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    if (!path.endsWith('.jsonl')) return undefined;
    return lines.reduce((sum, line) => {
      try {
        return sum + elements(JSON.parse(line));
      } catch {
        return sum + 1;
      }
    }, 0);
  }
}

(hasSets ? nightlyDescribe : describe.skip)('the real data sets', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let archive: ServiceArchive;

  beforeAll(async () => {
    folder = await temporaryFolder();
    archive = await openServiceArchive(join(folder.path, 'data'));
  });
  afterAll(async () => {
    await archive?.close();
    await folder?.dispose();
  });

  const importFile = async (path: string): Promise<ImportReport> =>
    importInput((await openInputs(path))[0]!, archive.sink);

  test.each([...smallSets, 'a large set'])(
    '%s imports with a report that adds up to the records of each file',
    async (set) => {
      let records = 0;
      for (const path of set === 'a large set' ? await largeSet(folder.path) : triedOf(set)) {
        const report = await importFile(path);
        const { taken, updated, unchanged, skipped } = report;
        const expected = countRecords(path);
        if (expected !== undefined) expect([path, taken + updated + unchanged + skipped]).toEqual([path, expected]);
        expect([...report.reasons.values()].reduce((sum, lines) => sum + lines.length, 0)).toBe(skipped);
        records += taken + updated + unchanged;
      }
      expect(records).toBeGreaterThan(isFull ? 1500 : 0);
    },
  );

  test('add nothing when imported again', async () => {
    const { content } = archive;
    const before = { tweets: content.tweets, users: content.profiles };
    const report = await importFile(known);
    expect(report).toMatchObject({ taken: 0, updated: 0, unchanged: 100, skipped: 0 });
    expect({ tweets: content.tweets, users: content.profiles }).toEqual(before);
  });

  test('are returned in the schemas of the contract', async () => {
    const { content, platform } = archive;
    for (const id of content.tweetIds.filter((_, place) => place % 97 === 0))
      await expectSchema('Tweet', await platform.tweet(id));
    for (const user_id of content.profileIds.filter((_, place) => place % 97 === 0))
      await expectSchema('User', (await platform.userInfo({ user_id })).user);
  });

  test('keep the data of the platform: decoded complete text, entities, video and counts', async () => {
    const { content, platform } = archive;
    type Status = Record<string, never> & {
      id_str: string;
      text: string;
      favorite_count: number;
      entities: { hashtags: { text: string }[] };
      retweeted_status?: object;
    };
    const { statuses } = JSON.parse(readFileSync(known, 'utf8')) as { statuses: Status[] };
    for (const status of statuses.filter((each) => each.retweeted_status === undefined)) {
      const tweet = await platform.tweet(status.id_str);
      expect(tweet.text).toBe(status.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
      expect(tweet.like_count).toBeGreaterThanOrEqual(status.favorite_count);
      expect(tweet.entities.hashtags).toEqual(status.entities.hashtags.map((tag) => tag.text));
    }
    for (const id of content.tweetIds)
      for (const { video_url } of content.tweet(id)?.media ?? [])
        if (video_url !== undefined) expect(video_url).toContain('.mp4');
  });

  test('derive the owner of a personal archive from its tweets', async () => {
    const owner = await archive.platform.user({ username: 'andreruffert' });
    const { content } = archive;
    const tweets = content.tweetIds.filter((id) => content.tweet(id)?.author_id === owner.id);
    expect(tweets.length).toBeGreaterThan(1900);
  });
});
