// Not in `npm run test:fast`: it asks an archive everything, twice.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connectControl } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { readSample } from '../../server/demo/seed-sample.ts';
import { importInput } from '../../server/import/import.ts';
import { openExport, type Export } from '../../server/maintenance/export/export.ts';
import type { ExportRequest } from '../../server/maintenance/export/selected-content.ts';
import { exportRoutes } from '../../server/maintenance/export/export-routes.ts';
import { writeOutput } from '../../server/maintenance/export/output-file.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { record, world } from '../archive/rules/arbitrary.ts';
import { allAnswers } from '../support/all-responses.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openInFolder } from '../support/open-in-folder.ts';
import { openArchiveOf, type ServiceArchive } from '../support/stored-archive.ts';
import { isFull, rounds } from '../support/rounds.ts';

const archives: ServiceArchive[] = [];
afterEach(async () => {
  for (const archive of archives.splice(0)) await archive.close();
});

async function archiveOf(records: readonly ArchiveRecord[]): Promise<ServiceArchive> {
  const archive = await openArchiveOf(structuredClone(records));
  archives.push(archive);
  return archive;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

async function exported({ engine }: ServiceArchive, request: ExportRequest = {}): Promise<string> {
  const { chunks, close } = await openExport(engine, request);
  const text = (await collect(chunks)).join('');
  await close();
  return text;
}

const recordsIn = (text: string): ArchiveRecord[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchiveRecord);

/** The archive that an import of the text into an empty folder leads to. Fails where the import skips a line. */
async function imported(text: string): Promise<ServiceArchive> {
  const archive = await archiveOf([]);
  const report = await importInput(
    {
      name: 'export',
      bytes: text.length,
      fingerprint: 'export',
      seenAt: '2030-01-01T00:00:00.000Z',
      owner: undefined,
      async *read() {
        yield Buffer.from(text);
      },
    },
    archive.sink,
  );
  expect(report).toMatchObject({ skipped: 0, complete: true });
  return archive;
}

const queries = [
  'coffee',
  'from:mira_codes',
  'from:u1',
  'to:u2 OR @u2',
  '#coffee',
  'filter:media',
  'filter:nativeretweets include:nativeretweets',
  'list:801 OR list:802',
  'min_faves:10',
  'has:geo',
  'place:Town',
  'url:example',
  'lang:en -filter:replies',
  'since_id:30',
];

/** The records, with the first author of each tweet: a platform never gives the id of a tweet to another author. */
function withOneAuthor(records: readonly ArchiveRecord[]): ArchiveRecord[] {
  const authors = new Map<string, string>();
  return records.map((each) => {
    if (each.kind !== 'tweet') return each;
    const { id, author_id } = each.tweet;
    if (!authors.has(id)) authors.set(id, author_id);
    return { ...each, tweet: { ...each.tweet, author_id: authors.get(id) ?? author_id } };
  });
}

describe('a complete export, imported into an empty archive,', () => {
  test('returns the same for every operation: the bundled sample', async () => {
    const all = await readSample();
    const sample = isFull ? all : all.slice(0, all.length / 5);
    const archive = await archiveOf(sample);
    const text = await exported(archive);
    const copy = await imported(text);
    const before = await allAnswers(archive, sample, queries);
    expect(before.size).toBeGreaterThan(sample.length / 2);
    const after = await allAnswers(copy, sample, queries);
    expect([...after.keys()]).toEqual([...before.keys()]);
    const differing = [...before].filter(
      ([name, answer]) => JSON.stringify(after.get(name)) !== JSON.stringify(answer),
    );
    expect(differing.slice(0, 1)).toEqual([]);
    expect(await exported(copy)).toHaveLength(text.length);
  });

  test('returns the same for random archives, in any order of the lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 40 }), fc.infiniteStream(fc.nat()), async (records, random) => {
        const all = [...world, ...records];
        const archive = await archiveOf(all);
        const lines = (await exported(archive)).split('\n').filter((line) => line !== '');
        const shuffled = lines.map((line) => [random.next().value as number, line] as const);
        shuffled.sort(([a], [b]) => a - b);
        const copy = await imported(shuffled.map(([, line]) => line).join('\n'));
        expect(await allAnswers(copy, all, queries)).toEqual(await allAnswers(archive, all, queries));
      }),
      { numRuns: rounds(30, 2) },
    );
  });

  test('holds what was removed as a tombstone: an import of older records does not bring it back', async () => {
    const removed = fc.oneof(
      fc.nat(60).map((id): ArchiveRecord => ({
        kind: 'delete',
        tweet_id: String(id + 1),
        ...(id % 3 === 0 && { reason: 'erased' }),
      })),
      fc.constantFrom('1', '2', '3').map((user_id): ArchiveRecord => ({ kind: 'withdraw', user_id })),
      fc
        .nat(60)
        .map((id): ArchiveRecord => ({ kind: 'unlike', tweet_id: String(id + 1), at: '2030-01-01T00:00:00.000Z' })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 40 }),
        fc.array(removed, { maxLength: 8 }),
        async (records, removals) => {
          const all = withOneAuthor([...world, ...records]);
          const archive = await archiveOf([...all, ...removals]);
          const text = await exported(archive);
          const copy = await imported(text);
          expect(await allAnswers(copy, all, queries)).toEqual(await allAnswers(archive, all, queries));
          await copy.archive.apply(structuredClone(all));
          expect(await allAnswers(copy, all, queries)).toEqual(await allAnswers(archive, all, queries));
        },
      ),
      { numRuns: rounds(30, 2) },
    );
  });

  test('an observation without a time does not replace one with a time', async () => {
    const tweet = { id: '1', text: 'old', created_at: '2026-01-01T00:00:00.000Z', author_id: '1' };
    const copy = await imported(
      await exported(await archiveOf([{ kind: 'tweet', tweet: { ...tweet, like_count: 5 } }])),
    );
    await copy.archive.apply([
      { kind: 'tweet', tweet: { ...tweet, like_count: 1, observed_at: '2026-01-02T00:00:00.000Z' } },
    ]);
    expect(copy.content.tweet('1')?.like_count).toBe(1);
  });
});

