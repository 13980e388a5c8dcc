import { describe, expect, test } from '@jest/globals';
import { cursorAt, formatCursor, positionAhead, resolveCursor } from '../../server/realtime/event-cursor.ts';

/** The events 11 to 20 are retained; those up to 15 belong to an earlier epoch. */
const log = {
  ...{ epoch: 'now', head: 20, floor: 10 },
  epochAt: (seq: number) => (seq <= 15 ? 'before' : 'now'),
  lastOf: (epoch: string) => ({ before: 15, ancient: 3 })[epoch],
};
/** A log that has had only one epoch. */
const plain = { epoch: 'now', head: 20, floor: 0 };
const command = { type: 'subscribe', id: 'c1', channel: 'assistant:pool', params: {} } as const;
const going = { ...command, on_gap: 'continue' } as const;

test('a cursor has the epoch of its event', () => {
  expect([formatCursor('a', 0), cursorAt(log, 15), cursorAt(log, 16), cursorAt(plain, 3)]).toEqual([
    ...['a.0', 'before.15', 'now.16', 'now.3'],
  ]);
});

test.each([
  ['now.20', undefined],
  ['now.21', 21],
  ['before.21', undefined],
  ['now', 'malformed'],
  ['now.', 'malformed'],
  ['.3', 'malformed'],
  ['now.1x', 'malformed'],
  ['now.-1', 'malformed'],
  ['x now.21', 'malformed'],
  ['now.1\n', 'malformed'],
  [`now.${'9'.repeat(15)}`, 999_999_999_999_999],
  [`now.${'9'.repeat(16)}`, 'malformed'],
  [`${'e'.repeat(32)}.1`, undefined],
  [`${'e'.repeat(33)}.1`, 'malformed'],
])('%j is ahead of the log by position: %j', (cursor, expected) => {
  expect(positionAhead(cursor, log)).toBe(expected);
});

describe('a subscription from a cursor', () => {
  test.each([
    ['now.20', { position: 20, gap: undefined }],
    ['now.10', { position: 10, gap: undefined }],
    ['before.15', { position: 15, gap: undefined }],
    ['before.11', { position: 11, gap: undefined }],
  ])('%s starts there, without a gap', (cursor, point) => {
    expect(resolveCursor(cursor, command, log)).toEqual(point);
    expect(resolveCursor(cursor, going, log)).toEqual(point);
  });

  test.each([
    ['now.9', { position: 10, gap: 'retention' }],
    ['ancient.3', { position: 10, gap: 'retention' }],
    ['before.16', { position: 15, gap: 'epoch' }],
    ['ancient.4', { position: 10, gap: 'epoch' }],
    ['other.5', { position: 10, gap: 'epoch' }],
  ])('%s continues behind a gap, where the command permits it', (cursor, point) => {
    expect(resolveCursor(cursor, going, log)).toEqual(point);
  });

  test.each([
    ['nonsense', 'bad_params', 400, {}, "'cursor' is not a cursor of this stream"],
    ['now.21', 'cursor_in_future', 400, {}, "'cursor' is ahead of the event log"],
    [
      ...(['now.9', 'cursor_too_old', 410, { oldest_cursor: 'before.10' }] as const),
      "'cursor' is older than the event log: take what is missing from REST, or subscribe with on_gap 'continue'",
    ],
    [
      ...(['before.16', 'epoch_changed', 410, { oldest_cursor: 'before.10' }] as const),
      "'cursor' belongs to another event log: take what is missing from REST, or subscribe with on_gap 'continue'",
    ],
  ])('%s is rejected with %s', (cursor, code, status, details, message) => {
    expect(() => resolveCursor(cursor, command, log)).toThrow(
      expect.objectContaining({ code, status, details, message, id: 'c1' }),
    );
  });

  test.each(['nonsense', 'now.21'])('%s is rejected also where the command permits a gap', (cursor) => {
    expect(() => resolveCursor(cursor, going, log)).toThrow(expect.objectContaining({ status: 400 }));
  });

  test('of another log has nothing in common with one that knows no earlier epochs', () => {
    expect(resolveCursor('other.5', going, plain)).toEqual({ position: 0, gap: 'epoch' });
    expect(() => resolveCursor('other.0', command, plain)).toThrow(expect.objectContaining({ code: 'epoch_changed' }));
  });
});
