import { expect, test } from '@jest/globals';
import { Deletions, unknownTweets } from '../../server/realtime/deletions.ts';

test('a publication reaches every holder, whether it holds something or not', () => {
  const deletions = new Deletions();
  const dropped: unknown[] = [];
  for (const isEmpty of [true, false]) deletions.add({ isEmpty, drop: (deleted) => void dropped.push(deleted) });
  const ids = new Set(['1']);
  deletions.publish(ids);
  expect(dropped).toEqual([ids, ids]);
});

test('there is nothing to publish while no holder has data and nobody watches', () => {
  const deletions = new Deletions();
  expect(deletions.isIdle).toBe(true);
  const holder = { isEmpty: true, drop() {} };
  deletions.add(holder);
  expect(deletions.isIdle).toBe(true);
  holder.isEmpty = false;
  deletions.add({ isEmpty: true, drop() {} });
  expect(deletions.isIdle).toBe(false);
  holder.isEmpty = true;
  const watch = deletions.watch();
  expect(deletions.isIdle).toBe(false);
  watch.stop();
  expect(deletions.isIdle).toBe(true);
});

test('a watch collects the deletions from its start until its stop', () => {
  const deletions = new Deletions();
  deletions.publish(new Set(['before']));
  const watch = deletions.watch();
  expect(watch.isTriggered).toBe(false);
  for (const id of ['1', '2']) deletions.publish(new Set([id]));
  expect(watch.isTriggered).toBe(true);
  watch.stop();
  deletions.publish(new Set(['after']));
  expect(['before', '1', '2', 'after'].map((id) => watch.has(id))).toEqual([false, true, true, false]);
});

test('what a watch has handed over does not count again', () => {
  const deletions = new Deletions();
  const watch = deletions.watch();
  for (const id of ['1', '2']) deletions.publish(new Set([id]));
  const taken = watch.take();
  expect(['1', '2', '3'].map((id) => taken.has(id))).toEqual([true, true, false]);
  expect([watch.isTriggered, watch.has('1')]).toEqual([false, false]);
  deletions.publish(new Set(['3']));
  expect([watch.has('3'), taken.has('3'), watch.take().has('3')]).toEqual([true, false, true]);
});

test('unknown deletions may concern any tweet, but none for certain', () => {
  const deletions = new Deletions();
  const watch = deletions.watch();
  deletions.publish(unknownTweets);
  expect([watch.isTriggered, watch.has('1')]).toEqual([true, false]);
  deletions.publish(new Set(['2']));
  expect([watch.has('1'), watch.has('2'), watch.take().has('1')]).toEqual([false, true, true]);
});
