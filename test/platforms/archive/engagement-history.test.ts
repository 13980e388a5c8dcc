import { expect, test } from '@jest/globals';
import { EngagementHistory } from '../../../server/platforms/archive/engagement-history.ts';
import fc from '../../support/property.ts';

interface Change {
  readonly ordinal: number;
  readonly revision: number;
  readonly engagement: number;
}

const operation = fc.record({
  ordinal: fc.nat(5),
  /** How much the revision advances; several changes can have one revision. */
  step: fc.nat(2),
  engagement: fc.nat(100),
  isRemoval: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
});

test('the history of engagement equals a list of the last changes', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (operations, max) => {
      const history = new EngagementHistory(max);
      for (let ordinal = 0; ordinal <= 5; ordinal++) history.add(ordinal);
      let changes: (Change | undefined)[] = [];
      let revision = 0;
      for (const { ordinal, step, engagement, isRemoval } of operations) {
        revision += step;
        if (isRemoval) {
          history.remove(ordinal);
          changes = changes.map((change) => (change?.ordinal === ordinal ? undefined : change));
        } else {
          history.push(ordinal, revision, engagement);
          changes = [...changes, { ordinal, revision, engagement }].slice(-max);
        }
        for (let asked = 0; asked <= revision; asked++)
          for (let tweet = 0; tweet <= 5; tweet++)
            expect(history.at(tweet, asked)).toBe(
              changes.find((change) => change?.ordinal === tweet && change.revision > asked)?.engagement,
            );
      }
    }),
  );
});

test('the history has no earlier value of a tweet that never changed', () => {
  const history = new EngagementHistory();
  history.add(0);
  expect(history.at(0, 0)).toBeUndefined();
});
