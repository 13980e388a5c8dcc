/**
 * Answers of the GraphQL interface that the web pages of X use, as collectors and browsers save them: whole answers (timelines, a tweet with
 * its conversation, searches, profiles, lists, communities), and single tweets and users out of them. X does not document the interface:
 * the shapes are those that public collectors read. A tweet is converted to a status of v1.1, which it contains as `legacy`.
 */
import type { ArchiveRecord } from '../domain/records.ts';
import { communityRecord } from './v2.ts';
import { statusRecords, userRecord } from './v1.ts';
import { fields, freeText, id, isFields, list, text, type Fields, type Recognised } from './recognised.ts';

/** The maximum depth of an answer; those of X have about 20 levels around a tweet. */
const maxDepth = 40;
/** A retweet of a tweet that quotes another tweet. */
const maxReferences = 3;

const tweetTypes = new Set([
  'Tweet',
  'TweetWithVisibilityResults',
  'TweetTombstone',
  'TweetUnavailable',
  'TweetPreviewDisplay',
]);
const userTypes = new Set(['User', 'UserUnavailable']);
/** The members that wrap one tweet, user or community in `result`. */
const tweetMembers = new Set(['tweet_results', 'tweet_result', 'tweetResult']);
const userMembers = new Set(['user_results', 'user_result', 'user_result_by_screen_name']);

const isTweet = (value: Fields): boolean =>
  tweetTypes.has(String(value.__typename)) || ('rest_id' in value && 'full_text' in fields(value.legacy));
const isUser = (value: Fields): boolean =>
  (value.__typename === 'User' || 'rest_id' in value) &&
  ('screen_name' in fields(value.core) || 'screen_name' in fields(value.legacy));
const isUnavailableUser = (value: Fields): boolean =>
  userTypes.has(String(value.__typename)) && !('timeline' in value) && !isUser(value);
const isCommunity = (value: Fields): boolean => value.__typename === 'Community' && typeof value.name === 'string';
const isEntry = (value: Fields): boolean => typeof value.entryId === 'string' && isFields(value.content);

/** The members of `data` in an answer, whatever they contain. */
const answers = new Set([
  ...['user', 'users', 'tweetResult', 'list', 'timeline', 'viewer', 'home', 'communityResults', 'search_by_raw_query'],
  ...['threaded_conversation_with_injections', 'threaded_conversation_with_injections_v2', 'retweeters_timeline'],
  ...[
    'favoriters_timeline',
    'user_result_by_screen_name',
    'bookmark_timeline',
    'bookmark_timeline_v2',
    'bookmark_search_by_raw_query',
  ],
]);

/** Whether a value is an answer, an entry of a timeline, a tweet or a user. */
export const isWeb = (value: Fields): boolean =>
  isTweet(value) ||
  isUser(value) ||
  isCommunity(value) ||
  isEntry(value) ||
  Object.keys(fields(value.data)).some((name) => answers.has(name)) ||
  [...tweetMembers, ...userMembers].some((name) => isFields(value[name]));

/** The tweets, users and communities of a value, each as an element, in their order. */
export function web(value: Fields): Recognised[] {
  const elements: Recognised[] = [];
  collect(value, elements, maxDepth);
  return elements.length > 0
    ? elements
    : [{ reason: 'an answer of the web pages of X without tweets, users or communities' }];
}

function collect(value: unknown, elements: Recognised[], depth: number): void {
  if (depth === 0) return;
  if (Array.isArray(value)) return value.forEach((element) => collect(element, elements, depth - 1));
  if (!isFields(value)) return;
  const reason = leftOutReason(value);
  if (reason !== undefined) elements.push({ reason, place: value });
  else if (isTweet(value)) elements.push(tweetElement(value));
  else {
    if (isUser(value)) elements.push(userElement(value));
    else if (isUnavailableUser(value) && Object.keys(value).length <= 4)
      elements.push({ reason: 'an account that X did not show', place: value });
    if (isCommunity(value)) elements.push(communityElement(value));
    const inner = isUser(value) ? { timeline: value.timeline, timeline_v2: value.timeline_v2 } : value;
    const members = membershipsOf(value);
    if (members !== undefined) elements.push(...members);
    for (const [name, member] of Object.entries(inner))
      if (!isCommunity(value) || !name.endsWith('_results')) collect(member, elements, depth - 1);
  }
}

/** Why an entry of a timeline is not imported, with everything in it. */
function leftOutReason(value: Fields): string | undefined {
  const entry = text(value.entryId) ?? '';
  if (isFields(value.promotedMetadata) || isFields(value.promoted_metadata) || entry.startsWith('promoted'))
    return 'a promoted tweet';
  return entry.startsWith('who-to-') ? 'accounts that X suggests' : undefined;
}

function tweetElement(result: Fields): Recognised {
  const status = statusOf(result);
  if (status === undefined) return { reason: `a tweet that X did not show${tombstoneText(result)}`, place: result };
  const authorId = id(fields(status.user).id_str) ?? id(status.user_id_str);
  if (authorId === undefined) return { reason: 'a tweet of the web pages of X without its author', place: result };
  const records = statusRecords(status, authorId);
  if (records === undefined)
    return { reason: 'a tweet of the web pages of X without a usable rest_id or created_at', place: result };
  return { records };
}

