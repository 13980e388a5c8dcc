import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inputValues, type InputValue } from '../../server/import/values.ts';

/** The values of a text that arrives in pieces of the given size. */
async function valuesOf(text: string | Buffer, size = 7): Promise<InputValue[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: InputValue[] = [];
  for await (const values of inputValues(pieces())) found.push(...values);
  return found;
}

const parsed = (values: InputValue[]): unknown[] => values.map((value) => ('text' in value ? JSON.parse(value.text) : value));
const object = fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.jsonValue({ maxDepth: 2, noUnicodeString: false } as never), { maxKeys: 4 });
const objects = fc.array(object, { minLength: 1, maxLength: 8 });
const size = fc.integer({ min: 1, max: 30 });

describe('the values of', () => {
  test.each<[string, (values: object[]) => string]>([
    ['JSON Lines', (values) => values.map((value) => JSON.stringify(value)).join('\n')],
    ['JSON Lines with blank lines, \\r\\n and a mark at the start', (values) => `\ufeff${values.map((value) => `${JSON.stringify(value)}\r\n\r\n`).join('')}`],
    ['an array', (values) => JSON.stringify(values)],
    ['an array over many lines', (values) => JSON.stringify(values, null, 2)],
    ['objects over many lines, one after the other', (values) => values.map((value) => JSON.stringify({ ...value, x: 1 }, null, 2)).join('\n')],
    ['an assignment in JavaScript', (values) => `window.YTD.tweets.part0 = ${JSON.stringify(values, null, 1)}`],
  ])('%s are what JSON.parse finds, wherever the pieces are cut', async (name, write) => {
    await fc.assert(
      fc.asyncProperty(objects, size, async (values, cut) => {
        const expected = name.startsWith('objects over') ? values.map((value) => ({ ...value, x: 1 })) : values;
        expect(parsed(await valuesOf(write(values), cut))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 200 },
    );
  });
});

test('each value knows the line on which it begins', async () => {
  const lines = async (text: string): Promise<number[]> => (await valuesOf(text)).map(({ line }) => line);
  expect(await lines('{"a":1}\n\n{"b":2}\n{"c":3}')).toEqual([1, 3, 4]);
  expect(await lines('[\n  {\n "a": 1\n},\n\n {"b": 2}]')).toEqual([2, 6]);
});

test('a broken line of JSON Lines does not take the next one with it', async () => {
  const values = await valuesOf('{"a":1}\n{"b":{"c":\n{"d":4}\n');
  expect(values).toEqual([{ line: 1, text: '{"a":1}' }, { line: 2, text: '{"b":{"c":' }, { line: 3, text: '{"d":4}' }]);
});

test('what is no object in an array is named by its line, and a file that is cut off says so', async () => {
  expect(await valuesOf('[{"a":1},\n 17,\n {"b":2}]')).toEqual([{ line: 1, text: '{"a":1}' }, { line: 2, reason: 'not a JSON object' }, { line: 3, text: '{"b":2}' }]);
  expect(await valuesOf('[{"a":1},\n{"b":')).toEqual([{ line: 1, text: '{"a":1}' }, { line: 2, reason: expect.stringContaining('does not end') }]);
});

test('a value beyond the limit is passed over, and its neighbours are not', async () => {
  const large = Buffer.alloc(65 * 1024 * 1024, 'x');
  const text = Buffer.concat([Buffer.from('{"a":1}\n{"b":"'), large, Buffer.from('"}\n{"c":3}\n')]);
  expect(await valuesOf(text, 1024 * 1024)).toEqual([{ line: 1, text: '{"a":1}' }, { line: 2, reason: 'larger than 64 MB' }, { line: 3, text: '{"c":3}' }]);
});
