// Not in `npm run test:fast`: it damages each file in many ways.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { chmod, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { crc32 } from 'node:zlib';
import { openAccounts, openAssistant } from '../../server/assistant/open-assistant.ts';
import { fullArchive } from '../assistant/providers/subjects.ts';
import { readConfig } from '../../server/config/config.ts';
import { openTargetStore } from '../../server/follow/target-store.ts';
import { parseTargets } from '../../server/follow/targets.ts';
import { DocumentKeys, type KeyFile } from '../../server/keys/keys.ts';
import { checkDirectory, repairDirectory, type Checkup } from '../../server/maintenance/doctor/doctor.ts';
import { correctedRecord } from '../../server/maintenance/doctor/correct-byte.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openEventLog } from '../../server/realtime/journal-event-log.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isFull, rounds } from '../support/rounds.ts';

const now = Date.parse('2026-03-04T05:06:07Z');
const config = readConfig({ ASSISTANT: 'openai', TOKEN_RESOLVER: 'off' });
const logger = { info: () => {}, warn: () => {} };
const secret = Buffer.alloc(32, 7);

/** Everything that a start of the service opens. Rejects where a start would fail. */
async function openService(directory: string, segmentBytes?: number) {
  const store = await openLowdbStore(directory, segmentBytes === undefined ? {} : { segmentBytes });
  try {
    const keys = new DocumentKeys(await store.document<KeyFile>('keys', { keys: [] }));
    const log = await openEventLog(store, { ageMs: 1e12, events: 1e6 });
    const durable = await openArchive(store, log);
    const secrets = await store.document('secrets', { cursor: '', conversation: '' });
    await secrets.update((data) => {
      data.cursor ||= Buffer.alloc(32, 1).toString('base64');
      data.conversation ||= Buffer.alloc(32, 2).toString('base64');
    });
    const accounts = await openAccounts(store, config, logger);
    const resolver = { resolve: async () => null };
    const { assistant } = await openAssistant({
      store,
      config,
      accounts,
      secret,
      subjectOf: () => Promise.reject(new Error('no question is asked')),
      archiveFor: () => fullArchive,
      resolver,
      logger,
    });
    const followed = await openTargetStore(store);
    return { store, keys, log, durable, accounts, assistant, followed };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const user = (id: number): ArchiveRecord => ({ kind: 'user', user: { id: String(id), username: `u${id}` } });
const tweet = (id: number): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    id: String(id),
    text: `the text of ${id}`,
    created_at: '2026-01-01T00:00:00.000Z',
    author_id: String(id % 5),
  },
});
const tweetIds = Array.from({ length: 60 }, (_, index) => 100 + index);
/** The tweets that are left after two deletions. */
const leftIds = tweetIds.filter((id) => id !== 110 && id !== 111);

