import { expect, test } from '@jest/globals';
import { textFrame } from '../../server/realtime/frame.ts';

// Events keep their frames, and slow sockets what waits for them: what else lies in memory must not be kept with it.
test.each([1, 125, 126, 65_535, 65_536])('the frame of %d bytes of text retains only its own bytes', (bytes) => {
  const text = 'x'.repeat(bytes);
  const frame = textFrame(text);
  expect(frame.toString('latin1').endsWith(text)).toBe(true);
  expect(frame.buffer.byteLength).toBe(frame.length);
});
