// Not in `npm run test:fast`: it compares many changed contracts.
import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { parseProtocol } from '../../../scripts/contract-tools/diff/document.ts';
import type { Finding } from '../../../scripts/contract-tools/diff/finding.ts';
import { compareProtocols } from '../../../scripts/contract-tools/diff/protocol.ts';
import type { Level } from '../../../scripts/contract-tools/diff/rules.ts';
import { rounds } from '../../support/rounds.ts';
import { differences, type Json } from './documents.ts';
import { contractMutations, protocolMutations, type TableRow } from './mutation-table.ts';
import { at } from './mutations.ts';
import { wholeContract, wholeProtocol } from './whole-contract.ts';

const comparedProtocols = (before: Json, after: Json): Finding[] =>
  compareProtocols(parseProtocol('before', JSON.stringify(before)), parseProtocol('after', JSON.stringify(after)));
const worst = (found: readonly Finding[]): Level | undefined =>
  (['breaking', 'care', 'safe'] as const).find((level) => found.some((finding) => finding.level === level));

const documents = [
  ['contract', wholeContract, differences, contractMutations],
  ['protocol', wholeProtocol, comparedProtocols, protocolMutations],
] as const;

for (const [name, whole, compare, mutations] of documents) {
  describe(`each part of the ${name}:`, () => {
    test('it equals itself', () => expect(compare(whole(), whole())).toEqual([]));

    test.each(mutations.map((row): [string, TableRow] => [`${row.name} is ${row.level ?? 'no difference'}`, row]))(
      '%s',
      (_, row) => {
        const changed = whole();
        row.apply(changed);
        expect({
          worst: worst(compare(whole(), changed)),
          rules: compare(whole(), changed).map(({ rule }) => rule),
        }).toMatchObject({
          worst: row.level,
        });
      },
    );
  });

  /** Every place in the document: pointers of all values, except the version. */
  const places = (value: unknown, pointer = ''): string[] => [
    ...(pointer === '' || pointer.startsWith('/info/version') ? [] : [pointer]),
    ...(typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          places(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
        )
      : []),
  ];
  const parent = (document: Json, pointer: string): Json =>
    at(document, pointer.slice(0, pointer.lastIndexOf('/'))) as Json;
  const lastKey = (pointer: string): string =>
    pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');

  /** What the change of a value says of its place; nothing where it changes no meaning. */
  const changes = {
    'another value': (document: Json, pointer: string): boolean => {
      const holder = parent(document, pointer);
      const value = holder[lastKey(pointer)];
      if (typeof value === 'object') return false;
      holder[lastKey(pointer)] =
        typeof value === 'string' ? `${value}x` : typeof value === 'number' ? value + 1 : !value;
      return true;
    },
    'no value': (document: Json, pointer: string): boolean => {
      const holder = parent(document, pointer);
      if (Array.isArray(holder)) holder.splice(Number(lastKey(pointer)), 1);
      else delete holder[lastKey(pointer)];
      return true;
    },
    'an unknown member': (document: Json, pointer: string): boolean => {
      const value = at(document, pointer);
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
      // Beside a reference it has no meaning, and as a list of names it is none.
      if ('$ref' in value || pointer.endsWith('/dependentRequired')) return false;
      (value as Json).planted = { type: 'string' };
      return true;
    },
  };

  describe(`nothing differs silently in the ${name}:`, () => {
    test.each(Object.entries(changes))('%s', (_, change) => {
      fc.assert(
        fc.property(fc.constantFrom(...places(whole())), (pointer) => {
          const changed = whole();
          if (!change(changed, pointer)) return;
          try {
            expect({ pointer, found: compare(whole(), changed).length }).not.toEqual({ pointer, found: 0 });
          } catch (error) {
            // What is no contract any more is refused with its place.
            if (!/has no target|is no OpenAPI 3.1|is no AsyncAPI 3|another document/.test(String(error))) throw error;
          }
        }),
        { numRuns: rounds(60) },
      );
    });
  });
}
