/** Records that another thread prepares have the effect of the same records without preparation, and few of them are parsed. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import {
  buffersOf,
  PreparedRecords,
  recyclable,
  RecordBatchReader,
  type RecordBatch,
} from '../../server/import/prepared-records.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import type { Change } from '../../server/platforms/archive/change.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import type { PreparedRecord } from '../../server/ports/import-sink.ts';
import type { Journal, Store } from '../../server/ports/storage.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { parse } from '../../server/search/language/parse.ts';
import { answers, content, page, step } from '../platforms/archive/answers.ts';
import { temporaryFolder } from '../support/folder.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const sent = <Message>(message: Message, transfer: ArrayBuffer[]): Message => structuredClone(message, { transfer });

/** The records after a message between threads. Each call returns the memory of the call before, with other content. */
function preparer(): (records: readonly ArchiveRecord[]) => PreparedRecord[] {
  const [thread, prepared] = [new RecordBatchReader(), new PreparedRecords()];
  let before: RecordBatch | undefined;
  return (records) => {
    const memory = before === undefined ? [] : recyclable(before);
    for (const each of memory) new Uint8Array(each).fill(0xff);
    thread.reuse(sent(memory, memory));
    for (const record of records) thread.add(record, JSON.stringify(record));
    const batch = thread.take();
    before = sent(batch, buffersOf(batch));
    return prepared.take(before);
  };
}

const lists = (archive: Archive): unknown =>
  ['901', '902', '7', '8', '9'].map((id) => [
    [archive.communityTweets, archive.communityMedia, archive.replies].map((all) =>
      Array.from(all.get(id)?.sorted(archive.order) ?? []),
    ),
    [...(archive.retweeters.get(id)?.members() ?? [])],
    archive.maxEngagement(id),
  ]);

test('an archive has the same content, events and answers', () => {
  fc.assert(
    fc.property(fc.array(fc.array(step, { maxLength: 10 }), { maxLength: 12 }), (batches) => {
      const [direct, other, prepare] = [new Archive(), new Archive(), preparer()];
      let seq = 0;
      for (const changes of batches) {
        const tweets = changes.flatMap((change) => (change.kind === 'tweet' ? [change] : []));
        const prepared = new Map(prepare(tweets).map((record, index) => [tweets[index] as Change, record]));
        for (const change of changes) {
          const { tweet, record } = prepared.get(change) ?? {};
          const addition = { kind: 'addition', tweet: tweet!, whole: () => record! } as const;
          const outcome = other.apply(tweet === undefined ? change : addition, { seq: ++seq });
          expect(outcome).toEqual(direct.apply(change, { seq }));
          if (change.kind === 'tweet') expect(other.needs(change, seq)).toBe(direct.needs(change, seq));
        }
      }
      expect(content(other)).toEqual(content(direct));
      expect(answers(other)).toEqual(answers(direct));
      expect(lists(other)).toEqual(lists(direct));
    }),
    { numRuns: rounds(300, 30) },
  );
});

const tweet = (id: number, more = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(id), text: `text 東京 ${id}`, created_at: '2026-01-01T00:00:00.000Z', author_id: '1' },
    ...{ observed_at: '2026-02-01T00:00:00.000Z', uri: `at://did:plc:a/app.bsky.feed.post/${id}`, ...more },
  },
});
const progress = { values: 1, done: false };

test('a tweet in which its author gives a name is found by the name, and so is the next one', () => {
  const mentions = [{ username: 'ann', id: '1', name: 'Zebra' }];
  const tweets = [tweet(1), tweet(2, { entities: { mentions, hashtags: [], cashtags: [], urls: [] } }), tweet(3)];
  const additions = preparer()(tweets).map(
    ({ tweet: prepared, record }) => ({ kind: 'addition', tweet: prepared!, whole: () => record }) as const,
  );
  for (const changes of [tweets, additions]) {
    const archive = new Archive();
    for (const change of changes) archive.apply(change);
    const { items } = archive.index.search(parse('zebra'), 'Latest', page);
    expect(items.map((ordinal) => String(archive.id(ordinal)))).toEqual(['3', '2', '1']);
  }
});

/** A journal that takes texts only, as that of another storage. */
const textsOnly = (journal: Journal): Journal =>
  new Proxy(journal, {
    get(target, name) {
      const member: unknown = name === 'appendEncoded' ? undefined : Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });

async function withArchive<Result>(
  use: (sink: Awaited<ReturnType<typeof openArchive>>) => Promise<Result>,
  journalOf: (journal: Journal) => Journal = (journal) => journal,
) {
  const folder = await temporaryFolder();
  const store = await openLowdbStore(folder.path);
  try {
    const changed: Store = { ...store, journal: async (name) => journalOf(await store.journal(name)) };
    const result = await use(await openArchive(changed));
    await store.close();
    const journal = join(folder.path, 'archive');
    const segments = (await readdir(journal)).filter((name) => name.endsWith('.jsonl'));
    return { result, journal: await Promise.all(segments.map((name) => readFile(join(journal, name), 'utf8'))) };
  } finally {
    await folder.dispose();
  }
}

const calls: readonly (readonly ArchiveRecord[])[] = [
  [tweet(1), { kind: 'like', tweet_id: '1' }, tweet(2), tweet(1), tweet(2, { like_count: 5 })],
  [tweet(3), tweet(1, { uri: 'at://did:plc:b/app.bsky.feed.post/1' }), tweet(2, { like_count: 5 })],
  [{ kind: 'delete', tweet_id: '3', at: '2026-03-01T00:00:00.000Z' }, tweet(3), tweet(4)],
];

test('the journal has the same lines, and the outcomes are the same', async () => {
  const direct = await withArchive(async (sink) => {
    const outcomes = [];
    for (const call of calls) outcomes.push(await sink.apply('input', progress, [...call]));
    return outcomes;
  });
  for (const journalOf of [(journal: Journal) => journal, textsOnly]) {
    const prepared = await withArchive(async (sink) => {
      const [outcomes, prepare] = [[], preparer()] as [unknown[], ReturnType<typeof preparer>];
      for (const call of calls) outcomes.push(await sink.applyPrepared('input', progress, prepare(call)));
      return outcomes;
    }, journalOf);
    expect(prepared).toEqual(direct);
  }
  expect(direct.result[1]).toEqual(['added', 'rejected', 'unchanged']);
});

test('the record of a new tweet is not parsed', async () => {
  await withArchive(async (sink) => {
    const prepare = preparer();
    const parsed: string[] = [];
    const watched = (): PreparedRecord[] =>
      prepare([tweet(1), tweet(2)]).map((record) => {
        const whole = record.record;
        const get = (): ArchiveRecord => (parsed.push(record.tweet?.head.id ?? ''), whole);
        return Object.defineProperty(record, 'record', { get });
      });
    expect(await sink.applyPrepared('input', progress, watched())).toEqual(['added', 'added']);
    expect(parsed).toEqual([]);
    expect(await sink.applyPrepared('input', progress, watched())).toEqual(['unchanged', 'unchanged']);
    expect(new Set(parsed)).toEqual(new Set(['1', '2']));
  });
});
