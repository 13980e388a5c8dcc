/**
 * Recent search: reads what the stream did not deliver, back to the position, or everything where the plan has no stream. Pages
 * come newest first, so that the position of an incomplete search has an upper bound too: the next search continues there.
 */
import { fields, text, withoutUndefined, type Fields } from '../../formats/recognised.ts';
import type { LiveBatch } from '../../ports/live-source.ts';
import type { ReadBudget } from './budget.ts';
import { XError } from './errors.ts';
import { wholeTweets } from './fields.ts';
import { earliest, idAt, isId, later, timeOf } from './ids.ts';
import type { SourceParts } from './options.ts';
import type { Progress, Span } from './progress.ts';
import { newestOf, postBatch, postsOf } from './records.ts';
import { joinAccounts, maxQueryLength } from './rules.ts';

const route = '/2/tweets/search/recent';
/** The limits of a page at X. */
const pageSize = { min: 10, max: 100 } as const;
/** Recent search has the posts of this time; a margin is left for the clocks. */
const reachMs = 7 * 24 * 60 * 60 * 1000 - 60_000;
/** Without an end, a search ends 30 s ago; posts before this time are in it. */
export const searchDelayMs = 60_000;

/** A target that search reads. */
export interface SearchTarget {
  readonly key: string;
  /** The id of an account, or a query. */
  readonly account?: string;
  readonly query?: string;
}

/** Targets with the same span, in one query. */
interface Group {
  readonly keys: readonly string[];
  readonly query: string;
  readonly span: Span;
}

export interface SearchParts extends SourceParts {
  readonly progress: Progress;
  readonly followed: () => ReadonlySet<string>;
  readonly emit: (batch: LiveBatch) => Promise<void>;
}

export class RecentSearch {
  readonly #parts: SearchParts;

  constructor(parts: SearchParts) {
    this.#parts = parts;
  }

  /**
   * Reads all that is new of these targets, and moves their spans. Waits where the rate limit of X is used up. Rejects with
   * SourceError, as where the budget is used up.
   */
  async read(targets: readonly SearchTarget[], signal: AbortSignal): Promise<void> {
    for (const group of groupsOf(targets, this.#parts.progress)) {
      let next: Group | undefined = group;
      while (next !== undefined && !signal.aborted) next = await this.#readPage(next, signal);
    }
  }

  /** Reads a page. Returns the group with its new span while there is more. */
  async #readPage(group: Group, signal: AbortSignal): Promise<Group | undefined> {
    const { api, progress, emit, followed } = this.#parts;
    const { span } = group;
    const startedAt = api.now();
    const since = this.#reachable(span, startedAt);
    const response = await this.#request(group, since, signal);
    const { records, ids } = await postsOf(this.#parts, response, followed());
    const first = newestOf(ids) ?? span.since;
    const newest = span.newest ?? first;
    const hasMore = ids.length > 0 && text(fields(response.meta).next_token) !== undefined;
    const oldest = ids.reduce((oldestId, id) => earliest(oldestId, id), ids[0] ?? first);
    const isWhole = span.until === undefined;
    // A search that goes back to the span without a bound has all that is in the index.
    const complete = isWhole ? later(newest, idAt(startedAt - searchDelayMs)) : newest;
    const nextSpan = hasMore ? { since: span.since, until: oldest, newest } : { since: later(span.since, complete) };
    progress.read(group.keys, nextSpan);
    await emit(postBatch(records, progress.toString()));
    return hasMore || !isWhole ? { ...group, span: nextSpan } : undefined;
  }

  /** Sends a request. Waits and sends it again where the rate limit is used up. */
  async #request(group: Group, since: string | undefined, signal: AbortSignal): Promise<Fields> {
    const { api, budget, clock } = this.#parts;
    const { query, span } = group;
    for (;;) {
      try {
        return await counted(budget, pageSize, (count) => {
          const max_results = String(count);
          const bounds = withoutUndefined({ since_id: since, until_id: span.until });
          return api.json({ route, query: { ...wholeTweets, query, max_results, ...bounds } }, signal);
        });
      } catch (error) {
        if (!(error instanceof XError && error.status === 429) || signal.aborted) throw error;
        await clock.sleep(error.retryAfterMs ?? searchDelayMs, signal);
        signal.throwIfAborted();
      }
    }
  }

  /** The id to search from; undefined where search does not reach back so far. */
  #reachable({ since, until }: Span, now: number): string | undefined {
    const time = timeOf(since);
    if (time === undefined || time > now - reachMs) return since;
    if (until === undefined) this.#parts.observer.gap('absent for longer than the search of X reaches back');
    return undefined;
  }
}

/** Counts the most that a page can return before its request, and what it returned afterwards. */
export async function counted(
  budget: ReadBudget,
  { min, max, keep = 0 }: { readonly min: number; readonly max: number; readonly keep?: number },
  request: (count: number) => Promise<Fields>,
): Promise<Fields> {
  const reservation = await budget.take(max, { min, keep });
  let used = reservation.count;
  try {
    const response = await request(reservation.count);
    used = Array.isArray(response.data) ? response.data.length : 0;
    return response;
  } catch (error) {
    // X bills only what it returns. Without an answer, it may have returned everything.
    if (error instanceof XError) used = 0;
    throw error;
  } finally {
    await reservation.settle(used);
  }
}

/** Joins the targets that have the same span. */
function groupsOf(targets: readonly SearchTarget[], progress: Progress): Group[] {
  const spans = new Map(progress.spans);
  const groups: Group[] = [];
  const accounts = Map.groupBy(
    targets.filter(({ account, key }) => account !== undefined && spans.has(key)),
    ({ key }) => JSON.stringify(spans.get(key)),
  );
  for (const members of accounts.values()) {
    const span = spans.get(members[0]?.key ?? '');
    if (span === undefined) continue;
    let from = 0;
    for (const query of joinAccounts(
      members.flatMap(({ account }) => (isId(account) ? [account] : [])),
      maxQueryLength,
    )) {
      const size = query.split(' OR ').length;
      groups.push({ keys: members.slice(from, from + size).map(({ key }) => key), query, span });
      from += size;
    }
  }
  for (const { key, query } of targets) {
    const span = spans.get(key);
    if (query !== undefined && span !== undefined) groups.push({ keys: [key], query, span });
  }
  return groups;
}
