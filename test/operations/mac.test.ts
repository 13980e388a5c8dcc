import { expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { createMac } from '../../server/operations/mac.ts';

test('a MAC is the HMAC-SHA-256 that Node makes, for secrets shorter and longer than a block', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 500 }), (bytes, text) => {
      const secret = Buffer.from(bytes);
      expect(createMac(secret)(text)).toEqual(createHmac('sha256', secret).update(text).digest());
    }),
  );
});
