/** Uploads of the operator's page, which the server imports while it answers requests. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Uploads } from '../../server/operate/uploads.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { zip } from '../support/zip.ts';

test('an upload is imported in steps between which the server answers requests', async () => {
  const folder = await temporaryFolder();
  const line = (n: number): string =>
    JSON.stringify({
      kind: 'tweet',
      tweet: { id: String(n), text: `t${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
    });
  const content = Buffer.from(Array.from({ length: 250 }, (_, n) => line(n + 1)).join('\n'));
  const sink = memorySink();
  const uploads = new Uploads(folder.path, sink, (error) => expect(error).toBeUndefined());
  try {
    const { id } = await uploads.begin({ name: 'a.jsonl', bytes: content.length, modified: 0 });
    await uploads.add(id, 0, content);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    uploads.start(id, false, async ({ state }) => resolve(state));
    expect(await promise).toBe('done');
    expect(sink.batches).toEqual([200, 50]);
  } finally {
    await uploads.stop();
    await folder.dispose();
  }
});

/** Counts the turns of the event loop during a work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  await work().finally(() => clearImmediate(next));
  return turns;
}

describe('a small compressed upload with very many values does not stop the server:', () => {
  const empty = '{},'.repeat(300_000);
  const account = '[{"account":{"accountId":"7","username":"own"}}]';
  const note = '[{"noteTweet":{"createdAt":"2024-03-01T10:00:00.000Z","core":{"text":"long"}}}]';
  const personal = (tweets: string): Buffer =>
    zip([
      { name: 'data/account.js', content: account },
      { name: 'data/note-tweet.js', content: note },
      { name: 'data/tweets.js', content: tweets },
    ]);
  test.each<[string, Buffer]>([
    ['a zip archive with one line', personal(empty)],
    ['a zip archive with an array', personal(`[${empty}{}]`)],
    ['a zip archive with an array in an array', personal(`[[${empty}{}]]`)],
    ['gzip', gzipSync(empty)],
    ['gzip with an array in an object', gzipSync(`{"data":[${empty}{}]}`)],
  ])('%s', async (_, content) => {
    const folder = await temporaryFolder();
    const uploads = new Uploads(folder.path, memorySink(), (error) => expect(error).toBeUndefined());
    try {
      const { id } = await uploads.begin({ name: 'many', bytes: content.length, modified: 0 });
      await uploads.add(id, 0, content);
      const turns = await turnsDuring(
        () => new Promise((resolve) => void uploads.start(id, false, async (view) => resolve(view))),
      );
      expect(uploads.list()[0]?.reports[0]?.skipped).toBeGreaterThan(0);
      expect(turns).toBeGreaterThan(300);
    } finally {
      await uploads.stop();
      await folder.dispose();
    }
  });
});
