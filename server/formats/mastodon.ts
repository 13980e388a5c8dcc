/**
 * Mastodon: the outbox, the profile and the likes of an account as its export has them, and single notes
 * (https://docs.joinmastodon.org/spec/activitypub/). Only what everybody may see becomes a record.
 */
import type { Schemas } from '../contract/operations.ts';
import { isHandle } from '../domain/at-uri.ts';
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import { hashedId, userId } from '../domain/tid.ts';
import { htmlText, type HtmlLink } from './html-text.ts';
import { pollOf } from './poll.ts';
import {
  altText,
  count,
  fields,
  isFields,
  list,
  text,
  timestamp,
  withoutUndefined,
  type Fields,
  type Recognised,
} from './recognised.ts';

const noteTypes = new Set<unknown>(['Note', 'Question', 'Article', 'Page']);

const isActivity = (value: Fields): boolean =>
  typeof value.type === 'string' && typeof value.actor === 'string' && 'object' in value;
const isNote = (value: Fields): boolean => noteTypes.has(value.type) && typeof value.attributedTo === 'string';
const isActor = (value: Fields): boolean =>
  typeof value.preferredUsername === 'string' && typeof value.inbox === 'string';
/** A list of addresses, as the export has those of likes and bookmarks. */
const isAddresses = ({ type, orderedItems: items }: Fields): boolean =>
  type === 'OrderedCollection' &&
  Array.isArray(items) &&
  items.length > 0 &&
  items.every((item) => typeof item === 'string');

export const isMastodon = (value: Fields): boolean =>
  isActivity(value) || isNote(value) || isActor(value) || isAddresses(value);

/** The elements of a value: several only of a list of addresses. */
export function mastodon(value: Fields): Recognised[] {
  if (isActivity(value)) return [activityElement(value)];
  if (isNote(value)) return [noteElement(value, value)];
  if (isActor(value)) return [actorElement(value)];
  return likes(value);
}

/** The address of a record, which is its identity; undefined where it is not one of the web. */
const address = (value: unknown): string | undefined =>
  typeof value === 'string' && /^https:\/\/[!-~]{1,8000}$/.test(value) && URL.canParse(value) ? value : undefined;

/** An account or its address. */
const addressOf = (value: unknown): string | undefined => address(isFields(value) ? value.id : value);

const publicNames = new Set<unknown>(['https://www.w3.org/ns/activitystreams#Public', 'as:Public', 'Public']);

/** Whether everybody may see an activity or a note, in lists or only by its address. One that names no readers is not public. */
const isPublic = ({ to, cc }: Fields): boolean => [to, cc].flat().some((reader) => publicNames.has(reader));
const namesReaders = (value: Fields): boolean => value.to !== undefined || value.cc !== undefined;

const notPublic = 'a direct message, or a post for followers only: not public';

function activityElement(activity: Fields): Recognised {
  const { type, object } = activity;
  if (type !== 'Create' && type !== 'Announce')
    return { reason: `an activity of type ${String(type).slice(0, 30)}: not imported` };
  if (!isPublic(activity)) return { reason: notPublic };
  if (type === 'Announce') return announceElement(activity);
  return isFields(object) && isNote(object)
    ? noteElement(object, activity)
    : { reason: 'an activity without a note that the import knows' };
}

/** A boost: who boosted what. The export has the boosted post only where it is the account's own. */
function announceElement({ actor, object, published }: Fields): Recognised {
  const [note, booster] = [addressOf(object), address(actor)];
  if (note === undefined || booster === undefined) return { reason: 'a boost without usable addresses' };
  if (isFields(object) && !isPublic(object)) return { reason: notPublic };
  const own = isFields(object) && isNote(object) ? noteElement(object, object) : { records: [] };
  const boost = {
    ...{ kind: 'retweet' as const, tweet_id: hashedId(note), user_id: userId(booster) },
    created_at: timestamp(published),
  };
  return { records: [...('records' in own ? own.records : []), withoutUndefined(boost)] };
}

