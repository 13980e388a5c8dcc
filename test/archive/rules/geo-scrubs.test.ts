/** No tweet keeps a place that a record of `scrub_geo` removes, whatever comes before and after it. */
import { expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { UnusableRecord, type Change } from '../../../server/archive/rules/change.ts';
import { GeoScrubs, hasLocation } from '../../../server/archive/rules/geo-scrubs.ts';
import { history } from '../../engines/postgres/changes.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

/** The tweets with a place that must not be there. */
function scrubbedPlaces(changes: readonly Change[]): object[] {
  const archive = new Archive();
  for (const change of changes)
    try {
      archive.apply(change);
    } catch (error) {
      if (!(error instanceof UnusableRecord)) throw error;
    }
  const content = [...archive.changes()];
  const scrubs = new GeoScrubs();
  for (const change of content) if (change.kind === 'scrub_geo') scrubs.add(change);
  return content.flatMap((change) =>
    change.kind === 'tweet' && hasLocation(change.tweet) && scrubs.has(change.tweet) ? change.tweet : [],
  );
}

test('after random changes, no tweet has a place that was removed', () => {
  fc.assert(
    fc.property(history, (batches) => expect(scrubbedPlaces(batches.flat())).toEqual([])),
    { numRuns: rounds(1000, 200) },
  );
});

test('a record with another author does not bring the place back', () => {
  const tweet = (author_id: string): Change => ({
    kind: 'tweet',
    tweet: { id: '100', text: 'a', created_at: '2026-02-02T02:41:00.000Z', author_id, place: 'Town' },
  });
  const scrub: Change = { kind: 'scrub_geo', user_id: '1', tweet_id: '100', at: '2026-02-02T02:41:00.000Z' };
  expect(scrubbedPlaces([tweet('1'), scrub, tweet('2')])).toEqual([]);
  expect(scrubbedPlaces([scrub, tweet('1'), tweet('2')])).toEqual([]);
});
