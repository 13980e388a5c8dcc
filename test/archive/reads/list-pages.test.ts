/** Pages of lists read their own entries of an index. */
import { expect, test } from '@jest/globals';
import { listPage, mentionsOf } from '../../../server/archive/reads/list-pages.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { archiveOn, describeEngines, explaining } from '../engines.ts';

describeEngines('the mentions of a user', (tables) => {
  test('are found without a look at the mentions of the same name that have an id', async () => {
    await tables().clear();
    const tweet = (n: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{
          id: String(n),
          author_id: '1',
          text: '@coffee',
          created_at: new Date(Date.UTC(2026, 0, 1) + n).toISOString(),
        },
        entities: {
          mentions: [{ username: 'coffee', ...(n % 500 > 0 && { id: '7' }) }],
          ...{ hashtags: [], cashtags: [], urls: [] },
        },
      },
    });
    await archiveOn(tables()).apply(Array.from({ length: 2_000 }, (_, n) => tweet(n + 1)));
    const { run: explained, plans } = await explaining(tables(), ['mention']);
    const page = { after: undefined, limit: 3 };
    const found = await listPage(explained, mentionsOf({ id: undefined, name: 'coffee' }, 0, Infinity), page);
    expect(found.items).toEqual(['2000', '1999', '1998']);
    const ofUser = await listPage(explained, mentionsOf({ id: '8', name: 'coffee' }, 0, Infinity), page);
    expect(ofUser.items).toEqual(['2000', '1500', '1000']);
    expect(plans).toEqual([expect.stringContaining('mention_by_name'), expect.stringContaining('mention_without_id')]);
  });
});
