/** A feed of tweets, before it is written as Atom or as JSON Feed. */
import type { Schemas } from '../../contract/operations.ts';
import { absolute, clean, escapeText, excerpt } from './feed-text.ts';
import { contentOf } from './feed-content.ts';

type Tweet = Schemas['Tweet'];

/** A picture or video of an entry. */
export interface Enclosure {
  readonly url: string;
  readonly type: string;
  readonly title: string | undefined;
}

export interface FeedAuthor {
  readonly name: string;
  readonly url: string | undefined;
  readonly picture: string | undefined;
}

export interface FeedEntry {
  /** A tag URI (RFC 4151): the same in every feed, of every host name and after a restart. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly text: string;
  readonly html: string;
  /** RFC 3339. */
  readonly published: string;
  readonly author: FeedAuthor;
  readonly tags: readonly string[];
  readonly enclosures: readonly Enclosure[];
}

export interface Feed {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | undefined;
  /** The address of the feed, without a key. */
  readonly self: string;
  /** The page with the same tweets. */
  readonly page: string;
  readonly picture: string | undefined;
  readonly author: FeedAuthor | undefined;
  /** RFC 3339: that of the newest entry. */
  readonly updated: string;
  readonly entries: readonly FeedEntry[];
}

/**
 * The authority of the tag URIs. A service has no name that stays the same: it is reached by several, and they change. The ids of tweets are the same in each service, so
 * the authority names the kind of service; it is no domain name that anyone can own.
 */
const authority = 'social-data,2026';
export const tagUri = (specific: string): string => `tag:${authority}:${specific}`;

/** The media types of pictures by the extension of their address. */
const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

function enclosureOf({ type, url, video_url: video, alt_text: alt }: Schemas['Media'], origin: string): Enclosure[] {
  const address = absolute(type === 'photo' ? url : (video ?? url), origin);
  if (address === undefined) return [];
  const isVideo = type !== 'photo' && video !== undefined;
  const path = new URL(address).pathname;
  const extension = new URL(address).searchParams.get('format') ?? path.slice(path.lastIndexOf('.') + 1);
  const title = alt === undefined || alt === '' ? undefined : clean(alt);
  return [
    { url: address, type: isVideo ? 'video/mp4' : (pictureTypes[extension.toLowerCase()] ?? 'image/jpeg'), title },
  ];
}

const handleOf = ({ username, name, id }: Pick<Tweet['author'], 'username' | 'name' | 'id'>): string =>
  username !== '' ? `@${username}` : name !== '' ? name : `user ${id}`;

/** The name of a user for a feed. */
export function authorOf(
  user: Pick<Tweet['author'], 'username' | 'name' | 'id' | 'profile_image'>,
  origin: string,
): FeedAuthor {
  const { username, name, profile_image: picture } = user;
  const shown = clean(name === '' || name === username ? handleOf(user) : `${name} (${handleOf(user)})`);
  return {
    name: excerpt(shown) || handleOf(user),
    url: username === '' ? undefined : `${origin}/u/${encodeURIComponent(username)}`,
    picture: absolute(picture, origin),
  };
}

const kinds = { photo: 'Photo', video: 'Video', animated_gif: 'GIF' } as const;

/** The title of a tweet: the beginning of its text, or what it consists of. */
function titleOf(tweet: Tweet): string {
  const { retweeted_tweet: retweeted, article, media, author } = tweet;
  if (retweeted !== null) return excerpt(`Retweet of ${handleOf(retweeted.author)}: ${titleOf(retweeted)}`);
  const text = excerpt(article?.title ?? '') || excerpt(tweet.text);
  if (text !== '') return text;
  const [first] = media;
  return excerpt(`${first === undefined ? 'Post' : kinds[first.type]} by ${handleOf(author)}`);
}

/** An entry for a tweet. `origin`: that of the service, as its caller reaches it. */
export function entryOf(tweet: Tweet, origin: string): FeedEntry {
  const shown = tweet.retweeted_tweet ?? tweet;
  const media = [...shown.media, ...(shown.quoted_tweet?.media ?? [])];
  const enclosures = media.flatMap((each) => enclosureOf(each, origin));
  return {
    id: tagUri(`tweet/${tweet.id}`),
    url: `${origin}/t/${tweet.id}`,
    title: titleOf(tweet),
    text: clean(shown.text),
    html: contentOf(tweet, origin) || `<p>${escapeText(titleOf(tweet))}</p>`,
    published: tweet.created_at,
    author: authorOf(tweet.author, origin),
    tags: [...new Set(shown.entities.hashtags.map((tag) => clean(tag)).filter((tag) => tag !== ''))],
    enclosures: [...new Map(enclosures.map((each) => [each.url, each])).values()],
  };
}

/** The time of the newest entry, or of the beginning of what has no entry. */
export const updatedOf = (entries: readonly FeedEntry[], since = '1970-01-01T00:00:00.000Z'): string =>
  entries.reduce((latest, { published }) => (published > latest ? published : latest), entries[0]?.published ?? since);

/** The address of a feed with the parameters that a caller gave, but no key. */
export function feedAddress(origin: string, path: string, parameters: Readonly<Record<string, unknown>>): string {
  const defaults: Readonly<Record<string, unknown>> = { format: 'atom', limit: 20, include_replies: '0' };
  const given = Object.entries(parameters)
    .filter(([name, value]) => value !== undefined && value !== defaults[name])
    .map(([name, value]): [string, string] => [name, String(value).toWellFormed()])
    .sort();
  return `${origin}${path}?${new URLSearchParams(given).toString()}`;
}
