/** Arbitrary strings that satisfy a schema. */
import fc from 'fast-check';
import { LRUCache } from 'lru-cache';
import type { Schema } from './schema.ts';

/** The maximum length unless the schema requires more; longer strings are slow and find few faults. */
const defaultMaxLength = 40;

/** Texts that are known to cause faults in servers. */
export const adversarialTexts = [
  '\u0000',
  '\r\nx-injected: 1',
  '%',
  '%00',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{"$gt":""}',
  '${7*7}',
  '<script>',
  '🏴‍☠️',
  '\u202e',
  'ﷺ',
  '-0',
  '1e999',
  'NaN',
  '[object Object]',
  'undefined',
  'null',
  '__proto__',
];

/** Any character of Unicode. (fast-check's own `binary` unit takes seconds to set up.) */
export const character = fc
  .oneof(
    fc.integer({ min: 0, max: 0xff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

const dateTimes = (): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
    .map((date) => date.toISOString());

const formats: Readonly<Record<string, () => fc.Arbitrary<string>>> = {
  'date-time': dateTimes,
  date: () => dateTimes().map((text) => text.slice(0, 10)),
  email: () => fc.emailAddress(),
  uri: () => fc.webUrl(),
  uuid: () => fc.uuid(),
  time: () => dateTimes().map((text) => text.slice(11)),
  duration: () => fc.integer({ min: 0, max: 1_000 }).map((hours) => `PT${hours}H`),
  hostname: () => fc.domain(),
  ipv4: () => fc.ipV4(),
  ipv6: () => fc.ipV6(),
  iri: () => fc.webUrl(),
  url: () => fc.webUrl(),
  'uri-reference': () => fc.webUrl(),
  'uri-template': () => fc.webUrl(),
  'json-pointer': () => fc.constantFrom('', '/a', '/a/0'),
  'relative-json-pointer': () => fc.constantFrom('0', '1/a'),
  regex: () => fc.constantFrom('a', '^[a-z]+$'),
  byte: () => fc.base64String(),
};

/** Lookarounds, which fast-check does not support. The generator omits them; the validation applies them. */
const lookaround = /\(\?<?[=!](?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\)/g;

/** The arbitraries of patterns that were used last: to create one takes milliseconds, and a contract uses each pattern often. */
const matching = new LRUCache<string, fc.Arbitrary<string>>({
  max: 200,
  memoMethod: (pattern) => fc.stringMatching(new RegExp(pattern.replace(lookaround, ''), 'u')),
});

/**
 * Strings by the pattern, the format or the length of a schema; lengths count code points, as in JSON Schema. Strings of a
 * pattern may violate the length or the format, so the caller validates them.
 */
export function stringsOf({
  pattern,
  format,
  minLength = 0,
  maxLength = Math.max(minLength, defaultMaxLength),
}: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return matching.memo(pattern);
  const formatted = format === undefined ? undefined : formats[format];
  if (formatted) return formatted();
  const length = { minLength, maxLength: Math.min(maxLength, Math.max(minLength, defaultMaxLength)) };
  return fc.oneof(
    { weight: 3, arbitrary: fc.string({ ...length, unit: 'grapheme-ascii' }) },
    { weight: 1, arbitrary: fc.string({ ...length, unit: character }) },
  );
}
