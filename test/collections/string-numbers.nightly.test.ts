/** Each string gets one number, in the order of the strings, and another thread gets the text of each string once. */
import { expect, test } from '@jest/globals';
import { StringNumbers } from '../../server/collections/string-numbers.ts';
import fc, { anyGrapheme } from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const text = fc.oneof(
  fc.string({ unit: anyGrapheme, maxLength: 4 }),
  fc.constantFrom('', 'a', 'aa', '\ud800', '\udc00', 'é', 'x'.repeat(5000)),
  fc.nat(3000).map(String),
);

test('the numbers are those of a map, and the texts are those of the new strings', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text, { maxLength: 400 }), { maxLength: 8 }), fc.nat(3), (batches, first) => {
      const numbers = new StringNumbers(first);
      const expected = new Map<string, number>();
      for (const batch of batches) {
        const added: string[] = [];
        for (const each of batch) {
          if (!expected.has(each)) {
            expected.set(each, first + expected.size);
            added.push(each);
          }
          expect(numbers.number(each)).toBe(expected.get(each));
        }
        expect(numbers.count).toBe(expected.size);
        const { units, ends } = numbers.take();
        const texts = Array.from(ends, (end, index) =>
          String.fromCharCode(...units.subarray(index === 0 ? 0 : ends[index - 1], end)),
        );
        expect(texts).toEqual(added);
      }
    }),
    { numRuns: rounds(200, 20) },
  );
});

test('a string in a range of an array has the number of the same text', () => {
  const numbers = new StringNumbers();
  const units = Uint16Array.from('one two one', (character) => character.charCodeAt(0));
  expect([numbers.numberOf(units, 0, 3), numbers.numberOf(units, 4, 7), numbers.numberOf(units, 8, 11)]).toEqual([
    0, 1, 0,
  ]);
  expect(numbers.number('two')).toBe(1);
});
