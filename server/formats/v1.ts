/** Twitter v1.1: statuses with their users, retweeted and quoted statuses inside, and bare users. */
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../domain/records.ts';
import type { Schemas } from '../contract/operations.ts';
import { earlierVersions } from './edits.ts';
import { placeRecord, statusPoint } from './geo.ts';
import { cardName, linkCard, statusPoll } from './poll.ts';
import {
  altText,
  count,
  fields,
  flag,
  freeText,
  id,
  isFields,
  withoutUndefined,
  list,
  placeId,
  text,
  timestamp,
  utcTimestamp,
  type Fields,
  type Recognised,
} from './recognised.ts';
import { appName, decode, decoded, entitiesOf, plainLinks, withLinks } from './text.ts';

/** The id as text; responses of the first years have ids only as numbers. */
const idOf = (value: unknown): string | undefined => id(fields(value).id_str) ?? id(fields(value).id);
const isStatus = (value: Fields): boolean =>
  'created_at' in value && ('text' in value || 'full_text' in value) && ('id_str' in value || isFields(value.user));
/** Whether a value is a profile and not just a mention; profiles of the first years have no counts. */
const isUser = (value: Fields): boolean =>
  'screen_name' in value && ('followers_count' in value || 'profile_image_url' in value);

export const isV1 = (value: Fields): boolean => isStatus(value) || isUser(value);

export function v1(value: Fields): Recognised {
  if (!isStatus(value)) {
    const user = userOf(value);
    if (user === undefined) return { reason: 'a v1.1 user without id_str or screen_name' };
    return { records: [{ kind: 'user', user }, ...latestStatus(value)] };
  }
  const authorId = idOf(value.user);
  if (authorId === undefined) return { reason: 'a v1.1 status without its user: the author is unknown' };
  const records = statusRecords(value, authorId);
  return records === undefined ? { reason: 'a v1.1 status without a usable id_str or created_at' } : { records };
}

/** The records of the latest status of a user, which the response contains without its user. */
function latestStatus(user: Fields): ArchiveRecord[] {
  const authorId = idOf(user);
  const status = fields(user.status);
  return authorId !== undefined && isStatus(status) ? (statusRecords(status, authorId) ?? []) : [];
}

/** The maximum nesting depth: a retweet of a tweet that quotes another tweet. */
const maxDepth = 3;

/** The records of a status and of everything in it; undefined if the id or the time is unusable. */
export function statusRecords(status: Fields, authorId: string, depth = maxDepth): ArchiveRecord[] | undefined {
  const tweet = depth === 0 ? undefined : tweetOf(status, authorId);
  if (tweet === undefined) return undefined;
  const records: ArchiveRecord[] = [];
  const user = userOf(fields(status.user));
  if (user !== undefined) records.push({ kind: 'user', user });
  for (const inner of [status.retweeted_status, status.quoted_status]) {
    const reference = fields(inner);
    const otherAuthor = idOf(reference.user);
    if (otherAuthor !== undefined) records.push(...(statusRecords(reference, otherAuthor, depth - 1) ?? []));
  }
  const earlier = earlierVersions(tweet, status.edit_history, status.edit_info, status.edit_control);
  records.push(...placeRecord(fields(status.place)), ...earlier, { kind: 'tweet', tweet });
  return records;
}

/** The status with the full text and entities of an extended tweet. */
function wholeOf(status: Fields): Fields {
  const extended = fields(status.extended_tweet);
  return 'full_text' in extended ? { ...status, ...extended } : status;
}

function tweetOf(status: Fields, authorId: string): ArchivedTweet | undefined {
  const tweetId = idOf(status);
  // The archives until 2019 have times of UTC, also without a zone.
  const createdAt = utcTimestamp(status.created_at);
  if (tweetId === undefined || createdAt === undefined) return undefined;
  const original = fields(status.retweeted_status);
  const whole = wholeOf(idOf(original) === undefined ? status : original);
  const body = decode(text(whole.full_text) ?? text(whole.text) ?? '');
  const entities = fields(whole.entities);
  const media = mediaOf(list(fields(whole.extended_entities).media), list(entities.media));
  const links = plainLinks(body, list(entities.urls));
  return withoutUndefined({
    id: tweetId,
    text: body,
    created_at: createdAt,
    author_id: authorId,
    retweet_count: count(status.retweet_count),
    reply_count: count(status.reply_count),
    like_count: count(status.favorite_count),
    quote_count: count(status.quote_count),
    bookmark_count: count(status.bookmark_count),
    view_count: count(status.view_count),
    media: media.length > 0 ? media : undefined,
    entities:
      'hashtags' in entities || 'user_mentions' in entities || 'urls' in entities
        ? entitiesIn(entities, links)
        : withLinks(entitiesOf(body), links),
    expanded_urls: expandedUrls(entities, links),
    in_reply_to_id: id(status.in_reply_to_status_id_str) ?? id(status.in_reply_to_status_id),
    in_reply_to_username: text(status.in_reply_to_screen_name),
    conversation_id: id(status.conversation_id_str),
    community_id: id(status.community_id_str),
    quoted_tweet_id: id(status.quoted_status_id_str) ?? idOf(status.quoted_status),
    retweeted_tweet_id: idOf(original),
    lang: text(status.lang),
    source: appName(text(status.source)),
    possibly_sensitive: flag(status.possibly_sensitive),
    place: text(fields(status.place).full_name),
    place_id: placeId(fields(status.place).id),
    coordinates: statusPoint(status),
    card: linkCard(whole),
    card_name: cardName(whole),
    poll: statusPoll(whole),
  });
}

