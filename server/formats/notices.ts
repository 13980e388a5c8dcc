/**
 * What X says about tweets and accounts, and not tweets themselves: the notices in a stored stream of v1.1, the events of the compliance
 * streams of v2, and the results of a batch compliance job. Deletions and removals of places become records; the others are named in the report.
 * Source: the pages "Consuming streaming data" and "Compliance" of the documentation of X.
 */
import type { ArchiveRecord } from '../domain/records.ts';
import { fields, id, isFields, text, timestamp, withoutUndefined, type Fields, type Recognised } from './recognised.ts';

type Reader = (notice: Fields, value: Fields) => Recognised;

/** The id in v1.1, as a text or, in notices without one, as a number. */
const idOf = (notice: Fields, name = 'id'): string | undefined => id(notice[`${name}_str`]) ?? id(notice[name]);

/** The time of a notice: RFC 3339, or milliseconds since the epoch in v1.1. */
function timeOf(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const milliseconds = Number(typeof value === 'string' && /^\d{12,14}$/.test(value) ? value : Number.NaN);
    const at = Number.isNaN(milliseconds) ? timestamp(value) : new Date(milliseconds).toISOString();
    if (at !== undefined) return at;
  }
  return undefined;
}

type DeleteReason = 'deleted' | 'withheld';

function deletion(tweet: Fields, at: string | undefined, reason: DeleteReason = 'deleted'): Recognised {
  const tweet_id = idOf(tweet);
  const author_id = idOf(tweet, 'user_id') ?? id(tweet.author_id);
  if (tweet_id === undefined) return { reason: 'a notice of a removed tweet without a usable id' };
  return { records: [withoutUndefined({ kind: 'delete' as const, tweet_id, author_id, at, reason })] };
}

function withdrawal(user: Fields, at: string | undefined): Recognised {
  const user_id = idOf(user) ?? idOf(user, 'user_id');
  if (user_id === undefined) return { reason: 'a notice of a removed account without a usable id' };
  return { records: [withoutUndefined({ kind: 'withdraw' as const, user_id, at })] };
}

const skip =
  (reason: string): Reader =>
  () => ({ reason });

/** `XX` and `XY` stand for all countries. */
const isWithheldEverywhere = ({ withheld_in_countries: countries }: Fields): boolean =>
  Array.isArray(countries) && countries.some((country) => country === 'XX' || country === 'XY');
const withheldInPart = 'a notice that X withholds something in some countries: it stays here';

const deleteNotice: Reader = (notice, value) => {
  if (isFields(notice.status))
    return deletion(notice.status, timeOf(notice.timestamp_ms, value.timestamp_ms, notice.event_at));
  if (isFields(notice.tweet)) return deletion(notice.tweet, timeOf(notice.event_at));
  return { reason: 'a notice of a removed message or like of another account' };
};

const withheldTweet: Reader = (notice) =>
  isWithheldEverywhere(notice)
    ? deletion({ ...notice, ...fields(notice.tweet) }, timeOf(notice.timestamp_ms, notice.event_at), 'withheld')
    : { reason: withheldInPart };

const withheldUser: Reader = (notice) =>
  isWithheldEverywhere(notice)
    ? withdrawal({ ...notice, ...fields(notice.user) }, timeOf(notice.timestamp_ms, notice.event_at))
    : { reason: withheldInPart };

const removedAccount: Reader = (notice) =>
  withdrawal({ ...notice, ...fields(notice.user) }, timeOf(notice.timestamp_ms, notice.event_at));

const shownAgain = skip('a notice that X shows something again: import it with --restore');
/** The author has removed the places of all tweets up to one. */
const geoNotice: Reader = (notice, value) => {
  const user_id = idOf(fields(notice.user)) ?? idOf(notice, 'user_id');
  const tweet_id = idOf(notice, 'up_to_status_id') ?? idOf(notice, 'up_to_tweet_id');
  if (user_id === undefined || tweet_id === undefined)
    return { reason: 'a notice of removed places (scrub_geo) without usable ids' };
  const at = timeOf(notice.timestamp_ms, value.timestamp_ms, notice.event_at);
  return { records: [withoutUndefined({ kind: 'scrub_geo' as const, tweet_id, user_id, at })] };
};

