import { parse } from '../../../server/search/language/parse.ts';
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { records as validators } from '../../../generated/records.js';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { PurgeOptions } from '../../../server/platforms/archive/purge-schedule.ts';
import { backUp } from '../../../server/storage/lowdb/backup.ts';
import { openLowdbStore, type LowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { appendHistory } from '../../support/journal-history.ts';
import { rounds } from '../../support/rounds.ts';
import { nightlyTest } from '../../support/nightly.ts';

let directory: string;
let data: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'purge-'));
  data = join(directory, 'data');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function withArchive<Result>(
  use: (durable: DurableArchive, store: LowdbStore) => Promise<Result> | Result,
  purge: PurgeOptions = {},
  segmentBytes = 100_000,
): Promise<Result> {
  const store = await openLowdbStore(data, { segmentBytes });
  try {
    return await use(await openArchive(store, undefined, undefined, purge), store);
  } finally {
    await store.close();
  }
}

const progress = { values: 1, done: false };
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: number, text: string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), text, created_at: at, author_id: '1', ...more },
});
const deletion = (id: number): ArchiveRecord => ({ kind: 'delete', tweet_id: String(id) });
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

/** The files below a folder whose bytes contain a text. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path);
  }
  return found;
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder);
  // The temporary file of a catalogue may have its name no more.
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(folder, file)).catch(() => undefined))?.size ?? 0),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Waits until a condition holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

nightlyTest(
  'a purge after the eviction of a tombstone leaves no like of the removed tweet in the journal',
  async () => {
    const later = '2026-01-02T00:00:00.000Z';
    const like = (id: number, created_at = at): ArchiveRecord => ({ kind: 'like', tweet_id: String(id), created_at });
    const likedAt = ({ archive }: DurableArchive): unknown[] => [1, 2, 3].map((id) => archive.likedAt(String(id)));
    const expected = [Date.parse(later), undefined, undefined];
    await withArchive(async (durable) => {
      const records = [tweet(1, 'first'), like(1), deletion(1), tweet(2, 'second'), like(2), deletion(2)];
      await durable.apply('records', progress, records);
      await durable.evict({ tombstone_ids: ['1', '2'] });
      // A like after the eviction counts. A removed like stays removed.
      await durable.apply('records', progress, [tweet(1, 'first again'), like(1, later), like(3), deletion(4)]);
      await durable.unlike('3');
      await durable.purge();
      expect(likedAt(durable)).toEqual(expected);
    });
    expect(await withArchive(likedAt)).toEqual(expected);
  },
);

nightlyTest(
  'after a purge no file holds the text of thousands of removed tweets, and a later backup holds none',
  async () => {
    const total = rounds(60_000, 6_000);
    const text = (id: number): string => (id % 2 === 0 ? `secret ${id} gone` : `public ${id} here`);
    await withArchive(async (durable) => {
      for (let from = 0; from < total; from += 2000)
        await durable.apply(
          'file',
          progress,
          range(from, from + 2000).map((id) => tweet(id, text(id))),
        );
      expect((await filesWith(data, 'secret')).length).toBeGreaterThan(2);
      const removed = range(0, total).filter((id) => id % 2 === 0);
      for (let from = 0; from < removed.length; from += 2000)
        await durable.apply('file', progress, removed.slice(from, from + 2000).map(deletion));
      expect(durable.purgeableSince).toBeDefined();
      expect(await durable.purge()).toMatchObject({ records: expect.any(Number) });
      expect(durable.purgeableSince).toBeUndefined();
      expect(await filesWith(data, 'secret')).toEqual([]);
      await backUp(data, join(directory, 'backup'));
      expect(await filesWith(join(directory, 'backup'), 'secret')).toEqual([]);
      expect((await filesWith(join(directory, 'backup'), `public ${total - 1} here`)).length).toBe(1);
    });
    await withArchive(({ archive, purgeableSince }) => {
      expect(archive.size).toBe(total / 2);
      expect(archive.isRemoved('0')).toBe(true);
      // Nothing of the removed tweets is on the disk, so no purge is due.
      expect(purgeableSince).toBeUndefined();
    });
  },
);

test('a purge removes the places that an author removed from the disk, and keeps the tweets', async () => {
  const places = { place: 'Secret Street', coordinates: { longitude: 12.3456, latitude: 41.9 } };
  const ids = range(1, 60);
  const located = ({ archive }: DurableArchive): number =>
    ids.filter((id) => archive.tweet(archive.ordinal(String(id))!).place !== undefined).length;
  await withArchive(
    async (durable) => {
      await durable.apply(
        'file',
        progress,
        ids.map((id) => tweet(id, `words ${id}`, places)),
      );
      // Two places are changed in the same call: what is on its way to the journal is removed too.
      await durable.apply('file', progress, [
        { kind: 'scrub_geo', tweet_id: '40', user_id: '1' },
        { kind: 'scrub_geo', tweet_id: '59', user_id: '1' },
        tweet(7, 'words 7', { ...places, observed_at: '2026-03-01T00:00:00.000Z' }),
        tweet(60, 'words 60', places),
        { kind: 'scrub_geo', tweet_id: '60' },
      ]);
      expect(durable.purgeableSince).toBeDefined();
      await durable.purge();
      expect(await filesWith(data, 'Secret Street')).toEqual([]);
      expect(await filesWith(data, '12.3456')).toEqual([]);
      expect([durable.archive.size, located(durable)]).toEqual([60, 0]);
    },
    { withinMs: 3_600_000 },
  );
  expect(await withArchive((durable) => [durable.archive.size, located(durable)])).toEqual([60, 0]);
});

test('a removal starts a purge by itself, at once with a limit of 0', async () => {
  const purged: unknown[] = [];
  await withArchive(
    async (durable) => {
      await durable.apply('file', progress, [tweet(1, 'secret'), tweet(2, 'public')]);
      await durable.apply('file', progress, [deletion(1)]);
      await until(() => purged.length > 0);
      expect(await filesWith(data, 'secret')).toEqual([]);
      expect(await filesWith(data, 'public')).toHaveLength(1);
    },
    { withinMs: 0, onPurged: (result) => void purged.push(result) },
  );
});

nightlyTest('a start continues the purge that a stopped process owes', async () => {
  await withArchive(async (durable) => {
    await durable.apply('file', progress, [tweet(1, 'secret'), tweet(2, 'public')]);
    await durable.apply('file', progress, [deletion(1)]);
  });
  expect(await filesWith(data, 'secret')).toHaveLength(1);
  let purges = 0;
  await withArchive(() => until(() => purges > 0), { withinMs: 0, onPurged: () => void purges++ });
  expect(await filesWith(data, 'secret')).toEqual([]);
});

test('a withdrawn account leaves no profile, no tweet and no list on the disk', async () => {
  await withArchive(async (durable) => {
    await durable.apply('file', progress, [
      { kind: 'user', user: { id: '1', username: 'secretname', description: 'secret profile' } },
      { kind: 'user', user: { id: '2', username: 'other' } },
      tweet(1, 'secret one'),
      tweet(2, 'RT @secretname: secret one', { author_id: '2', retweeted_tweet_id: '1' }),
      { kind: 'list', list: { id: '8', owner_id: '1', name: 'secret list' } },
      { kind: 'space', space: { id: 's', title: 'secret talk', state: 'ended', host_id: '1', created_at: at } },
    ]);
    await durable.apply('file', progress, [{ kind: 'withdraw', user_id: '1' }]);
    expect([durable.archive.size, durable.archive.userByName('secretname')]).toEqual([0, undefined]);
    await durable.purge();
    expect(await filesWith(data, 'secret')).toEqual([]);
    expect(await filesWith(data, 'other')).toHaveLength(1);
  });
});

nightlyTest('appends and reads go on during a purge, and each acknowledged change is there after it', async () => {
  await withArchive(async (durable) => {
    for (let from = 0; from < 8000; from += 2000)
      await durable.apply(
        'file',
        progress,
        range(from, from + 2000).map((id) => tweet(id, `text ${id}`)),
      );
    await durable.apply('file', progress, range(0, 4000).map(deletion));
    let done = false;
    const purging = durable.purge().finally(() => (done = true));
    let next = 10_000;
    while (!done) await durable.apply('file', progress, [tweet(next++, 'during'), deletion(next - 9000)]);
    await purging;
    expect(next).toBeGreaterThan(10_000);
    expect(durable.archive.index.search(parse('during'), 'Latest', { after: undefined, limit: 100 }).items.length).toBe(
      Math.min(100, next - 10_000),
    );
    return durable.archive.size;
  });
  await withArchive(({ archive }) => expect(archive.ordinal('10000')).toBeDefined());
});

nightlyTest(
  're-imports of changed tweets keep the disk within twice the live data and a constant, without a restart',
  async () => {
    const folder = join(data, 'archive');
    // Long, so that few tweets make a large journal.
    const padding = 'x'.repeat(20_000);
    await withArchive(
      async (durable) => {
        const ids = range(0, 200);
        let live = 0;
        for (let round = 0; round < 9; round++) {
          const seen = new Date(1_770_000_000_000 + round * 1000).toISOString();
          await durable.apply(
            'file',
            progress,
            ids.map((id) => tweet(id, padding, { like_count: round, observed_at: seen })),
          );
          live ||= await sizeOf(folder);
          const limit = 2 * live + 20_000_000;
          expect(await sizeOf(folder)).toBeLessThan(limit);
        }
        await durable.purge();
        expect(await sizeOf(folder)).toBeLessThan(1.2 * live);
      },
      {},
      1_000_000,
    );
    await withArchive(({ archive }) => expect(archive.tweet(archive.ordinal('5')!).like_count).toBe(8));
  },
);

nightlyTest('idle updates of a position keep the journal within a constant, without a restart', async () => {
  const folder = join(data, 'archive');
  // Long, so that few updates make a large journal.
  const position = (n: number) => ({ position: `${'x'.repeat(9_000)}${n}`, at: 1_700_000_000_000 + n });
  const updates = 2_000;
  let largest = 0;
  await withArchive(
    async (durable) => {
      await durable.follow('x', position(1), [tweet(1, 'kept')]);
      for (let from = 0; from < updates; from += 50) {
        await Promise.all(range(from, from + 50).map((n) => durable.follow('bluesky', position(n), [])));
        largest = Math.max(largest, await sizeOf(folder));
      }
      await durable.purge();
      expect(await sizeOf(folder)).toBeLessThan(250_000);
    },
    {},
    100_000,
  );
  // Without the removal of superseded lines: 19 MB.
  expect(largest).toBeLessThan(15_000_000);
  await withArchive((durable) => {
    expect(durable.archive.size).toBe(1);
    expect([durable.position('bluesky'), durable.position('x')]).toEqual([position(updates - 1), position(1)]);
  });
});

nightlyTest('a backup and a rewritten journal hold the positions of live sources', async () => {
  const position = { position: 'cursor', at: 5 };
  await withArchive(
    async (durable, store) => {
      await durable.follow('bluesky', position, [tweet(1, 'one')]);
      // So much history that the next start rewrites the journal.
      await appendHistory(store);
      await backUp(data, join(directory, 'backup'));
    },
    {},
    100_000_000,
  );
  await withArchive(async (durable, store) => {
    expect(durable.position('bluesky')).toEqual(position);
    const journal = [...store.journals.values()].find(({ bytes }) => bytes > 0);
    expect(journal?.bytes).toBeLessThan(10_000);
  });
  await withArchive((durable) => expect(durable.position('bluesky')).toEqual(position));
  data = join(directory, 'backup');
  await withArchive((durable) => expect(durable.position('bluesky')).toEqual(position));
});

nightlyTest('a position line without its members is set aside, and the rest is served', async () => {
  await withArchive(async (_durable, store) => {
    const journal = [...store.journals.values()][0];
    await journal?.append([
      JSON.stringify({ kind: 'position', source: 'bluesky' }),
      JSON.stringify({ kind: 'position', source: 'x', position: 'p', at: 1 }),
    ]);
  });
  await withArchive((durable) => {
    expect(durable.setAside).toHaveLength(1);
    expect([durable.position('bluesky'), durable.position('x')]).toEqual([undefined, { position: 'p', at: 1 }]);
  });
});

nightlyTest('a tweet that is seen again with only a later time is unchanged, and is not written', async () => {
  await withArchive(async (durable) => {
    const seen = (observed_at: string): ArchiveRecord[] => [tweet(1, 'same', { like_count: 1, observed_at })];
    await durable.apply('file', progress, seen('2026-02-01T00:00:00.000Z'));
    const before = await sizeOf(join(data, 'archive'));
    expect(await durable.apply('file', progress, seen('2026-03-01T00:00:00.000Z'))).toEqual(['unchanged']);
    // Only the progress of the import was written.
    expect((await sizeOf(join(data, 'archive'))) - before).toBeLessThan(250);
  });
});

test('data that version 1.0 wrote opens, and its records are valid', async () => {
  const fixture = new URL('fixtures/format-1.0/', import.meta.url).pathname;
  await cp(join(fixture, 'archive'), join(data, 'archive'), { recursive: true });
  await withArchive(async (durable) => {
    const { archive } = durable;
    expect([archive.size, archive.users.size, archive.liked('10'), archive.liked('11')]).toEqual([4, 2, false, true]);
    expect(archive.tweet(archive.ordinal('10')!)).toMatchObject({ text: 'fixture 10', like_count: 4 });
    expect(archive.userByName('ann_b')).toMatchObject({ id: '1', name: 'Ann' });
    expect(
      archive.index.search(parse('list:ann_b/press'), 'Latest', { after: undefined, limit: 9 }).items,
    ).toHaveLength(1);
    expect(durable.setAside).toEqual([]);
    const before = [...archive.changes()];
    await durable.purge();
    expect([...archive.changes()]).toEqual(before);
  });
  await withArchive(({ archive }) => expect(archive.tweet(archive.ordinal('10')!).like_count).toBe(4));
  const lines = (await readFile(join(fixture, 'records.jsonl'), 'utf8')).trim().split('\n');
  for (const line of lines) {
    const record = JSON.parse(line) as ArchiveRecord;
    expect([line, validators[record.kind](record)]).toEqual([line, true]);
  }
});

/** An interrupted export leaves the file of the one before. */
async function expectWhole(path: string): Promise<void> {
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  const records = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as ArchiveRecord);
  const tombstones = new Set(records.flatMap((record) => (record.kind === 'delete' ? record.tweet_id : [])));
  for (const record of records) if (record.kind === 'tweet') expect(tombstones.has(record.tweet.id)).toBe(false);
}