let made: Awaited<ReturnType<typeof temporaryFolder>>;
let original: string;
let keyTexts: string[];
let files: string[];
beforeAll(async () => {
  made = await temporaryFolder();
  original = join(made.path, 'original');
  const { store, keys, durable, accounts, log, followed } = await openService(original, 5000);
  await followed.add(parseTargets('bluesky:alice.example.com,bluesky:bob.example.com'), now);
  await followed.setToken('x', 'a-token-of-x');
  await durable.apply('f', { values: 0, done: false }, [1, 2, 3, 4].map(user));
  for (const id of tweetIds) await durable.apply('f', { values: id, done: false }, [tweet(id)]);
  // A purge leaves gaps in the journal.
  await durable.apply('f', { values: 999, done: false }, [
    { kind: 'delete', tweet_id: '110' },
    { kind: 'delete', tweet_id: '111' },
  ]);
  await durable.purge();
  await durable.apply('f', { values: 999, done: true }, [user(5)]);
  await durable.follow('bluesky', { position: '1', at: 1 }, []);
  await log.append([{ event: 'pool.status' }]);
  keyTexts = [];
  for (const name of ['first', 'second', 'third'])
    keyTexts.push((await keys.create({ name, scopes: ['read'], rate: '10/1m' })).key);
  for (const port of [1, 2]) {
    accounts.pool.add({ id: `seen-${port}` }, 'capable');
    await accounts.registry.add({ base_url: `http://127.0.0.1:${port}/v1`, api_key: 'account-key' });
    (await accounts.pool.reserve(1)).settle({ outcome: 'answered', counted: 1 });
  }
  await accounts.healthCheck.stop();
  await store.close();
  // Conversations and set-aside records come about in ways that a test cannot take: written as the service writes them.
  const later = await openLowdbStore(original);
  const conversations = await later.journal('conversations');
  await conversations.replay(() => {});
  const turn = { prompt: null, answer: 'an answer' };
  for (const id of ['c_1', 'c_2', 'c_3'])
    await conversations.append([JSON.stringify({ kind: 'turn', id, tweet_id: '100', at: Date.now(), turn })]);
  const archive = await later.journal('archive');
  await archive.replay(() => {});
  const seq = await archive.append(['{"kind":"tweet","tweet":{}}']);
  const setAside = await later.document<{ records: object[] }>('set-aside', { records: [] });
  const found_at = new Date(now).toISOString();
  await setAside.update((data) =>
    data.records.push({ seq, bytes: 27, reason: 'its id is missing', found_at, record: 'x' }),
  );
  await later.close();
  await rm(join(original, 'lock'));
  files = (await readdir(original, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(original, join(entry.parentPath, entry.name)))
    .toSorted();
});
afterAll(() => made.dispose());

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let directory: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  directory = join(folder.path, 'data');
  await cp(original, directory, { recursive: true });
});
afterEach(() => folder.dispose());

const check = (at = now): Promise<Checkup> => checkDirectory(directory, at);
const damageOf = async (): Promise<string[]> =>
  (await check()).findings.damage.map(({ file, reason }) => `${file}: ${reason}`);

/** All files with their contents. */
async function contents(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.set(relative(directory, path), await readFile(path, 'latin1'));
  }
  return found;
}

