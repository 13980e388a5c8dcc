/** Records of Bluesky's repositories as records of the archive. Pure: no network, no time. */
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { fields, freeText, timestamp, withoutUndefined, type Fields } from '../recognised.ts';
import { isDid, postUri, readAtUri } from '../../domain/at-uri.ts';
import { readEmbed } from './embeds.ts';
import { entitiesOf, type HandleOf } from './facets.ts';
import { isSensitive, selfLabels } from './labels.ts';
import type { ProfileContext } from './profiles.ts';
import { accountId } from './ids.ts';

/** What the mapping needs besides the record. */
export interface MappingContext extends ProfileContext {
  readonly handleOf: HandleOf;
}

/** A record in a repository. */
export interface RepositoryRecord {
  /** The at-uri. */
  readonly uri: string;
  readonly did: string;
  readonly record: Fields;
  /** When the platform saw the record first, in milliseconds since the epoch. */
  readonly seenAt: number;
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

/**
 * When a record was created: what its client says, but not after the platform saw it. The time that the platform saw it
 * where the client's word cannot be read.
 */
export function createdAt({ record, seenAt }: Pick<RepositoryRecord, 'record' | 'seenAt'>): string {
  const said = timestamp(record.createdAt);
  return said === undefined || Date.parse(said) > seenAt ? iso(seenAt) : said;
}

/** The network permits three; more are not read. */
const maxLanguages = 20;

/** The languages of a post: the first subtag of each, each once. What is no language tag is left out. */
function languagesIn({ langs }: Fields): string[] {
  const tags: unknown[] = Array.isArray(langs) ? langs.slice(0, maxLanguages) : [];
  const subtags = tags.map((tag) => (typeof tag === 'string' ? tag.split('-', 1)[0]! : ''));
  return [...new Set(subtags.filter((each) => /^[A-Za-z]{2,8}$/.test(each)).map((each) => each.toLowerCase()))];
}

/** The web page of a post. */
const pageOf = (did: string, uri: string): string =>
  `https://bsky.app/profile/${did}/post/${uri.slice(uri.lastIndexOf('/') + 1)}`;

/** The posts that a post refers to, by at-uri. */
export interface PostReferences {
  readonly parent: string | undefined;
  readonly root: string | undefined;
  readonly quoted: string | undefined;
}

/** A post as a tweet, and the posts that it refers to; undefined where the record has no text. */
export function tweetOfPost(
  post: RepositoryRecord,
  context: MappingContext,
): { readonly tweet: ArchivedTweet; readonly references: PostReferences } | undefined {
  const { uri, did, record, seenAt } = post;
  const text = freeText(record.text);
  if (text === undefined || text.length > 25_000) return undefined;
  const reply = fields(record.reply);
  const parent = postUri(fields(reply.parent).uri);
  const root = postUri(fields(reply.root).uri);
  const { media, card, quoted } = readEmbed(record.embed, did, pageOf(did, uri), context.blobUrls);
  const id = context.idOf(uri);
  const languages = languagesIn(record);
  const replyTo = parent === undefined ? undefined : context.handleOf(readAtUri(parent)!.did);
  const tweet = withoutUndefined({
    id,
    uri,
    text,
    created_at: createdAt(post),
    author_id: accountId(did),
    media: media.length > 0 ? [...media] : undefined,
    card,
    entities: entitiesOf(text, record, context.handleOf),
    in_reply_to_id: parent === undefined ? undefined : context.idOf(parent),
    in_reply_to_username: replyTo !== undefined && replyTo.length <= 100 ? replyTo : undefined,
    conversation_id: root !== undefined && parent !== undefined ? context.idOf(root) : id,
    quoted_tweet_id: quoted === undefined ? undefined : context.idOf(quoted),
    lang: languages[0],
    langs: languages.length > 1 ? languages : undefined,
    source: 'Bluesky',
    possibly_sensitive: isSensitive(selfLabels(record)) ? true : undefined,
    observed_at: iso(seenAt),
  });
  return { tweet, references: { parent, root, quoted } };
}

/**
 * The members that an edit can remove. An absent member does not change the state of a tweet, so an edited tweet has them
 * all.
 */
export const afterEdit = (tweet: ArchivedTweet, now: number): ArchivedTweet => ({
  ...tweet,
  media: tweet.media ?? [],
  langs: tweet.langs ?? [],
  observed_at: iso(now),
});

/** The at-uri of the post that a repost is about; undefined where it is about something else. */
export const subjectOfRepost = (record: Fields): string | undefined => postUri(fields(record.subject).uri);

/** A repost as a native retweet: it has the text of the original. */
export function tweetOfRepost(
  repost: RepositoryRecord,
  original: ArchivedTweet,
  context: Pick<MappingContext, 'idOf'>,
): ArchivedTweet {
  return withoutUndefined({
    id: context.idOf(repost.uri),
    uri: repost.uri,
    text: original.text,
    created_at: createdAt(repost),
    author_id: accountId(repost.did),
    media: original.media,
    card: original.card,
    entities: original.entities,
    retweeted_tweet_id: original.id,
    lang: original.lang,
    langs: original.langs,
    source: 'Bluesky',
    possibly_sensitive: original.possibly_sensitive,
    observed_at: iso(repost.seenAt),
  });
}

/** A follow; undefined where the record names no account. */
export function followOf(follow: Omit<RepositoryRecord, 'uri'>): ArchiveRecord | undefined {
  const { subject } = follow.record;
  if (!isDid(subject)) return undefined;
  return {
    kind: 'follow',
    follower_id: accountId(follow.did),
    following_id: accountId(subject),
    created_at: createdAt(follow),
  };
}

/**
 * The id of a quoted post that must not be shown: the author of the quoted post detached the quote. No post has this id,
 * because no post has this address. The tweet stays a quote, whose quoted tweet is not available.
 */
export const detachedId = (quotedUri: string, context: Pick<MappingContext, 'idOf'>): string =>
  context.idOf(`${quotedUri}#detached`);
