/** What an import removes from an archive: earlier versions of edited tweets, and what notices name. It holds after a restart. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { parse } from '../../server/search/language/parse.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inTurn } from '../support/rounds.ts';
import { openServiceArchive } from '../support/stored-archive.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await folder.dispose();
});

/** Imports values in a process of their own, and returns the reports and the ids that a search for a word finds afterwards. */
async function importAll(
  word: string,
  ...values: readonly unknown[]
): Promise<{ reports: ImportReport[]; ids: string[] }> {
  const archive = await openServiceArchive(join(folder.path, 'data'));
  const reports: ImportReport[] = [];
  for (const [index, value] of values.entries()) {
    const path = join(folder.path, `${index}.json`);
    await writeFile(path, typeof value === 'string' ? value : JSON.stringify(value));
    for (const input of await openInputs(path)) reports.push(await importInput(input, archive.sink));
  }
  const page = { after: undefined, limit: 100 };
  const { items } = await archive.platform.search(parse(word), 'Latest', page);
  const ids = items.map(({ id }) => id);
  await archive.close();
  return { reports, ids };
}

const first = '1700000000000000001';
const second = '1700000000000000009';
const created = 'Fri Sep 08 00:00:00 +0000 2023';
const user = { id_str: '42', screen_name: 'ed', followers_count: 1 };
const status = (id: string, more: object): object => ({
  ...{ id_str: id, full_text: `version ${id}`, created_at: created, user },
  ...more,
});
const editTweetIds = [first, second];
const formats: readonly (readonly [string, (id: string) => object])[] = [
  [
    'v2',
    (id) => ({
      data: [
        {
          id,
          text: `version ${id}`,
          author_id: '42',
          created_at: '2023-09-08T00:00:00.000Z',
          edit_history_tweet_ids: editTweetIds,
        },
      ],
    }),
  ],
  ['v1.1', (id) => status(id, { edit_history: { initial_tweet_id: first, edit_tweet_ids: editTweetIds } })],
  [
    'the web pages of X',
    (id) => ({
      ...{ __typename: 'Tweet', rest_id: id, core: { user_results: { result: { rest_id: '42', legacy: user } } } },
      legacy: { full_text: `version ${id}`, created_at: created },
      edit_control:
        id === first
          ? { edit_tweet_ids: editTweetIds }
          : { initial_tweet_id: first, edit_control_initial: { edit_tweet_ids: editTweetIds } },
    }),
  ],
];

describe.each(formats)('of an edited tweet in the format of %s', (_name, version) => {
  const orders = [
    ['the newest last', [first, second]],
    ['the newest first', [second, first]],
  ] as const;
  test.each(inTurn(orders, 1))('only the newest version is there, %s, also after a restart', async (_order, order) => {
    const [one, other] = order.map(version);
    expect((await importAll('version', one)).ids).toEqual([order[0]]);
    expect((await importAll('version', other)).ids).toEqual([second]);
    const again = await importAll('version', one, other, [one, other]);
    expect(again.ids).toEqual([second]);
    expect(again.reports.map(({ taken, updated }) => [taken, updated])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });
});

test('of an edited tweet in a personal archive only the newest version is there', async () => {
  const info = (id: string): object =>
    id === first
      ? { initial: { editTweetIds } }
      : { edit: { initialTweetId: first, editControlInitial: { editTweetIds } } };
  const media = { media_url_https: 'u', expanded_url: `https://twitter.com/ed/status/${first}/photo/1` };
  const value = (id: string): object => {
    const more = { user: undefined, edit_info: info(id), extended_entities: { media: [media] } };
    return { tweet: status(id, { ...more, in_reply_to_screen_name: 'ed', in_reply_to_user_id_str: '42' }) };
  };
  const file = `window.YTD.tweets.part0 = ${JSON.stringify([second, first].map(value), null, 1)}`;
  expect((await importAll('version', file)).ids).toEqual([second]);
});

test('a tweet that claims any number of versions deletes none', async () => {
  const ids = Array.from({ length: 40 }, (_, n) => String(n + 1));
  const claim = status('100', { edit_history: { edit_tweet_ids: ids } });
  expect((await importAll('version', status('5', {}), claim)).ids.toSorted()).toEqual(['100', '5']);
});

test('a notice of a deletion removes the tweet, whichever comes first, and older data does not bring it back', async () => {
  const notice = { delete: { status: { id_str: '5', user_id_str: '42' }, timestamp_ms: '1700000000000' } };
  const result = {
    id: '6',
    action: 'delete',
    created_at: '2008-01-01T00:00:00.000Z',
    redacted_at: '2024-01-01T00:00:00.000Z',
    reason: 'deleted',
  };
  const lines = [status('5', {}), status('6', {}), status('7', {}), notice, '', result, { limit: { track: 1 } }];
  const stream = lines.map((line) => (line === '' ? '' : JSON.stringify(line))).join('\n');
  const { reports, ids } = await importAll('version', `${stream}\n\n`);
  expect(ids).toEqual(['7']);
  expect(reports[0]).toMatchObject({ skipped: 1, added: { tweet: 3 } });
  expect((await importAll('version', [status('5', {}), status('6', {})], stream)).ids).toEqual(['7']);
});

test('a notice of a removed account removes its tweets', async () => {
  const notice = { data: { user_suspend: { user: { id: '42' }, event_at: '2024-01-01T00:00:00.000Z' } } };
  expect((await importAll('version', status('5', {}))).ids).toEqual(['5']);
  expect((await importAll('version', notice, status('6', {}))).ids).toEqual([]);
});

test('a link of a tweet before t.co comes from its text', async () => {
  const entities = { hashtags: [], symbols: [], user_mentions: [], urls: [] };
  const text = 'Reading http://www.plain.example/2009/some-page today';
  const old = status('11', { full_text: text, entities });
  const cut = status('12', { full_text: 'RT @jo: see http://www.plain.example/cut… https://t.co/PxwG…', entities });
  const { id, ...v2 } = { id: '13', text, author_id: '42', created_at: '2009-06-01T00:00:00.000Z', entities: {} };
  expect((await importAll('url:plain.example', old, cut, { data: [{ id, ...v2 }] })).ids.toSorted()).toEqual([
    '11',
    '13',
  ]);
  expect((await importAll('filter:links url:plain.example')).ids.toSorted()).toEqual(['11', '13']);
});
