/** Two tweets or accounts with one id: the first one keeps it, and nothing of the other one stays. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { importInput, type ImportReport } from '../../../server/import/import.ts';
import { postId } from '../../../server/domain/tid.ts';
import { openExport } from '../../../server/maintenance/export/selection.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { ArchivedTweet, ArchiveRecord, ChangeOutcome } from '../../../server/domain/records.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { nightlyTest } from '../../support/nightly.ts';

const id = '1728652679052295174';
const alice = 'at://did:plc:alice/app.bsky.feed.post/3jzfcijpj2z2a';
const mallory = 'at://did:plc:mallory/app.bsky.feed.post/3jzfcijpj2z2a';
const tweet = (more: Partial<ArchivedTweet> = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, text: 'the first', created_at: '2026-01-01T00:00:00.000Z', author_id: '1', ...more },
});
const original = tweet({ uri: alice });
const copied = tweet({
  uri: mallory,
  author_id: '2',
  text: 'the copied key',
  like_count: 99,
  observed_at: '2027-01-01T00:00:00.000Z',
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(() => folder.dispose());

async function withArchive<Result>(use: (durable: DurableArchive) => Promise<Result> | Result): Promise<Result> {
  const store = await openLowdbStore(folder.path, { segmentBytes: 2000 });
  try {
    return await use(await openArchive(store));
  } finally {
    await store.close();
  }
}
const progress = { values: 1, done: false };
const apply = (durable: DurableArchive, ...records: ArchiveRecord[]): Promise<ChangeOutcome[]> =>
  durable.apply('file', progress, records);
const textOf = (archive: Archive, tweetId = id): string | undefined => {
  const ordinal = archive.ordinal(tweetId);
  return ordinal === undefined ? undefined : archive.tweet(ordinal).text;
};
/** Everything below the folder as one text. */
async function onDisk(): Promise<string> {
  const entries = await readdir(folder.path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
}

describe('a copied record key', () => {
  test('does not touch the first post, in any response and on the disk, also after a purge and a restart', async () => {
    await withArchive(async (durable) => {
      expect(await apply(durable, original)).toEqual(['added']);
      expect(await apply(durable, copied)).toEqual(['rejected']);
      expect(textOf(durable.archive)).toBe('the first');
      await durable.purge();
      expect(durable.setAside).toEqual([]);
    });
    expect(await onDisk()).not.toContain('copied');
    await withArchive(({ archive }) => {
      expect([archive.size, textOf(archive), archive.addressOf(id)]).toEqual([1, 'the first', alice]);
      expect(archive.index.search(parse('copied OR from:2'), 'Latest', { after: undefined, limit: 9 }).items).toEqual(
        [],
      );
    });
  });

  test('does not touch it in the same batch, and in a call at the same time', async () => {
    await withArchive(async (durable) => {
      expect(await apply(durable, original, copied, copied)).toEqual(['added', 'rejected', 'rejected']);
    });
    const other = { ...(original.kind === 'tweet' && original.tweet), id: '1' } as ArchivedTweet;
    await withArchive(async (durable) => {
      const calls = [
        apply(durable, tweet({ ...other, uri: alice })),
        apply(durable, tweet({ ...other, uri: mallory, text: 'the copied key' })),
        apply(durable, { kind: 'delete', tweet_id: '1', uri: mallory }),
      ];
      expect(await Promise.all(calls)).toEqual([['added'], ['rejected'], ['rejected']]);
      // The calls are over: the archive alone decides now.
      expect(
        await apply(durable, { kind: 'delete', tweet_id: '1', uri: alice }, { kind: 'restore', tweet_id: '1' }),
      ).toEqual(['updated', 'updated']);
      expect(await apply(durable, tweet({ ...other, uri: mallory, text: 'another' }))).toEqual(['added']);
    });
    expect(await onDisk()).not.toContain('copied');
  });

  test('does not take the id of a removed post', async () => {
    await withArchive(async (durable) => {
      await apply(durable, original, { kind: 'delete', tweet_id: id });
      expect(await apply(durable, copied)).toEqual(['rejected']);
      expect(await apply(durable, original)).toEqual(['unchanged']);
      await durable.purge();
    });
    await withArchive(async (durable) => {
      expect(durable.archive.addressOf(id)).toBe(alice);
      expect(await apply(durable, copied)).toEqual(['rejected']);
      // A withdrawn account keeps the ids of its posts too, and still after a reinstatement.
      const post = tweet({ id: '1', uri: alice });
      await apply(durable, post, { kind: 'withdraw', user_id: '1' }, { kind: 'reinstate', user_id: '1' });
      expect(await apply(durable, tweet({ id: '1', uri: mallory, author_id: '2' }), post)).toEqual([
        'rejected',
        'added',
      ]);
    });
  });

  test('does not take it after a second removal, which has no address', () => {
    const archive = new Archive();
    const removals = [
      { kind: 'withdraw', user_id: '1' },
      { kind: 'delete', tweet_id: id },
    ] as const;
    for (const change of [original, ...removals, { kind: 'reinstate', user_id: '1' } as const]) archive.apply(change);
    expect([archive.addressOf(id), archive.apply(copied).outcome]).toEqual([alice, 'rejected']);
  });

  nightlyTest('in a journal of another program has no effect, and a purge removes it', async () => {
    const store = await openLowdbStore(folder.path, { segmentBytes: 200 });
    const journal = await store.journal('archive');
    await journal.replay(() => {});
    const edited = tweet({ uri: alice, text: 'the first, edited', observed_at: '2026-02-01T00:00:00.000Z' });
    for (const record of [original, copied, edited, copied]) await journal.append([JSON.stringify(record)]);
    await store.close();
    for (let start = 0; start < 2; start++)
      await withArchive(async (durable) => {
        expect([textOf(durable.archive), durable.archive.addressOf(id)]).toEqual(['the first, edited', alice]);
        await durable.purge();
      });
    expect(await onDisk()).not.toContain('copied');
  });

  test('does not delete the first post', async () => {
    const archive = new Archive();
    archive.apply(original);
    const deletion = { kind: 'delete', tweet_id: id } as const;
    expect(archive.apply({ ...deletion, uri: mallory })).toEqual({ outcome: 'rejected', events: [] });
    expect(archive.changesFor({ ...deletion, uri: mallory })).toEqual([]);
    expect(textOf(archive)).toBe('the first');
    expect(archive.apply({ ...deletion, uri: alice }).outcome).toBe('updated');
    // A removal without an address is of whatever tweet has the id.
    const another = new Archive();
    another.apply(original);
    expect(another.apply(deletion).outcome).toBe('updated');
  });

  test('gets an id of its own, which the archive takes', () => {
    const archive = new Archive();
    archive.apply(original);
    const ownId = postId(mallory, (each) => archive.addressOf(each));
    expect(BigInt(ownId)).toBeGreaterThanOrEqual(2n ** 63n);
    expect(archive.apply(tweet({ uri: mallory, id: ownId, text: 'mine' })).outcome).toBe('added');
    expect([
      postId(alice, (each) => archive.addressOf(each)),
      postId(mallory, (each) => archive.addressOf(each)),
    ]).toEqual([id, ownId]);
    expect(archive.index.search(parse(`since_id:${id}`), 'Latest', { after: undefined, limit: 9 }).items).toEqual([1]);
  });
});

describe('a tweet without an address', () => {
  const withoutAddress = tweet({ text: 'from another platform' });

  test('and one with an address are different tweets if their authors are', () => {
    for (const [first, second] of [
      [withoutAddress, copied],
      [copied, withoutAddress],
    ] as const) {
      const archive = new Archive();
      archive.apply(first);
      expect(archive.apply(second).outcome).toBe('rejected');
      expect(archive.addressOf(id)).toBe(first === copied ? mallory : '');
    }
  });

  test('gets its address from a record of the same author, without an event', () => {
    const archive = new Archive();
    archive.apply(withoutAddress);
    expect(archive.apply(tweet({ text: 'from another platform', uri: alice }))).toEqual({
      outcome: 'updated',
      events: [],
    });
    expect(archive.apply(withoutAddress).outcome).toBe('unchanged');
    expect(archive.addressOf(id)).toBe(alice);
  });

  test('is not deleted by the removal of a record with an address, unless the author is the same', () => {
    const archive = new Archive();
    archive.apply(withoutAddress);
    expect(archive.apply({ kind: 'delete', tweet_id: id, uri: mallory }).outcome).toBe('rejected');
    expect(archive.apply({ kind: 'delete', tweet_id: id, uri: mallory, author_id: '2' }).outcome).toBe('rejected');
    expect(archive.apply({ kind: 'delete', tweet_id: id, uri: alice, author_id: '1' }).outcome).toBe('updated');
    expect(archive.addressOf(id)).toBe(alice);
    expect([archive.addressOf('77'), new Archive().addressOf(id)]).toEqual([undefined, undefined]);
  });
});

test('another account with the same id does not change the profile of the first one', async () => {
  const profile = (did: string | undefined, username: string): ArchiveRecord => ({
    kind: 'user',
    user: { id: '5', username, ...(did === undefined ? {} : { did }), observed_at: '2027-01-01T00:00:00.000Z' },
  });
  await withArchive(async (durable) => {
    expect(
      await apply(durable, profile(undefined, 'alice.example.com'), profile('did:plc:alice', 'alice.example.com')),
    ).toEqual(['added', 'updated']);
    expect(await apply(durable, profile('did:plc:mallory', 'mallory.example.com'))).toEqual(['rejected']);
    const calls = ['did:plc:a', 'did:plc:b'].map((did) =>
      apply(durable, { kind: 'user', user: { id: '6', username: 'six', did } }),
    );
    expect(await Promise.all(calls)).toEqual([['added'], ['rejected']]);
    await durable.purge();
  });
  expect(await onDisk()).not.toContain('mallory');
  await withArchive(({ archive }) => {
    expect(archive.users.get('5')).toMatchObject({ username: 'alice.example.com', did: 'did:plc:alice' });
    expect(archive.users.get('6')?.did).toBe('did:plc:a');
  });
});

nightlyTest('an export and a snapshot keep the addresses and identifiers, also of removed tweets', async () => {
  const archive = new Archive();
  archive.apply(original);
  archive.apply(tweet({ id: '2', uri: mallory }));
  archive.apply({ kind: 'delete', tweet_id: '2' });
  archive.apply({ kind: 'user', user: { id: '1', username: 'alice.example.com', did: 'did:plc:alice' } });
  const snapshot = new Archive();
  for (const change of archive.changes()) snapshot.apply(change, { snapshot: true });
  let text = '';
  for await (const chunk of (await openExport(archive, {})).chunks) text += chunk;
  await withArchive(async (durable) => {
    const report = await importText(durable, text);
    expect([report.skipped, report.taken]).toEqual([0, 3]);
    for (const copy of [snapshot, durable.archive]) {
      expect([copy.addressOf(id), copy.addressOf('2')]).toEqual([alice, mallory]);
      expect(copy.users.get('1')?.did).toBe('did:plc:alice');
      expect(copy.rejects(tweet({ id: '2', uri: alice }))).toBe(true);
    }
  });
});

const importText = (durable: DurableArchive, text: string, restore = false): Promise<ImportReport> =>
  importInput(
    {
      name: 'file',
      bytes: text.length,
      fingerprint: text,
      seenAt: '2030-01-01T00:00:00.000Z',
      owner: undefined,
      async *read() {
        yield Buffer.from(text);
      },
    },
    durable,
    { restore },
  );

test('an import reports a rejected record as skipped, with the reason and the line', async () => {
  const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const user = (did: string): unknown => ({ kind: 'user', user: { id: '5', username: 'alice.example.com', did } });
  await withArchive(async (durable) => {
    const text = lines(
      original,
      copied,
      user('did:plc:alice'),
      user('did:plc:mallory'),
      { kind: 'delete', tweet_id: id, uri: mallory },
      { kind: 'tweet', tweet: { ...(original as { tweet: object }).tweet, id: '9', uri: 'ftp://example.com/9' } },
    );
    const report = await importText(durable, text);
    expect(report).toMatchObject({ taken: 2, updated: 0, unchanged: 0, skipped: 4, complete: true });
    expect([...report.reasons]).toEqual([
      [
        'tweet.uri must be an at-uri such as at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3lbyeqkxpfk2m, or an address with https',
        [6],
      ],
      [
        'the archive has another tweet with this id: its uri or its author differs, and the first one keeps the id',
        [2],
      ],
      ['the archive has another account with this id: its did differs, and the first one keeps the id', [4]],
      ['the tweet with this id has another uri: it stays', [5]],
    ]);
    expect(durable.setAside).toEqual([]);
    // Also where the import brings back what was deleted.
    expect(await importText(durable, lines(copied), true)).toMatchObject({ skipped: 1, taken: 0 });
    expect(textOf(durable.archive)).toBe('the first');
  });
});

const ids = [id, '1', '9679555851900972284'];
/** An address belongs to one account. */
const anyOrigin = fc.constantFrom(
  { uri: alice, author_id: '1' },
  { uri: mallory, author_id: '2' },
  { author_id: '1' },
  { author_id: '2' },
);
const anyId = fc.constantFrom(...ids);
const anyTweet = fc
  .record({ tweetId: anyId, origin: anyOrigin, hour: fc.integer({ min: 0, max: 9 }) })
  .map(({ tweetId, origin, hour }) => {
    const text = `${'uri' in origin ? origin.uri : 'none'} ${hour}`;
    return tweet({ id: tweetId, ...origin, text, observed_at: `2026-02-01T0${hour}:00:00.000Z` });
  });
const anyDeletion = fc
  .record({ tweet_id: anyId, origin: anyOrigin, hasAuthor: fc.boolean() })
  .map(({ tweet_id, origin: { author_id, ...address }, hasAuthor }): ArchiveRecord => {
    const at = '2026-03-01T00:00:00.000Z';
    return { kind: 'delete', tweet_id, ...address, ...(hasAuthor ? { author_id } : {}), at };
  });
const anyRecord: fc.Arbitrary<ArchiveRecord> = fc.oneof(
  { weight: 6, arbitrary: anyTweet },
  { weight: 2, arbitrary: anyDeletion },
  { weight: 1, arbitrary: anyId.map((tweet_id): ArchiveRecord => ({ kind: 'restore', tweet_id })) },
);

/** The rules in their shortest form. */
class Model {
  readonly held = new Map<string, { uri: string | undefined; author: string | undefined; isGone: boolean }>();

  /** Whether the record is rejected. */
  apply(record: ArchiveRecord): boolean {
    if (record.kind === 'restore') {
      if (this.held.get(record.tweet_id)?.isGone === true) this.held.delete(record.tweet_id);
      return false;
    }
    if (record.kind !== 'tweet' && record.kind !== 'delete') throw new Error('not in this model');
    const isDeletion = record.kind === 'delete';
    const [key, uri, author] = isDeletion
      ? [record.tweet_id, record.uri, record.author_id]
      : [record.tweet.id, record.tweet.uri, record.tweet.author_id];
    const before = this.held.get(key);
    if (before !== undefined && this.#isOther(before, uri, author, isDeletion)) return true;
    if (before?.isGone === true && !isDeletion) return false;
    this.held.set(key, { uri: before?.uri ?? uri, author: before?.author ?? author, isGone: isDeletion });
    return false;
  }

  #isOther(
    before: { uri: string | undefined; author: string | undefined },
    uri: string | undefined,
    author: string | undefined,
    isDeletion: boolean,
  ): boolean {
    if (before.uri !== undefined && uri !== undefined) return before.uri !== uri;
    if (before.uri === undefined && uri === undefined) return false;
    if (isDeletion && uri === undefined) return false;
    return before.author !== undefined && before.author !== author;
  }
}

nightlyTest(
  'records of different tweets with the same ids, with purges and restarts between, give what the model gives',
  async () => {
    const steps = fc.array(
      fc.record({ records: fc.array(anyRecord, { maxLength: 6 }), then: fc.constantFrom('go on', 'purge', 'restart') }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await rm(folder.path, { recursive: true, force: true });
        const model = new Model();
        const expectModel = ({ archive }: DurableArchive): void => {
          for (const each of ids) {
            const { uri, author, isGone = false } = model.held.get(each) ?? {};
            const ordinal = archive.ordinal(each);
            expect([archive.addressOf(each), ordinal !== undefined]).toEqual([
              model.held.has(each) ? (uri ?? '') : undefined,
              model.held.has(each) && !isGone,
            ]);
            if (ordinal === undefined) continue;
            expect(archive.tweet(ordinal).author_id).toBe(author);
            // No text of a tweet with another address.
            expect([String(uri), 'none']).toContain(archive.tweet(ordinal).text.split(' ')[0]);
          }
        };
        for (let rest = all; rest.length > 0;) {
          const end = rest.findIndex(({ then }) => then === 'restart') + 1 || rest.length;
          await withArchive(async (durable) => {
            expectModel(durable);
            for (const { records, then } of rest.slice(0, end)) {
              const outcomes = await apply(durable, ...records);
              expect(outcomes.map((outcome) => outcome === 'rejected')).toEqual(
                records.map((each) => model.apply(each)),
              );
              if (then === 'purge') await durable.purge();
              expectModel(durable);
            }
          });
          rest = rest.slice(end);
        }
        await withArchive(expectModel);
      }),
      { numRuns: rounds(60) },
    );
  },
);