describe('a partial export', () => {
  const user = (id: string): ArchiveRecord => ({ kind: 'user', user: { id, username: `u${id}` } });
  const tweet = (id: string, author_id: string, more: object = {}): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { id, author_id, text: `text ${id}`, created_at: `2026-01-${id}T00:00:00.000Z`, ...more },
  });
  const mentions = (username: string): object => ({
    entities: { mentions: [{ username }], hashtags: [], cashtags: [], urls: [] },
  });
  const records: ArchiveRecord[] = [
    ...['1', '2', '3', '4', '5', '6', '7', '8'].map(user),
    { kind: 'community', community: { id: '901', name: 'First' } },
    { kind: 'community', community: { id: '902', name: 'Second' } },
    tweet('10', '1', { quoted_tweet_id: '11', community_id: '901', text: 'coffee', ...mentions('u7') }),
    tweet('11', '2', { quoted_tweet_id: '12' }),
    tweet('12', '3'),
    tweet('13', '4', { text: 'coffee too' }),
    tweet('14', '1', { in_reply_to_id: '13' }),
    tweet('15', '5'),
    { kind: 'follow', follower_id: '1', following_id: '2' },
    { kind: 'follow', follower_id: '3', following_id: '1' },
    { kind: 'follow', follower_id: '3', following_id: '4' },
    { kind: 'retweet', tweet_id: '10', user_id: '6' },
    { kind: 'retweet', tweet_id: '15', user_id: '1' },
    { kind: 'retweet', tweet_id: '12', user_id: '8' },
    { kind: 'highlight', user_id: '1', tweet_id: '12' },
    { kind: 'highlight', user_id: '2', tweet_id: '10' },
    { kind: 'membership', community_id: '902', user_id: '1', role: 'member' },
    { kind: 'membership', community_id: '901', user_id: '2', role: 'admin' },
    { kind: 'list', list: { id: '801', owner_id: '1' } },
    { kind: 'list_member', list_id: '801', user_id: '4' },
    { kind: 'like', tweet_id: '10' },
    { kind: 'like', tweet_id: '15' },
  ];
  const idsOf = async (request: ExportRequest): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const each of recordsIn(await exported(await archiveOf(records), request))) {
      const entity = (each as unknown as Record<string, { id: string }>)[each.kind];
      const { kind, created_at: _, role: _role, ...ids } = each as unknown as Record<string, string>;
      (found[kind!] ??= []).push(entity === undefined ? Object.values(ids).join(' ') : entity.id);
    }
    return Object.fromEntries(Object.entries(found).map(([kind, ids]) => [kind, ids.toSorted()]));
  };

  test('of a user has the tweets, the relations, and the records that they need', async () => {
    const found = await idsOf({ user: 'U1' });
    expect(found).toEqual({
      user: ['1', '2', '3', '4', '5', '6', '7'],
      community: ['901', '902'],
      tweet: ['10', '11', '12', '14', '15'],
      follow: ['1 2', '3 1'],
      retweet: ['10 6', '15 1'],
      highlight: ['1 12'],
      membership: ['902 1'],
      list: ['801'],
      list_member: ['801 4'],
      like: ['10'],
    });
    expect(await idsOf({ user: '1' })).toEqual(found);
  });

  test('of a query and a time span has the tweets that match both, and the records that they need', async () => {
    expect(await idsOf({ query: 'coffee', until: Date.parse('2026-01-13T00:00:00Z') })).toEqual({
      user: ['1', '2', '3', '6', '7'],
      community: ['901'],
      tweet: ['10', '11', '12'],
      retweet: ['10 6'],
      highlight: ['2 10'],
      like: ['10'],
    });
    expect((await idsOf({ since: Date.parse('2026-01-13T00:00:00Z') }))['tweet']).toEqual(['13', '14', '15']);
    expect((await idsOf({ user: 'u1', since: Date.parse('2026-01-13T00:00:00Z') }))['tweet']).toEqual(['14']);
  });

  test('returns the same for the selected tweets as the complete archive', async () => {
    const text = await exported(await archiveOf(records), { query: 'coffee' });
    const copy = await imported(text);
    const answers = await allAnswers(copy, recordsIn(text), ['coffee']);
    const before = await allAnswers(await archiveOf(records), records, ['coffee']);
    for (const name of ['latest coffee', 'top coffee', 'retweeters 10', 'liked 10'])
      expect([name, answers.get(name)]).toEqual([name, before.get(name)]);
  });

  test('rejects an unknown user and an invalid query', async () => {
    await expect(exported(await archiveOf(records), { user: 'nobody' })).rejects.toThrow(
      'the archive has no user nobody',
    );
    await expect(exported(await archiveOf(records), { user: '99' })).rejects.toThrow('the archive has no user 99');
    await expect(exported(await archiveOf(records), { query: '(coffee' })).rejects.toThrow();
  });
});

