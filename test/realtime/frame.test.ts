import { expect, test } from '@jest/globals';
import { textFrame, textOf } from '../../server/realtime/frame.ts';

// Events keep their frames, and slow sockets what waits for them: what else lies in memory must not be kept with it.
const heads = [
  [1, '8101'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
] as const;
test.each(heads)('the frame of %d bytes of text has their length, and retains only its own bytes', (bytes, head) => {
  const text = 'x'.repeat(bytes);
  const frame = textFrame(text);
  expect(frame.subarray(0, -bytes).toString('hex')).toBe(head);
  expect(textOf(frame).toString()).toBe(text);
  expect(frame.buffer.byteLength).toBe(frame.length);
});
