/** The search document of a tweet: its terms and tokens, from its record and from related records. */
import { domainToASCII, domainToUnicode } from 'node:url';
import { countsOf, type ArchivedPlace, type ArchivedTweet, type ArchivedUser } from '../domain/records.ts';
import { anyPoll, exactPoint, hasLocation, nativeRetweet, sensitive } from './language/condition.ts';
import type { NameLists, Person, Texts, TweetDocument } from '../domain/tweet-document.ts';
import type { TweetHead } from '../domain/tweet-head.ts';
import { boxOf, pointOf, type Location, type Point } from '../domain/geo.ts';
import { nearTerms, placeTerms } from './place-terms.ts';
import { newsDomains } from './language/news-domains.ts';
import { domainTerm, languageTerm, sourceTerm, withoutEscapes } from './language/terms.ts';
import { fold, signRuns, tokensOf } from './language/tokenizer.ts';
import { parseTime } from '../text/iso-time.ts';
import { handlePattern } from '../text/username.ts';

/** The related records that a document needs: profiles and other tweets. */
export interface DocumentContext {
  user(id: string): ArchivedUser | undefined;
  /** The author of another tweet by that tweet's id, also of a removed one; undefined if unknown. */
  authorOf(tweetId: string): string | undefined;
  /** A place by its id. Without this method, documents have no place terms. */
  place?(id: string): ArchivedPlace | undefined;
  /**
   * The centres of the places that have a term, such as `near:cape town`. Without this member, there are no places.
   */
  readonly centres?: ((term: string) => readonly Point[]) | undefined;
  /**
   * The terms of the lists that a user is a member of: see lists.ts. Without this method, documents have no list terms.
   */
  listTerms?(userId: string): Iterable<string>;
}

/** Names to read in lists, or to test: most documents need no test, so the set for it is built at the first one. */
export class Names implements NameLists {
  /** A name can occur more than once. */
  readonly lists: Texts;
  #set: ReadonlySet<string> | undefined;

  constructor(lists: Texts) {
    this.lists = lists;
  }

