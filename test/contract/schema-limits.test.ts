import { describe, expect, test } from '@jest/globals';
import { deprecationWords } from '../../server/contract/deprecation.ts';
import { schemaLimits } from '../../server/contract/schema-limits.ts';

const document = {
  components: {
    schemas: {
      Size: { type: 'integer', minimum: 1, maximum: 9 },
      Tree: { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/Tree' } },
    },
  },
};

describe('the limits of a schema in words', () => {
  test.each<[unknown, string]>([
    [undefined, ''],
    [true, ''],
    [{ type: 'string' }, ''],
    [{ type: 'integer', minimum: 1, maximum: 100, default: 20 }, '1 to 100, default 20'],
    [{ type: 'number', exclusiveMinimum: 0 }, 'greater than 0'],
    [{ type: 'integer', maximum: 5, multipleOf: 5 }, 'at most 5, a multiple of 5'],
    [{ type: 'string', minLength: 1, maxLength: 50 }, '1 to 50 characters'],
    [{ type: 'string', minLength: 0, maxLength: 1, default: '' }, 'at most 1 character, default ""'],
    [{ type: 'string', minLength: 2, maxLength: 2 }, '2 characters'],
    [{ type: 'string', format: 'date' }, "a date such as '2026-03-04'"],
    [{ type: 'integer', format: 'int64' }, ''],
    [{ type: 'string', pattern: '^x+$' }, 'matches ^x+$'],
    [{ type: 'string', pattern: '^x+$', maxLength: 9, 'x-expected': 'a row of x' }, 'a row of x'],
    [{ enum: ['Latest', 'Top'], default: 'Latest' }, 'Latest or Top, default Latest'],
    [{ enum: [1, 2, null] }, '1, 2 or null'],
    [{ const: false }, 'false'],
    [{ type: ['string', 'null'], maxLength: 5 }, 'at most 5 characters, or null'],
    [
      { type: 'array', minItems: 1, maxItems: 3, uniqueItems: true, items: { $ref: '#/components/schemas/Size' } },
      '1 to 3 items, no duplicates, each 1 to 9',
    ],
    [{ type: 'array', items: { type: 'string' }, default: ['a'] }, 'default ["a"]'],
    [{ type: 'object', maxProperties: 4 }, 'at most 4 members'],
    [{ $ref: '#/components/schemas/Size', default: 3 }, '1 to 9, default 3'],
    [{ allOf: [{ $ref: '#/components/schemas/Size' }], default: 3 }, '1 to 9, default 3'],
    [{ anyOf: [{ $ref: '#/components/schemas/Size' }, { const: 'all' }, { type: 'null' }] }, '1 to 9 or all'],
    [
      { $ref: '#/components/schemas/Tree' },
      'at most 3 items, each at most 3 items, each at most 3 items, each at most 3 items',
    ],
  ])('%j: %s', (schema, words) => expect(schemaLimits(schema, document)).toBe(words));
});

test('the days of a deprecation in words', () => {
  expect(deprecationWords({})).toBe('');
  expect(deprecationWords({ 'x-sunset': '2027-03-31' })).toBe('');
  expect(deprecationWords({ deprecated: true })).toBe('deprecated');
  expect(deprecationWords({ deprecated: true, 'x-deprecated-since': '2026-10-01', 'x-sunset': '2027-03-31' })).toBe(
    'deprecated since 2026-10-01, last day 2027-03-31',
  );
});
