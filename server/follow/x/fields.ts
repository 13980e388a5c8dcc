/**
 * The fields that each request asks for, so that the mapping of the imports has all it reads. The parameters have the names of
 * the published document with tweets; the answers may have the names of the one with posts.
 */

const tweetFields = [
  'attachments',
  'author_id',
  'community_id',
  'conversation_id',
  'created_at',
  'entities',
  'geo',
  'id',
  'in_reply_to_user_id',
  'lang',
  'note_tweet',
  'possibly_sensitive',
  'public_metrics',
  'referenced_tweets',
  'source',
  'text',
];
const userFields = [
  'created_at',
  'description',
  'id',
  'location',
  'name',
  'pinned_tweet_id',
  'profile_banner_url',
  'profile_image_url',
  'protected',
  'public_metrics',
  'username',
  'verified',
  'verified_type',
];
const mediaFields = ['alt_text', 'media_key', 'preview_image_url', 'type', 'url', 'variants'];
const placeFields = ['country', 'country_code', 'full_name', 'geo', 'id', 'name', 'place_type'];
const pollFields = ['duration_minutes', 'end_datetime', 'id', 'options', 'voting_status'];
const expansions = [
  'attachments.media_keys',
  'attachments.poll_ids',
  'author_id',
  'entities.mentions.username',
  'geo.place_id',
  'in_reply_to_user_id',
  'referenced_tweets.id',
  'referenced_tweets.id.attachments.media_keys',
  'referenced_tweets.id.author_id',
];

export type Query = Readonly<Record<string, string>>;

/** For requests that bring new posts. */
export const wholeTweets: Query = {
  'tweet.fields': tweetFields.join(','),
  'user.fields': userFields.join(','),
  'media.fields': mediaFields.join(','),
  'place.fields': placeFields.join(','),
  'poll.fields': pollFields.join(','),
  expansions: expansions.join(','),
};
/** For posts that the archive has: only what changes. */
export const countsOfTweets: Query = {
  'tweet.fields': 'author_id,created_at,id,possibly_sensitive,public_metrics,text',
};
export const profiles: Query = { 'user.fields': userFields.join(',') };
