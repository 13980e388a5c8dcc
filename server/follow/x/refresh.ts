/** Reads posts again: their counts, and whether X still shows them. */
import { counts, type ArchivedTweet, type ArchiveRecord } from '../../domain/records.ts';
import { list, text, withoutUndefined, type Fields } from '../../formats/recognised.ts';
import { v2Element } from '../../formats/v2.ts';
import { problemsOf, problemType } from './errors.ts';
import { countsOfTweets } from './fields.ts';
import type { SourceParts } from './options.ts';
import { counted } from './search.ts';

const route = '/2/tweets';
const maxIds = 100;
/** The part of the budget that stays for new posts. */
const keptPart = 0.5;

type RefreshParts = Pick<SourceParts, 'api' | 'budget'>;

/** The records that bring held posts to the state of X; only those that change something. */
export async function refresh(
  parts: RefreshParts,
  tweets: readonly ArchivedTweet[],
  signal: AbortSignal,
): Promise<ArchiveRecord[]> {
  // A post with an address is of another platform.
  const own = tweets.filter(({ uri }) => uri === undefined);
  const records: ArchiveRecord[] = [];
  for (let from = 0; from < own.length; from += maxIds)
    records.push(...(await refreshSome(parts, own.slice(from, from + maxIds), signal)));
  return records;
}

async function refreshSome(
  { api, budget }: RefreshParts,
  tweets: readonly ArchivedTweet[],
  signal: AbortSignal,
): Promise<ArchiveRecord[]> {
  const held = new Map(tweets.map((tweet) => [tweet.id, tweet]));
  const size = { min: held.size, max: held.size, keep: Math.ceil(budget.limit * keptPart) };
  const response = await counted(budget, size, () =>
    api.json({ route, query: { ...countsOfTweets, ids: [...held.keys()].join(',') } }, signal),
  );
  const at = new Date(api.now()).toISOString();
  const removed = problemsOf(response).flatMap((problem) => removal(problem, held, at));
  return [...list(response.data).flatMap((post) => changed(post, held, at)), ...removed];
}

/** A held post with the counts of the answer, where they differ. */
function changed(post: Fields, held: ReadonlyMap<string, ArchivedTweet>, at: string): ArchiveRecord[] {
  const result = v2Element(post, {}, at);
  const record = 'records' in result ? result.records.find(({ kind }) => kind === 'tweet') : undefined;
  const tweet = record?.kind === 'tweet' ? held.get(record.tweet.id) : undefined;
  if (tweet === undefined || record?.kind !== 'tweet') return [];
  const changes: Partial<ArchivedTweet> = {};
  for (const name of counts)
    if (record.tweet[name] !== undefined && record.tweet[name] !== (tweet[name] ?? 0))
      changes[name] = record.tweet[name];
  const { possibly_sensitive } = record.tweet;
  if (possibly_sensitive !== undefined && possibly_sensitive !== (tweet.possibly_sensitive ?? false))
    changes.possibly_sensitive = possibly_sensitive;
  if (Object.keys(changes).length === 0) return [];
  return [{ kind: 'tweet', tweet: { ...tweet, ...changes, observed_at: at } }];
}

const reasons: Readonly<Record<string, 'deleted' | 'withheld'>> = {
  'resource-not-found': 'deleted',
  'not-authorized-for-resource': 'withheld',
};

/** The removal of a held post that X does not show any more. */
function removal(problem: Fields, held: ReadonlyMap<string, ArchivedTweet>, at: string): ArchiveRecord[] {
  const type = problemType(problem);
  const reason = Object.hasOwn(reasons, type) ? reasons[type] : undefined;
  const tweet = held.get(text(problem.resource_id) ?? text(problem.value) ?? '');
  // A problem with something that a post refers to names another parameter.
  if (reason === undefined || tweet === undefined || (problem.parameter ?? 'ids') !== 'ids') return [];
  return [withoutUndefined({ kind: 'delete' as const, tweet_id: tweet.id, author_id: tweet.author_id, at, reason })];
}