/** CRASH_ROUNDS=200 kills as often. */
const kills = Number(process.env.CRASH_ROUNDS ?? rounds(3, 1));
nightlyTest(
  'killed at any moment of changes, purges and exports, no acknowledged deletion comes back, and nothing else is lost',
  async () => {
    const script = new URL('fixtures/purge.ts', import.meta.url).pathname;
    const added = new Set<number>();
    const deleted = new Set<number>();
    const exportFile = join(directory, 'export.jsonl.gz');
    let next = 1000;
    let exports = 0;
    for (let round = 0; round < kills; round++) {
      const child = spawn(process.execPath, [script, data, String(next), exportFile], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let isKilling = false;
      for await (const line of createInterface({ input: child.stdout })) {
        const [what, from] = line.split(' ');
        if (what === 'exported') {
          exports++;
          continue;
        }
        for (const id of range(Number(from), Number(from) + 20)) (what === 'added' ? added : deleted).add(id);
        next = Number(from) + 20;
        // However slow the machine is, there are acknowledged deletions to check.
        if (isKilling || exports === 0 || deleted.size <= kills) continue;
        isKilling = true;
        setTimeout(() => child.kill('SIGKILL'), 50 + Math.random() * 300);
      }
      await withArchive(({ archive, setAside }) => {
        expect(setAside).toEqual([]);
        for (const id of added) {
          const isDeleted = id % 2 === 0 && deleted.has(id);
          if (isDeleted) expect(archive.ordinal(String(id))).toBeUndefined();
          else if (id % 2 === 1) expect(archive.tweet(archive.ordinal(String(id))!).like_count).toBe(2);
        }
      });
      if (exports > 0) await expectWhole(exportFile);
    }
    expect(exports).toBeGreaterThan(0);
    expect(deleted.size).toBeGreaterThan(kills);
    await withArchive(async (durable) => {
      // The last batch may be added and not deleted.
      await durable.apply(
        'file',
        progress,
        Array.from(added, (id) => id).flatMap((id) => (id % 2 === 0 ? [deletion(id)] : [])),
      );
      const rest = Array.from(durable.archive.ordinals(), (ordinal) => durable.archive.tweet(ordinal))
        .filter(({ text }) => text.startsWith('secret'))
        .map(({ id }) => deletion(Number(id)));
      await durable.apply('file', progress, rest);
      await durable.purge();
      expect(await filesWith(data, 'secret')).toEqual([]);
    });
  },
  600_000 + kills * 20_000,
);
