import { expect, test } from '@jest/globals';
import { CursorWait } from '../../server/realtime/cursor-wait.ts';

/** A log whose head a test moves, and the number of its listeners. */
function movingLog(head: number) {
  const listeners = new Set<() => void>();
  return {
    ...{ epoch: 'now', head, listeners },
    onHead(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    moveTo(to: number) {
      this.head = to;
      for (const listener of listeners) listener();
    },
  };
}

test('does not wait for a position that is reached, or that belongs to another epoch', () => {
  const wait = new CursorWait(movingLog(7));
  for (const cursor of ['now.0', 'now.7', 'before.9']) expect(wait.reached(cursor)).toBeUndefined();
});

test('rejects a text that is no cursor with 400', () => {
  const wait = new CursorWait(movingLog(7));
  for (const text of ['', 'now', 'now.x', 'now.1, now.2', `${'e'.repeat(33)}.1`])
    expect(() => wait.reached(text)).toThrow(expect.objectContaining({ status: 400 }));
});

test('waits until the position is reached, and then listens no more', async () => {
  const log = movingLog(7);
  const reached = new CursorWait(log).reached('now.9');
  log.moveTo(8);
  expect(log.listeners.size).toBe(1);
  log.moveTo(9);
  await reached;
  expect(log.listeners.size).toBe(0);
});

test('rejects with 503 and Retry-After where the position is not reached in a second', async () => {
  const log = movingLog(7);
  await expect(new CursorWait(log).reached('now.9')).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  });
  expect(log.listeners.size).toBe(0);
});
