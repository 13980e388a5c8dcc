// Tests server/import/binary.ts.
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importInput, type ImportOptions, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { nightlyTest } from '../support/nightly.ts';
import { inTurn, isTurnOf } from '../support/rounds.ts';
import { memorySink } from '../ports/reference/import-sink.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.dispose());

const write = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder.path, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
};
const tweet = (n: number, text = `tweet ${n}`): string =>
  JSON.stringify({ kind: 'tweet', tweet: { id: String(n), text, created_at: '2026-01-01T00:00:00Z', author_id: '1' } });
const tweets = (count: number): string => Array.from({ length: count }, (_, n) => `${tweet(n + 1)}\n`).join('');
async function importPath(
  path: string,
  sink: ImportSink = memorySink(),
  options?: ImportOptions,
): Promise<ImportReport> {
  const inputs = await openInputs(path);
  expect(inputs).toHaveLength(1);
  return importInput(inputs[0]!, sink, options);
}

const limited = (sink: ImportSink): ImportSink => ({
  resume: (fingerprint) => sink.resume(fingerprint),
  apply: (...call) => sink.apply(...call),
});

describe('an import', () => {
  test('counts each value once: added, updated, unchanged or skipped with its line', async () => {
    const sink = memorySink();
    await importPath(await write('a.jsonl', `${tweet(1)}\n${tweet(2)}\n`), sink);
    const report = await importPath(
      await write(
        'b.jsonl',
        [tweet(2, 'edited'), tweet(3), tweet(3), 'broken', '', '{"kind":"tweet"}', '17'].join('\n'),
      ),
      sink,
    );
    expect(report).toMatchObject({
      taken: 1,
      updated: 1,
      unchanged: 1,
      skipped: 3,
      resumed: 0,
      complete: true,
      added: { tweet: 1 },
    });
    expect([...report.reasons.values()]).toEqual([[4], [6], [7]]);
  });

  test('names the own line of each skipped value of one JSON document', async () => {
    const path = await write(
      'answer.json',
      JSON.stringify(
        { meta: { result_count: 3 }, data: [{ id: '1' }, 7, { id: '2', text: 'no author' }, 'x'] },
        null,
        1,
      ),
    );
    const report = await importPath(path);
    expect(report).toMatchObject({ skipped: 4, complete: true });
    expect([...report.reasons.values()].flat().toSorted((a, b) => a - b)).toEqual([6, 9, 10, 14]);
    const array = await write('list.json', JSON.stringify([{ tweets: [{ a: 1 }, { kind: 'x' }] }], null, 1));
    expect([...(await importPath(array)).reasons.values()]).toEqual([[4], [7]]);
  });

  test.each<[string, string]>([
    ['with names of columns', 'tweet_id,text,timestamp\n1,"Hello, you",2013-01-31\n'],
    ['with quotation marks and semicolons', '"id";"created at";"full text"\r\n"1";"2013";"{a}\n{b"\r\n'],
    ['without names', '1\t2\t3\n4\t5\t6\n7\t8\t9\n'],
  ])('of CSV %s says once that it is not supported, and what is', async (_name, content) => {
    const report = await importPath(await write('tweets.csv', content));
    expect([...report.reasons]).toEqual([[expect.stringMatching(/^CSV is not supported: import JSON/), [1]]]);
    expect(report).toMatchObject({ skipped: 1, complete: true });
  });

  test('takes the records after a line that looks like CSV', async () => {
    expect(await importPath(await write('mixed.jsonl', `a,b,c\n${tweets(3)}`))).toMatchObject({ taken: 3, skipped: 1 });
  });

  test('keeps all digits of an id that is only a number', async () => {
    const sink = memorySink();
    const lines = [
      '{"created_at":"Thu Jan 31 23:26:12 +0000 2013","id":1340540000000000001,"text":"a","in_reply_to_status_id":1340540000000000003,"user":{"id":1340540000000000005,"screen_name":"ann","followers_count":3}}',
      '{"data":[{"id":1340540000000000007,"text":"b","author_id":1340540000000000005,"created_at":"2020-12-20T00:00:00.000Z","conversation_id":1340540000000000001}]}',
      '{"like":{"tweetId":1340540000000000009}}',
      '{"data":[{"id":1.34054e18,"text":"c","author_id":7,"created_at":"2020-12-20T00:00:00.000Z"}]}',
    ];
    const report = await importPath(await write('numbers.jsonl', lines.join('\n')), sink);
    expect(report).toMatchObject({ taken: 3, skipped: 1 });
    expect(sink.records.get('tweet 1340540000000000001')).toMatchObject({
      tweet: { author_id: '1340540000000000005', in_reply_to_id: '1340540000000000003' },
    });
    expect(sink.records.get('tweet 1340540000000000007')).toMatchObject({
      tweet: { author_id: '1340540000000000005', conversation_id: '1340540000000000001' },
    });
    expect([...sink.records.values()].at(-1)).toEqual({ kind: 'like', tweet_id: '1340540000000000009' });
  });

  test('applies batches of bounded size, by number and by bytes', async () => {
    const sink = memorySink();
    await importPath(await write('a.jsonl', tweets(2500)), sink);
    expect(sink.batches).toEqual([1000, 1000, 500]);
    const large = memorySink();
    await importPath(
      await write('b.jsonl', Array.from({ length: 200 }, (_, n) => tweet(n, 'x'.repeat(100_000))).join('\n')),
      large,
    );
    expect(large.batches.length).toBeGreaterThan(2);
    expect(Math.max(...large.batches)).toBeLessThanOrEqual(84);
  });

  test('applies fewer values at a time where the sink has other work, as a running server has', async () => {
    const sink = memorySink();
    const report = await importPath(await write('a.jsonl', tweets(25)), { ...limited(sink), maxValues: 10 });
    expect(sink.batches).toEqual([10, 10, 5]);
    expect(report.taken).toBe(25);
    const large = memorySink();
    await importPath(await write('b.jsonl', tweets(1200)), { ...limited(large), maxValues: 5000 });
    expect(large.batches).toEqual([1000, 200]);
  });

  test('interrupted by an error of the archive resumes after the last durable batch', async () => {
    const path = await write('a.jsonl', tweets(3500));
    const broken = memorySink(3);
    await expect(importPath(path, broken)).rejects.toThrow('disk full');
    expect(broken.records.size).toBe(2000);
    const sink = memorySink();
    for (const [key, record] of broken.records) sink.records.set(key, record);
    for (const [key, reached] of broken.progress) sink.progress.set(key, reached);
    expect(await importPath(path, sink)).toMatchObject({ taken: 1500, unchanged: 0, resumed: 2000, complete: true });
    expect(sink.records.size).toBe(3500);
    expect(await importPath(path, sink)).toMatchObject({ taken: 0, unchanged: 3500, resumed: 0, complete: true });
  });

  test('stores its progress after a stop, reports that it is incomplete, and resumes later', async () => {
    const path = await write('a.jsonl', tweets(10_000));
    const sink = memorySink();
    const stop = new AbortController();
    const report = await importPath(path, sink, { signal: stop.signal, onProgress: () => stop.abort() });
    expect(report.complete).toBe(false);
    expect(report.taken).toBeGreaterThan(0);
    expect(report.taken).toBeLessThan(10_000);
    expect(sink.records.size).toBe(report.taken);
    expect(await importPath(path, sink)).toMatchObject({
      taken: 10_000 - report.taken,
      resumed: report.taken,
      complete: true,
    });
  });

  test('reports its progress in values and bytes of the input', async () => {
    const text = tweets(10_000);
    const seen: [number, number][] = [];
    await importPath(await write('a.jsonl', text), memorySink(), { onProgress: (...at) => seen.push(at) });
    expect(seen.at(-1)).toEqual([10_000, text.length]);
    expect(seen.every(([values, bytes], n) => n === 0 || (values >= seen[n - 1]![0] && bytes >= seen[n - 1]![1]))).toBe(
      true,
    );
  });
});

