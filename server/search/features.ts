/** What a tweet is indexed by beside its words: a term for each thing that an operator can ask for. */
import type { ArchivedTweet } from '../archive/records.ts';
import { nativeRetweet } from './query.ts';
import { fold } from './tokens.ts';

/** Clients are written with `_` for blanks and hyphens. */
export const sourceTerm = (source: string): string => `source:${fold(source).replace(/[\s-]/g, '_')}`;
export const domainTerm = (domain: string): string => `card_domain:${fold(domain).replace(/^www\./, '')}`;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : '');
const videoHosts = new Set(['youtube.com', 'youtu.be', 'm.youtube.com', 'vimeo.com', 'twitch.tv', 'dailymotion.com', 'tiktok.com']);

export function* featuresOf(tweet: ArchivedTweet): Generator<string, void> {
  const entities = tweet.entities ?? { mentions: [], hashtags: [], cashtags: [], urls: [] };
  for (const tag of entities.hashtags) yield `#${fold(tag)}`;
  for (const symbol of entities.cashtags) yield `$${fold(symbol)}`;
  for (const { username } of entities.mentions) yield `@${fold(username)}`;
  yield `from:${tweet.author_id}`;

  if (tweet.retweeted_tweet_id !== undefined) {
    yield nativeRetweet;
    yield `retweets_of_tweet_id:${tweet.retweeted_tweet_id}`;
  }
  if (tweet.quoted_tweet_id !== undefined) {
    yield 'filter:quote';
    yield `quoted_tweet_id:${tweet.quoted_tweet_id}`;
  }
  // Old-style retweets and quotes, as the platform's own filter has it.
  if (tweet.quoted_tweet_id !== undefined || /^RT @/.test(tweet.text)) yield 'filter:retweets';

  // Where the source does not say whom it answers, a mention at the start does.
  const repliedTo = tweet.in_reply_to_username ?? /^@(\w+)/.exec(tweet.text)?.[1];
  if (tweet.in_reply_to_id !== undefined || repliedTo !== undefined) yield 'filter:replies';
  if (tweet.in_reply_to_id !== undefined) yield `in_reply_to_tweet_id:${tweet.in_reply_to_id}`;
  if (repliedTo !== undefined) yield `to:${fold(repliedTo)}`;
  // The first tweet of a thread is found by its id: most threads have no other, and need no list.
  if (tweet.conversation_id !== undefined && tweet.conversation_id !== tweet.id) yield `conversation_id:${tweet.conversation_id}`;

  const urls = [...(tweet.expanded_urls ?? []), ...entities.urls.map(({ url }) => url), ...(tweet.card === undefined ? [] : [tweet.card.url])];
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
  if (urls.length > 0 || kinds.size > 0) yield 'filter:links';
  if (entities.mentions.length > 0) yield 'filter:mentions';
  if (entities.hashtags.length > 0) yield 'filter:hashtags';
  if (entities.cashtags.length > 0) yield 'has:cashtags';
  if (tweet.card !== undefined) yield domainTerm(tweet.card.domain);

  if (tweet.possibly_sensitive === true) yield 'sensitive';
  if (tweet.lang !== undefined) yield `lang:${fold(tweet.lang)}`;
  if (tweet.source !== undefined) yield sourceTerm(tweet.source);
}