/** The notices by the name of their only member, or of their member in `data`. */
const readers = new Map<string, Reader>([
  ['delete', deleteNotice],
  ['status_withheld', withheldTweet],
  ['user_withheld', withheldUser],
  ['withheld', withheldTweet],
  ['drop', deleteNotice],
  ['scrub_geo', geoNotice],
  ['user_scrub_geo', geoNotice],
  ...['user_delete', 'user_suspend', 'user_protect', 'user_deactivate'].map((name) => [name, removedAccount] as const),
  ...[
    'undrop',
    'undelete',
    'status_undelete',
    'user_undelete',
    'user_unsuspend',
    'user_unprotect',
    'user_reactivate',
  ].map((name) => [name, shownAgain] as const),
  ['user_profile_modification', skip('a notice of a changed profile: the next record of the user has it')],
  ['tweet_edit', skip('a notice of an edited tweet: the next record of the tweet has it')],
  ['limit', skip('a notice that the stream left out tweets (limit)')],
  ['warning', skip('a warning of the stream')],
  ['disconnect', skip('a notice of the end of the stream (disconnect)')],
  ['control', skip('a notice about the stream (control)')],
  ['friends', skip('a list of followed accounts at the start of a stream (friends)')],
  ['friends_str', skip('a list of followed accounts at the start of a stream (friends)')],
  ['event', skip('a notice of an event of an account, such as a like or a follow')],
  ['direct_message', skip('a private message')],
]);

/** The member that makes a value a notice. Beside it there is at most a time. */
function noticeIn(value: Fields): string | undefined {
  const [name, ...others] = Object.keys(value).filter((each) => !beside.has(each));
  return name !== undefined && others.length === 0 && readers.has(name) ? name : undefined;
}
const beside = new Set(['timestamp_ms', 'event_at', 'quote_tweet_id']);

/** The event of a compliance stream, which is in `data`. */
const eventIn = (value: Fields): Fields | undefined =>
  isFields(value.data) && Object.keys(value).length === 1 && noticeIn(value.data) !== undefined
    ? value.data
    : undefined;

/** An event of an account has its name as a text, with its source and target. */
const isAccountEvent = (value: Fields): boolean =>
  typeof value.event === 'string' && ('source' in value || 'target' in value || 'target_object' in value);
const isResult = (value: Fields): boolean =>
  'id' in value && typeof value.action === 'string' && ('redacted_at' in value || 'reason' in value);

export const isNotice = (value: Fields): boolean =>
  noticeIn(value) !== undefined || eventIn(value) !== undefined || isAccountEvent(value) || isResult(value);

export function notice(value: Fields): Recognised {
  if (isResult(value)) return result(value);
  const whole = eventIn(value) ?? value;
  const name = noticeIn(whole) ?? 'event';
  const read = readers.get(name);
  return read === undefined ? { reason: `an unknown notice` } : read(fields(whole[name]), whole);
}

/** The reasons of a result that concern the account of an author. */
const accountReasons = new Set(['suspend', 'suspended', 'deactivate', 'deactivated', 'protect', 'protected']);
/** From this day on, the ids of tweets have at least 16 digits; those of accounts until 2016 have at most 10. */
const longIdsFrom = '2010-11-05';
const maxShortId = 11;

/**
 * A result of a batch compliance job. A result does not say whether its id is that of a tweet or of an account: a short id with a late
 * date is an account, and a long one whose author's account is gone may be either, so both are removed. No tweet has the long id of an
 * account.
 */
function result(value: Fields): Recognised {
  const [action, why] = [text(value.action) ?? '', text(value.reason) ?? ''];
  const at = timeOf(value.redacted_at);
  const valueId = id(value.id);
  const isGeo = action === 'scrub_geo' || why === 'scrub_geo';
  const isAccountReason = accountReasons.has(action) || accountReasons.has(why);
  if (action !== 'delete' && !isAccountReason && !isGeo)
    return { reason: `a result of a compliance job with the unknown action '${action.slice(0, 30)}'` };
  if (valueId === undefined) return { reason: 'a result of a compliance job without a usable id' };
  if (isGeo) return { records: [withoutUndefined({ kind: 'scrub_geo' as const, tweet_id: valueId, at })] };
  const created = timestamp(value.created_at);
  const isShort = valueId.length <= maxShortId;
  if (isShort && created !== undefined && created >= longIdsFrom) return withdrawal({ id: valueId }, at);
  const removed = [
    deletion({ id: valueId }, at),
    ...(isAccountReason && !isShort ? [withdrawal({ id: valueId }, at)] : []),
  ];
  return { records: removed.flatMap((each): ArchiveRecord[] => ('records' in each ? each.records : [])) };
}
