/** The document of records that could not be applied stays small. */
import { expect, test } from '@jest/globals';
import { TablesSetAside } from '../../../server/archive/writes/tables-set-aside.ts';
import { SharedDocuments } from '../../support/shared-document.ts';

test('it lists a limited number of records, with numbers of their own, and with limited texts', async () => {
  const store = new SharedDocuments();
  const limits = { records: 10, textLength: 500 };
  const setAside = await TablesSetAside.open(store, limits);
  const unusable = (length: number) => ({
    change: { kind: 'community' as const, community: { id: '901', name: 'x'.repeat(length) } },
    reason: 'a reason',
  });
  await setAside.add(unusable(300));
  await setAside.add(unusable(200));
  await Promise.all(Array.from({ length: 20 }, () => setAside.add(unusable(10))));
  await setAside.settled();
  const { data } = await store.document<{ records: { seq: number; record?: string }[] }>('set-aside', { records: [] });
  expect(data.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 10 }, (_, index) => -1 - index));
  expect(data.records.slice(0, 3).map(({ record }) => record !== undefined)).toEqual([true, false, true]);
  expect(data.records.reduce((sum, { record = '' }) => sum + record.length, 0)).toBeLessThanOrEqual(500);
  expect((await TablesSetAside.open(store)).count).toBe(10);
});
