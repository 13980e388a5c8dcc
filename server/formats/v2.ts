/**
 * X API v2: responses with `data` and `includes`, with the member names of tweets or of posts, and the flattened lines
 * of collectors. Each element of `data` is one value. The first usable element also carries the records from
 * `includes`.
 */
import type { ArchiveRecord } from '../domain/records.ts';
import type { Schemas } from '../contract/operations.ts';
import { earlierVersions } from './edits.ts';
import { geoJsonPoint, placeRecord } from './geo.ts';
import { attachedPoll } from './poll.ts';
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
  type Fields,
  type Recognised,
} from './recognised.ts';
import { decode, decoded, entitiesOf, plainLinks, withLinks } from './text.ts';
import { bestVideo } from './v1.ts';

const isTweet = (value: Fields): boolean =>
  'id' in value && 'text' in value && ('author_id' in value || isFields(value.author));
const isUser = (value: Fields): boolean => 'id' in value && 'username' in value && 'name' in value;
const isSpace = (value: Fields): boolean =>
  'id' in value && ('host_ids' in value || 'creator_id' in value) && 'state' in value;
const isCommunity = (value: Fields): boolean =>
  'id' in value && 'name' in value && ('member_count' in value || 'join_policy' in value || 'access' in value);

/** Whether a value is a response: an object around `data`. */
export const isV2Response = (value: Fields): boolean =>
  'data' in value || 'result_count' in fields(value.meta) || Array.isArray(value.errors);
/** Whether a value is a single element, as on a line of JSON Lines. */
export const isV2Element = (value: Fields): boolean => isTweet(value) || isUser(value) || isSpace(value);

/**
 * The elements of a response. The first usable one also carries the records from `includes`. `observedAt`: the time of the
 * response, RFC 3339.
 */
export function v2Response(response: Fields, observedAt = observed(response)): Recognised[] {
  const data: unknown[] = Array.isArray(response.data)
    ? response.data
    : response.data === undefined
      ? []
      : [response.data];
  if (data.length === 0)
    return [{ reason: `a response without data${Array.isArray(response.errors) ? ', only errors' : ''}` }];
  const includes = fields(response.includes);
  const included = [
    ...list(includes.users).flatMap(userRecord),
    ...list(includes.places).flatMap(placeRecord),
    ...[...list(includes.tweets), ...list(includes.posts)].flatMap((tweet) =>
      withEarlier(tweet, tweetRecord(tweet, includes)),
    ),
  ].map((record) => withObservedAt(record, observedAt));
  return data.map((value, index): Recognised => {
    const element = v2Element(fields(value), includes, observedAt);
    if ('records' in element) return { records: [...included.splice(0), ...element.records] };
    return { ...element, place: isFields(value) ? value : { list: data, index } };
  });
}

/** One element: a tweet, user, space or community. */
export function v2Element(
  value: Fields,
  includes: Fields = {},
  observedAt: string | undefined = observed(value),
): Recognised {
  const records = recordsOf(value, includes);
  if (records === undefined) return { reason: rejectionReason(value) };
  return { records: records.map((record) => withObservedAt(record, observedAt)) };
}

/** Why an element is unusable; names the missing fields for the API request if that would help. */
function rejectionReason(value: Fields): string {
  if ('text' in value) {
    const lacks = ['id', 'author_id', 'created_at'].filter((name) => !(name in value));
    if (lacks.length > 0) return `a v2 tweet without ${lacks.join(' and ')}: request tweet.fields=author_id,created_at`;
  }
  if ('state' in value)
    return 'a v2 space without its creator_id or a time: request space.fields=creator_id,created_at,title';
  if ('tweet_count' in value || 'post_count' in value) return 'a count of tweets, not a tweet';
  return 'not a tweet, user, space or community of the v2 API in a supported format';
}

