import { expect, test } from '@jest/globals';
import { StreamEvent, type EventContext } from '../../server/realtime/stream-event.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { TweetSnapshot } from '../../server/ports/platform.ts';
import type { TweetDocument } from '../../server/domain/tweet-document.ts';
import { exampleAnswer } from '../support/contract.ts';

const parts = {
  epoch: 'epoch',
  poolStatus: () => exampleAnswer('getAssistantStatus') as Schemas['PoolStatus'],
  reportInvalid: (_entry: unknown, findings: unknown) => {
    throw new Error(JSON.stringify(findings));
  },
} satisfies EventContext;
const event = new StreamEvent({ event: 'pool.status', seq: 7, at: 0 }, {}, parts);
const frame = (name: string): Buffer => event.frame([name], 'assistant:pool', 'pool', false)!;

test('connections with equal subscriptions share the bytes of a frame, cached up to a few kilobytes', () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `s${number}`);
  const first = names.map(frame);
  const second = names.map(frame);
  expect(first[0]).toBe(second[0]);
  expect(second).toEqual(first);
  const kept = first.filter((bytes, place) => bytes === second[place]);
  const size = kept.reduce((sum, bytes) => sum + bytes.length, 0);
  expect(size).toBeGreaterThan(8 * 1024);
  expect(size).toBeLessThan(32 * 1024);
  expect(first[999]!.toString()).toContain('"subs":["s999"]');
});

// A document is half of the memory of a prepared event, of which 256 are kept.
test('keeps the search document only for connections that read the log', () => {
  let created = 0;
  const document = {} as TweetDocument;
  const tweet = { isGone: false, document: () => (created++, document) } as unknown as TweetSnapshot;
  const tweetEvent = new StreamEvent({ event: 'tweet.created', id: '1', seq: 8, at: 0 }, { tweet }, parts);
  expect([tweetEvent.newDocument(), tweetEvent.newDocument(), created]).toEqual([document, document, 2]);
  expect([tweetEvent.document(), tweetEvent.document(), tweetEvent.newDocument(), created]).toEqual([
    ...[document, document, document, 3],
  ]);
});