describe('a gzip input', () => {
  test('of several members is read to the end of the last', async () => {
    expect(
      await importPath(await write('a', Buffer.concat([gzipSync(`${tweet(1)}\n`), gzipSync(`${tweet(2)}\n`)]))),
    ).toMatchObject({ taken: 2, complete: true });
  });

  test('that is truncated yields the values before, and the reason', async () => {
    const whole = gzipSync(tweets(500), { level: 0 });
    const sink = memorySink();
    const report = await importPath(await write('a.gz', whole.subarray(0, whole.length - 100)), sink);
    expect(report.fault).toContain('the import was interrupted');
    expect(report.complete).toBe(false);
    expect(report.taken).toBeGreaterThan(400);
    expect(sink.records.size).toBe(report.taken);
  });

  // Each second day: `test/abuse/import.test.ts` reads another bomb on the others.
  (isTurnOf(0, 2) ? test : test.skip)('with a high compression ratio uses bounded memory', async () => {
    const child = fileURLToPath(new URL('./compressed.child.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [child]);
    const { max, taken } = JSON.parse(stdout) as { max: number; taken: number };
    expect(taken).toBe(1);
    expect(max).toBeGreaterThan(0);
    expect(max).toBeLessThan(150 * 1024 * 1024);
  });

  nightlyTest('with many bad lines has a bounded report', async () => {
    const lines = 1_200_000;
    const report = await importPath(await write('lines.gz', gzipSync('x\n'.repeat(lines))));
    expect(report).toMatchObject({
      skipped: lines,
      complete: true,
      unlisted: new Map([['not a JSON object', lines - 1_000_000]]),
    });
    expect(report.reasons.get('not a JSON object')).toHaveLength(1_000_000);
  });
});

test('reads a pipe like a file, also gzip', async () => {
  const path = join(folder.path, 'pipe');
  await once(spawn('mkfifo', [path]), 'close');
  const writing = writeFile(path, gzipSync(tweets(3)));
  expect(await importPath(path)).toMatchObject({ taken: 3, complete: true });
  await writing;
});

describe('a first line over 16 MB', () => {
  const text = 'x'.repeat(16.1 * 1024 * 1024);
  const user = { id_str: '7', screen_name: 'ann', followers_count: 1 };
  const kinds: [string, object][] = [
    ['native', { kind: 'tweet', tweet: { id: '1', text, created_at: '2026-01-01T00:00:00Z', author_id: '1' } }],
    [
      'v1.1',
      {
        created_at: 'Thu Nov 03 08:50:26 +0000 2022',
        id_str: '1',
        full_text: text,
        entities: { urls: [{ url: 'u' }] },
        user,
      },
    ],
    ['v2', { id: '1', text, created_at: '2026-01-01T00:00:00Z', author_id: '1', entities: { urls: [{ url: 'u' }] } }],
    [
      'v2 answer',
      { data: { id: '1', text, created_at: '2026-01-01T00:00:00Z', author_id: '1' }, includes: { users: [] } },
    ],
    ['personal', { tweet: { id_str: '1', created_at: 'Thu Nov 03 08:50:26 +0000 2022', full_text: text } }],
  ];
  const reasons = new Map([['larger than 16 MB', [1]]]);
  /** The next test reads such an input in a separate thread, by the same code. */
  const inOneThread = { threadBytes: Number.POSITIVE_INFINITY };

  test.each(inTurn(kinds, 1))('(%s) is reported like another line', async (_name, value) => {
    const path = await write('large.jsonl', `${JSON.stringify(value)}\n${tweet(2)}\n${tweet(3)}\n`);
    const { reasons: found, ...counts } = await importPath(path, memorySink(), inOneThread);
    expect(counts).toMatchObject({ taken: 2, complete: true });
    expect(found.get('larger than 16 MB')).toEqual([1]);
    const alone = await importPath(await write('alone.jsonl', JSON.stringify(value)), memorySink(), inOneThread);
    expect(alone).toMatchObject({ taken: 0, complete: true });
    expect(alone.reasons.get('larger than 16 MB')).toEqual([1]);
  });

  nightlyTest('is reported also from gzip and from a pipe, and counts once after a resume', async () => {
    const content = `${JSON.stringify(kinds[0]![1])}\n${tweets(1500)}`;
    const zipped = gzipSync(content, { level: 1 });
    expect(await importPath(await write('large.gz', zipped))).toMatchObject({ taken: 1500, skipped: 1, reasons });
    const path = join(folder.path, 'pipe');
    await once(spawn('mkfifo', [path]), 'close');
    const writing = writeFile(path, zipped);
    expect(await importPath(path)).toMatchObject({ taken: 1500, skipped: 1, reasons });
    await writing;
    const plain = await write('large.jsonl', content);
    const broken = memorySink(2);
    await expect(importPath(plain, broken)).rejects.toThrow('disk full');
    const sink = memorySink();
    for (const [key, progress] of broken.progress) sink.progress.set(key, progress);
    expect(await importPath(plain, sink)).toMatchObject({ taken: 500, resumed: 1001 });
  });

  test('of a response with imported elements is not an error', async () => {
    const elements = Array.from({ length: 40 }, (_, n) => JSON.parse(tweet(n + 1, 'x'.repeat(50_000)))).map(
      ({ tweet: { ...rest } }: { tweet: object }) => rest,
    );
    const padding = 'x'.repeat(16.1 * 1024 * 1024);
    const path = await write('answer.json', JSON.stringify({ data: elements, meta: { padding } }));
    expect(await importPath(path)).toMatchObject({ taken: 40, skipped: 0, reasons: new Map() });
  });
});

describe('the folder of a personal archive', () => {
  const own = (n: number, more: object = {}): object => ({
    tweet: {
      id_str: String(n),
      created_at: 'Thu Nov 03 08:50:26 +0000 2022',
      full_text: `own ${n}`,
      favorite_count: '5',
      ...more,
    },
  });
  const assignment = (name: string, values: object[]): string =>
    `window.YTD.${name}.part0 = ${JSON.stringify(values, null, 2)}`;
  const page = (name: string, n: number): object => ({
    extended_entities: {
      media: [
        {
          type: 'photo',
          media_url_https: 'https://i.example/p.jpg',
          expanded_url: `https://twitter.com/${name}/status/${n}/photo/1`,
        },
      ],
    },
  });
  const account = assignment('account', [
    { account: { accountId: '7', username: 'ann', accountDisplayName: 'Ann', createdAt: '2010-01-01T00:00:00.000Z' } },
  ]);
  const authors = async (): Promise<(string | undefined)[]> =>
    (await openInputs(folder.path)).map(({ owner }) => owner && `${owner.id} ${owner.username}`);

  test('reads its owner from account.js, for all parts, in order', async () => {
    await write('data/account.js', account);
    for (const part of ['', '-part2', '-part10', '-part1'])
      await write(`data/tweets${part}.js`, assignment('tweets', [own(1)]));
    const inputs = await openInputs(folder.path);
    expect(inputs.map(({ name }) => name.split('/').at(-1))).toEqual([
      'tweets.js',
      'tweets-part1.js',
      'tweets-part2.js',
      'tweets-part10.js',
    ]);
    expect(new Set(await authors())).toEqual(new Set(['7 ann']));
    const sink = memorySink();
    expect(await importInput(inputs[0]!, sink)).toMatchObject({ taken: 1, added: { user: 1, tweet: 1 } });
    expect(sink.records.get('tweet 1')).toMatchObject({ tweet: { author_id: '7', text: 'own 1', like_count: 5 } });
    expect(sink.records.get('user 7')).toMatchObject({
      user: { username: 'ann', name: 'Ann', created_at: '2010-01-01T00:00:00.000Z' },
    });
  });

  test('without account.js derives its owner from most of its media and from replies, in any part', async () => {
    await write(
      'tweets.js',
      assignment('tweets', [
        own(1, page('other', 1)),
        own(2, page('ann', 2)),
        own(3, page('ann', 3)),
        own(4, page('bob', 999)),
      ]),
    );
    await write(
      'tweets-part1.js',
      assignment('tweets', [own(5, { in_reply_to_screen_name: 'Ann', in_reply_to_user_id_str: '7' })]),
    );
    expect(await authors()).toEqual(['7 ann', '7 ann']);
  });

  test('without account.js derives its owner from the headers and a reply to the same user', async () => {
    await write(
      'tweets.js',
      assignment('tweets', [
        own(1, { in_reply_to_screen_name: 'bob', in_reply_to_user_id_str: '8' }),
        own(2, { in_reply_to_screen_name: 'ann', in_reply_to_user_id_str: '7' }),
      ]),
    );
    await write(
      'tweet-headers.js',
      assignment('tweet_headers', [
        { tweet: { tweet_id: '1', user_id: '7', created_at: 'Thu Nov 03 08:50:26 +0000 2022' } },
      ]),
    );
    expect(await authors()).toEqual(['7 ann']);
  });

  test('without an owner, or with an invalid account.js, names the missing file', async () => {
    await write('tweets.js', assignment('tweets', [own(1)]));
    await expect(openInputs(folder.path)).rejects.toThrow('account.js');
    await write('account.js', 'window.YTD.account.part0 = [{"account": {"acc');
    await expect(openInputs(folder.path)).rejects.toThrow('account.js');
  });

  test('does not follow links out of the folder', async () => {
    const elsewhere = await temporaryFolder();
    await writeFile(join(elsewhere.path, 'tweets.js'), assignment('tweets', [own(1)]));
    await writeFile(join(elsewhere.path, 'account.js'), account);
    await symlink(elsewhere.path, join(folder.path, 'data'));
    await expect(openInputs(folder.path)).rejects.toThrow('no personal archive');
    await rm(join(folder.path, 'data'));
    await symlink(join(elsewhere.path, 'tweets.js'), join(folder.path, 'tweets.js'));
    await expect(openInputs(folder.path)).rejects.toThrow('no personal archive');
    await rm(join(folder.path, 'tweets.js'));
    await write('tweets.js', assignment('tweets', [own(1)]));
    await symlink(join(elsewhere.path, 'account.js'), join(folder.path, 'account.js'));
    await expect(openInputs(folder.path)).rejects.toThrow('do not name their author');
    await elsewhere.dispose();
  });
});