  has(name: string): boolean {
    return (this.#set ??= new Set(this.lists.flat())).has(name);
  }
}

export const nameTexts = (user: ArchivedUser | undefined): string[][] =>
  user === undefined ? [] : [tokensOf(user.name ?? ''), tokensOf(user.username)];

const noEntities = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** The texts of a tweet that word queries search. */
export const textsOf = (tweet: ArchivedTweet): string[] => [
  tweet.text,
  ...(tweet.article === undefined ? [] : [tweet.article.title, tweet.article.text]),
];

/**
 * The distinct links of a tweet, as written and as expanded, without percent-encoding. A link with an international domain name is there in
 * both forms of the name.
 */
export function linkTexts(tweet: ArchivedTweet): string[] {
  const { expanded_urls: expanded, entities, media, card } = tweet;
  // Most tweets have none.
  if ((expanded ?? media ?? card) === undefined && (entities?.urls ?? []).length === 0) return [];
  const links = new Set(expanded);
  for (const { url, display_url } of entities?.urls ?? []) links.add(url).add(display_url);
  for (const { expanded_url } of media ?? []) if (expanded_url !== undefined) links.add(expanded_url);
  if (card !== undefined) links.add(card.url);
  return Array.from(links, withoutEscapes).flatMap(bothNames);
}

/** A label of a domain name in ASCII (RFC 5890), and a host with other letters. */
const encodedLabel = /xn--[a-z\d-]+/gi;
const internationalHost = /^(?<before>(?:https?:\/\/)?)(?<host>[^/?#]*[^\0-\x7f/?#][^/?#]*)/i;

function bothNames(link: string): string[] {
  if (/xn--/i.test(link)) return [link, link.replaceAll(encodedLabel, (label) => domainToUnicode(label) || label)];
  const { before = '', host = '' } = internationalHost.exec(link)?.groups ?? {};
  const encoded = host === '' ? '' : domainToASCII(host);
  return encoded === '' ? [link] : [link, `${before}${encoded}${link.slice(before.length + host.length)}`];
}

export function documentOf(tweet: ArchivedTweet, context: DocumentContext): TweetDocument {
  const author = context.user(tweet.author_id);
  const person = (id: string): Person => ({ id, username: context.user(id)?.username.toLowerCase() });
  const authorOf = (tweetId: string | undefined): Person | undefined => {
    const id = tweetId === undefined ? undefined : context.authorOf(tweetId);
    return id === undefined ? undefined : person(id);
  };
  const [texts, links, names] = [textsOf(tweet).map(tokensOf), linkTexts(tweet).map(tokensOf), nameTexts(author)];
  return {
    id: BigInt(tweet.id),
    createdAt: parseTime(tweet.created_at),
    author: person(tweet.author_id),
    retweeted: authorOf(tweet.retweeted_tweet_id),
    answered: authorOf(tweet.in_reply_to_id),
    location: locationOf(tweet, context),
    centres: context.centres ?? noCentres,
    verified: author?.verified === true,
    blueVerified: author?.is_blue_verified === true,
    counts: countsOf(tweet),
    terms: new Names([[...ownTerms(tweet), ...relatedTerms(tweet, context), ...tableTerms(tweet, context)]]),
    texts,
    links,
    names,
    tokens: new Names([...texts, ...links, ...names]),
  };
}

const noCentres = (): readonly Point[] => [];
const noLocation: Location = { point: undefined, box: undefined };

function locationOf(tweet: ArchivedTweet, context: DocumentContext): Location {
  if (tweet.coordinates === undefined && tweet.place_id === undefined) return noLocation;
  const box = tweet.place_id === undefined ? undefined : context.place?.(tweet.place_id)?.bounding_box;
  return { point: tweetPoint(tweet), box: box && boxOf(box) };
}

/** The exact point that a tweet was posted from, if known. */
export const tweetPoint = ({ coordinates }: TweetHead): Point | undefined =>
  coordinates && pointOf(coordinates.longitude, coordinates.latitude);

/**
 * The terms of a tweet's place and of the lists of its author. The index does not store them for each tweet: it looks
 * them up in the tables of places and lists (`expandTerm` in inverted-index.ts).
 */
function* tableTerms(tweet: ArchivedTweet, context: DocumentContext): Generator<string, void> {
  const place = tweet.place_id === undefined ? undefined : context.place?.(tweet.place_id);
  if (place !== undefined) yield* placeTerms(place);
  yield* context.listTerms?.(tweet.author_id) ?? [];
}

/** Whether a tweet refers to another one, so that `relatedTerms` can return terms. */
export const refersToTweet = (tweet: TweetHead): boolean =>
  tweet.in_reply_to_id !== undefined || tweet.quoted_tweet_id !== undefined || tweet.retweeted_tweet_id !== undefined;

/** The terms that depend on the author of another tweet. The index computes them again when that tweet arrives. */
export function* relatedTerms(tweet: TweetHead, context: DocumentContext): Generator<string, void> {
  const authorOf = (id: string | undefined): string | undefined =>
    id === undefined ? undefined : context.authorOf(id);
  const quoted = authorOf(tweet.quoted_tweet_id);
  if (quoted !== undefined) yield `quoted_user_id:${quoted}`;
  const retweeted = authorOf(tweet.retweeted_tweet_id);
  if (retweeted !== undefined) yield `retweets_of:${retweeted}`;
  // If the archive does not have the tweet that this one replies to, the username in the record decides.
  if (tweet.in_reply_to_id !== undefined) {
    const repliedTo = authorOf(tweet.in_reply_to_id);
    if (repliedTo !== undefined) yield `answers:${repliedTo}`;
    const username = context.user(tweet.author_id)?.username.toLowerCase();
    const toSelf =
      repliedTo === undefined
        ? username !== undefined && username === tweet.in_reply_to_username?.toLowerCase()
        : repliedTo === tweet.author_id;
    if (toSelf) yield 'filter:self_threads';
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');
const videoHosts = new Set([
  'youtube.com',
  'youtu.be',
  'm.youtube.com',
  'vimeo.com',
  'twitch.tv',
  'dailymotion.com',
  'tiktok.com',
]);

/** The maximum number of labels of a news domain. Labels of a host beyond it belong to subdomains. */
const maxNewsDomainLabels = Math.max(...newsDomains.values().map((domain) => domain.split('.').length));
/** Tests a host and its parent domains: `edition.cnn.com` belongs to `cnn.com`. */
const isNews = (host: string): boolean => {
  const labels = host.split('.').slice(-maxNewsDomainLabels);
  return labels.some((_label, from) => newsDomains.has(labels.slice(from).join('.')));
};

/** The terms of a poll. If the source does not name the card, the number of options determines its kind. */
function* pollTerms({ poll, card_name: card, media }: ArchivedTweet): Generator<string, void> {
  if (card !== undefined) yield `card_name:${fold(card)}`;
  if (poll === undefined && card?.startsWith('poll') !== true) return;
  yield anyPoll;
  if (card !== undefined || poll?.options === undefined) return;
  const kinds = new Set(media?.map(({ type }) => type));
  const shown = kinds.has('video') ? 'video' : kinds.has('photo') ? 'image' : 'text_only';
  yield `card_name:poll${poll.options.length}choice_${shown}`;
}

const startsWithHandle = new RegExp(`^@(${handlePattern})`);

/**
 * The user that a mention at the start of the text names: it stands for the user that the tweet replies to where the source
 * does not name that user. Only the entities distinguish a handle from a username before a full stop, as in `@tom.thanks`.
 */
function mentionedFirst({ text, entities }: ArchivedTweet): string | undefined {
  if (!text.startsWith('@')) return undefined;
  const handle = startsWithHandle.exec(text)?.[1]?.toLowerCase();
  if (handle !== undefined && entities?.mentions.some(({ username }) => username.toLowerCase() === handle) === true)
    return handle;
  return /^@(\w+)/.exec(text)?.[1];
}

/** The terms of the links and the media of a tweet. */
function* attachmentTerms(
  { expanded_urls = [], card, media = [] }: ArchivedTweet,
  entities: NonNullable<ArchivedTweet['entities']>,
): Generator<string, void> {
  const urls = [...expanded_urls, ...entities.urls.map(({ url }) => url), ...(card === undefined ? [] : [card.url])];
  if (urls.length === 0 && media.length === 0) return;
  const hosts = new Set(urls.map(hostOf));
  const kinds = new Set(media.map(({ type }) => type));
  if (kinds.size > 0) yield 'filter:media';
  if (kinds.has('photo')) yield 'filter:images';
  if (kinds.has('video')) yield 'filter:native_video';
  if (kinds.has('animated_gif')) yield 'card_name:animated_gif';
  if (kinds.has('video') || !hosts.isDisjointFrom(videoHosts)) yield 'filter:videos';
  if (hosts.has('vine.co')) yield 'filter:vine';
  if (hosts.has('pscp.tv') || hosts.has('periscope.tv')) yield 'filter:periscope';
  if (urls.some((url) => url.includes('/i/spaces/'))) yield 'filter:spaces';
  if ([...hosts].some(isNews)) yield 'filter:news';
  yield 'filter:links';
}

/** The terms that depend only on the record. A term can occur more than once. `runs`: the punctuation runs of the text. */
export function* ownTerms(
  tweet: ArchivedTweet,
  runs: readonly string[] = signRuns(tweet.text),
): Generator<string, void> {
  const entities = tweet.entities ?? noEntities;
  for (const tag of entities.hashtags) yield `#${fold(tag)}`;
  for (const symbol of entities.cashtags) yield `$${fold(symbol)}`;
  for (const { username } of entities.mentions) yield `@${fold(username)}`;
  for (const run of runs) {
    yield `sign:${run}`;
    if (run.length > 1) for (const sign of run) yield `sign:${sign}`;
  }

  if (tweet.retweeted_tweet_id !== undefined) {
    yield nativeRetweet;
    yield `retweets_of_tweet_id:${tweet.retweeted_tweet_id}`;
  }
  if (tweet.quoted_tweet_id !== undefined) {
    yield 'filter:quote';
    yield `quoted_tweet_id:${tweet.quoted_tweet_id}`;
  }
  // Old-style retweets and quotes, like the platform's own filter.
  if (tweet.quoted_tweet_id !== undefined || tweet.text.startsWith('RT @')) yield 'filter:retweets';

  const repliedTo = tweet.in_reply_to_username ?? mentionedFirst(tweet);
  if (tweet.in_reply_to_id !== undefined || repliedTo !== undefined) yield 'filter:replies';
  if (tweet.in_reply_to_id !== undefined) yield `in_reply_to_tweet_id:${tweet.in_reply_to_id}`;
  if (repliedTo !== undefined) yield `to:${fold(repliedTo)}`;
  // The query finds the first tweet of a thread by its id. Most threads have only that tweet and need no term.
  if (tweet.conversation_id !== undefined && tweet.conversation_id !== tweet.id)
    yield `conversation_id:${tweet.conversation_id}`;

  const { expanded_urls: expanded, card, media } = tweet;
  if ((expanded ?? card ?? media) !== undefined || entities.urls.length > 0) yield* attachmentTerms(tweet, entities);
  if (entities.mentions.length > 0) yield 'filter:mentions';
  if (entities.hashtags.length > 0) yield 'filter:hashtags';
  if (entities.cashtags.length > 0) yield 'has:cashtags';
  if (card !== undefined) yield domainTerm(card.domain);

  if (tweet.possibly_sensitive === true) yield sensitive;
  if (tweet.lang !== undefined) yield languageTerm(tweet.lang);
  for (const lang of tweet.langs ?? []) yield languageTerm(lang);
  if (tweet.source !== undefined) yield sourceTerm(tweet.source);
  if (tweet.place !== undefined) yield* nearTerms(tweet.place);
  if (tweet.place_id !== undefined) yield `place:${tweet.place_id}`;
  if (tweetPoint(tweet) !== undefined) yield exactPoint;
  if (tweet.place !== undefined || tweet.place_id !== undefined || tweet.coordinates !== undefined) yield hasLocation;
  // Most tweets have none: without this condition, each needs a generator.
  if ((tweet.poll ?? tweet.card_name) !== undefined) yield* pollTerms(tweet);
}
