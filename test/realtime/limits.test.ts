import { expect, test } from '@jest/globals';
import { closeCodes, defaultLimits, publicLimits } from '../../server/realtime/limits.ts';

test('a client gets the limits that it can reach by itself', () => {
  const limits = { ...defaultLimits, subscriptions: 1, connections: 2, commandsPerMinute: 3, messageBytes: 4 };
  expect(publicLimits(limits)).toEqual({
    ...{ subscriptions: 1, connections: 2, commands_per_minute: 3, message_bytes: 4, query_chars: 1024 },
  });
});

test('no two reasons to close a connection have a code in common, and a close frame can hold each text', () => {
  const all = Object.values(closeCodes);
  expect(new Set(all.map(([code]) => code)).size).toBe(all.length);
  // RFC 6455 §5.5: 125 bytes with the code.
  for (const [, text] of all) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(123);
});
