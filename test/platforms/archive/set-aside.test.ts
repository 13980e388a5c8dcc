/** Records of the journal that cannot be applied: set aside with their place, once, while all else is served. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { UnusableRecord } from '../../../server/platforms/archive/change.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { SetAsideRecord } from '../../../server/platforms/archive/set-aside.ts';
import { importInput } from '../../../server/import/import.ts';
import { openInputs } from '../../../server/import/input.ts';
import { readiness, readinessWarnings } from '../../../server/observability/readiness.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { openEventLog } from '../../../server/realtime/journal-event-log.ts';
import { openLowdbStore, type LowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { startLocalServer } from '../../support/local-server.ts';
import { run } from '../../support/server.ts';
import { nightlyTest } from '../../support/nightly.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'set-aside-'))));
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

interface Opened {
  readonly durable: DurableArchive;
  readonly store: LowdbStore;
  /** The reported records. */
  readonly delivered: SetAsideRecord[];
}
async function withArchive<Result>(use: (opened: Opened) => Promise<Result> | Result): Promise<Result> {
  const store = await openLowdbStore(directory);
  try {
    const delivered: SetAsideRecord[] = [];
    const log = await openEventLog(store, { ageMs: 86_400_000, events: 1000 });
    return await use({
      store,
      delivered,
      durable: await openArchive(store, log, { onSetAside: (record) => void delivered.push(record) }),
    });
  } finally {
    await store.close();
  }
}

const tweet = (n: number, text = `tweet ${n}`): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(n), text, created_at: '2026-01-01T00:00:00.000Z', author_id: '1' },
});
const line = (record: unknown): string => (typeof record === 'string' ? record : JSON.stringify(record));
const progress = { values: 1, done: true };

/** Writes lines to the archive's journal as another version of the program, or another program, would. */
async function writeJournal(records: readonly unknown[]): Promise<void> {
  const store = await openLowdbStore(directory);
  const journal = await store.journal('archive');
  await journal.replay(() => {});
  await journal.append(records.map(line));
  await store.close();
}
const saved = async (): Promise<SetAsideRecord[]> =>
  (JSON.parse(await readFile(join(directory, 'set-aside.json'), 'utf8')) as { records: SetAsideRecord[] }).records;

const unusable: [what: string, record: unknown, reason: RegExp][] = [
  ['of an unknown kind', { kind: 'poll', id: '1' }, /unknown kind "poll"/],
  ['without a kind', { tweet: {} }, /unknown kind undefined/],
  ['that is no JSON', '{"kind":', /broken JSON/],
  ['that is no object', 'null', /not a JSON object/],
  [
    'without a text',
    { kind: 'tweet', tweet: { id: '1', created_at: '2026-01-01T00:00:00Z', author_id: '1' } },
    /its text is missing/,
  ],
  ['without a tweet', { kind: 'tweet' }, /undefined/],
  [
    'of a foreign id',
    { kind: 'tweet', tweet: { id: 'abc', text: '', created_at: '2026-01-01T00:00:00Z', author_id: '1' } },
    /decimal id instead of "abc"/,
  ],
  [
    'of no time',
    { kind: 'tweet', tweet: { id: '1', text: '', created_at: 'once', author_id: '1' } },
    /created_at is not a valid time/,
  ],
  [
    'with entities of another shape',
    {
      kind: 'tweet',
      tweet: { id: '1', text: '', created_at: '2026-01-01T00:00:00Z', author_id: '1', entities: { mentions: 7 } },
    },
    /not a function|not iterable/,
  ],
  [
    'that nests too deep',
    `{"kind":"tweet","tweet":{"id":"1","text":"","created_at":"2026-01-01T00:00:00Z","author_id":"1","card":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}}`,
    /call stack|undefined|not/,
  ],
  ['of a user without a name', { kind: 'user', user: { id: '1' } }, /its username is missing/],
  ['of a half follow', { kind: 'follow', follower_id: '1' }, /following_id is missing/],
];