function recordsOf(value: Fields, includes: Fields): ArchiveRecord[] | undefined {
  if (isTweet(value)) return flatRecords(value, includes);
  if (isSpace(value)) return spaceRecord(value);
  if (isCommunity(value)) return communityRecord(value);
  const user = isUser(value) ? userRecord(value) : [];
  return user.length === 0 ? undefined : user;
}

/** When a collector fetched the response, if it recorded the time. */
const observed = (value: Fields): string | undefined => timestamp(fields(value.__twarc).retrieved_at);

function withObservedAt(record: ArchiveRecord, observedAt: string | undefined): ArchiveRecord {
  if (observedAt === undefined) return record;
  if (record.kind === 'tweet') return { kind: 'tweet', tweet: { ...record.tweet, observed_at: observedAt } };
  if (record.kind === 'place') return { kind: 'place', place: { ...record.place, observed_at: observedAt } };
  return record.kind === 'user' ? { kind: 'user', user: { ...record.user, observed_at: observedAt } } : record;
}

/** The maximum nesting depth of referenced tweets: a retweet of a tweet that quotes another tweet. */
const maxDepth = 3;

/** The records of a tweet that may contain its users, media and referenced tweets, as in flattened lines. */
function flatRecords(tweet: Fields, includes: Fields, depth = maxDepth): ArchiveRecord[] | undefined {
  const record = depth === 0 ? undefined : tweetRecord(tweet, includes);
  if (record === undefined) return undefined;
  const references = [...list(tweet.referenced_tweets), ...list(tweet.referenced_posts)].filter(isTweet);
  const inner = references.flatMap((reference) => flatRecords(reference, includes, depth - 1) ?? []);
  const mentioned = list(fields(tweet.entities).mentions);
  const named = [fields(tweet.in_reply_to_user), ...mentioned].filter((user) => 'public_metrics' in user);
  return [
    ...[fields(tweet.author), ...named].flatMap(userRecord),
    ...placeRecord(fields(tweet.geo)),
    ...inner,
    ...withEarlier(tweet, record),
  ];
}

/** A tweet after the deletions of its earlier versions. */
const withEarlier = (tweet: Fields, record: TweetRecord | undefined): ArchiveRecord[] =>
  record === undefined
    ? []
    : [...earlierVersions(record.tweet, tweet.edit_history_tweet_ids ?? tweet.edit_history_post_ids), record];

type TweetRecord = Extract<ArchiveRecord, { kind: 'tweet' }>;

function tweetRecord(tweet: Fields, includes: Fields): TweetRecord | undefined {
  const tweetId = id(tweet.id);
  const createdAt = timestamp(tweet.created_at);
  const authorId = id(tweet.author_id) ?? id(fields(tweet.author).id);
  if (tweetId === undefined || createdAt === undefined || authorId === undefined) return undefined;
  const references = [...list(tweet.referenced_tweets), ...list(tweet.referenced_posts)];
  const reference = (type: string): string | undefined => id(references.find((other) => other.type === type)?.id);
  const retweeted = reference('retweeted') ?? reference('reposted');
  const candidates = [...list(includes.tweets), ...list(includes.posts), ...references];
  const original = candidates.find(
    (other) => retweeted !== undefined && other.id === retweeted && text(other.text) !== undefined,
  );
  const whole = original ?? tweet;
  const note = isFields(whole.note_tweet) ? whole.note_tweet : fields(whole.note_post);
  const body = decode(text(note.text) ?? text(whole.text) ?? '');
  const entities = isFields(note.entities) ? { ...fields(whole.entities), ...note.entities } : fields(whole.entities);
  const metrics = fields(tweet.public_metrics);
  const links = list(entities.urls);
  const media = mediaOf(whole, includes, links);
  const replied = reference('replied_to');
  const plain = plainLinks(body, links);
  return {
    kind: 'tweet',
    tweet: withoutUndefined({
      id: tweetId,
      text: body,
      created_at: createdAt,
      author_id: authorId,
      retweet_count: count(metrics.retweet_count) ?? count(metrics.repost_count),
      reply_count: count(metrics.reply_count),
      like_count: count(metrics.like_count),
      quote_count: count(metrics.quote_count),
      bookmark_count: count(metrics.bookmark_count),
      view_count: count(metrics.impression_count),
      media: media.length > 0 ? media : undefined,
      card: cardOf(links),
      entities:
        whole.entities === undefined ? withLinks(entitiesOf(body), plain) : entitiesIn(entities, includes, plain),
      expanded_urls: expandedUrls(links, plain),
      in_reply_to_id: replied,
      in_reply_to_username:
        replied === undefined ? undefined : usernameOf(id(tweet.in_reply_to_user_id), tweet, includes),
      conversation_id: id(tweet.conversation_id),
      quoted_tweet_id: reference('quoted'),
      retweeted_tweet_id: retweeted,
      community_id: id(tweet.community_id),
      lang: text(tweet.lang),
      source: text(tweet.source),
      possibly_sensitive: flag(tweet.possibly_sensitive),
      place: placeOf(fields(tweet.geo), includes),
      place_id: placeId(fields(tweet.geo).place_id),
      coordinates: geoJsonPoint(fields(tweet.geo).coordinates),
      poll: attachedPoll(whole, includes),
    }),
  };
}