const tweetIn = (line: string): number | undefined =>
  Number(/"tweet":\{"id":"(\d+)"/.exec(line)?.[1] ?? 0) || undefined;

/** The tweets whose journal line is in the directory as it was written. */
async function intactTweets(): Promise<Set<number>> {
  const intact = new Set<number>();
  for (const file of files.filter((name) => /^archive\/\d/.test(name))) {
    const before = new Set((await readFile(join(original, file), 'latin1')).split('\n'));
    const after = await readFile(join(directory, file), 'latin1').catch(() => '');
    for (const line of after.split('\n').slice(0, -1)) {
      const id = before.has(line) ? tweetIn(line) : undefined;
      if (id !== undefined) intact.add(id);
    }
  }
  return intact;
}

/** Repairs, checks again, starts the service and returns what it serves. */
async function repairAndStart(checkup: Checkup) {
  const before = await contents();
  const quarantine = await repairDirectory(directory, checkup);
  expect((await check()).findings.damage).toEqual([]);
  // Every file that the repair changed is in the folder as it was.
  for (const [file, content] of before) {
    const after = await readFile(join(directory, file), 'latin1').catch(() => undefined);
    if (after === content) continue;
    expect(quarantine).toBeDefined();
    expect([file, await readFile(join(directory, quarantine!, file), 'latin1')]).toEqual([file, content]);
  }
  const { store, keys, durable, accounts, log } = await openService(directory);
  await accounts.healthCheck.stop();
  try {
    // It also takes changes, and publishes their events.
    const head = log.head;
    await durable.apply('f', { values: 999, done: true }, [tweet(999)]);
    expect(durable.archive.ordinal('999')).toBeDefined();
    await log.append([{ event: 'pool.status' }]);
    expect(log.head).toBeGreaterThan(head);
    expect(await log.read(log.floor, log.head - log.floor)).toContainEqual(
      expect.objectContaining({ event: 'tweet.created', id: '999' }),
    );
    return {
      tweets: new Set(leftIds.filter((id) => durable.archive.ordinal(String(id)) !== undefined)),
      keys: keyTexts.filter((text) => keys.verify(text) !== undefined).length,
      accounts: accounts.registry.list().length,
      used: accounts.pool.list().map(({ used }) => used),
    };
  } finally {
    await store.close();
  }
}

/** A journal line with a right checksum. */
const lineOf = (record: string): string => `${crc32(record).toString(16).padStart(8, '0')} ${record}\n`;

type Damage = (path: string, content: string) => Promise<void>;
const flip = (content: string, ...places: number[]): Buffer => {
  const bytes = Buffer.from(content, 'latin1');
  for (const place of places) bytes[place] = bytes[place]! ^ 4;
  return bytes;
};
const damages: Record<string, Damage> = {
  'cut in half': (path, content) => truncate(path, Math.floor(content.length / 2)),
  'without its last line': (path, content) => truncate(path, content.trimEnd().lastIndexOf('\n') + 1),
  'with one flipped byte': (path, content) => writeFile(path, flip(content, Math.floor(content.length / 2))),
  'with two flipped bytes in a line': (path, content) => {
    const middle = Math.floor(content.length / 2);
    return writeFile(path, flip(content, middle, middle + 1));
  },
  'with a zeroed page': (path, content) => {
    const bytes = Buffer.from(content, 'latin1');
    bytes.fill(0, Math.floor(bytes.length / 3), Math.floor(bytes.length / 2));
    return writeFile(path, bytes);
  },
  empty: (path) => writeFile(path, ''),
  deleted: (path) => rm(path),
  'of another program': (path) => writeFile(path, 'PK\u0003\u0004 something else\n'.repeat(20)),
  'of a wrong shape': (path, content) =>
    path.endsWith('.json')
      ? writeFile(path, '[1, 2]')
      : writeFile(path, content.replace(/^.*$/m, lineOf('{"kind":"nothing","event":7}').trim())),
  'of wrong members': (path) =>
    path.endsWith('.json')
      ? writeFile(path, '{"keys":7,"records":7,"accounts":7,"cursor":7,"epoch":7,"segments":7}')
      : writeFile(path, lineOf('7') + lineOf('null') + lineOf('{}')),
};

/** Documents whose absence is not damage: they come about with their first use. */
const optional = new Set([
  ...['keys.json', 'accounts.json', 'set-aside.json', 'secrets.json'],
  ...['follow.json', 'follow-tokens.json'],
]);

test('reports no fault for a valid directory, and changes nothing', async () => {
  const before = await contents();
  const { findings, records, documents } = await check();
  expect(findings.damage).toEqual([]);
  expect(findings.notes).toEqual([
    'archive: 1 records are set aside already: set-aside.json lists them',
    expect.stringMatching(/^archive: references to what the archive does not hold: authors 11$/),
  ]);
  expect(records).toBeGreaterThan(120);
  expect(documents).toHaveLength(7);
  expect(await contents()).toEqual(before);
  const segments = files.filter((file) => /^archive\/\d/.test(file));
  expect(segments.length).toBeGreaterThan(2);
  const texts = await Promise.all(segments.map((file) => readFile(join(original, file), 'utf8')));
  expect(texts.join('')).toMatch(/^[\da-f]{8}-\d+$/m);
});

/** Each file is damaged in one way of twenty, and in a full run in every way. */
const step = isFull ? 1 : 20;
const turn = Number(process.env.TEST_TURN);
const cases = Object.entries(damages).map(([name, damage], index) => [name, damage, index] as const);
describe.each(cases)('a file %s', (name, damage, index) => {
  test('is named by the check, which changes nothing; the repair keeps the valid data, and the service starts', async () => {
    for (const file of files.filter((_file, place) => (place + index + turn) % step === 0)) {
      await rm(directory, { recursive: true });
      await cp(original, directory, { recursive: true });
      const path = join(directory, file);
      const content = await readFile(path, 'latin1');
      await damage(path, content);
      // The last write of a journal may be unfinished, and a document of one line has no other.
      if ((await readFile(path, 'latin1').catch(() => undefined)) === content) continue;
      if (name === 'deleted' && optional.has(file)) continue;
      const intact = await intactTweets();
      const damaged = await contents();
      const checkup = await check();
      expect([file, checkup.findings.damage.map((finding) => finding.file)]).toEqual([
        file,
        expect.arrayContaining([expect.stringMatching(file.replace(/(archive|pool|events|conversations)\/.*/, '^$1'))]),
      ]);
      expect(await contents()).toEqual(damaged);
      const served = await repairAndStart(checkup);
      expect([file, [...intact].filter((id) => !served.tweets.has(id))]).toEqual([file, []]);
      if (file !== 'keys.json') expect([file, served.keys]).toEqual([file, 3]);
      if (file !== 'accounts.json') expect([file, served.accounts]).toEqual([file, 2]);
      if (name === 'with one flipped byte') {
        expect([file, served.tweets.size]).toEqual([file, leftIds.length]);
        expect(served.keys).toBeGreaterThanOrEqual(2);
      }
    }
  });
});

test('a service that was repaired after random damage has all valid records', async () => {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
  const random = fc.record({ file: fc.nat(), place, mask: fc.integer({ min: 1, max: 255 }), cut: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(random, { minLength: 1, maxLength: 4 }), async (all) => {
      await rm(directory, { recursive: true });
      await cp(original, directory, { recursive: true });
      for (const { file, place: at, mask, cut } of all) {
        const path = join(directory, files[file % files.length]!);
        const bytes = await readFile(path);
        if (bytes.length === 0) continue;
        const offset = Math.floor(at * bytes.length);
        bytes[offset] = bytes[offset]! ^ mask;
        await writeFile(path, cut ? bytes.subarray(0, offset) : bytes);
      }
      const intact = await intactTweets();
      const served = await repairAndStart(await check());
      expect([...intact].filter((id) => !served.tweets.has(id))).toEqual([]);
    }),
    { numRuns: rounds(8, 1) },
  );
});

test('removes and saves a record that the archive cannot apply, and keeps the numbers of the others', async () => {
  const [segment] = files.filter((file) => /^archive\/\d/.test(file));
  const path = join(directory, segment!);
  const lines = (await readFile(path, 'latin1')).split('\n');
  const bad = '{"kind":"tweet","tweet":{"id":"x","text":"a text","created_at":"2026","author_id":"1"}}';
  lines[4] = lineOf(bad).trim();
  await writeFile(path, lines.join('\n'));
  const checkup = await check();
  expect(checkup.findings.damage).toContainEqual(
    expect.objectContaining({ file: segment, line: 5, offset: lines.slice(0, 4).join('\n').length + 1 }),
  );
  const last = checkup.journals.find(({ name }) => name === 'archive')!.facts.lastSeq;
  const quarantine = await repairDirectory(directory, checkup);
  const removed = (await readFile(join(directory, quarantine!, 'records.jsonl'), 'utf8')).trim().split('\n');
  expect(removed.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ file: segment, line: 5, text: expect.stringContaining(bad) }),
  ]);
  expect((await check()).journals.find(({ name }) => name === 'archive')!.facts.lastSeq).toBe(last);
});