test.each(unusable)('sets aside a record %s with its location, and serves the rest', async (_what, record, reason) => {
  await writeJournal([tweet(10), record, tweet(11)]);
  await withArchive(({ durable, delivered }) => {
    expect(durable.archive.size).toBe(2);
    expect(durable.archive.index.search(parse('tweet'), 'Latest', { after: undefined, limit: 10 }).items).toHaveLength(
      2,
    );
    expect(delivered).toHaveLength(1);
    expect(durable.setAside).toEqual(delivered);
  });
  const [entry, ...more] = await saved();
  expect(more).toEqual([]);
  expect(entry).toMatchObject({
    seq: 2,
    line: 2,
    segment: expect.stringMatching(/^\d{16}\.jsonl$/),
    reason: expect.stringMatching(reason),
    record: line(record),
  });
  const segment = await readFile(join(directory, 'archive', entry!.segment!));
  expect(
    segment
      .subarray(entry!.offset! + 9)
      .toString()
      .split('\n')[0],
  ).toBe(line(record));
});

nightlyTest('later starts set nothing aside again, change nothing, and accept new records', async () => {
  await writeJournal([tweet(10), { kind: 'poll' }, tweet(11)]);
  await withArchive(() => {});
  const first = await readFile(join(directory, 'set-aside.json'), 'utf8');
  await withArchive(async ({ durable, delivered }) => {
    expect([delivered, durable.setAside.length, durable.archive.revision]).toEqual([[], 1, 3]);
    expect(await durable.apply('file', progress, [tweet(12)])).toEqual(['added']);
  });
  await withArchive(({ durable }) => expect(durable.archive.size).toBe(3));
  expect(await readFile(join(directory, 'set-aside.json'), 'utf8')).toBe(first);
});

nightlyTest('a compacted journal drops the record, and set-aside.json keeps it', async () => {
  const history = Array.from({ length: 100_010 }, (_, n) => ({
    kind: 'like',
    tweet_id: '10',
    created_at: new Date(1_770_000_000_000 + n).toISOString(),
  }));
  await writeJournal([tweet(10), { kind: 'poll', of: 'me' }, ...history]);
  await withArchive(({ durable, store }) => {
    expect(durable.setAside).toHaveLength(1);
    expect(store.journals.get('archive')!.firstSeq).toBeGreaterThan(100_000);
  });
  expect(await saved()).toMatchObject([{ seq: 2, record: '{"kind":"poll","of":"me"}' }]);
  await withArchive(({ durable, delivered }) =>
    expect([durable.archive.size, durable.setAside.length, delivered]).toEqual([1, 1, []]),
  );
});

/** An archive that fails for tweets of a text, before or in the middle of their being applied. */
function failFor(text: string, when: 'before' | 'amid'): void {
  const { apply } = Archive.prototype;
  jest.spyOn(Archive.prototype, 'apply').mockImplementation(function (this: Archive, change, ...more) {
    const isFaulty = change.kind === 'tweet' && change.tweet.text === text;
    if (isFaulty && when === 'before') throw new UnusableRecord('a fault');
    const outcome = apply.call(this, change, ...more);
    if (isFaulty) throw new TypeError('a fault');
    return outcome;
  });
}

test('a record that fails in the middle leaves no partial effect', async () => {
  await writeJournal([tweet(10), tweet(11, 'faulty'), tweet(12)]);
  failFor('faulty', 'amid');
  await withArchive(({ durable }) => {
    expect([durable.archive.size, durable.archive.ordinal('11')]).toEqual([2, undefined]);
    expect(durable.setAside).toMatchObject([{ seq: 2, line: 2, reason: 'a fault' }]);
  });
});

nightlyTest('a system error ends the start and sets nothing aside', async () => {
  await writeJournal(Array.from({ length: 10 }, (_, n) => tweet(n + 1, 'faulty')));
  failFor('faulty', 'amid');
  await expect(withArchive(() => {})).rejects.toThrow(
    /archive\/\d{16}\.jsonl, line 3 \(byte \d+\) cannot be applied: a fault/,
  );
  await expect(saved()).rejects.toThrow('ENOENT');
});

