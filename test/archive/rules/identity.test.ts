/** Two tweets or accounts with one id: the first one keeps it, and nothing of the other one stays. */
import { describe, expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { postId } from '../../../server/domain/tid.ts';
import { importInput, type ImportReport } from '../../../server/import/import.ts';
import type { ImportSink } from '../../../server/ports/import-sink.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { openArchiveIn } from '../../support/stored-archive.ts';

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

const outcomes = (archive: Archive, ...records: ArchiveRecord[]): string[] =>
  records.map((record) => archive.apply(record).outcome);

describe('a copied record key', () => {
  test('does not touch the first post', () => {
    const archive = new Archive();
    expect(outcomes(archive, original, copied, copied)).toEqual(['added', 'rejected', 'rejected']);
    expect([archive.tweet(id)?.text, archive.addressOf(id)]).toEqual(['the first', alice]);
    expect(JSON.stringify([...archive.changes()])).not.toContain('copied');
  });

  test('does not take the id of a removed post', () => {
    const archive = new Archive();
    const removal = { kind: 'delete', tweet_id: id } as const;
    expect(outcomes(archive, original, removal, copied, original)).toEqual([
      'added',
      'updated',
      'rejected',
      'unchanged',
    ]);
    expect(archive.addressOf(id)).toBe(alice);
    // A withdrawn account keeps the ids of its posts too, and still after a reinstatement.
    const post = tweet({ id: '1', uri: alice });
    outcomes(archive, post, { kind: 'withdraw', user_id: '1' }, { kind: 'reinstate', user_id: '1' });
    expect(outcomes(archive, tweet({ id: '1', uri: mallory, author_id: '2' }), post)).toEqual(['rejected', 'added']);
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

  test('does not delete the first post', () => {
    const archive = new Archive();
    archive.apply(original);
    const deletion = { kind: 'delete', tweet_id: id } as const;
    expect(archive.apply({ ...deletion, uri: mallory })).toEqual({ outcome: 'rejected', events: [] });
    expect(archive.removedBy({ ...deletion, uri: mallory })).toEqual([]);
    expect(archive.tweet(id)?.text).toBe('the first');
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

test('another account with the same id does not change the profile of the first one', () => {
  const profile = (did: string | undefined, username: string): ArchiveRecord => ({
    kind: 'user',
    user: { id: '5', username, ...(did === undefined ? {} : { did }), observed_at: '2027-01-01T00:00:00.000Z' },
  });
  const archive = new Archive();
  const records = [
    profile(undefined, 'alice.example.com'),
    profile('did:plc:alice', 'alice.example.com'),
    profile('did:plc:mallory', 'mallory.example.com'),
  ];
  expect(outcomes(archive, ...records)).toEqual(['added', 'updated', 'rejected']);
  expect(archive.profile('5')).toMatchObject({ username: 'alice.example.com', did: 'did:plc:alice' });
});

const importText = (sink: ImportSink, text: string, restore = false): Promise<ImportReport> =>
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
    sink,
    { restore },
  );

test('an import reports a rejected record as skipped, with the reason and the line', async () => {
  const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const user = (did: string): unknown => ({ kind: 'user', user: { id: '5', username: 'alice.example.com', did } });
  const folder = await temporaryFolder();
  const { sink, deadLetters, held, close } = await openArchiveIn(folder.path);
  try {
    const text = lines(
      original,
      copied,
      user('did:plc:alice'),
      user('did:plc:mallory'),
      { kind: 'delete', tweet_id: id, uri: mallory },
      { kind: 'tweet', tweet: { ...(original as { tweet: object }).tweet, id: '9', uri: 'ftp://example.com/9' } },
    );
    const report = await importText(sink, text);
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
    expect(deadLetters.count).toBe(0);
    // Also where the import brings back what was deleted.
    expect(await importText(sink, lines(copied), true)).toMatchObject({ skipped: 1, taken: 0 });
    expect((await held.read({ tweets: [id], users: [] })).tweet(id)?.text).toBe('the first');
  } finally {
    await close();
    await folder.dispose();
  }
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

test('records of different tweets with the same ids give what the model gives', () => {
  fc.assert(
    fc.property(fc.array(anyRecord, { maxLength: 40 }), (records) => {
      const [archive, model] = [new Archive(), new Model()];
      for (const record of records) {
        expect(archive.apply(record).outcome === 'rejected').toBe(model.apply(record));
        for (const each of ids) {
          const { uri, author, isGone = false } = model.held.get(each) ?? {};
          const held = archive.tweet(each);
          expect([archive.addressOf(each), held !== undefined]).toEqual([
            model.held.has(each) ? (uri ?? '') : undefined,
            model.held.has(each) && !isGone,
          ]);
          if (held === undefined) continue;
          expect(held.author_id).toBe(author);
          // No text of a tweet with another address.
          expect([String(uri), 'none']).toContain(held.text.split(' ')[0]);
        }
      }
    }),
    { numRuns: rounds(200) },
  );
});
