/** A tweet as search sees it: what it is found by, taken from the record and from what is known around it. */
import { counts, type ArchivedPlace, type ArchivedTweet, type ArchivedUser } from '../platforms/archive/records.ts';
import { anyPoll, exactPoint, hasLocation, nativeRetweet, type Count } from './language/condition.ts';
import { boxOf, pointOf, type Location, type Point } from './geo.ts';
import type { TweetSource } from './tweet-index.ts';
import { newsDomains } from './language/news-domains.ts';
import { fold, signRuns, tokensOf } from './language/tokenizer.ts';

/** What a tweet is told from: the profiles and the other tweets of the archive. */
export interface DocumentContext {
  user(id: string): ArchivedUser | undefined;
  /** The author of another tweet, by that tweet's id; undefined where the archive does not have it. */
  authorOf(tweetId: string): string | undefined;
  /** A place by its id. Without this member no place is known. */
  place?(id: string): ArchivedPlace | undefined;
  /** The centres of the places that have a term, such as `near:cape town`. Without this member no place is known. */
  readonly centres?: ((term: string) => readonly Point[]) | undefined;
  /** The terms of the lists that a user is a member of: see lists.ts. Without this member no list is known. */
  listTerms?(userId: string): Iterable<string>;
}

/** What an archive tells around a tweet. */
type Tables = Pick<TweetSource, 'user' | 'ordinal' | 'authorId' | 'places' | 'lists'>;
export const contextFrom = (source: Tables): DocumentContext => ({
  user: (id) => source.user(id),
  authorOf(tweetId) {
    const ordinal = source.ordinal(tweetId);
    return ordinal === undefined ? undefined : source.authorId(ordinal);
  },
  place: (id) => source.places.get(id),
  centres: (term) => source.places.centres(term),
  listTerms: (userId) => source.lists.termsOf(userId, (ownerId) => source.user(ownerId)?.username),
});

interface Person {
  readonly id: string;
  /** In lower case; undefined where the profile is unknown. */
  readonly username: string | undefined;
}

type Texts = readonly (readonly string[])[];

/** Lists of texts, each as its tokens; the rest as evaluate.ts asks for it. */
export interface TweetDocument {
  readonly id: bigint;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly author: Person;
  /** Who wrote what it retweets, where that is known. */
  readonly retweeted: Person | undefined;
  /** Who wrote the tweet that it replies to, where that is known. */
  readonly answered: Person | undefined;
  readonly location: Location;
  /** The centres of the places that have a term. */
  readonly centres: (term: string) => readonly Point[];
  readonly verified: boolean;
  readonly blueVerified: boolean;
  /** What is unknown counts 0. */
  readonly counts: Readonly<Record<Count, number>>;
  readonly terms: ReadonlySet<string>;
  readonly texts: Texts;
  readonly links: Texts;
  /** The author's name and username. */
  readonly names: Texts;
  /** All tokens of these. */
  readonly tokens: ReadonlySet<string>;
}

