/** The tables of an export: their columns, with types, and the values that records have for them. */
import type { ArchivedTweet, ArchivedUser, ArchiveRecord } from '../../domain/records.ts';
import { parseTime, toIsoTime } from '../../text/iso-time.ts';

/**
 * `text`; `time`: milliseconds since the epoch, of UTC; `integer` up to 2^53 - 1; `number`; `boolean`; `json`: the JSON of a list or an
 * object, as a text.
 */
export type ColumnType = 'text' | 'time' | 'integer' | 'number' | 'boolean' | 'json';

export interface TableColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  /** Undefined where the record does not have it. */
  readonly value: (row: Row) => unknown;
}

const tableNames = ['tweets', 'users'] as const;
export type TableName = (typeof tableNames)[number];

export const isTableName = (name: string): name is TableName => (tableNames as readonly string[]).includes(name);

const member = <Row extends object>(name: string & keyof Row, type: ColumnType): TableColumn<Row> => ({
  name,
  type,
  value: (row) => row[name],
});

/** An export has the epoch for an unknown time of an observation. */
const time = <Row extends object>(name: string & keyof Row): TableColumn<Row> => ({
  name,
  type: 'time',
  value: (row) => {
    const text = row[name];
    const at = typeof text === 'string' ? parseTime(text) : Number.NaN;
    return Number.isNaN(at) || (name === 'observed_at' && at === 0) ? undefined : at;
  },
});

const tweet = (type: ColumnType, ...names: (keyof ArchivedTweet)[]): TableColumn<ArchivedTweet>[] =>
  names.map((name) => member(name, type));
const user = (type: ColumnType, ...names: (keyof ArchivedUser)[]): TableColumn<ArchivedUser>[] =>
  names.map((name) => member(name, type));

const tweetColumns: readonly TableColumn<ArchivedTweet>[] = [
  ...tweet('text', 'id'),
  time('created_at'),
  ...tweet('text', 'author_id', 'text', 'lang'),
  ...tweet('integer', 'like_count', 'retweet_count', 'reply_count', 'quote_count', 'bookmark_count', 'view_count'),
  ...tweet('text', 'in_reply_to_id', 'in_reply_to_username', 'conversation_id', 'quoted_tweet_id'),
  ...tweet('text', 'retweeted_tweet_id', 'community_id', 'source'),
  ...tweet('boolean', 'possibly_sensitive'),
  ...tweet('text', 'place', 'place_id'),
  { name: 'longitude', type: 'number', value: ({ coordinates }) => coordinates?.longitude },
  { name: 'latitude', type: 'number', value: ({ coordinates }) => coordinates?.latitude },
  { name: 'hashtags', type: 'json', value: ({ entities }) => entities?.hashtags },
  { name: 'cashtags', type: 'json', value: ({ entities }) => entities?.cashtags },
  { name: 'mentions', type: 'json', value: ({ entities }) => entities?.mentions },
  { name: 'urls', type: 'json', value: ({ entities }) => entities?.urls },
  ...tweet('json', 'media', 'card', 'article', 'poll'),
  ...tweet('text', 'uri'),
  time('observed_at'),
];

const userColumns: readonly TableColumn<ArchivedUser>[] = [
  ...user('text', 'id', 'username', 'name', 'description', 'location'),
  time('created_at'),
  ...user('integer', 'followers_count', 'following_count', 'tweet_count', 'like_count', 'media_count'),
  ...user('boolean', 'verified', 'is_blue_verified'),
  ...user('text', 'profile_image', 'profile_banner'),
  ...user('json', 'pinned_tweet_ids'),
  ...user('text', 'did'),
  time('observed_at'),
];

/** A table: its columns, and the row of a record; undefined for a record of another kind. */
export interface Table {
  readonly columns: readonly Pick<TableColumn<never>, 'name' | 'type'>[];
  readonly rowOf: (record: ArchiveRecord) => readonly unknown[] | undefined;
  /** How a line of a record of the table begins, so that other lines need not be read. */
  readonly lineStart: string;
}

export const tables: Readonly<Record<TableName, Table>> = {
  tweets: {
    columns: tweetColumns,
    lineStart: '{"kind":"tweet"',
    rowOf: (record) => (record.kind === 'tweet' ? tweetColumns.map(({ value }) => value(record.tweet)) : undefined),
  },
  users: {
    columns: userColumns,
    lineStart: '{"kind":"user"',
    rowOf: (record) => (record.kind === 'user' ? userColumns.map(({ value }) => value(record.user)) : undefined),
  },
};

/** The text of a value in CSV: times in the format of the API. */
export const csvValue = (value: unknown, type: ColumnType): unknown =>
  type === 'time' && typeof value === 'number' ? toIsoTime(value) : value;
