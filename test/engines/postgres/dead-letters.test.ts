/** The document of records that could not be applied stays small. */
import { expect, test } from '@jest/globals';
import { DeadLetters } from '../../../server/archive/writes/dead-letters.ts';
import { SharedDocuments } from '../../support/shared-document.ts';

test('it lists a limited number of records, with numbers of their own, and with limited texts', async () => {
  const store = new SharedDocuments();
  const limits = { records: 10, textLength: 500 };
  const deadLetters = await DeadLetters.open(store, limits);
  const unusable = (length: number) => ({
    change: { kind: 'community' as const, community: { id: '901', name: 'x'.repeat(length) } },
    reason: 'a reason',
  });
  await deadLetters.add(unusable(300));
  await deadLetters.add(unusable(200));
  await Promise.all(Array.from({ length: 20 }, () => deadLetters.add(unusable(10))));
  await deadLetters.settled();
  const { data } = await store.document<{ records: { seq: number; record?: string }[] }>('set-aside', { records: [] });
  expect(data.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => -1 - index));
  expect(data.records.slice(0, 3).map(({ record }) => record !== undefined)).toEqual([true, false, true]);
  expect(data.records.reduce((sum, { record = '' }) => sum + record.length, 0)).toBeLessThanOrEqual(500);
  expect((await DeadLetters.open(store)).count).toBe(10);
});
