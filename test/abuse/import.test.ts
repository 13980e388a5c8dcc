import { createWriteStream } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { isTurnOf } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const key = 'sd_hostile2_S2VlcFRoaXNPdXRPZkFuc3dlcnM';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
});
afterAll(() => folder.dispose());

/** Runs the command; `peak` is the most memory that it had, in bytes. */
async function importFiles(...paths: string[]): Promise<{ code: number | null; output: string; peak: number }> {
  const tell = 'process.on("exit", () => console.error("peak", process.resourceUsage().maxRSS))';
  const { code, stdout, stderr } = await run('scripts/cli/import.ts', paths, {
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(tell)}`,
  });
  const output = stdout + stderr;
  expect(output).not.toMatch(/\n\s+at |node:internal|\.ts:\d+/);
  return { code, output, peak: Number(/^peak (\d+)$/m.exec(stderr)![1]) * 1024 };
}
const write = async (name: string, content: string | Buffer): Promise<string> => {
  const path = join(folder.path, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, content);
  return path;
};
const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
const user = (id: string, username: string): object => ({ kind: 'user', user: { id, username } });
const tweet = (id: string, text: string, more: object = {}): object => ({
  kind: 'tweet',
  tweet: { id, text, created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
});
const nested = (depth: number, opens: string, closes: string): string => opens.repeat(depth) + closes.repeat(depth);

// Each second day: `test/import/import.test.ts` reads another bomb on the others.
(isTurnOf(1, 2) ? test : test.skip)(
  'skips decompression bombs in bounded memory, with a reason, and imports the rest',
  async () => {
    const path = join(folder.path, 'bomb.jsonl.gz');
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(
        line(user('1', 'mira')) + line(tweet('10', 'before')) + '{"kind":"tweet","tweet":{"id":"11","text":"',
      );
      const much = Buffer.alloc(1024 * 1024, 97);
      for (let at = 0; at < 100; at += 1) yield much;
      yield Buffer.from(`"}}\n${line(tweet('12', 'between'))}`);
      yield Buffer.from(`{"kind":"tweet","tweet":${nested(2_000_000, '[', ']')}}\n`);
      yield Buffer.from(`${nested(2_000_000, '{"a":', '}').replace('}', '1}')}\n`);
      yield Buffer.from(`${'['.repeat(1_000_000)}\n`);
      yield Buffer.from(line(tweet('13', 'after')));
    }
    await pipeline(pieces(), createGzip({ level: 1 }), createWriteStream(path));
    const { code, output, peak } = await importFiles(path);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/taken 4 · updated 0 · unchanged 0 · skipped 4/),
    });
    expect(output).toMatch(/skipped 1: larger than 16 MB \(line 3\)/);
    expect(peak).toBeLessThan(700 * 1024 * 1024);
  },
);

