/** The tables of an export, read by programs that other people made. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } from 'hyparquet';
import { tables } from '../../server/maintenance/export/table-columns.ts';
import { csvTable, parquetTable } from '../../server/maintenance/export/table-files.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { guideSample } from '../support/operations-guide.ts';
import { testIf } from '../support/programs.ts';
import { inTurn } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const script = 'scripts/cli/export.ts';
const hostile = '=HYPERLINK("http://evil.example","x")';
const records = [
  {
    kind: 'user',
    user: {
      id: '1',
      username: 'ada',
      name: '+Ada',
      verified: false,
      followers_count: 7,
      pinned_tweet_ids: ['9223372036854775808'],
    },
  },
  { kind: 'user', user: { id: '2', username: 'tom' } },
  {
    kind: 'tweet',
    tweet: {
      ...{
        id: '9223372036854775808',
        author_id: '1',
        text: 'line one\nline "two", ünï 😀 #Tea',
        created_at: '2026-01-01T01:00:00+01:00',
      },
      ...{
        like_count: 9_007_199_254_740_991,
        lang: 'en',
        coordinates: { longitude: -5.5, latitude: 43.25 },
        possibly_sensitive: true,
      },
      media: [{ type: 'photo', url: 'https://images.example/a.jpg', alt_text: 'a, "b"' }],
    },
  },
  {
    kind: 'tweet',
    tweet: { id: '102', author_id: '1', text: hostile, created_at: '2026-01-02T00:00:00Z', like_count: 0 },
  },
  {
    kind: 'tweet',
    tweet: {
      id: '103',
      author_id: '2',
      text: '@ada #tea?',
      created_at: '2026-01-02T00:00:01Z',
      quoted_tweet_id: '102',
    },
  },
  {
    kind: 'tweet',
    tweet: { id: '104', author_id: '2', text: ' -1+1', created_at: '1969-12-31T23:59:59.001Z', like_count: 3 },
  },
];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let DATA_DIR: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  DATA_DIR = join(folder.path, 'data');
  const file = join(folder.path, 'records.jsonl');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  expect((await run('scripts/cli/import.ts', [file], { DATA_DIR })).code).toBe(0);
});
afterAll(() => folder.dispose());

/** The rows of CSV, read by a reader of RFC 4180 with a state for quotes. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (isQuoted && character === '"' && text[at + 1] === '"') cell += text[++at];
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === ',' || text.startsWith('\r\n', at))) {
      rows.at(-1)!.push(cell);
      cell = '';
      if (character !== ',') at += rows.push([]) > 0 ? 1 : 0;
    } else cell += character;
  }
  expect([isQuoted, rows.pop()]).toEqual([false, []]);
  const [head = [], ...others] = rows;
  return others.map((row) => {
    expect(row).toHaveLength(head.length);
    return Object.fromEntries(head.map((name, index) => [name, row[index]!]));
  });
}
async function parquet(path: string): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: await asyncBufferFromFile(path) });
}

test('CSV has each tweet once, with formulas as text, the same with and without a server', async () => {
  const direct = await run(script, ['--format', 'csv'], { DATA_DIR });
  expect(direct).toMatchObject({ code: 0, stderr: expect.stringContaining('4 records (tweets 4)') });
  const rows = new Map(readCsv(direct.stdout).map((row) => [row['id'], row]));
  expect([...rows.keys()].toSorted()).toEqual(['102', '103', '104', '9223372036854775808']);
  expect(rows.get('9223372036854775808')).toMatchObject({
    ...{
      text: 'line one\nline "two", ünï 😀 #Tea',
      created_at: '2026-01-01T00:00:00.000Z',
      like_count: '9007199254740991',
    },
    ...{ longitude: '-5.5', latitude: '43.25', possibly_sensitive: 'true', hashtags: '["Tea"]', view_count: '' },
    media: '[{"type":"photo","url":"https://images.example/a.jpg","alt_text":"a, \\"b\\""}]',
  });
  expect(rows.get('102')).toMatchObject({ text: `'${hostile}`, like_count: '0' });
  expect([rows.get('103')?.['text'], rows.get('104')?.['text']]).toEqual(["'@ada #tea?", "' -1+1"]);
  const server = await startLocalServer(DATA_DIR, { DEMO: '0' });
  try {
    const file = join(folder.path, 'tweets.csv.gz');
    expect(await run(script, [file], { DATA_DIR })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('tweets 4'),
    });
    expect(gunzipSync(await readFile(file)).toString()).toBe(direct.stdout);
    const users = await run(script, ['--table', 'users', '--format', 'csv', '--raw'], { DATA_DIR });
    expect(readCsv(users.stdout)).toMatchObject([
      { id: '1', name: '+Ada', verified: 'false', followers_count: '7' },
      { id: '2', name: '' },
    ]);
  } finally {
    await server.end();
  }
});

test('a selection has only the tweets that it selects, though they quote others', async () => {
  const { stdout } = await run(script, ['--query', 'tea', '--since', '2026-01-02', '--format', 'csv', '--raw'], {
    DATA_DIR,
  });
  expect(readCsv(stdout).map(({ text }) => text)).toEqual(['@ada #tea?']);
  const users = await run(script, ['--query', 'tea', '--since', '2026-01-02', '--format', 'csv', '--table', 'users'], {
    DATA_DIR,
  });
  expect(readCsv(users.stdout).map(({ username }) => username)).toEqual(['ada', 'tom']);
});

test('Parquet has the types and the values of the columns', async () => {
  const file = join(folder.path, 'typed.parquet');
  expect((await run(script, [file], { DATA_DIR })).code).toBe(0);
  const rows = new Map((await parquet(file)).map((row) => [row['id'], row]));
  expect(rows.get('9223372036854775808')).toMatchObject({
    ...{ created_at: new Date('2026-01-01T00:00:00Z'), like_count: 9_007_199_254_740_991n, view_count: null },
    ...{ longitude: -5.5, possibly_sensitive: true, hashtags: '["Tea"]', text: 'line one\nline "two", ünï 😀 #Tea' },
  });
  expect(rows.get('102')).toMatchObject({ text: hostile, like_count: 0n });
  expect(rows.get('104')).toMatchObject({ created_at: new Date('1969-12-31T23:59:59.001Z') });
  const metadata = await parquetMetadataAsync(await asyncBufferFromFile(file));
  const types = parquetSchema(metadata).children.map(({ element }) => [
    element.name,
    element.type,
    element.converted_type,
  ]);
  expect(types).toContainEqual(['created_at', 'INT64', 'TIMESTAMP_MILLIS']);
  expect(types).toContainEqual(['id', 'BYTE_ARRAY', 'UTF8']);
  const users = join(folder.path, 'typed-users.parquet');
  expect((await run(script, ['--table', 'users', users], { DATA_DIR })).code).toBe(0);
  expect(await parquet(users)).toMatchObject([
    { username: 'ada', pinned_tweet_ids: '["9223372036854775808"]' },
    { name: null },
  ]);
});

test('many rows come in several row groups, and lines may be cut anywhere', async () => {
  const lines = Array.from({ length: 21_000 }, (_, n) =>
    JSON.stringify({
      kind: 'tweet',
      tweet: { id: String(n), author_id: '1', text: `ünï ${n}`, created_at: '2026-01-01T00:00:00Z' },
    }),
  );
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537);
  }
  const written: Buffer[] = [];
  for await (const chunk of parquetTable(chunks(), tables.tweets)) written.push(chunk);
  expect(written.length).toBe(3);
  const file = join(folder.path, 'many.parquet');
  await writeFile(file, Buffer.concat(written));
  const read = await parquet(file);
  expect([read.length, read[20_999]?.['text'], read[20_000]?.['id']]).toEqual([21_000, 'ünï 20999', '20000']);
  let csv = '';
  for await (const chunk of csvTable(chunks(), tables.tweets)) csv += chunk;
  expect(readCsv(csv).map(({ id }) => Number(id))).toEqual(lines.map((_, n) => n));
}, 60_000);

test('an archive without tweets has a table without rows', async () => {
  async function* nothing(): AsyncGenerator<string> {}
  const written: Buffer[] = [];
  for await (const chunk of parquetTable(nothing(), tables.users)) written.push(chunk);
  const file = join(folder.path, 'empty.parquet');
  await writeFile(file, Buffer.concat(written));
  expect(await parquet(file)).toEqual([]);
});

const wrongCalls: readonly (readonly [args: string[], says: RegExp])[] = [
  [['--format', 'xlsx'], /'xlsx' is no format: write jsonl, csv or parquet/],
  [['--format', 'csv', '--table', 'likes'], /'likes' is no table: write tweets or users/],
  [['--table', 'users'], /--table is for/],
  [['--raw', 'x.parquet'], /--raw is for/],
  [['x.parquet.gz', '--format', 'parquet'], /leave \.gz out/],
];
test.each(inTurn(wrongCalls, 2))('%j is a wrong call', async (args, said) => {
  const ended = await run(script, args, { DATA_DIR });
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toMatch(said);
});

test('the guide has each column with its type', async () => {
  const guide = await readFile(new URL('../../server/http/docs/pages/operations/data.md', import.meta.url), 'utf8');
  for (const [name, { columns }] of Object.entries(tables)) {
    const [, listed = ''] =
      new RegExp(`\\| Type \\| Columns of \`${name}\` \\|\\n\\| --- \\| --- \\|\\n((?:\\|.*\\n)+)`).exec(guide) ?? [];
    const documented = listed.split('\n').flatMap((line) => {
      const [, type = '', names = ''] = line.split('|').map((part) => part.trim());
      return Array.from(names.matchAll(/`(\w+)`/g), ([, column]) => `${column} ${type.toLowerCase()}`);
    });
    expect(documented.toSorted()).toEqual(columns.map((column) => `${column.name} ${column.type}`).toSorted());
  }
});

const python = process.env['TEST_PYTHON'] ?? 'python3';
const hasPackages = spawnSync(python, ['-c', 'import duckdb, pandas']).status === 0;
testIf(hasPackages, 'there is no Python with duckdb and pandas')(
  'the notebook of the guide reads the tables',
  async () => {
    for (const line of (await guideSample('tables')).split('\n')) {
      const args = line.replace('npm run export -- ', '').split(' ');
      const file = join(folder.path, args.pop()!);
      expect((await run(script, [...args, '--force', file], { DATA_DIR })).code).toBe(0);
    }
    const { stdout, stderr, status } = spawnSync(python, ['-c', await guideSample('notebook')], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    // A version of pandas writes whole numbers as 3.0.
    expect(stdout.replaceAll('.0\n', '\n').split('\n')).toEqual(
      expect.arrayContaining([
        '2026-01-01,ada,1,9007199254740991',
        '2026-01-02,ada,1,0',
        '2026-01-02,tom,1,0',
        'tea,2',
      ]),
    );
  },
);
