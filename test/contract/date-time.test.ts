import { expect, test } from '@jest/globals';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { dateTime } from '../../server/contract/date-time.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const { validate } = fullFormats['date-time'] as { readonly validate: (text: string) => boolean };

test('a text is a time for the validators of records if it is one for Ajv', () => {
  const part = (...values: string[]): fc.Arbitrary<string> => fc.constantFrom(...values);
  const parts = fc.tuple(
    part('2026-', '0000-', '26-', ''),
    ...[part('01-', '02-', '13-'), part('28', '30', '32'), part('T', 't', ' ', ''), part('23:59:', '24:00:', '05:06:')],
    ...[part('60', '59', '07.000', '07.1', ''), part('Z', 'z', '+01:00', '-0100', '')],
  );
  let valid = 0;
  const property = fc.property(parts, (each) => {
    const text = each.join('');
    if (validate(text)) valid++;
    expect([text, dateTime.validate(text)]).toEqual([text, validate(text)]);
  });
  fc.assert(property, { numRuns: rounds(5_000) });
  expect(valid).toBeGreaterThan(0);
});
