import { describe, expect, test } from '@jest/globals';
import { idOfTid, postId, tidOfId, userId } from '../../server/domain/tid.ts';
import fc from '../support/property.ts';

const first = 'at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3lbyeqkxpfk2m';
const copy = 'at://did:plc:bbbbbbbbbbbbbbbbbbbbbbbb/app.bsky.feed.post/3lbyeqkxpfk2m';

describe('ids of Bluesky', () => {
  test('a TID and its number are the same, in the same order', () => {
    expect(idOfTid('3jzfcijpj2z2a')).toBe('1728652679052295174');
    expect(tidOfId('1728652679052295174')).toBe('3jzfcijpj2z2a');
    const number = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [tidA = '', tidB = ''] = [tidOfId(String(a)), tidOfId(String(b))];
        expect(idOfTid(tidA)).toBe(String(a));
        expect(tidA < tidB).toBe(a < b);
      }),
    );
  });

  test.each([
    '',
    'self',
    '3lbyeqkxpfk2',
    '3lbyeqkxpfk2mm',
    '3LBYEQKXPFK2M',
    'jzzzzzzzzzzzz',
    'c222222222222',
    '3lbyeqkxpfk21',
  ])('%j is no TID', (text) => expect(idOfTid(text)).toBeUndefined());

  test.each(['9223372036854775808', '99999999999999999999', '-1', 'x'])('%j is the number of no TID', (id) =>
    expect(tidOfId(id)).toBeUndefined(),
  );

  test('the first record with a number keeps it; others get an id that no TID has', () => {
    const uris = new Map([[idOfTid('3lbyeqkxpfk2m') ?? '', first]]);
    const uriOf = (id: string) => uris.get(id);
    expect(postId(first, uriOf)).toBe(idOfTid('3lbyeqkxpfk2m'));
    const other = postId(copy, uriOf);
    expect(BigInt(other)).toBeGreaterThanOrEqual(2n ** 63n);
    expect(other).toHaveLength(19);
    // It keeps this id when the first record is gone.
    uris.clear();
    uris.set(other, copy);
    expect(postId(copy, uriOf)).toBe(other);
  });

  test('a record key that is no TID gives an id of 19 digits above all TIDs', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9._~-]{14,30}$/), (key) => {
        const id = postId(`at://did:plc:a/app.bsky.feed.post/${key}`, () => undefined);
        expect(id).toMatch(/^\d{19}$/);
        expect(BigInt(id)).toBeGreaterThanOrEqual(2n ** 63n);
      }),
    );
  });

  test('the id of an account is 63 bits of the hash of its DID', () => {
    expect(userId('did:plc:ewvi7nxzyoun6zhxrhs64oiz')).toMatch(/^\d{1,19}$/);
    expect(userId('did:plc:ewvi7nxzyoun6zhxrhs64oiz')).toBe('693077882244049925');
  });
});
