/** What a removal of targets with their data erases. */
import type { EraseCounts, EraseRequest } from './erasure.ts';

/** The erasures of the accounts of targets, and of the posts that searches brought. */
export const purgeRequests = (accounts: Iterable<readonly string[]>, tweetIds: readonly string[]): EraseRequest[] => [
  ...Array.from(new Set([...accounts].flat()), (user) => ({ kind: 'user', user }) as const),
  ...(tweetIds.length === 0 ? [] : [{ kind: 'tweets', ids: tweetIds } as const]),
];

/** What erasures remove together, without a change of anything. */
export async function previewOf(
  eraser: { preview(request: EraseRequest): Promise<EraseCounts> },
  requests: readonly EraseRequest[],
): Promise<EraseCounts> {
  const counts = { tweets: 0, users: 0, relations: 0, conversations: 0 };
  for (const request of requests) {
    const preview = await eraser.preview(request);
    for (const name of ['tweets', 'users', 'relations', 'conversations'] as const) counts[name] += preview[name];
  }
  return counts;
}
