/**
 * Tweets and users in the own formats of collectors: the models of snscrape and twscrape, the metadata of gallery-dl, and the rows of
 * twitter-web-exporter. Each is converted to a status or a user of v1.1.
 */
import { statusRecords, userRecord } from './v1.ts';
import { fields, id, isFields, list, text, utcTimestamp, type Fields, type Recognised } from './recognised.ts';

/** The texts of these formats are not escaped, unlike those of v1.1. */
const escaped = (value: unknown): string | undefined => text(value)?.replaceAll('&', '&amp;');
/** The id of a member; gallery-dl writes 0 for none. */
const someId = (value: unknown): string | undefined => (value === 0 ? undefined : id(value));

const isModel = (value: Fields): boolean =>
  ('rawContent' in value || 'content' in value) && 'date' in value && 'username' in fields(value.user);
const isModelUser = (value: Fields): boolean => 'username' in value && 'displayname' in value;
const isMetadata = (value: Fields): boolean =>
  'tweet_id' in value && 'content' in value && 'date' in value && isFields(value.author);
const isRow = (value: Fields): boolean =>
  'full_text' in value && 'screen_name' in value && !('user' in value) && !isFields(value.metadata);

export const isCollected = (value: Fields): boolean =>
  isModel(value) || isModelUser(value) || isMetadata(value) || isRow(value);

export function collected(value: Fields): Recognised {
  if (isMetadata(value)) return metadata(value);
  if (isModel(value)) return statusElement(modelOf(value));
  if (isRow(value)) return row(value);
  const user = userRecord(modelUserOf(value));
  return user === undefined ? { reason: 'a user of a collector without a usable id or username' } : { records: [user] };
}

function statusElement(status: Fields): Recognised {
  const user = fields(status.user);
  const authorId = id(user.id_str) ?? id(user.id);
  if (authorId === undefined) return { reason: 'a tweet of a collector without the id of its author' };
  const records = statusRecords(status, authorId);
  return records === undefined ? { reason: 'a tweet of a collector without a usable id or date' } : { records };
}

/** A retweet of a tweet that quotes another tweet. */
const maxReferences = 3;

/** A tweet of snscrape or twscrape. */
function modelOf(value: Fields, depth = maxReferences): Fields {
  const inner = (tweet: unknown): Fields | undefined =>
    depth > 0 && isFields(tweet) ? modelOf(tweet, depth - 1) : undefined;
  return {
    ...{ id_str: value.id_str, id: value.id, created_at: value.date, lang: value.lang },
    full_text: escaped(value.rawContent ?? value.content),
    user: modelUserOf(fields(value.user)),
    source: value.sourceLabel ?? value.source,
    ...{ retweet_count: value.retweetCount, reply_count: value.replyCount, favorite_count: value.likeCount },
    ...{ quote_count: value.quoteCount, bookmark_count: value.bookmarkedCount, view_count: value.viewCount },
    conversation_id_str: value.conversationIdStr ?? value.conversationId,
    in_reply_to_status_id_str: value.inReplyToTweetIdStr ?? value.inReplyToTweetId,
    in_reply_to_screen_name: fields(value.inReplyToUser).username,
    possibly_sensitive: value.possibly_sensitive,
    edit_control: value.editControl,
    ...{ retweeted_status: inner(value.retweetedTweet), quoted_status: inner(value.quotedTweet) },
    entities: {
      hashtags: namesIn(value.hashtags),
      symbols: namesIn(value.cashtags),
      user_mentions: list(value.mentionedUsers).map((user) => ({
        ...{ id: user.id, id_str: user.id_str, screen_name: user.username, name: user.displayname },
      })),
      urls: list(value.links).map((link) => ({ url: link.tcourl, expanded_url: link.url, display_url: link.text })),
    },
    extended_entities: { media: modelMediaOf(fields(value.media)) },
  };
}

const namesIn = (value: unknown): Fields[] =>
  Array.isArray(value) ? value.flatMap((name) => (typeof name === 'string' ? [{ text: name }] : [])) : [];

