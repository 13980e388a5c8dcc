// Tests server/contract/direction.ts.
import { describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { schemaCompiler } from '../../server/contract/schema-compiler.ts';
import { requirement, type ValueConstraints } from '../../server/contract/requirement.ts';

/** What is said of a value, with the validator's own verdict on which keyword it breaks. */
function said(schema: ValueConstraints, value: unknown, example?: unknown): string[] {
  const validate = schemaCompiler({ strict: false, allErrors: true }).compile(schema);
  validate(value);
  return (validate.errors ?? []).map(({ keyword, message = '' }) =>
    requirement(keyword, schema, value, message, example),
  );
}

describe('the requirement of a value', () => {
  const username = {
    type: 'string',
    pattern: '^@?[A-Za-z0-9_]{1,15}$',
    'x-expected': 'a username: 1–15 letters, digits or _',
  };
  test.each<[ValueConstraints, unknown, string]>([
    [username, 'a b', 'must be a username: 1–15 letters, digits or _'],
    [{ ...username, examples: ['mira'] }, 'a b', "must be a username: 1–15 letters, digits or _, such as 'mira'"],
    [{ type: 'string', pattern: '^x+$', title: 'a row of x' }, 'y', 'must be a row of x'],
    [{ type: 'string', pattern: '^x+$', example: 'xx' }, 'y', "has an invalid format: send a value such as 'xx'"],
    [{ type: 'string', pattern: '^x+$' }, 'y', 'has an invalid format: see the documentation'],
    [{ type: 'string', pattern: '\\S' }, ' ', 'must not be blank'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'ten', 'must be a whole number from 1 to 100'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 0, 'must be from 1 to 100'],
    [{ type: 'integer', minimum: 0 }, -1, 'must be at least 0'],
    [{ type: 'number', exclusiveMinimum: 0, maximum: 9 }, 0, 'must be greater than 0 and at most 9'],
    [{ type: 'string', minLength: 1, maxLength: 4 }, '😀😀😀😀😀', 'must have 1 to 4 characters, not 5'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'must have at most 1 character, not 2'],
    [{ type: 'string', minLength: 2 }, 'a', 'must have at least 2 characters, not 1'],
    [{ type: 'string', minLength: 1 }, '', 'must not be empty'],
    [{ type: 'array', maxItems: 2 }, [1, 2, 3], 'must have at most 2 items, not 3'],
    [{ enum: ['Latest', 'Top'] }, 'latest', "must be 'Latest' or 'Top': did you mean 'Latest'?"],
    [{ enum: ['0', '1'] }, '2', "must be '0' or '1'"],
    [{ enum: ['a', 'b', 3] }, 'zzz', "must be 'a', 'b' or 3"],
    [{ const: 'token' }, 'tokens', "must be 'token'"],
    [{ type: ['string', 'null'] }, 7, 'must be a string or null'],
    [{ type: 'object' }, null, 'must be a JSON object, not null'],
    [{ type: 'string', format: 'date-time' }, 'today', "must be a time such as '2026-03-04T05:06:07.000Z' (RFC 3339)"],
    [{ multipleOf: 5 }, 7, 'must be a multiple of 5'],
  ])('%j with %j: %s', (schema, value, expected) => {
    expect(said(schema, value)).toEqual([expected]);
  });

  test('uses the example of a parameter for its schema', () => {
    expect(said({ type: 'string', pattern: '^x+$' }, 'y', 'xxx')).toEqual([
      "has an invalid format: send a value such as 'xxx'",
    ]);
  });
});

test('never shows a regular expression', () => {
  const pattern = fc.constantFrom('^[a-z]{2,3}$', '^(?!x)\\w+$', '\\d{4}', '^@?[A-Z]*$', '[^/]+$', '^\\S+\\s\\S+$');
  const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const words = some(fc.constantFrom('a word', 'the name of a place'));
  fc.assert(
    fc.property(
      pattern,
      words,
      words,
      some(fc.constant('example')),
      fc.string(),
      (expression, expected, title, example, value) => {
        const schema = JSON.parse(
          JSON.stringify({ type: 'string', pattern: expression, 'x-expected': expected, title, example }),
        ) as ValueConstraints;
        for (const sentence of said(schema, value)) {
          expect(sentence).not.toContain(expression);
          expect(sentence).not.toMatch(/[\^\\{}]|pattern/);
        }
      },
    ),
  );
});
