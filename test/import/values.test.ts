import { describe, expect, test } from '@jest/globals';
import fc, { anyGrapheme } from '../support/property.ts';
import type { InputValue } from '../../server/import/value-scanner.ts';
import { inputValues } from '../../server/import/values.ts';
import { liveBytes } from '../support/live-bytes.ts';
import { rounds } from '../support/rounds.ts';

/** The values of a text that arrives in pieces of the given size. */
async function valuesOf(text: string | Buffer, size = 7, most?: number): Promise<InputValue[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const found: InputValue[] = [];
  for await (const values of inputValues(pieces(), most)) found.push(...values);
  return found;
}

const parsed = (values: InputValue[]): unknown[] =>
  values.map((value) => ('text' in value ? JSON.parse(value.text) : value));
const object = fc.dictionary(
  fc.string({ unit: anyGrapheme, maxLength: 4 }),
  fc.jsonValue({ maxDepth: 2, noUnicodeString: false }),
  { maxKeys: 4 },
);
const objects = fc.array(object, { minLength: 1, maxLength: 8 });
const size = fc.integer({ min: 1, max: 30 });

describe('the values of', () => {
  test.each<[string, (values: object[]) => string]>([
    ['JSON Lines', (values) => values.map((value) => JSON.stringify(value)).join('\n')],
    [
      'JSON Lines with blank lines, \\r\\n and a mark at the start',
      (values) => `\ufeff${values.map((value) => `${JSON.stringify(value)}\r\n\r\n`).join('')}`,
    ],
    ['an array', (values) => JSON.stringify(values)],
    ['an array over many lines', (values) => JSON.stringify(values, null, 2)],
    [
      'objects over many lines, one after the other',
      (values) => values.map((value) => JSON.stringify({ ...value, x: 1 }, null, 2)).join('\n'),
    ],
    ['an assignment in JavaScript', (values) => `window.YTD.tweets.part0 = ${JSON.stringify(values, null, 1)}`],
  ])('%s equal the results of JSON.parse, for any chunk borders', async (name, write) => {
    await fc.assert(
      fc.asyncProperty(objects, size, async (values, cut) => {
        const expected = name.startsWith('objects over') ? values.map((value) => ({ ...value, x: 1 })) : values;
        expect(parsed(await valuesOf(write(values), cut))).toEqual(JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe('a chunk with very many values', () => {
  const many = 50_000;
  test.each<[string, string, number]>([
    ['on one line', '{}'.repeat(many), many],
    ['in an array', `[${'{},'.repeat(many)}{}]`, many + 1],
    ['on lines of their own', '{}\n'.repeat(many), many],
    ['that are blank lines', '\n'.repeat(many), 0],
  ])('%s arrives in parts, between which the thread does what waits', async (_, text, expected) => {
    async function* once(): AsyncGenerator<Buffer> {
      yield Buffer.from(text);
    }
    let [total, largest] = [0, 0];
    for await (const values of inputValues(once())) {
      total += values.length;
      largest = Math.max(largest, values.length);
    }
    expect([total, largest <= 100]).toEqual([expected, true]);
  });
});

test('each value has the number of its first line', async () => {
  const lines = async (text: string): Promise<number[]> => (await valuesOf(text)).map(({ line }) => line);
  expect(await lines('{"a":1}\n\n{"b":2}\n{"c":3}')).toEqual([1, 3, 4]);
  expect(await lines('[\n  {\n "a": 1\n},\n\n {"b": 2}]')).toEqual([2, 6]);
});

test('an invalid line of JSON Lines does not affect the next one', async () => {
  const values = await valuesOf('{"a":1}\n{"b":{"c":\n{"d":4}\n');
  expect(values).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, text: '{"b":{"c":' },
    { line: 3, text: '{"d":4}' },
  ]);
});

test('reports array elements that are not objects by line, and a truncated file', async () => {
  expect(await valuesOf('[{"a":1},\n 17,\n {"b":2}]')).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, reason: 'not a JSON object' },
    { line: 3, text: '{"b":2}' },
  ]);
  expect(await valuesOf('[{"a":1},\n{"b":')).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, reason: expect.stringContaining('has no end') },
  ]);
});

test('skips a value above the limit, but not its neighbours', async () => {
  const large = Buffer.alloc(17 * 1024 * 1024, 'x');
  const text = Buffer.concat([Buffer.from('{"a":1}\n{"b":"'), large, Buffer.from('"}\n{"c":3}\n')]);
  expect(await valuesOf(text, 1024 * 1024)).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, reason: 'larger than 16 MB' },
    { line: 3, text: '{"c":3}' },
  ]);
  expect(await valuesOf('[{"a":1},\n{"b":"0123456789"},\n{"c":3}]', 5, 12)).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 2, reason: 'larger than 12 bytes' },
    { line: 3, text: '{"c":3}' },
  ]);
});

test.each<[string, string]>([
  ['cut off', '{"a":{"b":"x\n'],
  ['no JSON', 'hello {"\n'],
])('an invalid first line (%s) does not affect the next lines', async (_name, broken) => {
  const values = await valuesOf(`${broken}{"a":1}\n{"b":2}\n`);
  expect(values).toEqual([
    { line: 1, text: broken.trim() },
    { line: 2, text: '{"a":1}' },
    { line: 3, text: '{"b":2}' },
  ]);
});