function expandedUrls(links: Fields[], plain: readonly Schemas['UrlEntity'][]): string[] | undefined {
  const targets = links.flatMap((link) => text(link.unwound_url) ?? text(link.expanded_url) ?? []);
  const urls = [...targets, ...plain.map(({ url }) => url)];
  return links.length === 0 && plain.length === 0 ? undefined : urls;
}

function placeOf(geo: Fields, includes: Fields): string | undefined {
  return text(list(includes.places).find((place) => place.id === geo.place_id)?.full_name) ?? text(geo.full_name);
}

function usernameOf(userId: string | undefined, tweet: Fields, includes: Fields): string | undefined {
  if (userId === undefined) return undefined;
  const nested = [fields(tweet.in_reply_to_user), fields(tweet.author), ...list(fields(tweet.entities).mentions)];
  const users = [...list(includes.users), ...nested];
  return text(users.find((user) => user.id === userId)?.username);
}

function entitiesIn(entities: Fields, includes: Fields, plain: readonly Schemas['UrlEntity'][]): Schemas['Entities'] {
  return {
    mentions: list(entities.mentions).flatMap((mention) => {
      const username = text(mention.username);
      if (username === undefined) return [];
      const profile = list(includes.users).find((user) => user.username === username);
      const name = text(profile?.name) ?? text(mention.name);
      return [withoutUndefined({ username, name, id: id(mention.id) ?? id(profile?.id) })];
    }),
    hashtags: list(entities.hashtags).flatMap((tag) => text(tag.tag) ?? []),
    cashtags: list(entities.cashtags).flatMap((tag) => text(tag.tag) ?? []),
    // Leaves out links to the media of the tweet: `media` contains them.
    urls: [
      ...list(entities.urls).flatMap((link) => {
        const url = text(link.url);
        return url === undefined || link.media_key !== undefined
          ? []
          : [{ url, display_url: text(link.display_url) ?? url }];
      }),
      ...plain,
    ],
  };
}

function cardOf(links: Fields[]): Schemas['Card'] | undefined {
  const link = links.find((each) => text(each.title) !== undefined);
  const title = decoded(text(link?.title));
  const url = text(link?.unwound_url) ?? text(link?.expanded_url);
  if (link === undefined || title === undefined || url === undefined || !URL.canParse(url)) return undefined;
  return withoutUndefined({
    url,
    title,
    description: decoded(text(link.description)),
    image: text(list(link.images)[0]?.url),
    domain: new URL(url).hostname,
  });
}