test('after damage to the pool, no account gets more questions than its quota', async () => {
  const path = join(
    directory,
    files.find((file) => /^pool\/\d/.test(file))!,
  );
  const lines = (await readFile(path, 'latin1')).split('\n');
  lines[0] = `${lines[0]!.slice(0, 20)}..${lines[0]!.slice(22)}`;
  await writeFile(path, lines.join('\n'));
  const one = await repairAndStart(await check(Date.now()));
  expect(one.used.every((used) => used >= 2 && used < 20)).toBe(true);
  await rm(directory, { recursive: true });
  await cp(original, directory, { recursive: true });
  await truncate(path, 10);
  expect((await repairAndStart(await check(Date.now()))).used).toEqual([20, 20]);
});

test('an incomplete write at the end of a journal is no damage', async () => {
  const segments = files.filter((file) => /^archive\/\d/.test(file));
  const path = join(directory, segments.at(-1)!);
  const content = await readFile(path, 'latin1');
  await writeFile(path, `${content}0badc0de {"kind":"li`);
  expect(await damageOf()).toEqual([]);
  await writeFile(path, `${content}${'\0'.repeat(100)}\n${lineOf('{"kind":"like","tweet_id":"1"}').replace(' ', '+')}`);
  expect(await damageOf()).toEqual([]);
  expect((await check()).findings.notes).toContainEqual(expect.stringContaining('an unfinished write of'));
});

