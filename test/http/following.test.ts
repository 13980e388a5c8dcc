// Tests server/agents/records.ts and server/agents/site.ts.
import { expect, test } from '@jest/globals';
import { followingText } from '../../pages/live/following-text.ts';
import { createSite } from '../../server/site.ts';
import { startService } from '../support/service.ts';

test.each([
  [[], ''],
  [[{ following: '1 account on X', connected: true }], 'following 1 account on X'],
  [
    [
      { following: '12 accounts on Bluesky', connected: true, lag_seconds: 0.4 },
      { following: '3 targets on X', connected: false, lag_seconds: 720 },
    ],
    'following 12 accounts on Bluesky, 0.4 s behind · following 3 targets on X (not connected), 12 min behind',
  ],
  [[{ following: '1 account on X', connected: true, lag_seconds: 7200 }], 'following 1 account on X, 2 h behind'],
])('%j is shown as %j', (sources, text) => {
  expect(followingText(sources)).toBe(text);
});

test('/live/following reports what is followed without a key, for GET only', async () => {
  const following = [{ source: 'bluesky', title: 'Bluesky', following: '12 accounts on Bluesky', connected: true }];
  const service = await startService({ site: createSite({ following: () => following }) });
  const response = await service.bare('/live/following');
  expect([response.status, response.headers.get('cache-control'), await response.json()]).toEqual([
    200,
    'no-cache',
    { following },
  ]);
  expect((await service.bare('/live/following', { method: 'POST' })).status).toBe(405);
  await service.stop(0);
});
