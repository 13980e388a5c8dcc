/** Pages of `discover` by the index of ranks are those of the whole community, and old positions go on. */
import { expect, test } from '@jest/globals';
import type { Position } from '../../../server/contract/page.ts';
import { rankedPage } from '../../../server/archive/reads/community-pages.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { ArchiveWriter } from '../../../server/archive/writes/sql-archive.ts';
import { random } from '../../support/random.ts';
import { archiveOn, describeEngines, explaining } from '../engines.ts';

const start = Date.UTC(2026, 0, 1);
let observed = 0;
/** A tweet of which the counts are newer than those before. */
const tweet = (id: number, likes: number, community: string | undefined): Change => ({
  kind: 'tweet',
  tweet: {
    ...{ id: String(id), author_id: '1', text: 'coffee', like_count: likes },
    ...(community === undefined ? {} : { community_id: community }),
    // Several tweets of one time have one rank.
    created_at: new Date(start + Math.floor(id / 3) * 3_600_000).toISOString(),
    observed_at: new Date(Date.UTC(2027, 0, 1) + observed++).toISOString(),
  },
});

describeEngines('pages of a community', (tables) => {
  test('are the same with the index, while tweets come, go and change between them', async () => {
    await tables().clear();
    const { run } = tables();
    const archive: ArchiveWriter = archiveOn(tables());
    const draw = random(8);
    const communityOf = (id: number): string | undefined => [undefined, '901', '901', '902'][id % 4];
    const some = (first: number, count: number): Change[] =>
      Array.from({ length: count }, (_, n) => tweet(first + n, draw(4) ** 3, communityOf(first + n)));
    await archive.apply(some(1, 60));
    let last = 60;
    for (let round = 0; round < 6; round++) {
      const seen: string[] = [];
      let after: Position | undefined;
      do {
        const page = { after, limit: 1 + draw(6) };
        const [indexed, whole] = [await rankedPage(run, '901', page, true), await rankedPage(run, '901', page, false)];
        expect(indexed).toEqual(whole);
        seen.push(...indexed.items);
        after = indexed.next ?? undefined;
        const changed = Array.from({ length: draw(5) }, () => 1 + draw(last));
        await archive.apply([
          ...new Map(changed.map((id) => [id, tweet(id, draw(9) ** 2, communityOf(id))])).values(),
          ...some(last + 1, 2),
          ...(draw(3) === 0 ? [{ kind: 'delete', tweet_id: String(1 + draw(last)) } as const] : []),
        ]);
        last += 2;
      } while (after !== undefined);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThan(20);
    }
  });

  test('read their own entries of the index, and the changes since the first page', async () => {
    await tables().clear();
    const { run } = tables();
    const archive = archiveOn(tables());
    await archive.apply(Array.from({ length: 4_000 }, (_, n) => tweet(n + 1, n % 90, n % 2 === 0 ? '901' : undefined)));
    await archive.apply(Array.from({ length: 500 }, (_, n) => tweet(n + 1, 100, n % 2 === 0 ? '901' : undefined)));
    const { run: explained, plans } = await explaining(tables(), ['tweet', 'tweet_count', 'engagement_before']);
    const { next } = await rankedPage(run, '901', { after: undefined, limit: 20 }, true);
    await rankedPage(explained, '901', { after: next!, limit: 20 }, true);
    const plan = plans.join();
    expect(plan).toContain('tweet_count_community');
    // The order is that of the index: neither a table nor the community is read to sort it.
    expect(plan).not.toMatch(/Seq Scan|SCAN (?!ranked|\(subquery)|tweet_community|tweet_newest/);
  });

  test('go on from a position of version 1.2, which had the logarithm of the score', async () => {
    await tables().clear();
    const { run } = tables();
    await archiveOn(tables()).apply([1, 4, 7, 10].map((id) => tweet(id, 12 - id, '901')));
    const page = { after: undefined, limit: 2 };
    const { items, next } = await rankedPage(run, '901', page, true);
    expect(items).toEqual(['1', '4']);
    const at = start + 3_600_000;
    const old: Position = [next![0]!, Math.log2(8 + 1) + at / 86_400_000, at, '4'];
    const rest = await rankedPage(run, '901', { ...page, after: old }, true);
    expect(rest).toEqual(await rankedPage(run, '901', { ...page, after: next! }, true));
    expect(rest.items).toEqual(['7', '10']);
    for (const wrong of [
      [1, 2],
      [1, 2, 3],
      ['x', 2, '4'],
      [1, 2, 'x', '4'],
      [1, 2, 3, '4', '5'],
    ])
      await expect(rankedPage(run, '901', { ...page, after: wrong }, true)).rejects.toMatchObject({ status: 400 });
  });
});