/** Clients are written with `_` for blanks and hyphens. */
export const sourceTerm = (source: string): string => `source:${fold(source).replace(/[\s-]/g, '_')}`;
export const domainTerm = (domain: string): string => `card_domain:${fold(domain).replace(/^www\./, '')}`;
/** A link by its words, without protocol and query string. */
export const linkTokens = (link: string): string[] => tokensOf(link.replace(/^https?:\/\//, '').replace(/[?#].*$/, ''));
export const nameTexts = (user: ArchivedUser | undefined): string[][] =>
  user === undefined ? [] : [tokensOf(user.name ?? ''), tokensOf(user.username)];

const noEntities = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** The texts of a tweet in which words are looked for. */
export const textsOf = (tweet: ArchivedTweet): string[] => [
  tweet.text,
  ...(tweet.article === undefined ? [] : [tweet.article.title, tweet.article.text]),
];

/** The links of a tweet, as they stand in it and as they lead on; each once. */
export function linksOf(tweet: ArchivedTweet): string[] {
  const links = new Set(tweet.expanded_urls);
  for (const { url, display_url } of tweet.entities?.urls ?? []) links.add(url).add(display_url);
  for (const { expanded_url } of tweet.media ?? []) if (expanded_url !== undefined) links.add(expanded_url);
  if (tweet.card !== undefined) links.add(tweet.card.url);
  return [...links];
}

export function documentOf(tweet: ArchivedTweet, around: DocumentContext): TweetDocument {
  const author = around.user(tweet.author_id);
  const person = (id: string): Person => ({ id, username: around.user(id)?.username.toLowerCase() });
  const authorOf = (tweetId: string | undefined): Person | undefined => {
    const id = tweetId === undefined ? undefined : around.authorOf(tweetId);
    return id === undefined ? undefined : person(id);
  };
  const [texts, links, names] = [textsOf(tweet).map(tokensOf), linksOf(tweet).map(tokensOf), nameTexts(author)];
  return {
    id: BigInt(tweet.id),
    createdAt: Date.parse(tweet.created_at),
    author: person(tweet.author_id),
    retweeted: authorOf(tweet.retweeted_tweet_id),
    answered: authorOf(tweet.in_reply_to_id),
    location: locationOf(tweet, around),
    centres: around.centres ?? noCentres,
    verified: author?.verified === true,
    blueVerified: author?.is_blue_verified === true,
    counts: Object.fromEntries(counts.map((name) => [name, tweet[name] ?? 0])) as Record<Count, number>,
    terms: new Set([...ownTerms(tweet), ...relatedTerms(tweet, around), ...tableTerms(tweet, around)]),
    texts,
    links,
    names,
    tokens: new Set([...texts, ...links, ...names].flat()),
  };
}

const noCentres = (): readonly Point[] => [];
const nowhere: Location = { point: undefined, box: undefined };

function locationOf(tweet: ArchivedTweet, around: DocumentContext): Location {
  if (tweet.coordinates === undefined && tweet.place_id === undefined) return nowhere;
  const box = tweet.place_id === undefined ? undefined : around.place?.(tweet.place_id)?.bounding_box;
  return { point: tweetPoint(tweet), box: box && boxOf(box) };
}

/** The exact point that a tweet was posted from, where it is known. */
export const tweetPoint = ({ coordinates }: ArchivedTweet): Point | undefined =>
  coordinates && pointOf(coordinates.longitude, coordinates.latitude);

/**
 * The terms that a tweet has by its place and by the lists of its author. The index does not store them for each tweet:
 * it looks them up in the tables of places and lists (`standsFor` in index.ts).
 */
function* tableTerms(tweet: ArchivedTweet, around: DocumentContext): Generator<string, void> {
  const place = tweet.place_id === undefined ? undefined : around.place?.(tweet.place_id);
  if (place !== undefined) yield* placeTerms(place);
  yield* around.listTerms?.(tweet.author_id) ?? [];
}

/** The terms that need the author of another tweet; they are told anew when that tweet arrives. */
export function* relatedTerms(tweet: ArchivedTweet, around: DocumentContext): Generator<string, void> {
  const authorOf = (id: string | undefined): string | undefined => (id === undefined ? undefined : around.authorOf(id));
  const quoted = authorOf(tweet.quoted_tweet_id);
  if (quoted !== undefined) yield `quoted_user_id:${quoted}`;
  const retweeted = authorOf(tweet.retweeted_tweet_id);
  if (retweeted !== undefined) yield `retweets_of:${retweeted}`;
  // Where the archive lacks what is answered, the username that is answered decides.
  if (tweet.in_reply_to_id !== undefined) {
    const answered = authorOf(tweet.in_reply_to_id);
    if (answered !== undefined) yield `answers:${answered}`;
    const username = around.user(tweet.author_id)?.username.toLowerCase();
    const toSelf =
      answered === undefined
        ? username !== undefined && username === tweet.in_reply_to_username?.toLowerCase()
        : answered === tweet.author_id;
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

/** No news domain has more labels: what a host has beyond them is below the domain. */
const mostLabels = Math.max(...newsDomains.values().map((domain) => domain.split('.').length));
/** A host and the domains above it: `edition.cnn.com` is of `cnn.com`. */
const isNews = (host: string): boolean => {
  const labels = host.split('.').slice(-mostLabels);
  return labels.some((_label, from) => newsDomains.has(labels.slice(from).join('.')));
};

/** Only so many words of the name of a place are looked at: no real one has more. */
const longestPlace = 12;

/** Each run of words of a place's name: `town` and `cape town` lie in `Cape Town, South Africa`. */
function* nearTerms(name: string): Generator<string, void> {
  const words = tokensOf(name).slice(0, longestPlace);
  for (let from = 0; from < words.length; from++) {
    for (let to = from + 1; to <= words.length; to++) yield `near:${words.slice(from, to).join(' ')}`;
  }
}

/** The terms of a place: the names that `near:` finds it by, and its country. A term may come more than once. */
export function* placeTerms({ name, full_name, country_code }: ArchivedPlace): Generator<string, void> {
  if (name !== undefined) yield* nearTerms(name);
  if (full_name !== undefined) yield* nearTerms(full_name);
  if (country_code !== undefined) yield `place_country:${country_code.toLowerCase()}`;
}

/** The terms of a poll. The kind of its card is told by its options where the source does not name the card. */
function* pollTerms({ poll, card_name: card, media }: ArchivedTweet): Generator<string, void> {
  if (card !== undefined) yield `card_name:${fold(card)}`;
  if (poll === undefined && card?.startsWith('poll') !== true) return;
  yield anyPoll;
  if (card !== undefined || poll?.options === undefined) return;
  const kinds = new Set(media?.map(({ type }) => type));
  const shown = kinds.has('video') ? 'video' : kinds.has('photo') ? 'image' : 'text_only';
  yield `card_name:poll${poll.options.length}choice_${shown}`;
}

/** The terms that the record alone tells. A term may come more than once. */
export function* ownTerms(tweet: ArchivedTweet): Generator<string, void> {
  const entities = tweet.entities ?? noEntities;
  for (const tag of entities.hashtags) yield `#${fold(tag)}`;
  for (const symbol of entities.cashtags) yield `$${fold(symbol)}`;
  for (const { username } of entities.mentions) yield `@${fold(username)}`;
  for (const run of signRuns(tweet.text)) {
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
  // Old-style retweets and quotes, as the platform's own filter has it.
  if (tweet.quoted_tweet_id !== undefined || tweet.text.startsWith('RT @')) yield 'filter:retweets';

  // Where the source does not say whom it answers, a mention at the start does.
  const repliedTo = tweet.in_reply_to_username ?? /^@(\w+)/.exec(tweet.text)?.[1];
  if (tweet.in_reply_to_id !== undefined || repliedTo !== undefined) yield 'filter:replies';
  if (tweet.in_reply_to_id !== undefined) yield `in_reply_to_tweet_id:${tweet.in_reply_to_id}`;
  if (repliedTo !== undefined) yield `to:${fold(repliedTo)}`;
  // The first tweet of a thread is found by its id: most threads have no other, and need no list.
  if (tweet.conversation_id !== undefined && tweet.conversation_id !== tweet.id)
    yield `conversation_id:${tweet.conversation_id}`;

  const urls = [
    ...(tweet.expanded_urls ?? []),
    ...entities.urls.map(({ url }) => url),
    ...(tweet.card === undefined ? [] : [tweet.card.url]),
  ];
  const hosts = new Set(urls.map(hostOf));
  const kinds = new Set(tweet.media?.map(({ type }) => type));
  if (kinds.size > 0) yield 'filter:media';
  if (kinds.has('photo')) yield 'filter:images';
  if (kinds.has('video')) yield 'filter:native_video';
  if (kinds.has('animated_gif')) yield 'card_name:animated_gif';
  if (kinds.has('video') || !hosts.isDisjointFrom(videoHosts)) yield 'filter:videos';
  if (hosts.has('vine.co')) yield 'filter:vine';
  if (hosts.has('pscp.tv') || hosts.has('periscope.tv')) yield 'filter:periscope';
  if (urls.some((url) => url.includes('/i/spaces/'))) yield 'filter:spaces';
  if ([...hosts].some(isNews)) yield 'filter:news';
  if (urls.length > 0 || kinds.size > 0) yield 'filter:links';
  if (entities.mentions.length > 0) yield 'filter:mentions';
  if (entities.hashtags.length > 0) yield 'filter:hashtags';
  if (entities.cashtags.length > 0) yield 'has:cashtags';
  if (tweet.card !== undefined) yield domainTerm(tweet.card.domain);

  if (tweet.possibly_sensitive === true) yield 'possibly_sensitive';
  if (tweet.lang !== undefined) yield `lang:${fold(tweet.lang)}`;
  if (tweet.source !== undefined) yield sourceTerm(tweet.source);
  if (tweet.place !== undefined) yield* nearTerms(tweet.place);
  if (tweet.place_id !== undefined) yield `place:${tweet.place_id}`;
  if (tweetPoint(tweet) !== undefined) yield exactPoint;
  if (tweet.place !== undefined || tweet.place_id !== undefined || tweet.coordinates !== undefined) yield hasLocation;
  yield* pollTerms(tweet);
}
