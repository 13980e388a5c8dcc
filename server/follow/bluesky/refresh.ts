/** Reads tweets again: their counts, labels, quotes and deletions. */
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { collections, readAtUri } from '../../domain/at-uri.ts';
import { maxPerRequest } from './api.ts';
import { absentPosts, deletion, withdrawal } from './history.ts';
import { withKnownRecords, type SourceParts } from './options.ts';
import { readPostView, refreshedTweet, type PostOfView } from '../../formats/bluesky/views.ts';

/**
 * The records that bring held posts to the state of the platform; only those that change something. Reposts have no view
 * of their own: the reconciliation checks them.
 */
export async function refresh(
  parts: SourceParts,
  tweets: readonly ArchivedTweet[],
  signal: AbortSignal,
): Promise<ArchiveRecord[]> {
  const posts = tweets.filter(({ uri = '' }) => readAtUri(uri)?.collection === collections.post);
  const records: ArchiveRecord[] = [];
  for (let from = 0; from < posts.length; from += maxPerRequest)
    records.push(...(await refreshSome(parts, posts.slice(from, from + maxPerRequest), signal)));
  for (const record of records) parts.recent.note(record);
  return records;
}

async function refreshSome(
  parts: SourceParts,
  posts: readonly ArchivedTweet[],
  signal: AbortSignal,
): Promise<ArchiveRecord[]> {
  const { api, clock, recent } = parts;
  const uris = posts.map(({ uri = '' }) => uri);
  const answered = await api.posts(uris, signal);
  const { context } = await withKnownRecords(parts, answered);
  const views = new Map(
    answered.flatMap((view) => {
      const post = readPostView(view, clock.now(), context);
      return post === undefined ? [] : [[post.uri, post]];
    }),
  );
  const isAnswered = new Set(answered.map(({ uri }) => uri));
  const missing = posts.filter((post) => !isAnswered.has(post.uri) && recent.isSettled(post));
  const absent = missing.length === 0 ? [] : await absentPosts(api, missing, 1, signal);
  const withdrawn = new Set<string>();
  return [
    ...posts.flatMap((held) => {
      const post = views.get(held.uri ?? '');
      return post === undefined ? [] : changesOf(parts, held, post, withdrawn);
    }),
    ...absent.map((tweet) => deletion(tweet, clock.now())),
  ];
}

function changesOf(
  { clock, includesSignedInOnly }: SourceParts,
  held: ArchivedTweet,
  post: PostOfView,
  withdrawn: Set<string>,
): ArchiveRecord[] {
  if (post.isWithheld) return [deletion(held, clock.now(), 'withheld')];
  if (post.isSignedInOnly && !includesSignedInOnly) {
    if (withdrawn.has(held.author_id)) return [];
    withdrawn.add(held.author_id);
    return [withdrawal(held.author_id, clock.now())];
  }
  const tweet = refreshedTweet(held, post);
  return tweet === undefined ? [] : [{ kind: 'tweet', tweet }];
}
