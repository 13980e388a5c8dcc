/** The identifiers of the AT Protocol, compared with the package of its makers, which is too large for the service. */
import { parseAtUriString, isValidDid, isValidHandle, isValidRecordKey, isValidTid } from '@atproto/syntax';
import { describe, expect, test } from '@jest/globals';
import { atUri, isDid, isHandle, isRecordKey, postUri, readAtUri } from '../../server/domain/at-uri.ts';
import { idOfTid } from '../../server/domain/tid.ts';
import fc, { anyCharacter } from '../support/property.ts';

/** Texts of the parts of identifiers, in any order, and of any characters. */
const piece = fc.oneof(
  fc.constantFrom(
    'did:',
    'plc:',
    'web:',
    'at://',
    '/',
    ':',
    '.',
    '..',
    '%',
    '-',
    '_',
    '~',
    '#',
    '?',
    'a',
    'Z',
    '0',
    '7',
  ),
  fc.constantFrom(
    'did:plc:abcdefghijklmnopqrstuvwx',
    'alice.example.com',
    'app.bsky.feed.post',
    '3jzfcijpj2z2a',
    'self',
  ),
  anyCharacter,
);
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));

describe('identifiers', () => {
  test.each<[string, (value: string) => boolean, (value: string) => boolean]>([
    ['DIDs', isDid, isValidDid],
    ['record keys', isRecordKey, isValidRecordKey],
    ['TIDs', (value) => idOfTid(value) !== undefined, isValidTid],
    // This project stores handles in lower case.
    ['handles', isHandle, (value) => isValidHandle(value) && value === value.toLowerCase()],
  ])('%s are those of the package', (_, ours, theirs) => {
    let valid = 0;
    const long = [
      'a'.repeat(254),
      `did:plc:${'a'.repeat(2040)}`,
      `did:plc:${'a'.repeat(2041)}`,
      'a'.repeat(512),
      'a'.repeat(513),
    ];
    const compare = (value: string): void => {
      expect([value, ours(value)]).toEqual([value, theirs(value)]);
      if (ours(value)) valid++;
    };
    for (const value of long) compare(value);
    fc.assert(fc.property(text, compare), { numRuns: 3000 });
    expect(valid).toBeGreaterThan(0);
  });

  test('the address of a record is that of the package, if it has a DID, a collection and a key', () => {
    let valid = 0;
    const mostly = (value: string): fc.Arbitrary<string> =>
      fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: text });
    const segment = fc.stringMatching(/^[a-zA-Z0-9-]{0,4}$/);
    const collection = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('.'));
    const parts = fc.tuple(
      mostly('at://'),
      mostly('did:plc:abcdefghijklmnopqrstuvwx'),
      fc.oneof(mostly('app.bsky.feed.post'), collection),
      mostly('3jzfcijpj2z2a'),
      fc.constantFrom('', '', '/', '?a=b', '#/a'),
    );
    fc.assert(
      fc.property(parts, ([scheme, authority, collection, key, rest]) => {
        const value = `${scheme}${authority}/${collection}/${key}${rest}`;
        const { success, value: read } = parseAtUriString(value) as {
          success: boolean;
          value?: Record<string, string>;
        };
        const isRecord =
          success && isValidDid(read!['authority']) && read!['rkey'] !== undefined && read!['hash'] === undefined;
        expect([value, readAtUri(value) !== undefined]).toEqual([value, isRecord]);
        if (isRecord) {
          valid++;
          expect(atUri(readAtUri(value)!)).toBe(value);
        }
      }),
      { numRuns: 5000 },
    );
    expect(valid).toBeGreaterThan(0);
    expect(postUri('at://did:plc:a/app.bsky.feed.post/3k')).toBe('at://did:plc:a/app.bsky.feed.post/3k');
    expect(postUri('at://did:plc:a/app.bsky.feed.like/3k')).toBeUndefined();
  });
});
