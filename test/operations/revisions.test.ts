import { expect, test } from '@jest/globals';
import { operationIds, type OperationId } from '../../server/contract/operations.ts';
import { createRevisions } from '../../server/operations/revisions.ts';

const revisionOf = createRevisions({ revision: () => 7 });

test.each<[OperationId, object, number | undefined]>([
  ['getUser', { username: 'a' }, 7],
  ['getUsers', { usernames: ['a'] }, 7],
  ['getTweet', { tweet_id: '1' }, 7],
  ['getTweets', { ids: ['1'] }, 7],
  ['getUserFollowers', { username: 'a' }, 7],
  ['getTweetQuotes', { tweet_id: '1' }, 7],
  ['getCommunity', { id: '1' }, 7],
  ['getTweetThread', { tweet_id: '1' }, 7],
  ['getUserLastTweets', { username: 'a' }, 7],
  ['getUserLastTweets', { username: 'a', resolve_cashtags: '1' }, undefined],
  ['searchTweets', { query: 'coffee since:2026-01-01' }, 7],
  ['searchTweets', { query: 'coffee within_time:2d' }, undefined],
  ['searchTweets', { query: '-Within_Time:2d' }, undefined],
  ['countTweets', { query: 'coffee', granularity: 'day', until_time: 1_771_000_000 }, 7],
  ['countTweets', { query: 'coffee', granularity: 'all' }, 7],
  ['countTweets', { query: 'coffee', granularity: 'day' }, undefined],
  ['countTweets', { query: 'within_time:2d', granularity: 'all' }, undefined],
  ['getAssistantStatus', {}, undefined],
  ['explainTweet', { tweet_id: '1' }, undefined],
  ['unlikeTweet', {}, undefined],
])('%s of %j is a function of revision %s', (id, query, revision) => {
  expect(revisionOf(id, query)).toBe(revision);
});
test('caches no response for a platform without revisions', () => {
  const none = createRevisions({ revision: () => undefined });
  for (const id of operationIds) expect(none(id, { query: 'x' })).toBeUndefined();
});