nightlyTest(
  'sets aside and reports a durable record that cannot be applied at runtime, also at the next start',
  async () => {
    const path = join(directory, 'records.jsonl');
    await writeFile(path, [tweet(10), tweet(11, 'faulty'), tweet(12)].map(line).join('\n'));
    failFor('faulty', 'before');
    await withArchive(async ({ durable, delivered, store }) => {
      const [input] = await openInputs(path);
      const report = await importInput(input!, durable);
      expect(report).toMatchObject({ taken: 2, skipped: 1 });
      expect([...report.reasons]).toEqual([[expect.stringContaining('set-aside.json'), [2]]]);
      expect([durable.archive.size, delivered.length]).toEqual([2, 1]);
      expect(readiness({ stopping: false, journals: store.journals, archive: durable })).toBe(true);
      expect(readinessWarnings(durable)).toEqual(['1 record of the archive could not be applied: see set-aside.json']);
    });
    expect(await saved()).toMatchObject([{ seq: 2, reason: 'a fault' }]);
    await withArchive(({ durable, delivered }) => expect([durable.archive.size, delivered]).toEqual([2, []]));
    // The place is noted by the start that reads it.
    expect(await saved()).toMatchObject([{ seq: 2, line: 2, offset: expect.any(Number) }]);
  },
);

test('rejects further changes with a reason after a change that failed in the middle', async () => {
  failFor('faulty', 'amid');
  await withArchive(async ({ durable, store }) => {
    await durable.apply('file', progress, [tweet(10)]);
    await expect(durable.apply('file', progress, [tweet(11, 'faulty')])).rejects.toThrow(
      /could not be applied completely \(a fault\)/,
    );
    await expect(durable.apply('file', progress, [tweet(12)])).rejects.toThrow(/restart the server/);
    expect(readiness({ stopping: false, journals: store.journals, archive: durable })).toMatch(
      /changes are rejected until a restart/,
    );
  });
  await withArchive(({ durable }) => expect([durable.archive.size, durable.setAside.length]).toEqual([1, 1]));
});

nightlyTest('a start writes many pending events in batches', async () => {
  const store = await openLowdbStore(directory);
  const log = await openEventLog(store, { ageMs: 86_400_000, events: 10_000 });
  await log.publish(
    // More than a call may have arguments.
    Array.from({ length: 150_000 }, (_, n) => ({ event: 'tweet.created' as const, id: String(n), change: n + 1 })),
  );
  expect([log.failed, log.head, log.checkpoint]).toEqual([undefined, 150_000, 150_000]);
  await store.close();
});

nightlyTest('starts an archive with an invalid record, and reports it in probe, metrics, log and backup', async () => {
  await writeJournal([tweet(10), tweet(11, 'x'.repeat(4_500_000)), { kind: 'poll' }, tweet(12)]);
  const key = 'a-set-aside-test-key';
  const server = await startLocalServer(directory, { DEMO: '0', API_KEYS: key });
  const body = (await (await fetch(`${server.url}/readyz`)).json()) as unknown;
  expect(body).toEqual({
    status: 'ok',
    warnings: ['1 record of the archive could not be applied: see set-aside.json'],
  });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^archive_records_set_aside 1$/m);
  expect(metrics).toMatch(/^archive_objects\{kind="tweets"\} 3$/m);
  const found = await fetch(`${server.url}/social/tweet/advanced_search?query=tweet`, {
    headers: { 'x-api-key': key },
  });
  expect([found.status, ((await found.json()) as { tweets: unknown[] }).tweets.length]).toEqual([200, 2]);
  const logged = server
    .errors()
    .split('\n')
    .filter((each) => each.includes('cannot be applied'))
    .map((each) => JSON.parse(each) as unknown);
  expect(logged).toEqual([
    expect.objectContaining({
      level: 50,
      segment: expect.stringMatching(/jsonl$/),
      line: 3,
      reason: 'unknown kind "poll"',
    }),
  ]);
  const copy = join(directory, 'copy');
  const backup = await run('scripts/cli/backup.ts', [copy], { DATA_DIR: directory });
  expect(backup).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('warning: 1 of the records of the archive could not be applied'),
  });
  await server.end();
  expect(await readdir(copy)).toContain('set-aside.json');
  const restored = await startLocalServer(copy, { DEMO: '0', API_KEYS: key });
  expect(restored.errors()).not.toContain('cannot be applied');
  expect(restored.errors()).toContain('records of the archive are set aside');
  await restored.end();
});
