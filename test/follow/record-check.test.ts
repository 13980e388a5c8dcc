import { expect, test } from '@jest/globals';
import { countUnusable, validRecords } from '../../server/follow/record-check.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';

test('counts the dead letters of the archive, and those with the id of another record', () => {
  const counted: [string, number | undefined][] = [];
  countUnusable(['added', 'dead letter', 'rejected', 'unchanged', 'rejected'], {
    rejected: (reason, count) => void counted.push([reason, count]),
  });
  expect(counted).toEqual([
    ['set_aside', 1],
    ['copied_id', 2],
  ]);
});

test('leaves out records that violate the native format, with the reason', () => {
  const reasons: string[] = [];
  const like: ArchiveRecord = { kind: 'like', tweet_id: '1' };
  const wrong = { kind: 'like', tweet_id: 'one' } as ArchiveRecord;
  expect(validRecords([like, wrong], (reason) => void reasons.push(reason))).toEqual([like]);
  expect(reasons).toEqual([expect.stringContaining('tweet_id')]);
});
