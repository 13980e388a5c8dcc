/** Instances of the version before and of this one work on the same tables, in each order of a rolling restart. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectControl } from '../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { checkTables } from '../../server/engines/postgres/maintenance/content-check.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';

const root = new URL('../../', import.meta.url).pathname;
/** The last commit with version 8 of the tables. The release after 1.2.0 takes its place. */
const before = '50256dec';
const key = 'rolling-test-key-0001';

/** Whether the history of this copy has the commit. */
function hasCommit(): boolean {
  try {
    execFileSync('git', ['cat-file', '-e', `${before}^{commit}`], { cwd: root, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const describeUpgrade = testDatabaseUrl === undefined || !hasCommit() ? describe.skip : describe;

interface Instance {
  readonly dataDir: string;
  readonly url: string;
  end(signal?: NodeJS.Signals): Promise<void>;
}

describeUpgrade('a rolling restart', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let old: string;
  let storage: PostgresStorage;
  const running = new Set<ChildProcess>();

  beforeAll(async () => {
    folder = await temporaryFolder();
    old = join(folder.path, 'before');
    await mkdir(old);
    const files = execFileSync('git', ['archive', before, 'server', 'generated', 'spec', 'package.json'], {
      cwd: root,
      maxBuffer: 2 ** 28,
    });
    execFileSync('tar', ['x', '-C', old], { input: files });
    await symlink(join(root, 'node_modules'), join(old, 'node_modules'));
  });
  afterAll(() => folder.dispose());
  beforeEach(async () => void (storage = await postgresStorage()));
  afterEach(async () => {
    for (const child of running) child.kill('SIGKILL');
    await storage.dispose();
  });

  async function start(cwd: string, name: string): Promise<Instance> {
    const dataDir = join(folder.path, name);
    const child = spawn(process.execPath, ['server/main.ts'], {
      cwd,
      env: {
        ...{ ...process.env, DATA_DIR: dataDir, DATABASE_URL: `${storage.url}?schema=${storage.schema}`, PORT: '0' },
        ...{ API_KEYS: key, DEMO: '0', TOKEN_RESOLVER: 'off', LOG_LEVEL: 'warn' },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      const read = (text: Buffer): void => {
        output += text.toString();
        const found = /listening on (http:\S+)/.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('close', (code) => reject(new Error(`the instance ended with code ${code}: ${output}`)));
    });
    return {
      ...{ dataDir, url },
      async end(signal = 'SIGTERM') {
        const closed = once(child, 'close');
        child.kill(signal);
        await closed;
        running.delete(child);
      },
    };
  }

  let written = 0;
  /** Writes a tweet through an instance, and reads it through each of the instances. */
  async function expectWorking(writer: Instance, readers: readonly Instance[]): Promise<void> {
    const id = String(1000 + ++written);
    const control = await connectControl(writer.dataDir);
    if (control === undefined) throw new Error('the instance does not run');
    const record: ArchiveRecord = {
      kind: 'tweet',
      tweet: {
        id,
        author_id: '7',
        community_id: '900',
        text: `rolling ${id}`,
        created_at: new Date(Date.UTC(2026, 0, written)).toISOString(),
      },
    };
    await openControlSink(control).apply(`file ${id}`, { values: 1, done: true }, [record]);
    control.close();
    for (const { url } of readers) {
      const found = async (): Promise<number> => {
        const response = await fetch(`${url}/social/tweet/advanced_search?query=rolling`, {
          headers: { 'x-api-key': key },
        });
        expect(response.status).toBe(200);
        return ((await response.json()) as { tweets: unknown[] }).tweets.length;
      };
      const end = performance.now() + 10_000;
      while ((await found()) !== written && performance.now() < end);
      expect(await found()).toBe(written);
    }
  }

  test('of two instances loses nothing, and one of the version before can start again meanwhile', async () => {
    written = 0;
    let [one, two] = [await start(old, 'one'), await start(old, 'two')];
    await expectWorking(one, [one, two]);
    await one.end();
    one = await start(root, 'one');
    for (const writer of [one, two]) await expectWorking(writer, [one, two]);
    await two.end('SIGKILL');
    two = await start(old, 'two');
    for (const writer of [one, two]) await expectWorking(writer, [one, two]);
    await two.end();
    two = await start(root, 'two');
    for (const writer of [one, two]) await expectWorking(writer, [one, two]);
    // Without an instance of before, the tables are closed to them and get the values that those did not write.
    const filled = async (): Promise<unknown> =>
      (await storage.admin.run({ text: 'SELECT filled = newest AS done FROM social_data.tables_version' }))[0];
    const end = performance.now() + 60_000;
    while (((await filled()) as { done: boolean | null }).done !== true && performance.now() < end) await sleep(500);
    expect(await filled()).toEqual({ done: true });
    await expect(start(old, 'three')).rejects.toThrow('have version 10, this program needs 8');
    await expectWorking(one, [one, two]);
    expect(await checkTables((statement) => storage.admin.run(statement))).toEqual([]);
  }, 300_000);
});