const line = (length: number): string =>
  `${JSON.stringify({ kind: 'community', community: { id: '901', name: 'x'.repeat(length) } })}\n`;
/** An export of other lines. */
const exportOf = (chunks: AsyncIterable<string>): Export => ({
  total: undefined,
  chunks,
  counts: {},
  close: async () => {},
});

describe('over the control socket', () => {
  const { folder, opened } = openInFolder();
  async function connect(open: (request: ExportRequest) => Promise<Export>) {
    const server = await startControl(folder.path, {}, exportRoutes(open));
    const control = (await connectControl(folder.path))!;
    opened.push(server, control);
    return { server, control };
  }

  test('sends the same lines and counts as without a server', async () => {
    const archive = await archiveOf(world);
    const { control } = await connect((request) => openExport(archive.engine, request));
    const { head, chunks, end } = await control.stream('export', {});
    expect(head).toEqual({});
    expect(end()).toBeUndefined();
    expect(Buffer.concat(await collect(chunks)).toString()).toBe(await exported(archive));
    expect(end()).toEqual({ counts: { user: 6, community: 2 } });
    await expect(control.stream('export', { user: 'nobody' })).rejects.toThrow('the archive has no user nobody');
  });

  test('the server reads the archive at the rate of the client (backpressure)', async () => {
    let written = 0;
    async function* lines() {
      for (; written < 1_000_000; written++) yield line(1000);
    }
    const { control } = await connect(async () => exportOf(lines()));
    const { chunks } = await control.stream('export', {});
    let chunksRead = 0;
    for await (const _ of chunks) if (++chunksRead === 3) break;
    // A gigabyte in all; the sockets hold a few megabytes at most.
    expect(written).toBeLessThan(50_000);
    const stopped = written;
    await control.call('ping', null);
    expect(written - stopped).toBeLessThan(1000);
  });

  test('a stop of the server ends the export with an error, without delay', async () => {
    async function* lines() {
      // More than the sockets hold, so that the export is in progress when the server stops.
      for (let count = 0; count < 100_000; count++) yield line(1000);
    }
    const { server, control } = await connect(async () => exportOf(lines()));
    const { chunks } = await control.stream('export', {});
    const [read] = await Promise.allSettled([collect(chunks), server.close()]);
    expect(read).toMatchObject({
      status: 'rejected',
      reason: { message: expect.stringContaining('the server ended before it responded') },
    });
  });

  test('an error during the export reaches the client with its message', async () => {
    async function* lines() {
      yield line(100_000);
      throw new Error('a fault in the midst');
    }
    const { control } = await connect(async () => exportOf(lines()));
    const { chunks } = await control.stream('export', {});
    await expect(collect(chunks)).rejects.toThrow('a fault in the midst');
    expect(await control.call('ping', null)).toBeNull();
  });
});

