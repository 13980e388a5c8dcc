/**
 * Makes the test data of the upgrade with the code of version 1.2.0: a data directory, and what its service answered.
 *
 *     git worktree add ../released COMMIT && (cd ../released && npm ci)     # COMMIT: the one with the subject “Release 1.2.0”
 *     node test/engines/upgrade/make-released-data.ts ../released test/engines/upgrade/released
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { key } from '../../support/service.ts';
import { answerOf, eventsAfter, nextOf, pagesOf, type Answer } from './answers.ts';
import { history, lastRecords } from './history.ts';

const [released = '', target = ''] = process.argv.slice(2).map((path) => resolve(path));
const load = async <Module>(path: string): Promise<Module> =>
  (await import(pathToFileURL(join(released, 'server', path)).href)) as Module;

/** What is used of the released modules. */
interface ReleasedJournal {
  replay(apply: () => void): Promise<void>;
  append(records: readonly string[]): Promise<number>;
  purge(keep: (json: Buffer, seq: number) => boolean): Promise<unknown>;
}
interface ReleasedStore {
  journal(name: string): Promise<ReleasedJournal>;
  close(): Promise<void>;
}
interface ReleasedArchive {
  apply(fingerprint: string, progress: object, records: ArchiveRecord[]): Promise<unknown>;
  follow(source: string, position: object, records: readonly ArchiveRecord[]): Promise<unknown>;
  unlike(tweetId: string): Promise<unknown>;
  evict(evicted: object): Promise<void>;
  purge(): Promise<unknown>;
  close(): Promise<void>;
}
interface ReleasedModules {
  openLowdbStore(folder: string, options: { readonly segmentBytes: number }): Promise<ReleasedStore>;
  openEventLog(store: ReleasedStore, retention: object): Promise<object>;
  openArchive(store: ReleasedStore, log: object): Promise<ReleasedArchive>;
}

const folder = await mkdtemp(join(tmpdir(), 'released-'));
const dataDir = join(folder, 'data');
await mkdir(dataDir);

/** Writes the history as imports and as a live source, with small segments, purges in between, and likes that callers remove. */
async function fill(): Promise<void> {
  const { openLowdbStore } = await load<ReleasedModules>('storage/lowdb/lowdb-store.ts');
  const { openArchive } = await load<ReleasedModules>('platforms/archive/open-archive.ts');
  const { openEventLog } = await load<ReleasedModules>('realtime/journal-event-log.ts');
  const store = await openLowdbStore(dataDir, { segmentBytes: 120_000 });
  const log = await openEventLog(store, { ageMs: 1e12, events: 1e6 });
  const durable = await openArchive(store, log);
  for (const [index, step] of history().entries()) {
    if (step.kind === 'import')
      await durable.apply(step.fingerprint, { values: step.values, done: step.done }, [...step.records]);
    else if (step.kind === 'live')
      await durable.follow(
        'bluesky',
        { position: String(1_700_000_000 + index), at: 1_767_225_600_000 + index },
        step.records,
      );
    else if (step.kind === 'unlike') await durable.unlike(step.tweet_id);
    else if (step.kind === 'evict') await durable.evict(step);
    else await durable.purge();
  }
  for (const name of ['pool', 'conversations']) {
    const journal = await store.journal(name);
    await journal.replay(() => {});
    const account = { kind: 'event', id: 'a1', at: 1_767_225_600_000, event: { kind: 'reserve', at: 1, cost: 1 } };
    const turn = { question: 'Why?', answer: 'Because it was planted.' };
    const record = { kind: 'turn', id: 'c1', tweet_id: '1', at: 1_767_225_600_000, turn };
    await journal.append([JSON.stringify(name === 'pool' ? account : record)]);
    await journal.append([
      JSON.stringify({ kind: name === 'pool' ? 'account' : 'ended', ids: ['c0'], id: 'a2', at: 1, state: {} }),
    ]);
    // The first record goes, and the numbers stay.
    if (name === 'conversations') await journal.purge((_, seq) => seq > 1);
    else await journal.purge((_, seq) => seq > 2);
  }
  await durable.close();
  await store.close();
}

/** Runs the released service on a data directory. */
async function serve(directory: string): Promise<{ url: string; kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: released,
    env: {
      ...process.env,
      ...{ DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'warn', DEMO: '0', API_KEYS: key, TOKEN_RESOLVER: 'off' },
      ...{ EVENT_WINDOW: '31536000', RATE_LIMIT: 'off' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((found, reject) => {
    child.stdout.on('data', (data) => {
      output += String(data);
      const address = /listening on (http:\S+)/.exec(output)?.[1];
      if (address !== undefined) found(address);
    });
    child.once('close', (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
  return {
    url,
    async kill() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function filesOf(directory: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[path.slice(directory.length + 1)] = (await readFile(path)).toString('base64');
  }
  return files;
}

const write = (name: string, value: unknown): Promise<void> =>
  writeFile(join(target, `${name}.json.gz`), gzipSync(JSON.stringify(value), { level: 9 }));

await fill();
const first = await serve(dataDir);
// The first pages, whose cursors later pages use, then changes, and a kill in which the last events are not written.
const before = await pagesOf(first.url);
await writeFile(
  join(folder, 'last.jsonl'),
  lastRecords()
    .map((record) => JSON.stringify(record))
    .join('\n'),
);
const importing = spawn(process.execPath, ['scripts/cli/import.ts', join(folder, 'last.jsonl')], {
  ...{ cwd: released, env: { ...process.env, DATA_DIR: dataDir }, stdio: 'inherit' },
});
const [code] = (await once(importing, 'close')) as [number | null];
if (code !== 0) throw new Error(`the import ended with ${code}`);
await first.kill();
const answering = join(folder, 'answering');
for (const name of ['lock', 'control.sock']) await rm(join(dataDir, name), { force: true });
await cp(dataDir, answering, { recursive: true });
const second = await serve(answering);
await mkdir(target, { recursive: true });
const continued: Answer[] = [];
for (const answer of before) {
  const next = nextOf(answer);
  if (next !== undefined) continued.push(await answerOf(second.url, next));
}
const events = [await eventsAfter(second.url, 0), await eventsAfter(second.url, 1_000)];
await write('answers', { continued, pages: await pagesOf(second.url), events });
await second.kill();
await rm(join(dataDir, 'tables'), { recursive: true, force: true });
await write('data', await filesOf(dataDir));
await rm(folder, { recursive: true });
console.log(`wrote the data and the answers to ${target}`);
