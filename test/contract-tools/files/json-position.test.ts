/** Places in JSON documents are found without the parser of YAML. */
import { afterAll, expect, test } from '@jest/globals';
import { LineCounter, parseDocument } from 'yaml';
import { escapeKey, positionOf } from '../../../scripts/contract-tools/files/pointer.ts';
import { placeInText } from '../../../scripts/contract-tools/files/yaml.ts';
import { CharacterCounter } from '../../support/counted-characters.ts';
import fc from '../../support/property.ts';

const counter = new CharacterCounter(new URL('json-position.counted.ts', import.meta.url));
afterAll(() => counter.end());

/** The place of a part, as the parser of YAML finds it. */
function parsedByYaml(text: string): (pointer: string) => { line: number; column: number } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  return (pointer) => positionOf(document, lines, pointer);
}

/** The pointers of all parts of a value. */
function pointersIn(value: unknown, pointer = ''): string[] {
  if (typeof value !== 'object' || value === null) return [pointer];
  return [
    pointer,
    ...Object.entries(value).flatMap(([key, inner]) => pointersIn(inner, `${pointer}/${escapeKey(key)}`)),
  ];
}

const documents = fc.dictionary(
  fc.oneof(fc.string({ minLength: 1, maxLength: 4 }), fc.constantFrom('a', 'b', '0', '"', '{', '\n', 'a/b', '~', 'é')),
  fc.jsonValue({ maxDepth: 4 }),
  { maxKeys: 6 },
);

test('every part of a JSON text has the place that the parser of YAML finds', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(undefined, 1, 2), (document, indentation) => {
      const text = JSON.stringify(document, null, indentation);
      const placeByYaml = parsedByYaml(text);
      for (const pointer of pointersIn(document)) {
        expect([pointer, placeInText(text, pointer)]).toEqual([pointer, placeByYaml(pointer)]);
        // Nothing stands there: the place is the nearest one around it.
        const beyond = `${pointer}/none/0`;
        expect([beyond, placeInText(text, beyond)]).toEqual([beyond, placeByYaml(beyond)]);
      }
    }),
    { numRuns: 60 },
  );
});

test('the names of a JSON text can have escapes', () => {
  expect(placeInText('{\n "a": [1],\n "\\u0062": { "c": [0,\n  2] }\n}', '/b/c/1')).toEqual({ line: 4, column: 3 });
});

test('a place in a large JSON document is found in a few passes over its text', async () => {
  const paths = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [
      `/items/${index}`,
      { get: { tags: ['a', 'b'], summary: `Item ${index}` } },
    ]),
  );
  const text = JSON.stringify({ openapi: '3.1.0', paths }, null, 1);
  const pointer = '/paths/~1items~1899/get/tags/1';
  expect(placeInText(text, pointer).line).toBeGreaterThan(8000);
  const passes = async (at: string): Promise<number> => (await counter.count('placeInText', text, at)) / text.length;
  // The parser of YAML takes 3,000.
  expect(await passes(pointer)).toBeLessThan(10);
  // A comparison of contracts asks for the places of hundreds of differences.
  expect(await passes('/paths/~1items~1898/get/tags')).toBeLessThan(0.1);
});