test('treats names of Object.prototype like other names', async () => {
  const path = await write(
    'names.jsonl',
    [user('1', 'mira'), user('20', '__proto__'), user('21', 'constructor'), user('22', 'toString')].map(line).join('') +
      line(tweet('30', '@__proto__ @constructor #constructor $toString hasOwnProperty', { author_id: '20' })) +
      line({ kind: 'follow', follower_id: '21', following_id: '20' }) +
      '{"kind":"user","user":{"id":"23","username":"polluter"},"__proto__":{"polluted":1}}\n' +
      '{"kind":"user","user":{"id":"24","username":"polluter","__proto__":{"polluted":1}}}\n' +
      '{"kind":"user","user":{"id":"25","username":"polluter","constructor":{"prototype":{"polluted":1}}}}\n' +
      '{"kind":"__proto__"}\n{"kind":"constructor","constructor":{}}\n{"__proto__":{"kind":"user","user":{"id":"26","username":"polluter"}}}\n' +
      '{"kind":"user","user":{"id":"../../etc/passwd","username":"polluter"}}\n{"kind":"user","user":{"id":"27","username":"../up"}}\n',
  );
  const { code, output } = await importFiles(path);
  expect(code).toBe(0);
  expect(output).toMatch(/skipped [78]/);
  expect(output).toMatch(/unknown kind '__proto__'/);
  const server = await startLocalServer(dataDir, { DEMO: '0', API_KEYS: key });
  const ask = async (target: string): Promise<Record<string, unknown>> => {
    const response = await fetch(server.url + target, { headers: { 'x-api-key': key } });
    expect({ target, status: response.status }).toEqual({ target, status: 200 });
    return (await response.json()) as Record<string, unknown>;
  };
  const own = await ask('/social/user/last_tweets?username=__proto__');
  expect(own.tweets).toMatchObject([
    { id: '30', author: { username: '__proto__' }, entities: { hashtags: ['constructor'] } },
  ]);
  for (const target of [
    '/social/user/mentions?username=constructor',
    '/social/user/mentions?username=__proto__',
    '/social/tweet/advanced_search?query=%23constructor',
    '/social/tweet/advanced_search?query=from:__proto__+hasOwnProperty',
  ]) {
    expect((await ask(target)).tweets).toMatchObject([{ id: '30' }]);
  }
  expect((await ask('/social/user/followings?username=constructor')).following).toMatchObject([{ id: '20' }]);
  expect((await ask('/social/user/last_tweets?username=toString')).tweets).toEqual([]);
  await server.end();
});

describe('a personal archive', () => {
  const tweets = (id: string, more: object = {}): string =>
    `window.YTD.tweets.part0 = ${JSON.stringify([{ tweet: { id_str: id, created_at: 'Thu Nov 03 08:50:26 +0000 2022', full_text: `text ${id}`, ...more } }])}`;
  const account = 'window.YTD.account.part0 = [{"account":{"accountId":"7","username":"ann"}}]';

  test('reads only the expected files, whatever its manifest and records name', async () => {
    await write('elsewhere/tweets-part1.js', tweets('901'));
    await write('elsewhere/secret.js', tweets('902'));
    const own = join(folder.path, 'own');
    await write('own/data/account.js', account);
    await write(
      'own/data/manifest.js',
      `window.__THAR_CONFIG = ${JSON.stringify({ dataTypes: { tweets: { files: [{ fileName: '../../elsewhere/secret.js', globalName: 'YTD.tweets.part0' }] } } })}`,
    );
    await write(
      'own/data/tweets.js',
      tweets('900', {
        extended_entities: {
          media: [{ type: 'photo', media_url_https: 'file:///etc/passwd', expanded_url: '../../elsewhere/secret.js' }],
        },
      }),
    );
    await write('own/data/..\\tweets.js', tweets('903'));
    await write('own/data/tweets.js.bak', tweets('904'));
    await symlink(join(folder.path, 'elsewhere/tweets-part1.js'), join(own, 'data/tweets-part1.js'));
    await symlink('/proc/self/environ', join(own, 'data/tweets-part2.js'));
    const { code, output } = await importFiles(own);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('tweets.js: 1 record in') });
    expect(output).not.toMatch(/elsewhere|part1|part2|bak|\\tweets|Error/);
  });

  const odd: readonly (readonly [name: string, content: string | Buffer, says: string])[] = [
    [
      'random bytes',
      Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251)),
      'this is a binary file',
    ],
    ['gzip within gzip', gzipSync(gzipSync(line(tweet('40', 'twice')))), 'this is compressed with gzip twice'],
    [
      'gzip that is none',
      Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(1_000, 7)]),
      'the import was interrupted',
    ],
    ['UTF-16', Buffer.from(line(user('41', 'wide')), 'utf16le'), 'this is text in UTF-16'],
  ];
  test('reports files of random bytes, compressed twice, of no gzip and in UTF-16, and exits with 1', async () => {
    const paths = await Promise.all(odd.map(([name, bytes]) => write(`odd/${name}`, bytes)));
    const { code, output } = await importFiles(...paths);
    expect(code).toBe(1);
    for (const [place, [, , says]] of odd.entries())
      expect(output).toMatch(new RegExp(`^${paths[place]}: .*${says}`, 'm'));
  });
});
