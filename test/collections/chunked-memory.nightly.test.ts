import { expect, test } from '@jest/globals';
import { ChunkedMemory } from '../../server/collections/chunked-memory.ts';
import { SlabAllocator } from '../../server/collections/slab-allocator.ts';
import { ShortPostings } from '../../server/collections/short-postings.ts';
import { TokenSequences } from '../../server/search/inverted-index/token-sequences.ts';
import { random } from '../support/random.ts';

const numbers = (): ChunkedMemory<Uint32Array> => new ChunkedMemory((memory) => new Uint32Array(memory), 4, 64);

test('the first chunk doubles up to the length of a chunk; each further one has this length at once', () => {
  const memory = numbers();
  const handles = Array.from({ length: 40 }, () => memory.allocate(3));
  expect(handles.slice(0, 3)).toEqual([0, 3, 6]);
  // 21 blocks fit into one chunk.
  expect(handles.slice(20, 23)).toEqual([60, 64, 67]);
  expect(memory.chunks.map((chunk) => chunk.length)).toEqual([64, 64]);
  expect(numbers().bytes).toBe(0);
});

test('an enlarged chunk has the values of the previous one, which is overwritten', () => {
  const memory = numbers();
  memory.allocate(4);
  const [before] = memory.chunks;
  before!.set([1, 2, 3, 4]);
  memory.allocate(1);
  expect([...memory.chunks[0]!]).toEqual([1, 2, 3, 4, 0, 0, 0, 0]);
  expect([...before!]).toEqual([0, 0, 0, 0]);
});

test('a block longer than a chunk has a separate chunk', () => {
  const memory = numbers();
  expect([memory.allocate(100), memory.allocate(2), memory.allocate(2)]).toEqual([0, 64, 66]);
  expect(memory.chunks.map((chunk) => chunk.length)).toEqual([100, 64]);
});

test('an empty store takes no memory; strings, sequences and lists survive each enlargement', () => {
  const [strings, sequences, lists] = [new SlabAllocator(), new TokenSequences(), new ShortPostings()];
  expect([strings.bytes, sequences.bytes]).toEqual([0, 0]);
  const next = random(7);
  const stored = Array.from({ length: 3000 }, (_, index) => {
    const text = `${index} ${'é'.repeat(next(30))}`;
    const list = lists.put([index]);
    return { text, index, string: strings.put(text), sequence: sequences.put([index + 2, 3, 0, 1]), list };
  });
  // Each list grows twice, into blocks of other sizes.
  for (const each of stored)
    for (const more of [1, 2]) each.list = lists.add(each.list, each.index + more, (one, other) => one - other);
  const read = stored.map((each) => ({
    ...each,
    text: strings.get(each.string),
    found: sequences.has(each.sequence, [each.index + 2, 3], false),
    ordinals: [...lists.get(each.list)].join(' '),
  }));
  expect(read).toEqual(
    stored.map((each) => ({
      ...each,
      found: true,
      ordinals: [each.index, each.index + 1, each.index + 2].join(' '),
    })),
  );
  expect(strings.bytes).toBeLessThan(2 ** 18);
});