/** `activity`: the activity with the note, or the note itself. */
function noteElement(note: Fields, activity: Fields): Recognised {
  if (!isPublic(namesReaders(note) ? note : activity)) return { reason: notPublic };
  const tweet = tweetOf(note);
  if (tweet === undefined) return { reason: 'a note without a usable address, author or time' };
  const user = userOfAddress(String(note.attributedTo));
  return { records: [...(user === undefined ? [] : [user]), { kind: 'tweet', tweet }] };
}

/** The HTML of a note with its content warning, which its text begins with. */
function bodyOf({ content, summary, name }: Fields): { readonly body: string; readonly links: readonly HtmlLink[] } {
  const { text: own, links } = htmlText(text(content) ?? text(name) ?? '');
  const warning = text(summary)?.trim();
  return { body: warning === undefined || warning === '' ? own : `CW: ${warning}\n\n${own}`.trim(), links };
}

function tweetOf(note: Fields): ArchivedTweet | undefined {
  const [uri, author] = [address(note.id), address(note.attributedTo)];
  const created_at = timestamp(note.published);
  if (uri === undefined || author === undefined || created_at === undefined) return undefined;
  const { body, links } = bodyOf(note);
  const replyTo = addressOf(note.inReplyTo);
  const quoted = addressOf(note.quote) ?? addressOf(note.quoteUri) ?? addressOf(note.quoteUrl);
  const media = list(note.attachment).flatMap((attachment) => mediaOf(attachment, uri, text(note.url)));
  const others = linksOf(links);
  const languages = languagesOf(note);
  const entities: Schemas['Entities'] = {
    mentions: mentionsOf(note),
    hashtags: tagsOf(note, 'Hashtag').flatMap(({ name }) => text(name)?.replace(/^[#＃]/, '') ?? []),
    cashtags: [],
    urls: others.map(({ href, shown }) => ({ url: href, display_url: shown })),
  };
  return withoutUndefined({
    id: hashedId(uri),
    uri,
    text: body,
    created_at,
    author_id: userId(author),
    like_count: count(fields(note.likes).totalItems),
    retweet_count: count(fields(note.shares).totalItems),
    reply_count: count(fields(note.replies).totalItems),
    media: media.length > 0 ? media : undefined,
    entities,
    expanded_urls: others.length === 0 ? undefined : others.map(({ href }) => href),
    in_reply_to_id: replyTo === undefined ? undefined : hashedId(replyTo),
    in_reply_to_username: replyTo === undefined ? undefined : usernameIn(replyTo),
    quoted_tweet_id: quoted === undefined ? undefined : hashedId(quoted),
    lang: languages[0],
    langs: languages.length > 1 ? languages : undefined,
    source: 'Mastodon',
    possibly_sensitive: note.sensitive === true ? true : undefined,
    poll: note.type === 'Question' ? pollOfNote(note) : undefined,
  });
}

const tagsOf = ({ tag }: Fields, type: string): Fields[] => list(tag).filter((each) => each.type === type);

const mentionsOf = (note: Fields): Schemas['Mention'][] =>
  tagsOf(note, 'Mention').flatMap(({ name, href }): Schemas['Mention'][] => {
    const account = address(href);
    if (account === undefined) return [];
    const [, local = '', host] = /^@?([^@\s]+)(?:@([^@\s]+))?$/.exec(text(name) ?? '') ?? [];
    const username = usernameOf(local, host ?? new URL(account).host, userId(account));
    return [{ username, id: userId(account) }];
  });

/** The links that are neither mentions nor hashtags. */
const linksOf = (links: readonly HtmlLink[]): HtmlLink[] =>
  links.filter(
    ({ href, classes }) =>
      !classes.includes('mention') && !classes.includes('hashtag') && href.length <= 8192 && /^https?:\/\//i.test(href),
  );

/** The languages that are read of a note, at most. */
const maxLanguages = 20;

/** The languages of a note: the first subtag of each, each once. */
function languagesOf({ contentMap }: Fields): string[] {
  const subtags = Object.keys(fields(contentMap)).map((name) => name.split('-', 1)[0]!.toLowerCase());
  return [...new Set(subtags.filter((subtag) => /^[a-z]{2,8}$/.test(subtag)))].slice(0, maxLanguages);
}

function pollOfNote({ oneOf, anyOf, endTime }: Fields): ArchivedTweet['poll'] {
  const options = list(oneOf ?? anyOf).map(({ name, replies }) => ({ label: name, votes: fields(replies).totalItems }));
  return pollOf({ options, end_datetime: endTime });
}

/** Where an export has a file of an attachment: its path in the folder `media_attachments`. */
export const attachmentPath = (url: string): string | undefined =>
  /(?:^|\/)(media_attachments\/[\w./-]+)$/.exec(url)?.[1];

/** A picture or a video. The export names its file by a path; without the file, the address is that of the server's own storage. */
function mediaOf({ mediaType, url, name, icon }: Fields, uri: string, page: string | undefined): Schemas['Media'][] {
  const written = text(isFields(url) ? url.href : url);
  const path = written === undefined ? undefined : attachmentPath(written);
  const isWhole = written !== undefined && /^https?:\/\//i.test(written);
  const target = isWhole ? written : path && `${new URL(uri).origin}/system/${path}`;
  const kind = /^(image|video)\//.exec(String(mediaType))?.[1];
  if (target === undefined || kind === undefined) return [];
  const alt_text = altText(name);
  const expanded_url = page !== undefined && /^https?:\/\//i.test(page) ? page : undefined;
  if (kind === 'image') return [withoutUndefined({ type: 'photo', url: target, expanded_url, alt_text })];
  const preview = address(fields(icon).url) ?? target;
  return [withoutUndefined({ type: 'video', url: preview, expanded_url, video_url: target, alt_text })];
}

/**
 * The name `user@host` as the archive writes usernames, `user.host`: a handle in the form of Bluesky's. Names of servers of
 * Mastodon have letters, digits and `_`, which a handle cannot have.
 */
function usernameOf(name: string, host: string, id: string): string {
  const label = name.toLowerCase().replaceAll('_', '-');
  const handle = `${label}.${host.toLowerCase()}`;
  if (isHandle(handle) && handle.length <= 253) return handle;
  const trimmed = `${label.replaceAll(/^-+|-+$/g, '')}-${id.slice(0, 6)}.${host.toLowerCase()}`;
  return isHandle(trimmed) ? trimmed : `${id.slice(0, 12)}.invalid`;
}

/** The username in the address of an account or of one of its posts; undefined where it has none. */
function usernameIn(uri: string): string | undefined {
  const { host, pathname } = new URL(uri);
  const [, user, at, origin] = /^\/(?:users\/([\w.-]+)|@([\w.-]+))(\/|$)/.exec(pathname) ?? [];
  const name = user ?? at;
  if (name === undefined || origin === undefined) return undefined;
  return usernameOf(name, host, userId(`https://${host}/users/${name}`));
}

/** The account at an address, where the address has its name. */
function userOfAddress(uri: string): ArchiveRecord | undefined {
  const username = usernameIn(uri);
  return username === undefined ? undefined : { kind: 'user', user: { id: userId(uri), username } };
}

function actorElement(actor: Fields): Recognised {
  const uri = address(actor.id);
  if (uri === undefined) return { reason: 'an account without a usable address' };
  const id = userId(uri);
  const picture = (value: unknown): string | undefined => address(fields(value).url);
  const user = withoutUndefined({
    id,
    username: usernameOf(String(actor.preferredUsername), new URL(uri).host, id),
    name: text(actor.name)?.slice(0, 1000).toWellFormed(),
    description:
      typeof actor.summary === 'string' ? htmlText(actor.summary).text.slice(0, 10_000).toWellFormed() : undefined,
    created_at: timestamp(actor.published),
    profile_image: picture(actor.icon),
    profile_banner: picture(actor.image),
  });
  return { records: [{ kind: 'user', user }] };
}

/** One element for each like of the owner, as likes of the service's own account. Bookmarks have the same form, and are private. */
function likes({ id, orderedItems }: Fields): Recognised[] {
  if (!/(?:^|\/)(?:likes|liked)(?:\.json)?$/.test(String(id)))
    return [{ reason: 'a list of addresses that are no likes' }];
  return (orderedItems as unknown[]).map((item) => {
    const liked = address(item);
    if (liked === undefined) return { reason: 'a like without a usable address' };
    return { records: [{ kind: 'like', tweet_id: hashedId(liked) }] };
  });
}