function mediaOf(tweet: Fields, includes: Fields, links: Fields[]): Schemas['Media'][] {
  const attachments = fields(tweet.attachments);
  const keys: unknown[] = Array.isArray(attachments.media_keys) ? attachments.media_keys : [];
  const nested = list(attachments.media);
  const all = nested.length > 0 ? nested : list(includes.media).filter((media) => keys.includes(media.media_key));
  return all.flatMap((media) => {
    const url = text(media.url) ?? text(media.preview_image_url);
    const { type } = media;
    if (url === undefined || (type !== 'photo' && type !== 'video' && type !== 'animated_gif')) return [];
    const page = links.find((link) => link.media_key === media.media_key)?.expanded_url;
    const video_url = bestVideo(list(media.variants), 'bit_rate');
    return [withoutUndefined({ type, url, expanded_url: text(page), video_url, alt_text: altText(media.alt_text) })];
  });
}

function userRecord(user: Fields): ArchiveRecord[] {
  const userId = id(user.id);
  const username = text(user.username);
  if (userId === undefined || username === undefined) return [];
  const metrics = fields(user.public_metrics);
  const pinned = id(user.pinned_tweet_id) ?? id(user.pinned_post_id);
  const profile = withoutUndefined({
    id: userId,
    username,
    name: decoded(text(user.name)),
    description: decoded(freeText(user.description)),
    location: decoded(freeText(user.location)),
    created_at: timestamp(user.created_at),
    followers_count: count(metrics.followers_count),
    following_count: count(metrics.following_count),
    tweet_count: count(metrics.tweet_count) ?? count(metrics.post_count),
    like_count: count(metrics.like_count),
    media_count: count(metrics.media_count),
    verified: flag(user.verified),
    is_blue_verified: text(user.verified_type) === undefined ? undefined : user.verified_type === 'blue',
    profile_image: text(user.profile_image_url),
    profile_banner: text(user.profile_banner_url),
    pinned_tweet_ids: pinned === undefined ? undefined : [pinned],
  });
  return [{ kind: 'user', user: profile }];
}

function spaceRecord(space: Fields): ArchiveRecord[] | undefined {
  const hosts = Array.isArray(space.host_ids) ? space.host_ids : [];
  const host = id(space.creator_id) ?? id(hosts[0]);
  const createdAt = timestamp(space.created_at) ?? timestamp(space.started_at) ?? timestamp(space.scheduled_start);
  const spaceId = text(space.id);
  const { state } = space;
  if (spaceId === undefined || !/^[A-Za-z0-9]{1,32}$/.test(spaceId)) return undefined;
  if (host === undefined || createdAt === undefined) return undefined;
  if (state !== 'scheduled' && state !== 'live' && state !== 'ended') return undefined;
  const speakers = Array.isArray(space.speaker_ids)
    ? space.speaker_ids.flatMap((speaker) => id(speaker) ?? [])
    : undefined;
  const entity = withoutUndefined({
    id: spaceId,
    title: text(space.title) ?? '',
    state,
    host_id: host,
    speaker_ids: speakers,
    participant_count: count(space.participant_count),
    subscriber_count: count(space.subscriber_count),
    lang: text(space.lang),
    is_ticketed: flag(space.is_ticketed),
    created_at: createdAt,
    scheduled_start: timestamp(space.scheduled_start),
    started_at: timestamp(space.started_at),
    ended_at: timestamp(space.ended_at),
  });
  return [{ kind: 'space', space: entity }];
}

/** Maps the join policies of the platform to those of the contract. */
const policies: Readonly<Record<string, 'open' | 'restricted' | 'closed'>> = {
  open: 'open',
  restrictedjoinrequestsrequiremoderatorapproval: 'restricted',
  restricted: 'restricted',
  closed: 'closed',
};

export function communityRecord(community: Fields): ArchiveRecord[] | undefined {
  const communityId = id(community.id);
  const name = text(community.name);
  if (communityId === undefined || name === undefined) return undefined;
  const policy = policies[String(community.join_policy).toLowerCase().replaceAll('_', '')];
  const entity = {
    id: communityId,
    name,
    description: text(community.description),
    member_count: count(community.member_count),
    join_policy: policy,
  };
  return [{ kind: 'community', community: withoutUndefined(entity) }];
}
