/** Identifiers of the AT Protocol. */

/** The address of a record. */
export interface AtUri {
  readonly did: string;
  readonly collection: string;
  readonly rkey: string;
}

export const collections = {
  post: 'app.bsky.feed.post',
  repost: 'app.bsky.feed.repost',
  follow: 'app.bsky.graph.follow',
  profile: 'app.bsky.actor.profile',
  postgate: 'app.bsky.feed.postgate',
  list: 'app.bsky.graph.list',
} as const;

const did = /^did:[a-z]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._-]$/;
const handle = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/;
const collection =
  /^[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+\.[A-Za-z][A-Za-z0-9]{0,62}$/;
const rkey = /^[A-Za-z0-9._:~-]{1,512}$/;

export const isDid = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= 2048 && did.test(text);
/** Whether a text is a handle in lower case. */
export const isHandle = (text: string): boolean => text.length <= 253 && handle.test(text);
export const isRecordKey = (text: unknown): text is string =>
  typeof text === 'string' && rkey.test(text) && text !== '.' && text !== '..';

export const atUri = ({ did: repository, collection: name, rkey: key }: AtUri): string =>
  `at://${repository}/${name}/${key}`;

/** Reads the address of a record; undefined for anything else, also for an address with a handle. */
export function readAtUri(text: unknown): AtUri | undefined {
  if (typeof text !== 'string' || text.length > 8192) return undefined;
  const [, repository, name, key] = /^at:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!isDid(repository) || name === undefined || name.length > 317 || !collection.test(name) || !isRecordKey(key))
    return undefined;
  return { did: repository, collection: name, rkey: key };
}

/** The at-uri of a post; undefined for the address of anything else, such as a list or a feed. */
export function postUri(text: unknown): string | undefined {
  const uri = readAtUri(text);
  return uri?.collection === collections.post ? atUri(uri) : undefined;
}
