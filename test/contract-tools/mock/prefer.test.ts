import { describe, expect, test } from '@jest/globals';
import { ServiceError } from '../../../server/contract/service-error.ts';
import { readPreference } from '../../../scripts/contract-tools/mock/prefer.ts';

const nothing = { code: undefined, example: undefined, dynamic: false };

describe('the Prefer header', () => {
  test.each([
    [undefined, {}],
    ['', {}],
    ['code=409', { code: 409 }],
    ['CODE = "409"', { code: 409 }],
    ['code=409, example=expired', { code: 409, example: 'expired' }],
    ['code=200; dynamic=true', { code: 200, dynamic: true }],
    ['dynamic', { dynamic: true }],
    ['dynamic=false', {}],
    ['example="a \\"quoted\\" name, with a comma"', { example: 'a "quoted" name, with a comma' }],
    ['code=404, code=500', { code: 404 }],
    ['respond-async, wait=10, return=minimal, code=404', { code: 404 }],
    ['handling=lenient; code-like=409', {}],
  ])('%s is %j', (header, expected) => {
    expect(readPreference(header)).toEqual({ ...nothing, ...expected });
  });

  test.each([
    ['code=abc', 'Prefer: code=abc: expected a status, such as code=409'],
    ['code', 'Prefer: code=: expected a status, such as code=409'],
    ['code=4090', 'Prefer: code=4090: expected a status, such as code=409'],
    ['example=', 'Prefer: example: expected the name of an example, such as example=page'],
    ['dynamic=yes', 'Prefer: dynamic=yes: expected true or false'],
  ])('rejects %s', (header, message) => {
    expect(() => readPreference(header)).toThrow(new ServiceError(400, message));
  });
});
