import { describe, expect, test } from '@jest/globals';
import { readExpiry } from '../../server/keys/expiry.ts';

const now = Date.parse('2026-06-01T12:00:00Z');

describe('an expiry', () => {
  test.each([
    ['90m', '2026-06-01T13:30:00.000Z'],
    ['12h', '2026-06-02T00:00:00.000Z'],
    ['30d', '2026-07-01T12:00:00.000Z'],
    ['2w', '2026-06-15T12:00:00.000Z'],
    ['2027-01-31', '2027-01-31T00:00:00.000Z'],
    ['2027-01-31T18:00:00+02:00', '2027-01-31T16:00:00.000Z'],
    ['2028-02-29t00:00:00.5z', '2028-02-29T00:00:00.500Z'],
    ['2028-02-29T00:00:00.25Z', '2028-02-29T00:00:00.250Z'],
  ])('%s is %s', (text, expected) => expect(readExpiry(text, now).toISOString()).toBe(expected));

  test.each([
    '',
    '0d',
    '30',
    '1y',
    '99999999999w',
    '-3d',
    '2027-02-30',
    '2027-13-01',
    '31.01.2027',
    '2027-01-31T18:00',
    '2027-01-31T25:00:00Z',
    'never',
  ])("rejects '%s' with the expected format", (text) =>
    expect(() => readExpiry(text, now)).toThrow(`'${text}' is not a valid expiry: use '30d'`),
  );

  test.each(['2026-06-01', '2026-06-01T12:00:00Z'])('rejects %s in the past', (text) =>
    expect(() => readExpiry(text, now)).toThrow(/^2026-06-01T.*Z is in the past/),
  );
});
