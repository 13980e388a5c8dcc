import { expect, test } from '@jest/globals';
import { SlabAllocator } from '../../../server/collections/slab-allocator.ts';
import { TokenSequences } from '../../../server/search/inverted-index/token-sequences.ts';

test('continued replacement of texts uses bounded memory and keeps their values', () => {
  const slabs = new SlabAllocator();
  const textOf = (place: number, round: number): string => `${place}:${'ä'.repeat((place * 7 + round * 13) % 400)}`;
  const handles = Array.from({ length: 2_000 }, (_, place) => slabs.put(textOf(place, 0)));
  // A text larger than a slab has one of its own, and gives it back, too.
  let large = slabs.put('x'.repeat(9_000_000));
  let settled = 0;
  for (let round = 1; round <= 60; round++) {
    for (const [place, handle] of handles.entries()) {
      slabs.remove(handle);
      handles[place] = slabs.put(textOf(place, round));
    }
    slabs.remove(large);
    large = slabs.put('y'.repeat(9_000_000));
    if (round === 20) settled = slabs.bytes;
  }
  expect(slabs.bytes).toBe(settled);
  expect(handles.every((handle, place) => slabs.get(handle) === textOf(place, 60))).toBe(true);
  expect(slabs.get(large)).toBe('y'.repeat(9_000_000));
});

test('continued replacement of sequences uses bounded memory and keeps their values', () => {
  const sequences = new TokenSequences();
  const textOf = (place: number, round: number): number[] =>
    Array.from({ length: 1 + ((place + round) % 40) }, (_, at) => 2 + place * 100 + round + at);
  const handles = Array.from({ length: 2_000 }, (_, place) => sequences.put([...textOf(place, 0), 0, 1]));
  let settled = 0;
  for (let round = 1; round <= 100; round++) {
    for (const [place, handle] of handles.entries()) {
      sequences.remove(handle);
      handles[place] = sequences.put([...textOf(place, round), 0, 1, 7, 0]);
    }
    if (round === 50) settled = sequences.bytes;
  }
  expect(sequences.bytes).toBe(settled);
  for (const [place, handle] of handles.entries()) {
    expect(sequences.has(handle, textOf(place, 100), false)).toBe(true);
    expect(sequences.has(handle, [7], true)).toBe(true);
    expect(sequences.has(handle, [1 + place * 100 + 100], false)).toBe(false);
  }
});
