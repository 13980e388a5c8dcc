/** The memory of timelines. */
import { expect, test } from '@jest/globals';
import { Timeline } from '../../server/collections/timeline.ts';

const capacityOf = (timeline: Timeline): number =>
  timeline.stored.ordinals.buffer.byteLength / Uint32Array.BYTES_PER_ELEMENT;

function filled(length: number): Timeline {
  const timeline = new Timeline();
  for (let ordinal = 0; ordinal < length; ordinal++) timeline.push(ordinal);
  return timeline;
}

test('long lists of the same length do not all grow at the same time', () => {
  const capacities = Array.from({ length: 20 }, () => capacityOf(filled(10_000)));
  expect(new Set(capacities).size).toBeGreaterThan(10);
  expect(Math.min(...capacities)).toBeGreaterThanOrEqual(10_000);
  expect(Math.max(...capacities)).toBeLessThan(10_000 * 1.375 + 1);
});

test('a copy of a long list has room for more, and the same ordinals', () => {
  const ordinals = filled(10_000).stored.ordinals;
  const copy = Timeline.copyOf(ordinals, 9_000);
  expect([copy.length, copy.sortedLength]).toEqual([10_000, 9_000]);
  expect(capacityOf(copy)).toBeGreaterThan(11_000);
  const { buffer } = copy.stored.ordinals;
  copy.push(10_000);
  expect(copy.stored.ordinals.buffer).toBe(buffer);
  expect([...copy.stored.ordinals]).toEqual([...ordinals, 10_000]);
});

test('a copy of a short list is exact', () => {
  const copy = Timeline.copyOf(Uint32Array.of(3, 4).subarray(0, 1), 1);
  expect([[...copy.stored.ordinals], capacityOf(copy)]).toEqual([[3], 1]);
});

test('an ordinal that arrives after a removal from the sorted part gets its place', () => {
  const timeline = new Timeline();
  const byNumber = (a: number, b: number): number => a - b;
  for (const ordinal of [1, 2, 3]) timeline.add(ordinal, byNumber);
  expect(timeline.removeOne(2, byNumber)).toBe(true);
  expect(timeline.sortedLength).toBe(2);
  timeline.add(0, byNumber);
  expect([...timeline.sorted(byNumber)]).toEqual([0, 1, 3]);
  // From the unsorted rest.
  timeline.add(4, byNumber);
  timeline.add(2, byNumber);
  expect(timeline.removeOne(2, byNumber)).toBe(true);
  expect(timeline.sortedLength).toBe(4);
  expect([...timeline.sorted(byNumber)]).toEqual([0, 1, 3, 4]);
});
