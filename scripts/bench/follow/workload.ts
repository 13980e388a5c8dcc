/** Frames as a Jetstream server sends them for followed accounts: posts, reposts, follows, profiles and deletions. */

/** The number of followed accounts. */
const accounts = 2_000;
const letters = 'abcdefghijklmnopqrstuvwxyz234567';
const tidLetters = '234567abcdefghijklmnopqrstuvwxyz';

/** A number in base 32 with this number of digits. */
function digits(value: number, count: number, alphabet: string): string {
  let text = '';
  for (let rest = value, left = count; left > 0; left--, rest = Math.floor(rest / 32))
    text = alphabet[rest % 32]! + text;
  return text;
}

/** The DID of an account. */
export const didOf = (account: number): string => `did:plc:${digits(account, 24, letters)}`;
export const dids: readonly string[] = Array.from({ length: accounts }, (_, account) => didOf(account));

/** A TID of a time in microseconds: ten more bits are the clock id, which is 0. */
export const tidOf = (time: number): string => `${digits(time, 11, tidLetters)}22`;
export const uriOf = (did: string, collection: string, time: number): string =>
  `at://${did}/${collection}/${tidOf(time)}`;
const cid = 'bafyreicl7rzkxdrm4zz2ehbx52kuk3mvfow6p3gzfys72r5grvskxoswy4';

const words =
  'the coffee harbour sailing morning build tests nine minutes garden chess opening sourdough stars market'.split(' ');

/** A text of about 100 characters with a link, a tag and a mention, and their facets. */
export function textOf(index: number, more = ''): { readonly text: string; readonly facets: object[] } {
  const body = Array.from(
    { length: 10 },
    (_, word) => words[(index * 7 + word * (1 + (index % 5))) % words.length],
  ).join(' ');
  const [mention, tag, link] = ['@someone.example.com', '#coffee', 'https://example.com/a'];
  const text = `👋 ${body} ${mention} ${tag} ${link}${more}`;
  const facet = (part: string, feature: object): object => {
    const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(part)));
    return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] };
  };
  const type = 'app.bsky.richtext.facet';
  return {
    text,
    facets: [
      facet(mention, { $type: `${type}#mention`, did: dids[index % accounts] }),
      facet(tag, { $type: `${type}#tag`, tag: 'coffee' }),
      facet(link, { $type: `${type}#link`, uri: link }),
    ],
  };
}

/** The frame of a post of the first account at a time in milliseconds since the epoch. */
export function postFrame(text: string, at: number): string {
  const [time, collection, did] = [at * 1000, 'app.bsky.feed.post', dids[0]];
  const record = { $type: collection, createdAt: new Date(at).toISOString(), text, langs: ['en'] };
  const commit = { rev: tidOf(time), operation: 'create', collection, rkey: tidOf(time), record, cid };
  return JSON.stringify({ did, time_us: time, kind: 'commit', commit });
}

interface Post {
  readonly uri: string;
  readonly did: string;
}

/**
 * The frames of events, one a millisecond from `from` on (milliseconds since the epoch). In a hundred: 78 posts (a quarter of them
 * answers, a tenth quotes), 6 deletions, 8 reposts, 6 follows, 2 profiles.
 */
export function* frames(count: number, from: number): Generator<string, void> {
  const posts: Post[] = [];
  let deleted = 0;
  for (let index = 0; index < count; index++) {
    const time = (from + index) * 1000;
    const did = dids[(index * 37) % accounts]!;
    const kind = index % 100;
    const createdAt = new Date(from + index).toISOString();
    const frame = (owner: string, operation: string, collection: string, rkey: string, record?: object): string => {
      const commit = {
        rev: tidOf(time),
        operation,
        collection,
        rkey,
        ...(record === undefined ? {} : { record, cid }),
      };
      return JSON.stringify({ did: owner, time_us: time, kind: 'commit', commit });
    };
    const create = (collection: string, record: object): string =>
      frame(did, 'create', collection, tidOf(time), { $type: collection, createdAt, ...record });
    const earlier = posts[posts.length - 1 - ((index * 13) % 500)];
    if (kind < 6 && posts.length > 1000) {
      const { uri, did: owner } = posts[deleted++]!;
      yield frame(owner, 'delete', 'app.bsky.feed.post', uri.slice(uri.lastIndexOf('/') + 1));
    } else if (kind < 14 && earlier !== undefined) {
      yield create('app.bsky.feed.repost', { subject: { uri: earlier.uri, cid } });
    } else if (kind < 20) {
      yield create('app.bsky.graph.follow', { subject: dids[(index * 11) % accounts] });
    } else if (kind < 22) {
      const displayName = `Account ${index}`;
      yield frame(did, 'update', 'app.bsky.actor.profile', 'self', { $type: 'app.bsky.actor.profile', displayName });
    } else {
      const subject = { uri: earlier?.uri ?? '', cid };
      const reply = kind < 42 && earlier !== undefined ? { reply: { root: subject, parent: subject } } : {};
      const embed =
        kind > 91 && earlier !== undefined ? { embed: { $type: 'app.bsky.embed.record', record: subject } } : {};
      posts.push({ uri: uriOf(did, 'app.bsky.feed.post', time), did });
      yield create('app.bsky.feed.post', { ...textOf(index), langs: ['en'], ...reply, ...embed });
    }
  }
}
