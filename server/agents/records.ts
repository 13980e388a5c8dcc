/** Records of the archive in the text results of tools: the facts that a reader needs first, with the page of each. */
import { isObject, memberOf } from '../text/object.ts';

/** Maximum number of characters of a text: a longer one is in the structured content. */
const maxText = 600;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One line of a text. */
const line = (text: string): string => {
  const single = text.replaceAll(/\s+/g, ' ').trim();
  return single.length <= maxText ? single : `${single.slice(0, maxText).toWellFormed()}…`;
};

/** The counts of a record that are not 0, such as `5 likes`. */
function counts(record: Record<string, unknown>, names: Readonly<Record<string, string>>): string[] {
  return Object.entries(names).flatMap(([name, word]) => {
    const count = record[name];
    return typeof count === 'number' && count > 0 ? [`${count} ${word}`] : [];
  });
}

function tweetLine(tweet: Record<string, unknown>, base: string): string {
  const quoted = tweet['quoted_tweet'];
  return [
    `@${textOf(memberOf(tweet['author'], 'username'))}`,
    textOf(tweet['created_at']),
    JSON.stringify(line(textOf(tweet['text']))),
    ...(isObject(quoted)
      ? [`quotes @${textOf(memberOf(quoted['author'], 'username'))}: ${JSON.stringify(line(textOf(quoted['text'])))}`]
      : []),
    ...counts(tweet, {
      like_count: 'likes',
      retweet_count: 'retweets',
      quote_count: 'quotes',
      reply_count: 'replies',
      view_count: 'views',
    }),
    `id ${textOf(tweet['id'])}`,
    `${base}/t/${encodeURIComponent(textOf(tweet['id']))}`,
  ].join(' · ');
}

function userLine(user: Record<string, unknown>, base: string): string {
  const username = textOf(user['username']);
  const description = line(textOf(user['description']));
  return [
    `@${username}`,
    JSON.stringify(line(textOf(user['name']))),
    ...(description === '' ? [] : [JSON.stringify(description)]),
    ...counts(user, { followers_count: 'followers', following_count: 'following', tweet_count: 'tweets' }),
    `id ${textOf(user['id'])}`,
    `${base}/u/${encodeURIComponent(username)}`,
  ].join(' · ');
}

/** A tweet, a user or an answer of the assistant in one line; undefined for any other value. */
export function describeRecord(value: unknown, base: string): string | undefined {
  if (!isObject(value)) return undefined;
  if (typeof value['text'] === 'string' && isObject(value['author'])) return tweetLine(value, base);
  if (typeof value['username'] === 'string' && typeof value['id'] === 'string') return userLine(value, base);
  // A user with what is not known of it, and a tweet with what it refers to.
  for (const name of ['user', 'tweet']) if (isObject(value[name])) return describeRecord(value[name], base);
  return undefined;
}
