/** When a soak says that memory rises. */
import { expect, test } from '@jest/globals';
import { judge, type Point } from '../../scripts/bench/soak/verdict.ts';

/** Twelve samples a minute: memory that rises linearly by a share within the time, with garbage of another tenth on it. */
const course = (minutes: number, share: number): Point[] =>
  Array.from({ length: minutes * 12 }, (_, sample) => {
    const at = sample / 12;
    const garbage = (sample % 6) / 50;
    return { at, value: 1e8 * (1 + (share * at) / minutes + garbage) };
  });

test('constant memory with garbage is constant', () => {
  expect(judge(course(30, 0), 30)).toMatchObject({ verdict: 'constant', text: expect.stringContaining('(0.0 %)') });
});

test('memory that rises by a third in the soak rises', () => {
  expect(judge(course(30, 0.33), 30).verdict).toBe('rises');
});

test('memory that fills in the first half, and then stays, is constant', () => {
  const points = course(30, 0).map(({ at, value }) => ({ at, value: at < 12 ? value / 2 : value }));
  expect(judge(points, 30).verdict).toBe('constant');
  expect(judge(points, 30).lowest).toHaveLength(15);
});

test('a short soak, and one without values, have no verdict', () => {
  expect(judge(course(20, 1), 20).verdict).toBe('undecided');
  expect(judge([], 30).verdict).toBe('undecided');
});
