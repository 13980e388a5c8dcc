import { expect, test } from '@jest/globals';
import { createAdmissionFilter } from '../../server/collections/admission-filter.ts';
import { hashText } from '../../server/collections/string-hash.ts';

const keysOf = (name: string, count: number): number[] =>
  Array.from({ length: count }, (_, n) => hashText(`${name}${n}`));

test('admits each key at its second request, also where all others were requested between the two', () => {
  const isAdmitted = createAdmissionFilter(1024);
  const keys = keysOf('key', 1024);
  const first = keys.filter(isAdmitted);
  expect(first.length).toBeLessThan(1024 * 0.05);
  expect(keys.filter(isAdmitted)).toHaveLength(1024);
});

test('forgets keys that were not requested for a long time, and seldom takes a new one for an old one', () => {
  const isAdmitted = createAdmissionFilter(1024);
  const old = keysOf('old', 100);
  old.forEach(isAdmitted);
  const wrong = keysOf('other', 20_000).filter(isAdmitted).length;
  expect(wrong).toBeLessThan(20_000 * 0.05);
  expect(old.filter(isAdmitted).length).toBeLessThan(10);
});