test('finds several values on one line', async () => {
  expect(parsed(await valuesOf('{"a":1}{"b":[{"c":"}{"}]} {"d":3}'))).toEqual([
    { a: 1 },
    { b: [{ c: '}{' }] },
    { d: 3 },
  ]);
});

test('reports each line that is not JSON', async () => {
  expect(await valuesOf('Dear diary,\n\nit rained. "Again\n{"a":1}')).toEqual([
    { line: 1, reason: 'not a JSON object' },
    { line: 3, reason: 'not a JSON object' },
    { line: 4, text: '{"a":1}' },
  ]);
  expect(await valuesOf('[1, "two, [2]", null,\n true]')).toEqual(
    [1, 1, 1, 2].map((line) => ({ line, reason: 'not a JSON object' })),
  );
  expect(await valuesOf('')).toEqual([]);
});

const huge = 'x'.repeat(100);
describe.each([
  ['a plain file', (text: string) => text],
  ['a file that begins with a byte order mark', (text: string) => `\ufeff${text}`],
])('in %s', (_name, write) => {
  test.each<[string, object]>([
    ['a native tweet', { kind: 'tweet', tweet: { id: '1', text: huge, media: [{ type: 'photo', url: 'u' }] } }],
    ['a native user whose kind comes last', { user: { id: '1', username: 'u', description: huge }, kind: 'user' }],
    [
      'a v1.1 status',
      { created_at: 'x', id: 1, id_str: '1', text: huge, entities: { urls: [{ url: 'u' }] }, user: { id_str: '2' } },
    ],
    [
      'a v2 tweet with others inside',
      { id: '1', text: huge, author_id: '2', referenced_tweets: [{ id: '3', text: 'a', author_id: '2' }] },
    ],
    ['an object without lists', { a: { b: huge } }],
  ])('reports an oversized first line (%s), but not its neighbours', async (_kind, value) => {
    const line = JSON.stringify(value);
    for (const cut of [1, 7, 1000]) {
      const found = await valuesOf(write(`${line}\n{"b":2}\n{"c":3}\n`), cut, 90);
      // A member after the lists shows too late that the object is not a wrapper.
      const [reported, ...others] = found.filter((each) => !('text' in each) || each.text.length < 10);
      expect(reported).toMatchObject({ line: 1, reason: 'larger than 90 bytes' });
      expect(others).toEqual([
        { line: 2, text: '{"b":2}' },
        { line: 3, text: '{"c":3}' },
      ]);
      expect(await valuesOf(write(line), cut, 90)).toMatchObject([{ line: 1, reason: 'larger than 90 bytes' }]);
    }
  });
});

test('reports a wrapper that is truncated between its elements', async () => {
  const text = `{"statuses":[${'{"a":1},'.repeat(20)}`;
  const found = await valuesOf(text, 7, 60);
  expect(found.slice(0, -1)).toEqual(Array.from({ length: 20 }, () => ({ line: 1, text: '{"a":1}' })));
  expect(found.at(-1)).toEqual({ line: 1, reason: expect.stringContaining('has no end') });
});

describe('an object above the size limit', () => {
  test('yields the elements of its lists, with their lines, for any chunk borders', async () => {
    await fc.assert(
      fc.asyncProperty(objects, objects, size, async (first, second, cut) => {
        const text = JSON.stringify(
          { 'a[{': '[{"\\', users: first, n: 12, includes: { tweets: second, none: [] } },
          null,
          1,
        );
        const all = await valuesOf(`${text}\n{"after":1}`, cut, 60);
        // After the last element of the wrapper comes how many there were, for the case that none is recognised.
        expect(all.at(-2)).toEqual({ line: 1, reason: 'larger than 60 bytes', elements: first.length + second.length });
        const found = all.filter((value) => !('elements' in value));
        const expected = [...first, ...second, { after: 1 }].map((value) => JSON.parse(JSON.stringify(value)));
        const kept = found.flatMap((value) => ('text' in value ? [JSON.parse(value.text)] : []));
        expect(found).toHaveLength(expected.length);
        // An element may be too large itself.
        expect(
          expected.filter((value) => kept.some((each) => JSON.stringify(each) === JSON.stringify(value))).length,
        ).toBeGreaterThanOrEqual(kept.length);
        for (const value of found)
          if ('text' in value)
            expect(`${text}\n{"after":1}`.split('\n')[value.line - 1]!.trim().startsWith('{')).toBe(true);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('uses bounded memory at any size', async () => {
    const element = Buffer.from(`${JSON.stringify({ x: 'y'.repeat(1000) })},\n`);
    const block = Buffer.concat(Array.from({ length: 1000 }, () => element));
    const before = liveBytes();
    let most = 0;
    async function* large(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"statuses":[\n');
      for (let n = 0; n < 50; n++) {
        yield block;
        if (n % 25 === 24) most = Math.max(most, liveBytes() - before);
      }
      yield Buffer.from('{"last":true}]}');
    }
    let count = 0;
    let last: InputValue | undefined;
    for await (const values of inputValues(large())) {
      count += values.length;
      last = values.at(-1);
    }
    expect(count).toBe(50_002);
    expect(last).toEqual({ line: 1, reason: 'larger than 16 MB', elements: 50_001 });
    expect(most).toBeLessThan(32 * 1024 * 1024);
  });
});
