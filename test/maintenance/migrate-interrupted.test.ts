/** A migration goes on where it was interrupted, also by SIGKILL, in threads and without. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { RunSql } from '../../server/archive/sql.ts';
import { checkTables } from '../../server/engines/postgres/maintenance/content-check.ts';
import { copyDatabase, migrateToDatabase } from '../../server/maintenance/migrate.ts';
import { parse } from '../../server/search/language/parse.ts';
import { sortedContent } from '../engines/postgres/tables.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import { nightlyTest } from '../support/nightly.ts';
import { rounds } from '../support/rounds.ts';
import { run } from '../support/server.ts';
import { openArchiveAt, openArchiveIn } from '../support/stored-archive.ts';
import { writeTweets } from '../../scripts/sample/many-tweets.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const tweets = 600;

async function contentIn(runSql: RunSql): Promise<string[]> {
  const content: object[] = [];
  for await (const page of contentOf(runSql)) content.push(...page);
  return sortedContent(content);
}

describeDatabase('a migration of many tweets', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let data: string;
  let content: readonly string[];
  let storage: PostgresStorage;
  let url: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    data = join(folder.path, 'data');
    await mkdir(data);
    const file = join(folder.path, 'tweets.jsonl');
    await writeTweets(file, tweets, 50);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const archive = await openArchiveIn(data);
    await archive.archive.apply(lines.map((line) => JSON.parse(line) as ArchiveRecord));
    content = await contentIn(archive.engine.run);
    await archive.close();
  }, 60_000);
  afterAll(() => folder.dispose());
  beforeEach(async () => {
    storage = await postgresStorage();
    url = `${storage.url}?schema=${storage.schema}`;
  });
  afterEach(() => storage.dispose());

  /** The transactions that have written the tweets. */
  const writers = async (): Promise<ReadonlySet<string>> => {
    const rows = await storage.admin.run<{ xmin: string }>({ text: 'SELECT xmin::text FROM social_data.tweet' });
    return new Set(rows.map(({ xmin }) => xmin));
  };

  async function expectWhole(): Promise<void> {
    const tables = await openArchiveAt(url);
    expect(await contentIn(tables.engine.run)).toEqual(content);
    expect(await checkTables(storage.admin.run)).toEqual([]);
    await tables.close();
  }

  test.each([
    ['threads', 0],
    ['one thread', Number.POSITIVE_INFINITY],
  ])(
    'in %s copies again only what was not there',
    async (_name, threadRows) => {
      let steps = 0;
      const options = { segmentRows: 50, threadRows };
      const interrupted = migrateToDatabase(data, url, {
        ...options,
        onProgress() {
          if (++steps === 12) throw new Error('the end of the process');
        },
      });
      await expect(interrupted).rejects.toThrow('the end of the process');
      const before = await writers();
      expect(before.size).toBeGreaterThan(1);
      const progress: number[] = [];
      const copied = await migrateToDatabase(data, url, {
        ...options,
        onProgress: ({ unit, done, total }) => void (unit === 'records' && progress.push(done / (total ?? 0))),
      });
      const after = await writers();
      expect(copied).toMatchObject({ archive: content.length });
      expect(progress.at(-1)).toBe(1);
      expect(progress).toEqual(progress.toSorted((a, b) => a - b));
      expect([...before].filter((each) => !after.has(each))).toEqual([]);
      await expectWhole();
    },
    60_000,
  );

  test('begins again where the directory has changed, and refuses a second one at the same time', async () => {
    const changed = join(folder.path, 'changed');
    await cp(data, changed, { recursive: true });
    const failing = {
      segmentRows: 50,
      onProgress() {
        throw new Error('the end of the process');
      },
    };
    await expect(migrateToDatabase(changed, url, failing)).rejects.toThrow('the end of the process');
    const archive = await openArchiveIn(changed);
    await archive.archive.apply([{ kind: 'delete', tweet_id: '1870000000000000000', at: '2026-01-01T00:00:00.000Z' }]);
    const after = await contentIn(archive.engine.run);
    await archive.close();
    let second: Promise<unknown> | undefined;
    await migrateToDatabase(changed, url, {
      onProgress() {
        second ??= migrateToDatabase(data, url, { waitMs: 0 }).catch((error: unknown) => String(error));
      },
    });
    expect(await second).toContain('another migration into these tables is in progress');
    const tables = await openArchiveAt(url);
    expect(await contentIn(tables.engine.run)).toEqual(after);
    await tables.close();
  }, 60_000);

  test('there and back gives the same answers from both engines, and in the same order', async () => {
    await migrateToDatabase(data, url, { segmentRows: 100 });
    const back = join(folder.path, 'back');
    await copyDatabase(url, back, { isBackup: true });
    const [one, two, three] = [await openArchiveIn(data), await openArchiveAt(url), await openArchiveIn(back)];
    const answers = await Promise.all(
      [one, two, three].map(async ({ engine: { search } }) => {
        const pages: unknown[] = [];
        for (const query of ['ba', 'ba OR be -bi', 'from:user_3', 'min_faves:400', 'lang:ja', '"ba be"'])
          for (const order of ['latest', 'top'] as const) {
            const found =
              order === 'latest'
                ? await search.latest(parse(query), { after: undefined, limit: 30 }, 0)
                : await search.top(parse(query), { after: undefined, limit: 30 }, 0);
            pages.push(found);
          }
        return pages;
      }),
    );
    expect(answers[0]?.length).toBe(12);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    for (const each of [one, two, three]) await each.close();
  }, 60_000);

  /** Kills the command after some milliseconds. Returns whether it had ended before. */
  async function killedAfter(ms: number): Promise<boolean> {
    const child = spawn(process.execPath, ['scripts/cli/migrate.ts'], {
      env: { ...process.env, DATA_DIR: data, DATABASE_URL: url },
      stdio: 'ignore',
    });
    const closed = once(child, 'close');
    await Promise.race([closed, sleep(ms)]);
    child.kill('SIGKILL');
    const [code] = (await closed) as [number | null];
    return code === 0;
  }

  nightlyTest(
    'survives SIGKILL at any moment',
    async () => {
      for (let round = 0; round < rounds(5); round++) {
        for (let ms = 300 + 40 * round; !(await killedAfter(ms)); ms += 350);
        await expectWhole();
        await storage.dispose();
        storage = await postgresStorage();
        url = `${storage.url}?schema=${storage.schema}`;
      }
    },
    600_000,
  );
});