test('detects an archive that is older than its event log, and new changes get their events', async () => {
  const segments = files.filter((file) => /^archive\/\d/.test(file));
  for (const file of segments.slice(1)) await rm(join(directory, file));
  await rm(join(directory, 'archive/catalogue.json'));
  const checkup = await check();
  expect(await damageOf()).toContainEqual(
    expect.stringMatching(/^events\/log\.json: it knows of change \d+, and the archive/),
  );
  expect((await repairAndStart(checkup)).tweets.size).toBeGreaterThan(0);
});

test('detects and corrects a file that is readable for others or belongs to another user', async () => {
  const path = join(directory, 'secrets.json');
  await chmod(path, 0o644);
  expect(await damageOf()).toEqual(['secrets.json: others can read it']);
  expect(await repairDirectory(directory, await check())).toBeUndefined();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await damageOf()).toEqual([]);
});

test('names damaged tables and removes them; a repair of the archive removes whole ones too', async () => {
  const { store, durable } = await openService(directory);
  expect(await durable.saveTables()).toBe(true);
  await store.close();
  const path = join(directory, 'tables', 'archive');
  expect(await damageOf()).toEqual([]);
  expect((await check()).findings.notes).not.toContainEqual(expect.stringContaining('tables'));
  const whole = await readFile(path);
  await writeFile(path, whole.with(100, whole[100]! ^ 1));
  const checkup = await check();
  expect(await damageOf()).toEqual(['tables/archive: it is damaged']);
  await repairDirectory(directory, checkup);
  await expect(stat(path)).rejects.toThrow('ENOENT');
  await writeFile(path, whole);
  const segment = files.find((file) => /^archive\/\d/.test(file))!;
  const bytes = await readFile(join(directory, segment));
  await writeFile(join(directory, segment), bytes.with(20, bytes[20]! ^ 1));
  await repairDirectory(directory, await check());
  await expect(stat(path)).rejects.toThrow('ENOENT');
});

test('does not change foreign files', async () => {
  await mkdir(join(directory, 'lost+found'));
  await writeFile(join(directory, 'notes.txt'), 'mine');
  const { findings } = await check();
  expect(findings.damage).toEqual([]);
  expect(findings.notes).toContainEqual(expect.stringContaining('lost+found is not a folder of this service'));
});

describe('the correction of one byte', () => {
  const record = JSON.stringify({ kind: 'tweet', tweet: { id: '1', text: 'ü 🙂 '.repeat(50) } });
  const line = Buffer.from(lineOf(record).trimEnd());

  test('restores the record for any byte at any position', () => {
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (place, mask) => {
        const damaged = Buffer.from(line);
        damaged[place] = damaged[place]! ^ mask;
        expect(correctedRecord(damaged)?.toString()).toBe(record);
      }),
      { numRuns: 500 },
    );
  });

  test('restores nothing if two bytes are damaged', () => {
    fc.assert(
      fc.property(fc.nat(line.length - 1), fc.nat(line.length - 1), fc.integer({ min: 1, max: 255 }), (a, b, mask) => {
        fc.pre(a !== b);
        const damaged = Buffer.from(line);
        damaged[a] = damaged[a]! ^ mask;
        damaged[b] = damaged[b]! ^ mask;
        expect([undefined, record]).toContain(correctedRecord(damaged)?.toString());
      }),
      { numRuns: 500 },
    );
  });
});
