/** A listener that comes from another instance can have a cursor that this one does not know yet. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listener, startStream, type Stream } from '../support/stream.ts';

let stream: Stream;
beforeAll(async () => {
  stream = await startStream({ cursorWaitMs: 60_000 });
});
afterAll(() => stream.stop());

test('a subscription waits for the position of its cursor, and gets the events behind it', async () => {
  const each = await listener(stream.url);
  const [epoch, head] = (await each.first('connected')).cursor.split('.');
  const cursor = `${epoch}.${Number(head) + 1}`;
  const subscribe = { type: 'subscribe', id: 'a', channel: 'user:tweets', params: { user_id: '1' }, cursor } as const;
  const answer = each.ask(subscribe);
  // Its answer shows that the subscription has arrived, and is waiting.
  each.send('no command');
  expect(await each.first('error')).toMatchObject({ code: 'bad_message' });
  const tweet = (id: string) =>
    ({ kind: 'tweet', tweet: { id, text: id, created_at: '2026-01-01T00:00:00Z', author_id: '1' } }) as const;
  await stream.take(tweet('1'), tweet('2'));
  expect(await answer).toMatchObject({ type: 'subscribed', replay_from: cursor });
  expect((await each.first('event')).seq).toBe(Number(head) + 2);
  each.socket.terminate();
});
