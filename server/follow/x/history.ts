/** The history of a target: the timeline of an account, or what recent search has. */
import type { ArchivedTweet } from '../../domain/records.ts';
import { fields, text, withoutUndefined } from '../../formats/recognised.ts';
import type { HistoryRequest, LiveBatch, ResolvedTarget } from '../../ports/live-source.ts';
import { wholeTweets } from './fields.ts';
import { earliest } from './ids.ts';
import type { SourceParts } from './options.ts';
import { postBatch, postsOf } from './records.ts';
import { refresh } from './refresh.ts';
import { counted } from './search.ts';

/** The maximum number of posts that X returns of an account. */
const maxTimeline = 3200;
const pageSizes = { timeline: { min: 5, max: 100 }, search: { min: 10, max: 100 } } as const;
/** The part of the budget that stays for new posts. */
const keptPart = 0.2;

/** What a history has shown. */
interface Seen {
  readonly ids: Set<string>;
  /** The id up to which everything of the account was shown; undefined where nothing was. */
  oldest: string | undefined;
  isWhole: boolean;
}

export async function* historyOf(
  parts: SourceParts,
  { target, accounts }: ResolvedTarget,
  request: HistoryRequest,
): AsyncGenerator<LiveBatch, void> {
  if (accounts === undefined) {
    const call = { route: '/2/tweets/search/recent', query: { query: target.value } };
    yield* pages(parts, call, pageSizes.search, request);
    return;
  }
  for (const account of accounts) {
    const seen: Seen = { ids: new Set(), oldest: undefined, isWhole: false };
    const call = { route: '/2/users/:id/tweets', path: { id: account } };
    const limit = Math.min(request.limit, maxTimeline);
    yield* pages(parts, call, pageSizes.timeline, { ...request, limit }, new Set([account]), seen);
    if (request.reconcile) yield* removals(parts, account, seen, request.signal);
  }
}

async function* pages(
  parts: SourceParts,
  call: { readonly route: string; readonly path?: Record<string, string>; readonly query?: Record<string, string> },
  size: { readonly min: number; readonly max: number },
  { limit, signal }: Pick<HistoryRequest, 'limit' | 'signal'>,
  followed: ReadonlySet<string> = new Set(),
  seen?: Seen,
): AsyncGenerator<LiveBatch, void> {
  const { api, budget } = parts;
  const keep = Math.ceil(budget.limit * keptPart);
  let token: string | undefined;
  for (let left = limit; left > 0;) {
    const max = Math.max(size.min, Math.min(size.max, left));
    const response = await counted(budget, { min: size.min, max, keep }, (count) => {
      const page = withoutUndefined({ max_results: String(count), pagination_token: token });
      return api.json({ ...call, query: { ...call.query, ...wholeTweets, ...page } }, signal);
    });
    const { records, ids } = await postsOf(parts, response, followed);
    left -= ids.length;
    for (const id of ids) {
      seen?.ids.add(id);
      if (seen !== undefined) seen.oldest = earliest(seen.oldest ?? id, id);
    }
    if (records.length > 0) yield postBatch(records);
    token = text(fields(response.meta).next_token);
    if (token === undefined || ids.length === 0) {
      if (seen !== undefined) seen.isWhole = token === undefined;
      return;
    }
  }
}

/** Removals of the posts that the archive has in the span of a timeline and X does not show. Requests each of them from X. */
async function* removals(
  parts: SourceParts,
  account: string,
  { ids, oldest, isWhole }: Seen,
  signal: AbortSignal,
): AsyncGenerator<LiveBatch, void> {
  const missing: ArchivedTweet[] = [];
  // The posts come newest first. A timeline of the maximum length has older ones that it does not show.
  const isComplete = isWhole && ids.size < maxTimeline;
  for await (const tweet of parts.held.tweetsOf(account)) {
    if (tweet.uri !== undefined || ids.has(tweet.id)) continue;
    if (!isComplete && (oldest === undefined || BigInt(tweet.id) < BigInt(oldest))) break;
    missing.push(tweet);
    if (missing.length === maxMissing) break;
  }
  const removed = await refresh(parts, missing, signal);
  if (removed.length > 0)
    yield { records: removed, events: { delete: removed.filter(({ kind }) => kind === 'delete').length } };
}

/** The maximum number of posts of an account that a history requests one by one: the compliance check finds the others. */
const maxMissing = 300;
