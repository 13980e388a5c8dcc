/** The parser that keeps the lines of values and the digits of numbers. */
import { describe, expect, test } from '@jest/globals';
import { parseExactly } from '../../server/import/exact-json.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

describe('parsing exactly', () => {
  test('gives the same value as JSON.parse, for every text that it accepts', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(undefined, 0, 2), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), undefined, indent);
        const isExact = !/\d{16}|e\+?\d\d/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ''));
        if (isExact) expect(parseExactly(text).value).toEqual(JSON.parse(text));
      }),
      { numRuns: rounds(500) },
    );
    const odd = String.raw`{"__proto__":{"a":1},"b\"\\":[[],{},null,true,-1.5e-3],"b\"\\":"\u00e9\n"}`;
    expect(JSON.stringify(parseExactly(odd).value)).toBe(JSON.stringify(JSON.parse(odd)));
  });

  test('keeps the digits of a number that is not exact in JavaScript, as a text', () => {
    expect(parseExactly('{"id":1340540000000000001,"count":12,"share":0.5,"ids":[9007199254740993]}').value).toEqual({
      id: '1340540000000000001',
      count: 12,
      share: 0.5,
      ids: ['9007199254740993'],
    });
  });

  test('knows the line of each object, list and element of a list', () => {
    const text = '{\n"a": [\n{"b": 1},\n"{\\n",\n{"c":\n[]}\n]}';
    const json = parseExactly(text);
    const { a } = json.value as { a: [object, string, { c: object }] };
    expect([json.value as object, a, a[0], a[2], a[2].c].map((value) => json.lineOf(value))).toEqual([1, 2, 3, 5, 6]);
    expect(json.lineOf({ list: a, index: 1 })).toBe(4);
  });

  test('of values inside each other without end does not fail', () => {
    const depth = 100_000;
    expect(parseExactly(`${'['.repeat(depth)}${']'.repeat(depth)}`).value).toHaveLength(1);
  });
});