/** The words of a tombstone, such as "This Post was deleted by the Post author." */
function tombstoneText({ tombstone }: Fields): string {
  const words = text(fields(fields(tombstone).text).text);
  return words === undefined ? '' : `: ${words.slice(0, 100)}`;
}

/** The tweet as a status of v1.1; undefined for one that X did not show. */
function statusOf(result: Fields, depth = maxReferences): Fields | undefined {
  if (isFields(result.tweet)) return statusOf(result.tweet, depth);
  const legacy = fields(result.legacy);
  const tweetId = id(result.rest_id) ?? id(legacy.id_str);
  if (depth === 0 || tweetId === undefined) return undefined;
  const inner = (value: unknown): Fields | undefined => statusOf(fields(fields(value).result), depth - 1);
  const note = fields(fields(fields(result.note_tweet).note_tweet_results).result);
  const author = fields(fields(fields(result.core).user_results).result);
  return {
    ...legacy,
    ...noteOf(note, legacy),
    id_str: tweetId,
    user: isUser(author) ? userOf(author) : { id_str: id(author.rest_id) ?? id(legacy.user_id_str) },
    source: result.source ?? legacy.source,
    view_count: fields(result.views).count,
    card: cardOf(fields(result.card)),
    edit_control: result.edit_control,
    community_id_str: communityIdOf(fields(fields(result.community_results).result)),
    retweeted_status: inner(legacy.retweeted_status_result ?? result.retweeted_status_result),
    quoted_status: inner(result.quoted_status_result ?? legacy.quoted_status_result),
    quoted_status_id_str: legacy.quoted_status_id_str ?? fields(fields(result.quotedRefResult).result).rest_id,
  };
}

/** The text and the entities of a long tweet. Unlike other texts, the text is not escaped. */
function noteOf(note: Fields, legacy: Fields): Fields {
  const body = text(note.text);
  if (body === undefined) return {};
  return {
    full_text: body.replaceAll('&', '&amp;'),
    entities: { ...fields(legacy.entities), ...fields(note.entity_set) },
  };
}

/** The card in the shape of v1.1. */
const cardOf = (card: Fields): Fields => (isFields(card.legacy) ? card.legacy : card);
const communityIdOf = (community: Fields): string | undefined => id(community.rest_id) ?? id(community.id_str);

/** The user as one of v1.1. Since 2025, many members are no longer in `legacy`. */
function userOf(result: Fields): Fields {
  const legacy = fields(result.legacy);
  const core = fields(result.core);
  const [relations, tweets] = [fields(result.relationship_counts), fields(result.tweet_counts)];
  return {
    ...legacy,
    id_str: result.rest_id ?? legacy.id_str,
    screen_name: core.screen_name ?? legacy.screen_name,
    name: core.name ?? legacy.name,
    created_at: core.created_at ?? legacy.created_at,
    description: freeText(fields(result.profile_bio).description) ?? legacy.description,
    location: freeText(fields(result.location).location) ?? legacy.location,
    followers_count: relations.followers ?? legacy.followers_count,
    friends_count: relations.following ?? legacy.friends_count,
    statuses_count: tweets.tweets ?? legacy.statuses_count,
    media_count: tweets.media_tweets ?? legacy.media_count,
    favourites_count: fields(result.action_counts).favorites_count ?? legacy.favourites_count,
    verified: fields(result.verification).verified ?? legacy.verified,
    is_blue_verified: result.is_blue_verified,
    profile_image_url_https: fields(result.avatar).image_url ?? legacy.profile_image_url_https,
    profile_banner_url: text(fields(result.banner).image_url) ?? legacy.profile_banner_url,
    pinned_tweet_ids_str: fields(result.pinned_items).tweet_ids_str ?? legacy.pinned_tweet_ids_str,
  };
}

function userElement(result: Fields): Recognised {
  const user = userRecord(userOf(result));
  return user === undefined
    ? { reason: 'a user of the web pages of X without a usable rest_id or screen_name', place: result }
    : { records: [user] };
}

function communityElement(result: Fields): Recognised {
  const records = communityRecord({ ...result, id: communityIdOf(result) });
  return records === undefined
    ? { reason: 'a community of the web pages of X without a usable id or name', place: result }
    : { records };
}

const roles: Readonly<Record<string, 'member' | 'moderator' | 'admin'>> = {
  Member: 'member',
  Moderator: 'moderator',
  Admin: 'admin',
};

/** The members of a community that an answer lists; undefined for another value. The answer names the community in base 64. */
function membershipsOf(value: Fields): Recognised[] | undefined {
  const slices = [value.members_slice, value.moderators_slice].filter(isFields);
  if (value.__typename !== 'Community' || slices.length === 0) return undefined;
  const named = /^Community:(\d+)$/.exec(Buffer.from(text(value.id) ?? '', 'base64').toString('latin1'))?.[1];
  const communityId = communityIdOf(value) ?? id(named);
  if (communityId === undefined) return undefined;
  const results = slices.flatMap((slice) => list(slice.items_results).map((item) => fields(item.result)));
  return results.flatMap((result): Recognised[] => {
    const [userId, role] = [id(result.rest_id), roles[String(result.community_role)]];
    if (userId === undefined || role === undefined) return [];
    const record: ArchiveRecord = { kind: 'membership', community_id: communityId, user_id: userId, role };
    return [{ records: [record] }];
  });
}