const entitiesIn = (entities: Fields, links: readonly Schemas['UrlEntity'][]): Schemas['Entities'] => ({
  mentions: list(entities.user_mentions).flatMap((mention) => {
    const username = text(mention.screen_name);
    if (username === undefined) return [];
    return [withoutUndefined({ username, name: text(mention.name), id: idOf(mention) })];
  }),
  hashtags: list(entities.hashtags).flatMap((tag) => text(tag.text) ?? []),
  cashtags: list(entities.symbols).flatMap((symbol) => text(symbol.text) ?? []),
  urls: [
    ...list(entities.urls).flatMap((link) => {
      const url = text(link.url) ?? text(link.expanded_url);
      return url === undefined ? [] : [{ url, display_url: text(link.display_url) ?? url }];
    }),
    ...links,
  ],
});

/** The targets of the entities, and of the links that only the text has. An entity before t.co has no target beside its link. */
function expandedUrls(entities: Fields, links: readonly Schemas['UrlEntity'][]): string[] | undefined {
  const isShort = (url: string): boolean => /^https?:\/\/t\.co\//i.test(url);
  const targets = list(entities.urls).flatMap((link) => {
    const target = text(link.expanded_url) ?? text(link.url);
    return target === undefined || (target === link.url && isShort(target)) ? [] : [target];
  });
  const urls = [...targets, ...links.map(({ url }) => url)];
  return urls.length === 0 ? undefined : urls;
}

function mediaOf(extended: Fields[], basic: Fields[]): Schemas['Media'][] {
  return (extended.length > 0 ? extended : basic).flatMap((media) => {
    const url = text(media.media_url_https) ?? text(media.media_url);
    // The archives until 2019 have only photos, without a type.
    const type = media.type ?? 'photo';
    if (url === undefined || (type !== 'photo' && type !== 'video' && type !== 'animated_gif')) return [];
    const video_url = bestVideo(list(fields(media.video_info).variants), 'bitrate');
    const alt_text = altText(media.ext_alt_text);
    return [withoutUndefined({ type, url, expanded_url: text(media.expanded_url), video_url, alt_text })];
  });
}

/** The URL of the MP4 variant with the highest bit rate. */
export function bestVideo(variants: Fields[], rate: 'bitrate' | 'bit_rate'): string | undefined {
  const videos = variants.filter((variant) => variant.content_type === 'video/mp4' && text(variant.url) !== undefined);
  return text(videos.toSorted((a, b) => (count(b[rate]) ?? 0) - (count(a[rate]) ?? 0))[0]?.url);
}

function userOf(user: Fields): ArchivedUser | undefined {
  const userId = idOf(user);
  const username = text(user.screen_name);
  const pinned = user.pinned_tweet_ids_str;
  if (userId === undefined || username === undefined) return undefined;
  return withoutUndefined({
    id: userId,
    username,
    name: decoded(text(user.name)),
    description: decoded(freeText(user.description)),
    location: decoded(freeText(user.location)),
    created_at: timestamp(user.created_at),
    followers_count: count(user.followers_count),
    following_count: count(user.friends_count),
    tweet_count: count(user.statuses_count),
    like_count: count(user.favourites_count),
    media_count: count(user.media_count),
    verified: flag(user.verified),
    is_blue_verified: flag(user.is_blue_verified),
    profile_image: text(user.profile_image_url_https) ?? text(user.profile_image_url),
    profile_banner: text(user.profile_banner_url),
    pinned_tweet_ids: Array.isArray(pinned) ? pinned.flatMap((pinnedId) => id(pinnedId) ?? []) : undefined,
  });
}

/** The record of a user; undefined without a usable id or name. */
export function userRecord(value: Fields): ArchiveRecord | undefined {
  const user = userOf(value);
  return user === undefined ? undefined : { kind: 'user', user };
}
