import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { OrdinalLists } from '../../server/collections/ordinal-lists.ts';
import { ReusableNumbers } from '../../server/collections/reusable-numbers.ts';
import { SlabAllocator } from '../../server/collections/slab-allocator.ts';
import { rounds } from '../support/rounds.ts';
import { restored } from '../support/saved-sections.ts';

const lists = 4;
/** Not the order of the numbers. */
const order = (a: number, b: number): number => ((a * 7) % 101) - ((b * 7) % 101);

test('lists of ordinals are as sets in chronological order, and the same after a restore at any time', () => {
  const step = fc.record({
    kind: fc.constantFrom('add', 'add', 'add', 'remove', 'sweep', 'read', 'restore'),
    list: fc.nat({ max: lists - 1 }),
    ordinals: fc.array(fc.nat({ max: 100 }), { maxLength: 60 }),
  });
  const property = fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
    let table = new OrdinalLists(order);
    table.ensure(lists - 1);
    const model = Array.from({ length: lists }, () => new Set<number>());
    const expected = (list: number): number[] => [...model[list]!].sort(order);
    for (const { kind, list, ordinals } of steps) {
      if (kind === 'restore') table = restored(table, new OrdinalLists(order));
      else if (kind === 'sweep') {
        table.remove(list, (ordinal) => ordinals.includes(ordinal));
        for (const ordinal of ordinals) model[list]!.delete(ordinal);
      } else if (kind === 'read') expect([...table.sorted(list)]).toEqual(expected(list));
      else
        for (const ordinal of ordinals) {
          if (kind === 'add' && !model[list]!.has(ordinal)) table.add(list, ordinal);
          if (kind === 'add') model[list]!.add(ordinal);
          else if (model[list]!.delete(ordinal)) table.removeOne(list, ordinal);
        }
    }
    for (let list = 0; list < lists; list++) {
      expect([...table.sorted(list)]).toEqual(expected(list));
      expect([table.length(list), table.isEmpty(list)]).toEqual([model[list]!.size, model[list]!.size === 0]);
      const before = (ordinal: number): boolean => order(ordinal, 50) < 0;
      expect([...table.upTo(list, before)]).toEqual(expected(list).filter(before));
    }
  });
  fc.assert(property, { numRuns: rounds(100) });
});

test('numbers of texts are the same after a restore, and go on', () => {
  const numbers = new ReusableNumbers();
  const given = ['a', 'b', 'a', 'c'].map((text) => numbers.add(text));
  numbers.remove(given[1]!);
  const copy = restored(numbers, new ReusableNumbers());
  expect([copy.at(given[0]!), copy.at(given[3]!)]).toEqual(['a', 'c']);
  expect(copy.add('d')).toBe(given[1]);
  expect(copy.add('c')).toBe(given[3]);
  copy.remove(given[0]!);
  expect(copy.at(copy.add('a'))).toBe('a');
});

test('removed strings and unused memory are not saved', () => {
  const slabs = new SlabAllocator();
  const handles = ['kept text', 'secret text', 'kept as well'].map((text) => slabs.put(text));
  slabs.remove(handles[1]!);
  const saved = Buffer.concat(Array.from(slabs.save(), (section) => Buffer.from(section)));
  expect(saved.includes('kept text')).toBe(true);
  expect(saved.includes('secret')).toBe(false);
  expect(saved.length).toBeLessThan(200);
  const copy = restored(slabs, new SlabAllocator());
  expect([copy.get(handles[0]!), copy.get(handles[2]!)]).toEqual(['kept text', 'kept as well']);
  // The block of the removed string, and new memory.
  expect(copy.put('other  text')).toBe(handles[1]);
  expect(copy.get(copy.put('x'.repeat(100_000)))).toHaveLength(100_000);
  expect(copy.get(handles[2]!)).toBe('kept as well');
});
