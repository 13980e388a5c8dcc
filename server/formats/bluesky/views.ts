/** Posts as the AppView answers them: the record with its counts, its labels and its author. */
import { counts, type ArchivedTweet, type ArchivedUser } from '../../domain/records.ts';
import { count, fields, timestamp, withoutUndefined, type Fields } from '../recognised.ts';
import { postUri, readAtUri } from '../../domain/at-uri.ts';
import { isSensitive, isSignedInOnly, isWithheld, viewLabels } from './labels.ts';
import { userOfView } from './profiles.ts';
import { detachedId, tweetOfPost, type MappingContext, type PostReferences } from './records.ts';

/** A post view in the shape of the archive. */
export interface PostOfView {
  readonly uri: string;
  readonly tweet: ArchivedTweet;
  readonly author: ArchivedUser;
  readonly references: PostReferences;
  /** Moderation removed the post from the platform. */
  readonly isWithheld: boolean;
  /** The author asks to be shown only to people who are signed in. */
  readonly isSignedInOnly: boolean;
  /** The view of the quoted post, where the answer has it. */
  readonly quotedView: Fields | undefined;
}

/** The counts of a view by the names of the archive. The platform publishes no count of views. */
function countsOf(view: Fields): Partial<Pick<ArchivedTweet, (typeof counts)[number]>> {
  return withoutUndefined({
    reply_count: count(view.replyCount),
    retweet_count: count(view.repostCount),
    like_count: count(view.likeCount),
    quote_count: count(view.quoteCount),
    bookmark_count: count(view.bookmarkCount),
  });
}

/** The view of the embedded record of a post, which can be that of a quoted post. */
function embeddedRecord(view: Fields): Fields {
  // A view of a quoted post has a list of embeds.
  const embed = fields(Array.isArray(view.embeds) ? view.embeds[0] : view.embed);
  if (embed.$type === 'app.bsky.embed.record#view') return fields(embed.record);
  if (embed.$type === 'app.bsky.embed.recordWithMedia#view') return fields(fields(embed.record).record);
  return {};
}

/**
 * Reads the view of a post, also that of a quoted one (`app.bsky.embed.record#viewRecord`). Undefined for an unusable view.
 * `now`: the time of the answer in milliseconds since the epoch.
 */
export function readPostView(view: Fields, now: number, context: MappingContext): PostOfView | undefined {
  const uri = postUri(view.uri);
  const author = userOfView(fields(view.author), 'basic', now, context);
  if (uri === undefined || author?.did === undefined) return undefined;
  const { did } = readAtUri(uri)!;
  if (author.did !== did) return undefined;
  const record = fields(view.record ?? view.value);
  const seenAt = Date.parse(timestamp(view.indexedAt) ?? '') || now;
  const mapped = tweetOfPost({ uri, did, record, seenAt: Math.min(seenAt, now) }, context);
  if (mapped === undefined) return undefined;
  const labels = viewLabels(view, now);
  const authorLabels = viewLabels(fields(view.author), now);
  const embedded = embeddedRecord(view);
  const { quoted } = mapped.references;
  const isDetached = embedded.$type === 'app.bsky.embed.record#viewDetached' && quoted !== undefined;
  return {
    uri,
    author,
    references: isDetached ? { ...mapped.references, quoted: undefined } : mapped.references,
    tweet: {
      ...mapped.tweet,
      ...countsOf(view),
      ...(isDetached ? { quoted_tweet_id: detachedId(quoted, context) } : {}),
      ...(isSensitive(labels) ? { possibly_sensitive: true } : {}),
      observed_at: new Date(now).toISOString(),
    },
    isWithheld: isWithheld(labels) || isWithheld(authorLabels),
    isSignedInOnly: isSignedInOnly(authorLabels),
    quotedView: embedded.$type === 'app.bsky.embed.record#viewRecord' ? embedded : undefined,
  };
}

/** The members of a held tweet that a view can change. */
const refreshed = ['quoted_tweet_id', 'possibly_sensitive'] as const;

/**
 * The held tweet with the counts, labels and quote of a view; undefined where nothing differs. Counts that the view does not
 * have stay as they are.
 */
export function refreshedTweet(held: ArchivedTweet, { tweet }: PostOfView): ArchivedTweet | undefined {
  const changed: Partial<ArchivedTweet> = {};
  for (const name of counts)
    if (tweet[name] !== undefined && tweet[name] !== (held[name] ?? 0)) changed[name] = tweet[name];
  for (const name of refreshed) {
    const value = tweet[name];
    if (value !== undefined && value !== held[name]) Object.assign(changed, { [name]: value });
  }
  if (held.possibly_sensitive === true && tweet.possibly_sensitive === undefined) changed.possibly_sensitive = false;
  if (tweet.text !== held.text) Object.assign(changed, { text: tweet.text, entities: tweet.entities });
  if (Object.keys(changed).length === 0) return undefined;
  return { ...held, ...changed, ...withoutUndefined({ observed_at: tweet.observed_at }) };
}
