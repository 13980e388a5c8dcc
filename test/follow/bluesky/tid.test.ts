import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { idToTid, postId, tidToId, userId } from '../../../server/follow/bluesky/tid.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

const tidId = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String);
const uriOf = (rkey: string, did = 'did:plc:alice'): string => `at://${did}/app.bsky.feed.post/${rkey}`;
const none = (): undefined => undefined;
const firstHash = 2n ** 63n;
const lastId = 10n ** 19n - 1n;

describe('a TID as a decimal id', () => {
  test.each([
    ['2222222222222', '0'],
    ['2222222222223', '1'],
    ['222222222222z', '31'],
    ['2222222222232', '32'],
    // The example of atproto.com/specs/tid.
    ['3jzfcijpj2z2a', '1728652679052295174'],
    ['bzzzzzzzzzzzz', '9223372036854775807'],
  ])('%s is %s', (tid, id) => {
    expect([tidToId(tid), idToTid(id)]).toEqual([id, tid]);
  });

  test('is microseconds since 1970, times 1024, and a clock id', () => {
    const microseconds = BigInt(tidToId('3jzfcijpj2z2a') ?? 0) >> 10n;
    expect(new Date(Number(microseconds / 1000n)).toISOString()).toBe('2023-06-30T15:03:01.887Z');
  });

  test.each([
    '',
    'self',
    '3jzfcijpj2z2',
    '3jzfcijpj2z2aa',
    '3JZFCIJPJ2Z2A',
    '3jzfcijpj2z21',
    'c222222222222',
    'jzzzzzzzzzzzz',
  ])('%j is no TID', (text) => {
    expect(tidToId(text)).toBeUndefined();
  });

  test.each(['', '9223372036854775808', '9999999999999999999', '01', '-1', '1.0', '0x1', 'abc'])(
    '%j is no id of a TID',
    (id) => {
      expect(idToTid(id)).toBeUndefined();
    },
  );

  test('both directions agree, and the order of ids is the order of TIDs', () => {
    fc.assert(
      fc.property(tidId, tidId, (a, b) => {
        const [first = '', second = ''] = [idToTid(a), idToTid(b)];
        expect([tidToId(first), tidToId(second)]).toEqual([a, b]);
        expect(first < second).toBe(BigInt(a) < BigInt(b));
      }),
      { numRuns: rounds(1000) },
    );
  });
});

describe('the id of a record', () => {
  const tid = '3jzfcijpj2z2a';
  const number = '1728652679052295174';

  test('is the number of its TID, also when the record is there already', () => {
    expect(postId(uriOf(tid), none)).toBe(number);
    expect(postId(uriOf(tid), (id) => (id === number ? uriOf(tid) : undefined))).toBe(number);
  });

  test('is a hash of the address where the key is no TID', () => {
    const uri = uriOf('self');
    const hash = BigInt(`0x${createHash('sha256').update(uri).digest('hex')}`);
    expect(postId(uri, none)).toBe(String(firstHash + (hash % (lastId + 1n - firstHash))));
  });

  test.each([
    ['another record has the number', uriOf(tid, 'did:plc:bob')],
    ['a record without an address has the number', ''],
  ])('is a hash of the address where %s', (_case, holder) => {
    const id = postId(uriOf(tid), (each) => (each === number ? holder : undefined));
    expect(BigInt(id)).toBeGreaterThanOrEqual(firstHash);
    expect(idToTid(id)).toBeUndefined();
  });

  test('stays a hash when the number becomes free', () => {
    const uri = uriOf(tid);
    const hashed = postId(uri, (id) => (id === number ? uriOf(tid, 'did:plc:bob') : undefined));
    expect(postId(uri, (id) => (id === hashed ? uri : undefined))).toBe(hashed);
  });

  test('records that arrive in any order have different ids of at most 19 digits, and keep them', () => {
    const key = fc.oneof(
      fc.constantFrom(tid, 'self', '2222222222222'),
      tidId.map((id) => idToTid(id) ?? ''),
    );
    const uri = fc
      .tuple(key, fc.constantFrom('did:plc:alice', 'did:plc:bob', 'did:web:carol.example'))
      .map(([rkey, did]) => uriOf(rkey, did));
    fc.assert(
      fc.property(fc.array(uri, { maxLength: 30 }), (uris) => {
        const held = new Map<string, string>();
        const ids = new Map<string, string>();
        for (const each of uris) {
          const id = postId(each, (one) => held.get(one));
          expect(id).toMatch(/^[0-9]{1,19}$/);
          expect(held.get(id) ?? each).toBe(each);
          expect(ids.get(each) ?? id).toBe(id);
          held.set(id, each);
          ids.set(each, id);
        }
        expect(new Set(ids.values()).size).toBe(new Set(uris).size);
      }),
      { numRuns: rounds(300) },
    );
  });
});

test('the id of an account is 63 bits of a hash of its DID', () => {
  const did = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
  const bytes = createHash('sha256').update(did).digest();
  expect(userId(did)).toBe(String(bytes.readBigUInt64BE() & (2n ** 63n - 1n)));
  expect(userId(did)).toBe('693077882244049925');
  fc.assert(
    fc.property(fc.string(), (text) => BigInt(userId(text)) < 2n ** 63n),
    { numRuns: rounds(200) },
  );
});