describeDatabase('with a small heap', () => {
  nightlyTest(
    'a large archive goes into a file, into tables and back',
    async () => {
      const folder = await temporaryFolder();
      const storage = await postgresStorage();
      const DATABASE_URL = `${storage.url}?schema=${storage.schema}`;
      const [data, copy, back] = ['data', 'copy', 'back'].map((name) => join(folder.path, name)) as [
        string,
        string,
        string,
      ];
      try {
        const file = join(folder.path, 'tweets.jsonl');
        // Their records alone are 80 MB.
        await writeTweets(file, 200_000);
        const NODE_OPTIONS = '--max-old-space-size=64';
        const commands: readonly (readonly [string, string[], Record<string, string>])[] = [
          ['import', [file], { DATA_DIR: data }],
          ['backup', [copy], { DATA_DIR: data }],
          ['migrate', [], { DATA_DIR: copy, DATABASE_URL }],
          ['backup', [back], { DATA_DIR: data, DATABASE_URL }],
          ['export', [join(folder.path, 'all.jsonl')], { DATA_DIR: back }],
        ];
        for (const [name, args, variables] of commands) {
          const { code, stderr } = await run(`scripts/cli/${name}.ts`, args, { ...variables, NODE_OPTIONS });
          expect([name, code, code === 0 ? '' : stderr]).toEqual([name, 0, '']);
        }
        const [one, two] = [await openArchiveIn(data), await openArchiveIn(back)];
        const count = async (runSql: RunSql): Promise<number> => {
          let tweetsThere = 0;
          for await (const page of contentOf(runSql)) tweetsThere += page.length;
          return tweetsThere;
        };
        expect(await count(two.engine.run)).toBe(await count(one.engine.run));
        await one.close();
        await two.close();
      } finally {
        await storage.dispose();
        await folder.dispose();
      }
    },
    600_000,
  );
});
