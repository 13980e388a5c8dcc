/** What a platform does not support answers 501 with the platform's reason: over HTTP and over the event stream. */
import { expect, test } from '@jest/globals';
import { operationIds, type Call } from '../../server/contract/operations.ts';
import { createOperations } from '../../server/operations/index.ts';
import { createCursors } from '../../server/contract/cursor.ts';
import { allExcept } from '../../server/ports/platform.ts';
import type { SavedSearches } from '../../server/ports/saved-searches.ts';
import { resolveChannel } from '../../server/realtime/channels.ts';
import { errorMessage } from '../../server/realtime/messages.ts';
import { MemoryPlatform } from './reference/platform.ts';
import { options } from '../support/call-options.ts';
import { expectSchema } from '../support/contract.ts';
import { noEvents, noTokens } from '../support/other-parts.ts';

const reason = 'this platform has no communities';

class WithoutCommunities extends MemoryPlatform {
  override readonly capabilities = allExcept({ discoverCommunityTweets: reason });
}
const platform = new WithoutCommunities();
platform.add([{ kind: 'community', community: { id: '70', name: 'Makers' } }]);
const handlers = createOperations({
  platform,
  cursors: createCursors(Buffer.alloc(32)),
  assistant: { explain: () => Promise.reject(new Error('not asked')), status: () => ({}) as never },
  resolver: { resolve: async () => null },
  tokens: noTokens,
  searches: {} as SavedSearches,
  events: noEvents,
});

test('an unsupported operation returns 501 with the reason; all others work', async () => {
  const call = {
    path: {},
    query: { id: '70', limit: 20 },
    headers: {},
    cookies: {},
    body: undefined,
    keyId: 'k',
    ...options,
  };
  await expect(handlers.discoverCommunityTweets(call as Call<'discoverCommunityTweets'>)).rejects.toMatchObject({
    status: 501,
    message: reason,
  });
  expect(await handlers.getCommunityMedia(call as Call<'getCommunityMedia'>)).toMatchObject({ tweets: [] });
  expect(Object.keys(handlers).toSorted()).toEqual(operationIds.toSorted());
});

test('rejects a channel of an unsupported operation with an error message that has the same reason', async () => {
  const refused = await resolveChannel('community:tweets', { id: '70' }, platform, options).catch(
    (error: unknown) => error,
  );
  const message = errorMessage(refused, 'c1', 'bad_params');
  expect(message).toEqual({ type: 'error', error: reason, status: 501, code: 'unknown_channel', id: 'c1' });
  await expectSchema('WsError', message);
  expect((await resolveChannel('assistant:pool', {}, platform, options)).isState).toBe(true);
});
