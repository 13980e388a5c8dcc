import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { dyingAt, moments } from '../support/crash-injection.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { inTurn, isFull } from '../support/rounds.ts';
import { run } from '../support/server.ts';
import { nightlyTest } from '../support/nightly.ts';

const key = 'an-import-test-key';
const env = { DEMO: '0', API_KEYS: key };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterEach(() => folder.dispose());

const importFiles = (...args: string[]): ReturnType<typeof run> =>
  run('scripts/cli/import.ts', args, { DATA_DIR: dataDir });
const write = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder.path, name);
  await writeFile(path, content);
  return path;
};
const user = (id = '1'): string => JSON.stringify({ kind: 'user', user: { id, username: `user_${id}` } });
const tweet = (n: number, more: object = {}): string =>
  JSON.stringify({
    kind: 'tweet',
    tweet: { id: String(1000 + n), text: `tweet ${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
  });

async function lastTweets({ url }: LocalServer, limit = 100): Promise<Schemas['Tweet'][]> {
  const tweets: Schemas['Tweet'][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({
      username: 'user_1',
      limit: String(limit),
      ...(cursor === '' ? {} : { cursor }),
    });
    const response = await fetch(`${url}/social/user/last_tweets?${query}`, { headers: { 'x-api-key': key } });
    expect(response.status).toBe(200);
    const page = (await response.json()) as Schemas['LastTweetsPage'];
    tweets.push(...page.tweets);
    cursor = page.next_cursor;
  }
  return tweets;
}

describe('an input that is not text', () => {
  const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\x0000'), Buffer.alloc(1024)]);
  const inputs: readonly (readonly [name: string, content: Buffer, expected: string])[] = [
    [
      'archive.zip',
      Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(500, 0xa7)]),
      'this zip archive is damaged or unsafe: End of central directory record signature not found. ' +
        'Either not a zip file, or file is truncated.',
    ],
    [
      'archive.tar',
      tar,
      'this is a tar archive, which the import cannot read: unpack it and import the folder, or the files in it',
    ],
    [
      'archive.tar.gz',
      gzipSync(tar),
      'this is a tar archive, which the import cannot read: unpack it and import the folder, or the files in it',
    ],
    [
      'photo.png',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]),
      'this is a PNG image, which the import cannot read: tweets are text; choose the JSON files',
    ],
    [
      'utf16.json',
      Buffer.from('\ufeff[{"id":"1"}]', 'utf16le'),
      'this is text in UTF-16, which the import cannot read: write it in UTF-8',
    ],
    [
      'program',
      Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0]),
      'this is a binary file: import JSON, plain or gzip, or a personal archive',
    ],
  ];

  test('is reported with its type and an instruction, without its content', async () => {
    const paths = await Promise.all(inputs.map(([name, content]) => write(name, content)));
    const { code, stdout, stderr } = await importFiles(...paths);
    const lines = inputs.map(([, , expected], place) => `${paths[place]}: ${expected}\n`);
    expect([code, stdout, stderr]).toEqual([1, '', lines.join('')]);
  });

  test('escapes control characters of a text in the terminal', async () => {
    const path = await write('odd.jsonl', `${user()}\n\x1b[2Jx\n{"kind":"\\u001b[31m"}\n`);
    const { code, stdout } = await importFiles(path);
    expect(code).toBe(0);
    expect(stdout).toContain("broken JSON: Unexpected token '\\u{1b}' (line 2)");
    expect(stdout).toContain("unknown kind '\\u{1b}[31m': expected one of");
    expect(stdout).not.toContain('\x1b');
  });
});

describe('npm run import', () => {
  test('imports plain and gzipped files, and reports counts and skipped records', async () => {
    const plain = await write(
      'plain.jsonl',
      [user(), tweet(1), '{"kind":"tweet","tweet":{"id":"x"}}', 'no json', tweet(2)].join('\n'),
    );
    const zipped = await write('zipped', gzipSync([tweet(2), tweet(3)].join('\n')));
    const { code, stdout } = await importFiles(plain, zipped);
    expect(code).toBe(0);
    expect(stdout).toContain(`${plain}: 5 records`);
    expect(stdout).toContain('taken 3 · updated 0 · unchanged 0 · skipped 2');
    expect(stdout).toMatch(/skipped 1: tweet\.text is missing \(line 3\)/);
    expect(stdout).toMatch(/skipped 1: broken JSON.*\(line 4\)/);
    expect(stdout).toContain('taken 1 · updated');
    const server = await startLocalServer(dataDir, env);
    expect((await lastTweets(server)).map(({ text }) => text)).toEqual(['tweet 3', 'tweet 2', 'tweet 1']);
    await server.end();
  });

  nightlyTest('changes nothing when imported again; a newer file wins, an older one does not', async () => {
    const old = await write('old.jsonl', [user(), tweet(1, { like_count: 9 })].join('\n'));
    const newer = await write('newer.jsonl', tweet(1, { like_count: 4 }));
    await utimes(old, new Date('2026-01-01'), new Date('2026-01-01'));
    await utimes(newer, new Date('2026-02-01'), new Date('2026-02-01'));
    await importFiles(old);
    expect((await importFiles(old)).stdout).toContain('taken 0 · updated 0 · unchanged 2 · skipped 0');
    expect((await importFiles(newer)).stdout).toContain('updated 1');
    expect((await importFiles(old)).stdout).toContain('taken 0 · updated 0 · unchanged 2 · skipped 0');
    const server = await startLocalServer(dataDir, env);
    expect(await lastTweets(server)).toMatchObject([{ like_count: 4 }]);
    await server.end();
  });

  test('works while the server runs, with immediate effect', async () => {
    const server = await startLocalServer(dataDir, env);
    const file = await write('live.jsonl', [user(), ...Array.from({ length: 2500 }, (_, n) => tweet(n))].join('\n'));
    expect(await importFiles(file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/: 2,501 records in [^]*taken 2501/),
    });
    expect(await lastTweets(server)).toHaveLength(2500);
    await server.end();
  });

  nightlyTest('reads the folder of a personal archive, and names the missing file without an owner', async () => {
    const data = join(folder.path, 'archive', 'data');
    await mkdir(data, { recursive: true });
    const own = (n: number): object => ({
      tweet: {
        id_str: String(n),
        created_at: 'Thu Nov 03 08:50:26 +0000 2022',
        full_text: 'a &amp; b',
        favorite_count: '5',
      },
    });
    await writeFile(join(data, 'tweets.js'), `window.YTD.tweets.part0 = ${JSON.stringify([own(1), own(2)], null, 2)}`);
    await writeFile(join(data, 'tweets-part1.js'), `window.YTD.tweets.part1 = ${JSON.stringify([own(3)], null, 2)}`);
    expect(await importFiles(join(folder.path, 'archive'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('account.js'),
    });
    await writeFile(
      join(data, 'account.js'),
      'window.YTD.account.part0 = [{"account": {"accountId": "1", "username": "user_1", "accountDisplayName": "One"}}]',
    );
    expect((await importFiles(join(folder.path, 'archive'))).code).toBe(0);
    const server = await startLocalServer(dataDir, env);
    expect(await lastTweets(server)).toMatchObject([
      { id: '3', text: 'a & b', like_count: 5, author: { name: 'One' } },
      { id: '2' },
      { id: '1' },
    ]);
    await server.end();
  });

  const calls: readonly (readonly [what: string, args: string[], code: number, says: string])[] = [
    ['no file', [], 2, 'Usage: npm run import'],
    ['--help', ['--help'], 0, ''],
    ['a file that is not there', ['/nothing'], 1, '/nothing: no such file or folder'],
  ];
  test.each(inTurn(calls, 1))('reports %s with an exit code and an instruction', async (_name, args, code, said) => {
    const result = await importFiles(...args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(said)]);
  });

  nightlyTest('reports each file that it cannot take in', async () => {
    const files = [
      // Something else.
      [await write('a.txt', 'Dear diary,\n'), 'nothing in it was recognised'],
      // A format that nothing knows.
      [await write('b.json', '{"hello":"world"}'), 'nothing in it was recognised'],
      // A single record that is too large.
      [await write('d.jsonl', tweet(1, { text: 'x'.repeat(18_000_000) })), 'nothing in it was recognised'],
      // A broken gzip file.
      [await write('c.gz', gzipSync(tweet(1).repeat(1000)).subarray(0, 60)), 'the import was interrupted'],
    ] as const;
    const { code, stderr } = await importFiles(...files.map(([path]) => path));
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      files.map(([path, said]) => expect.stringMatching(new RegExp(`^${path}: .*${said}`))),
    ]);
  });

  test('resumes to the same archive after a kill at any statement', async () => {
    // A batch has 8 MB at most: the file has three of them, in `npm test` two, each with a transaction of its own.
    const count = isFull ? 1000 : 500;
    const line = (n: number): string => tweet(n, { text: `tweet ${n} ${'-'.repeat(21_000)}`, like_count: n });
    const file = await write('large.jsonl', [user(), ...Array.from({ length: count }, (_, n) => line(n))].join('\n'));
    let kills = 0;
    let resumed = 0;
    // A run of three batches has some 4,000 operations. In `npm test` the only kill is in the second batch.
    const most = isFull ? Infinity : 1;
    for (let operation = isFull ? 300 : 1900; ; operation = Math.ceil(operation * 1.1)) {
      const { code, stdout } = await run('scripts/cli/import.ts', [file], {
        ...{ DATA_DIR: dataDir },
        ...(kills < most && dyingAt(operation, moments[kills % moments.length]!)),
      });
      resumed = Number(/taken by an earlier run (\d+)/.exec(stdout)?.[1] ?? 0);
      if (code === 0) break;
      expect([operation, code]).toEqual([operation, null]);
      kills++;
    }
    expect(kills).toBeGreaterThanOrEqual(Math.min(most, 2));
    expect(resumed).toBeGreaterThan(0);
    const server = await startLocalServer(dataDir, env);
    const metrics = await lastTweets(server);
    expect(metrics).toHaveLength(count);
    expect(metrics.every(({ id, like_count }) => Number(id) === 1000 + like_count)).toBe(true);
    await server.end();
  });
});