function modelMediaOf({ photos, videos, animated }: Fields): Fields[] {
  const variants = (video: Fields): Fields[] =>
    list(video.variants).map(({ contentType, bitrate, url }) => ({ content_type: contentType, bitrate, url }));
  return [
    ...list(photos).map(({ url }) => ({ type: 'photo', media_url_https: url })),
    ...list(videos).map((video) => ({
      ...{ type: 'video', media_url_https: video.thumbnailUrl, video_info: { variants: variants(video) } },
    })),
    ...list(animated).map(({ thumbnailUrl, videoUrl }) => ({
      ...{ type: 'animated_gif', media_url_https: thumbnailUrl },
      video_info: { variants: [{ content_type: 'video/mp4', url: videoUrl }] },
    })),
  ];
}

const modelUserOf = (user: Fields): Fields => ({
  ...{ id: user.id, id_str: user.id_str, screen_name: user.username, name: escaped(user.displayname) },
  ...{ description: escaped(user.rawDescription), location: user.location, created_at: utcTimestamp(user.created) },
  ...{ followers_count: user.followersCount, friends_count: user.friendsCount, statuses_count: user.statusesCount },
  ...{ favourites_count: user.favouritesCount, media_count: user.mediaCount, verified: user.verified },
  ...{
    is_blue_verified: user.blue,
    profile_image_url: user.profileImageUrl,
    profile_banner_url: user.profileBannerUrl,
  },
});

/** The metadata that gallery-dl writes for a tweet or for one of its files. Its times are in UTC, without a zone. */
function metadata(value: Fields): Recognised {
  if (someId(value.retweet_id) !== undefined)
    return { reason: 'a retweet as gallery-dl writes it, without the account that retweeted' };
  const author = fields(value.author);
  return statusElement({
    ...{ id: value.tweet_id, created_at: value.date, full_text: escaped(value.content), lang: value.lang },
    user: {
      ...{ id: author.id, screen_name: author.name, name: escaped(author.nick), location: author.location },
      ...{ description: escaped(author.description), created_at: utcTimestamp(author.date), verified: author.verified },
      ...{ followers_count: author.followers_count, friends_count: author.friends_count },
      ...{ statuses_count: author.statuses_count, favourites_count: author.favourites_count },
      ...{ media_count: author.media_count, profile_image_url: author.profile_image },
      profile_banner_url: author.profile_banner,
    },
    source: value.source,
    ...{ retweet_count: value.retweet_count, reply_count: value.reply_count, favorite_count: value.favorite_count },
    ...{ quote_count: value.quote_count, bookmark_count: value.bookmark_count },
    // 0 stands for an unknown number of views.
    view_count: value.view_count === 0 ? undefined : value.view_count,
    conversation_id_str: someId(value.conversation_id),
    in_reply_to_status_id: someId(value.reply_id),
    in_reply_to_screen_name: value.reply_to,
    possibly_sensitive: value.sensitive,
  });
}

/** A row of twitter-web-exporter. */
function row(value: Fields): Recognised {
  const userId = id(value.user_id);
  if (userId === undefined)
    return { reason: 'a row of twitter-web-exporter without user_id: export it with all metadata' };
  const body = escaped(value.full_text);
  const retweeted = id(value.retweeted_status);
  return statusElement({
    ...{ id: value.id, created_at: value.created_at, full_text: body },
    user: {
      ...{ id: userId, screen_name: value.screen_name, name: escaped(value.name) },
      profile_image_url: value.profile_image_url,
    },
    ...{ retweet_count: value.retweet_count, reply_count: value.reply_count, favorite_count: value.favorite_count },
    ...{ quote_count: value.quote_count, bookmark_count: value.bookmark_count, view_count: value.views_count },
    in_reply_to_status_id_str: value.in_reply_to,
    quoted_status_id_str: value.quoted_status,
    ...(retweeted === undefined ? {} : { retweeted_status: { id_str: retweeted, full_text: body } }),
    extended_entities: {
      media: list(value.media).map(({ type, original, ext_alt_text }) => ({
        type,
        media_url_https: original,
        ext_alt_text,
      })),
    },
  });
}
