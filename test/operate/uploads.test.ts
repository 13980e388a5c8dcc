// Tests server/operate/upload-files.ts.
/** Uploads of the operator's page, which the server imports while it answers requests. */
import { readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
  const uploads = new Uploads(folder.path, `${folder.path}/media`, sink, (error) => expect(error).toBeUndefined());
  try {
    const { id } = await uploads.begin({ name: 'a.jsonl', bytes: content.length, modified: 0 });
    await uploads.add(id, 0, async () => content);
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
  const empty = '{},'.repeat(30_000);
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
    const uploads = new Uploads(folder.path, `${folder.path}/media`, memorySink(), (error) =>
      expect(error).toBeUndefined(),
    );
    try {
      const { id } = await uploads.begin({ name: 'many', bytes: content.length, modified: 0 });
      await uploads.add(id, 0, async () => content);
      const turns = await turnsDuring(
        () => new Promise((resolve) => void uploads.start(id, false, async (view) => resolve(view))),
      );
      expect(uploads.list()[0]?.reports[0]?.skipped).toBeGreaterThan(0);
      expect(turns).toBeGreaterThan(30);
    } finally {
      await uploads.stop();
      await folder.dispose();
    }
  });
});

describe('an abandoned upload', () => {
  const minute = 60_000;
  const day = 24 * 60 * minute;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let time: number;
  let uploads: Uploads;
  const opened: Uploads[] = [];
  const open = async (): Promise<Uploads> => {
    const made = new Uploads(
      folder.path,
      `${folder.path}/media`,
      memorySink(),
      (error) => expect(error).toBeUndefined(),
      () => time,
    );
    opened.push(made);
    await made.open();
    return made;
  };
  const begin = (n: number) => uploads.begin({ name: `${n}.jsonl`, bytes: 10, modified: n });
  const part = async (): Promise<Buffer> => Buffer.from('{"a":');
  beforeEach(async () => {
    folder = await temporaryFolder();
    time = Date.now();
    uploads = await open();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.stop();
    await folder.dispose();
  });

  test('is removed with its file after a day without a part; one that goes on is not', async () => {
    const [idle, active] = [await begin(1), await begin(2)];
    await uploads.add(idle.id, 0, part);
    time += day - 1;
    await uploads.add(active.id, 0, part);
    await uploads.expire();
    expect(uploads.list()).toHaveLength(2);
    time += 1;
    await uploads.expire();
    expect(uploads.list().map(({ id }) => id)).toEqual([active.id]);
    expect((await readdir(folder.path)).toSorted()).toEqual([active.id, `${active.id}.json`]);
    await expect(uploads.add(idle.id, 5, part)).rejects.toMatchObject({ status: 404 });
  });

  test('is listed after a restart, continues, and is removed by a start that comes a day later', async () => {
    const { id } = await begin(1);
    await uploads.add(id, 0, part);
    uploads = await open();
    expect(uploads.list()).toMatchObject([{ id, name: '1.jsonl', bytes: 10, received: 5, state: 'uploading' }]);
    expect(await uploads.add(id, 5, part)).toMatchObject({ received: 10 });
    time += day + minute;
    uploads = await open();
    expect([uploads.list(), await readdir(folder.path)]).toEqual([[], []]);
  });

  test('makes room for a new one after a minute, the oldest first, unless a part arrives', async () => {
    const arriving = Promise.withResolvers<Buffer>();
    const oldest = await begin(0);
    const adding = uploads.add(oldest.id, 0, () => arriving.promise);
    for (let n = 1; n < 20; n++) {
      time += 1;
      await begin(n);
    }
    await expect(begin(20)).rejects.toMatchObject({
      status: 409,
      message:
        'at most 20 uploads at a time: cancel one on /import (DELETE /operate/api/imports/ID), or wait until one is imported or has got no part for a minute',
    });
    time += minute;
    await begin(20);
    const names = uploads.list().map(({ name }) => name);
    expect([names.length, names.includes('0.jsonl'), names.includes('1.jsonl')]).toEqual([20, true, false]);
    arriving.resolve(await part());
    expect(await adding).toMatchObject({ received: 5 });
  });

  test('that is too large beside the others is refused, and removes none of them', async () => {
    const { id } = await begin(1);
    time += minute;
    const all = { name: 'all', bytes: 64 * 1024 ** 3, modified: 0 };
    const largest = await uploads.begin(all).then(
      () => 'begun',
      (error: Error) => error.message,
    );
    // A disk with that much room takes it.
    expect(largest).toMatch(/^begun$|^the disk of the server has no room for this file beside the others: cancel one/);
    expect(uploads.list().map((each) => each.id)).toContain(id);
  });

  test('is cancelled while a part of it arrives: nothing of the part stays', async () => {
    const { id } = await begin(1);
    const arriving = Promise.withResolvers<Buffer>();
    const adding = uploads.add(id, 0, () => arriving.promise);
    await uploads.cancel(id);
    arriving.resolve(await part());
    await expect(adding).rejects.toMatchObject({ status: 404 });
    await expect(uploads.cancel(id)).rejects.toMatchObject({ status: 404 });
    expect([uploads.list(), await readdir(folder.path)]).toEqual([[], []]);
  });

  test('whose import is cancelled ends after the current batch, or before the first one, and its file goes', async () => {
    const line = (n: number): string =>
      JSON.stringify({
        kind: 'tweet',
        tweet: { id: `${n}`, text: 't', created_at: '2026-01-01T00:00:00Z', author_id: '1' },
      });
    const content = Buffer.from(Array.from({ length: 1_000 }, (_, n) => line(n + 1)).join('\n'));
    const ended: unknown[] = [];
    const ids: string[] = [];
    for (const name of ['first', 'second']) {
      const { id } = await uploads.begin({ name, bytes: content.length, modified: 0 });
      await uploads.add(id, 0, async () => content);
      ids.push(id);
    }
    await new Promise<void>((resolve) => {
      for (const id of ids)
        uploads.start(id, false, async (view) => {
          ended.push([view.name, view.state, view.error]);
          if (ended.length === 2) resolve();
        });
      for (const id of ids) void uploads.cancel(id);
    });
    const error = 'the import was cancelled: what it had taken stays';
    expect(ended).toEqual([
      ['first', 'failed', error],
      ['second', 'failed', error],
    ]);
    expect(await readdir(folder.path)).toEqual([]);
    for (const id of ids) await uploads.cancel(id);
    expect(uploads.list()).toEqual([]);
  });
});
