// Not in `npm run test:fast`: it compares many changed contracts.
import { describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import openapi from '../../../generated/openapi.json' with { type: 'json' };
import { rules, type Level } from '../../../scripts/contract-tools/diff/rules.ts';
import { differences, type Json } from './documents.ts';
import { at, mutationsOf, schemasByPointer, type Effect, type Side } from './mutations.ts';
import { rounds } from '../../support/rounds.ts';

const contract = openapi as unknown as Json;
const schemas = [...schemasByPointer(contract)];
const planted = schemas.flatMap(([pointer, sides]) =>
  mutationsOf(at(contract, pointer) as Json).map((mutation) => ({ pointer, sides, ...mutation })),
);
const runs = { numRuns: rounds(20) };

const worst = (levels: readonly Level[]): Level | undefined =>
  (['breaking', 'care', 'safe'] as const).find((level) => levels.includes(level));
/** What the law says: a request may not become narrower, a response not wider. */
function expected(effect: Effect, sides: ReadonlySet<Side>): Level {
  if (effect === 'unknown') return 'breaking';
  if (effect === 'demanded' && sides.has('request')) return 'breaking';
  if (effect === 'demanded' || effect === 'offered') return sides.has('response') ? 'care' : 'safe';
  const hurt =
    effect === 'both' ||
    (effect === 'narrower' && sides.has('request')) ||
    (effect === 'wider' && sides.has('response'));
  return hurt ? 'breaking' : 'safe';
}
const mirrored = { narrower: 'wider', wider: 'narrower', both: 'both', unknown: 'unknown', none: 'none' } as const;

test('the real contract equals itself', () => {
  expect(differences(contract, structuredClone(contract))).toEqual([]);
});

describe('one difference at any position of the schemas of the real contract', () => {
  test('has schemas on both sides', () => {
    const count = (side: Side): number => schemas.filter(([, sides]) => sides.has(side)).length;
    expect(count('request')).toBeGreaterThan(50);
    expect(count('response')).toBeGreaterThan(150);
    expect(planted.length).toBeGreaterThan(1000);
  });

  test('is reported at its position with the right level, in both directions', () => {
    fc.assert(
      fc.property(fc.constantFrom(...planted), ({ pointer, sides, effect, back, apply }) => {
        const changed = structuredClone(contract);
        apply(at(changed, pointer) as Json);
        const found = differences(contract, changed);
        expect(
          found.some(({ before, after }) => [before, after].some((stand) => stand?.pointer.startsWith(pointer))),
        ).toBe(true);
        expect(worst(found.map(({ level }) => level))).toBe(expected(effect, sides));

        const taken = differences(changed, contract);
        expect(worst(taken.map(({ level }) => level))).toBe(expected(back, sides));
        const effects = (findings: typeof found): Set<string> =>
          new Set(findings.map(({ rule }) => rules[rule].effect));
        if (effect === 'narrower' || effect === 'wider')
          expect(effects(taken)).toEqual(
            new Set([...effects(found)].map((one) => mirrored[one as keyof typeof mirrored])),
          );
      }),
      runs,
    );
  });
});

/** The pointers of everything in a value that is no object and no list. */
const leaves = (value: unknown, pointer = ''): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) =>
        leaves(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
      )
    : [pointer];
const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'));
const keyOf = (pointer: string): string => pointer.slice(pointer.lastIndexOf('/') + 1);

test('a change of any single value is reported, or rejected because the contract is invalid', () => {
  const values = leaves(contract).filter((pointer) => pointer !== '/info/version');
  fc.assert(
    fc.property(fc.constantFrom(...values), (pointer) => {
      const changed = structuredClone(contract);
      const parent = at(changed, parentOf(pointer)) as Json;
      const value = parent[keyOf(pointer)];
      parent[keyOf(pointer)] =
        typeof value === 'string'
          ? `${value}planted`
          : typeof value === 'number'
            ? value + 1
            : value === null
              ? 0
              : !value;
      try {
        expect(differences(contract, changed)).not.toEqual([]);
      } catch (error) {
        expect((error as Error).message).toMatch(/has no target|no OpenAPI 3.1 document/);
      }
    }),
    runs,
  );
});

describe('a removed part of the real contract', () => {
  type Part = readonly [what: string, level: Level, pointers: readonly string[]];
  const operations = Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `/paths/${path.replaceAll('/', '~1')}/${method}`),
  );
  const inner = (name: string, keep: (key: string) => boolean = () => true): string[] =>
    operations.flatMap((pointer) =>
      Object.keys((at(contract, pointer) as Record<string, object>)[name] ?? {})
        .filter(keep)
        .map((key) => `${pointer}/${name}/${key}`),
    );
  const parts: readonly Part[] = [
    ['an operation', 'breaking', operations],
    ['a successful answer', 'breaking', inner('responses', (status) => status.startsWith('2'))],
    ['another answer', 'care', inner('responses', (status) => !status.startsWith('2'))],
    [
      'a request body',
      'breaking',
      operations
        .filter((pointer) => 'requestBody' in (at(contract, pointer) as object))
        .map((pointer) => `${pointer}/requestBody`),
    ],
    [
      'a header of an answer',
      'breaking',
      Object.entries(openapi.components.responses).flatMap(([name, { headers }]) =>
        Object.keys(headers).map((header) => `/components/responses/${name}/headers/${header}`),
      ),
    ],
  ];
  for (const [what, level, pointers] of parts) {
    test(`${what} is ${level}`, () => {
      expect(pointers.length).toBeGreaterThan(0);
      fc.assert(
        fc.property(fc.constantFrom(...pointers), (pointer) => {
          const changed = structuredClone(contract);
          delete (at(changed, parentOf(pointer)) as Json)[keyOf(pointer)];
          expect(worst(differences(contract, changed).map((finding) => finding.level))).toBe(level);
        }),
        { numRuns: rounds(4, 2) },
      );
    });
  }

  // A server ignores a header that it does not know.
  const placeOf = (pointer: string): unknown => {
    const parameter = at(contract, pointer) as { $ref?: string; in?: string };
    return (parameter.$ref === undefined ? parameter : (at(contract, parameter.$ref.slice(1)) as typeof parameter)).in;
  };
  test.each([
    ['a parameter of the path or the query', 'breaking', (place: unknown) => place !== 'header'],
    ['a parameter of the header', 'care', (place: unknown) => place === 'header'],
  ])('%s is %s', (_what, level, isMeant) => {
    fc.assert(
      fc.property(fc.constantFrom(...inner('parameters').filter((pointer) => isMeant(placeOf(pointer)))), (pointer) => {
        const changed = structuredClone(contract);
        (at(changed, parentOf(pointer)) as unknown[]).splice(Number(keyOf(pointer)), 1);
        expect(worst(differences(contract, changed).map((finding) => finding.level))).toBe(level);
      }),
      { numRuns: rounds(4, 2) },
    );
  });
});
