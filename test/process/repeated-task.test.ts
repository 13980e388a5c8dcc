/** Work that is repeated: one run after the other, until the end. */
import { expect, jest, test } from '@jest/globals';
import { RepeatedTask } from '../../server/process/repeated-task.ts';

/** Holds the timer of an interval. `tick` is what it would call. */
function heldInterval(): { tick: () => void; isCleared: () => boolean } {
  let run = (): void => {};
  let isCleared = false;
  jest.spyOn(globalThis, 'setInterval').mockImplementation(((callback: () => void) => {
    run = callback;
    const timer = { unref: () => timer };
    return timer;
  }) as unknown as typeof setInterval);
  jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => void (isCleared = true));
  return { tick: () => run(), isCleared: () => isCleared };
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test('begins at once, waits for a run that takes longer than the interval, and ends after the run in progress', async () => {
  const timer = heldInterval();
  const open: (() => void)[] = [];
  let ended = 0;
  const task = new RepeatedTask(1_000, async () => {
    await new Promise<void>((resolve) => void open.push(resolve));
    ended++;
  });
  task.start();
  await turn();
  expect(open).toHaveLength(1);
  timer.tick();
  await turn();
  expect(open).toHaveLength(1);
  open[0]!();
  await turn();
  expect([open.length, ended]).toEqual([2, 1]);

  let isStopped = false;
  const stopped = task.stop().then(() => void (isStopped = true));
  await turn();
  expect([timer.isCleared(), isStopped]).toEqual([true, false]);
  open[1]!();
  await stopped;
  expect(ended).toBe(2);
  jest.restoreAllMocks();
});
