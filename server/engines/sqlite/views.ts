/** What other programs read: ids and times as the API has them. The page /docs/operations has examples. */
import { idText } from './sqlite-dialect.ts';

const timeText = (column: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch')`;

const optionalId = (column: string): string => `iif(${column} IS NULL, NULL, ${idText(column)})`;

/** The columns of a tweet, of `tweet t` and `tweet_count c`. */
const tweetColumns = `${idText('t.id')} AS id, ${timeText('t.created_at')} AS created_at, ${idText('t.author_id')} AS author_id,
    (SELECT p.username FROM person p WHERE p.id = t.author_id) AS username, t.document ->> 'text' AS text, t.document ->> 'lang' AS lang,
    c.like_count, c.retweet_count, c.reply_count, c.quote_count, c.bookmark_count, c.view_count,
    ${optionalId('t.in_reply_to_id')} AS in_reply_to_id, ${optionalId('t.quoted_id')} AS quoted_tweet_id,
    ${optionalId('t.retweeted_id')} AS retweeted_tweet_id, ${optionalId('t.community_id')} AS community_id`;

export const views = `
CREATE VIEW tweets AS SELECT ${tweetColumns} FROM tweet t JOIN tweet_count c ON c.pos = t.pos;
CREATE VIEW users AS SELECT ${idText('id')} AS id, document ->> 'username' AS username, document ->> 'name' AS name,
    verified, document ->> 'description' AS description, document ->> 'location' AS location,
    document ->> 'followers_count' AS followers_count, document ->> 'following_count' AS following_count FROM person;
-- The tweets with the words of a query of FTS5: SELECT … FROM search WHERE words MATCH '"coffee" AND "lang:en"'.
CREATE VIEW search AS SELECT w.word AS words, ${tweetColumns}
  FROM word w JOIN tweet t ON t.pos = w.rowid JOIN tweet_count c ON c.pos = t.pos;`;