describe('the file of an export', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.dispose());
  async function* chunks(...texts: string[]): AsyncGenerator<string, void> {
    yield* texts;
  }

  test('is private, and compressed if its name ends in .gz', async () => {
    const plain = join(folder.path, 'a.jsonl');
    expect(await writeOutput(plain, chunks('1\n', '2\n'), { force: false })).toBe(4);
    expect((await stat(plain)).mode & 0o777).toBe(0o600);
    expect(await readFile(plain, 'utf8')).toBe('1\n2\n');
    const packed = join(folder.path, 'a.jsonl.gz');
    await writeOutput(packed, chunks('1\n', '2\n'), { force: false });
    expect(gunzipSync(await readFile(packed)).toString()).toBe('1\n2\n');
    expect((await readdir(folder.path)).toSorted()).toEqual(['a.jsonl', 'a.jsonl.gz']);
  });

  test('is replaced only with force, also if it was created meanwhile', async () => {
    const path = join(folder.path, 'a.jsonl');
    await writeFile(path, 'mine');
    await expect(writeOutput(path, chunks('new'), { force: false })).rejects.toThrow(/a\.jsonl exists.*--force/);
    await writeOutput(path, chunks('new'), { force: true });
    expect(await readFile(path, 'utf8')).toBe('new');
    const late = join(folder.path, 'late.jsonl');
    const interfering = (async function* () {
      yield 'export';
      await writeFile(late, 'mine');
    })();
    await expect(writeOutput(late, interfering, { force: false })).rejects.toThrow('--force');
    expect(await readFile(late, 'utf8')).toBe('mine');
    await expect(writeOutput(folder.path, chunks(''), { force: true })).rejects.toThrow('is a folder');
    await expect(writeOutput(join(folder.path, 'no', 'a'), chunks(''), { force: true })).rejects.toThrow('ENOENT');
  });

  test('is not created if the export fails or stops, and no temporary file remains', async () => {
    const path = join(folder.path, 'a.jsonl');
    const failing = (async function* () {
      yield 'export';
      throw new Error('cut off');
    })();
    await expect(writeOutput(path, failing, { force: false })).rejects.toThrow('cut off');
    const stop = new AbortController();
    const endless = (async function* () {
      for (let count = 0; ; count++) {
        if (count === 10) stop.abort();
        yield 'x';
      }
    })();
    await expect(writeOutput(path, endless, { force: false, signal: stop.signal })).rejects.toThrow('aborted');
    expect(await readdir(folder.path)).toEqual([]);
  });
});
