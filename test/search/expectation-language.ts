/**
 * The small language in which the collected queries say what they mean, read by itself: `word(nasa) && !reply` becomes a predicate over
 * a tweet, with for each of its parts a way to make a tweet of which the part is true.
 */
import type { ArchivedTweet } from '../../server/domain/records.ts';

/** A tweet under construction: words, links and author are separate, so that the expected match does not depend on the parser. */
export type Draft = Partial<ArchivedTweet> & {
  text: string;
  username: string;
  words: string[];
  links: string[];
  verified?: boolean;
  blueVerified?: boolean;
  /** The lists of the author, as queries write them. */
  lists?: string[];
};
/** What a part of a meaning says of a tweet, and how to make a tweet of which it is true. */
export interface Atom {
  readonly holds: (tweet: Draft) => boolean;
  readonly make: (tweet: Draft) => void;
}

/** When the queries are asked: `within_time` counts from here. */
export const now = Date.UTC(2026, 5, 1);
const split = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s/.\-#"«»?:_@]+/)
    .filter((word) => word !== '');
const inOrder = (text: string, words: string[]): boolean => {
  const found = split(text);
  return found.some((_word, start) => words.every((word, place) => word === '*' || found[start + place] === word));
};
const texts = (tweet: Draft): string[] => [...tweet.words, ...tweet.links, tweet.username];
const cjk = /[^\0-\u024f]/;
const phrase = (text: string): Atom => {
  const words = split(text.replace('<any word>', '*'));
  return {
    holds: (tweet) => texts(tweet).some((each) => (cjk.test(text) ? each.includes(text) : inOrder(each, words))),
    make: (tweet) => tweet.words.push(words.join(' ').replace('*', 'very')),
  };
};
const field = (name: keyof ArchivedTweet, value: unknown): Atom => ({
  holds: (tweet) => tweet[name] === value,
  make: (tweet) => void Object.assign(tweet, { [name]: value }),
});
const count = (
  name: 'like_count' | 'retweet_count' | 'reply_count',
  holds: (value: number) => boolean,
  value: number,
): Atom => ({
  holds: (tweet) => holds(tweet[name] ?? 0),
  make: (tweet) => void (tweet[name] = value),
});
const linked = (link: string): Atom => ({
  holds: (tweet) => tweet.links.some((each) => inOrder(each, split(link))),
  make: (tweet) => tweet.links.push(`https://www.${link}/more`),
});
const entity = (kind: 'hashtags' | 'cashtags', value: string): Atom => ({
  holds: (tweet) => tweet.entities![kind].some((each) => each.toLowerCase() === value.toLowerCase()),
  make: (tweet) => tweet.entities![kind].push(value),
});
const some = (kind: 'hashtags' | 'cashtags'): Atom => ({
  ...entity(kind, 'any'),
  holds: (tweet) => tweet.entities![kind].length > 0,
});
const mediaOf = (type: 'photo' | 'video' | 'animated_gif'): Atom => ({
  holds: (tweet) => tweet.media?.some((each) => each.type === type) === true,
  make: (tweet) => void (tweet.media = [{ type, url: 'i' }]),
});
const mentionOf = (username: string): Atom => ({
  holds: (tweet) => tweet.entities!.mentions.some((each) => each.username === username),
  make: (tweet) => tweet.entities!.mentions.push({ username }),
});
const cardOf = (domain: string): Atom => ({
  holds: (tweet) => tweet.card?.domain === domain,
  make: (tweet) => void (tweet.card = { url: `https://${domain}/x`, title: 'T', domain }),
});
const selfReply: Atom = {
  holds: (tweet) => tweet.in_reply_to_id === '42' && tweet.in_reply_to_username === tweet.username,
  make: (tweet) => void Object.assign(tweet, { in_reply_to_id: '42', in_reply_to_username: tweet.username }),
};
const anyOf = (...atoms: Atom[]): Atom => ({
  holds: (tweet) => atoms.some(({ holds }) => holds(tweet)),
  make: (tweet) => atoms[0]!.make(tweet),
});
const noneOf = (...atoms: Atom[]): Atom => ({
  holds: (tweet) => !atoms.some(({ holds }) => holds(tweet)),
  make: () => {},
});
const hasMedia: Atom = { ...mediaOf('photo'), holds: (tweet) => (tweet.media?.length ?? 0) > 0 };
const hasLinks: Atom = { ...linked('any.example'), holds: (tweet) => tweet.links.length > 0 };
const mentions: Atom = {
  holds: (tweet) => tweet.entities!.mentions.length > 0,
  make: (tweet) => tweet.entities!.mentions.push({ username: 'any' }),
};
const author = (flag: 'verified' | 'blueVerified'): Atom => ({
  holds: (tweet) => tweet[flag] === true,
  make: (tweet) => void (tweet[flag] = true),
});
const nativeRetweet: Atom = {
  holds: (tweet) => tweet.retweeted_tweet_id !== undefined,
  make: (tweet) => void (tweet.retweeted_tweet_id = '1'),
};
const isReply: Atom = {
  holds: (tweet) => tweet.in_reply_to_id !== undefined || tweet.in_reply_to_username !== undefined,
  make: (tweet) => void (tweet.in_reply_to_id = '1'),
};
const engaged = anyOf(
  count('like_count', (value) => value > 0, 1),
  count('retweet_count', (value) => value > 0, 1),
  count('reply_count', (value) => value > 0, 1),
);
const quotes: Atom = {
  holds: (tweet) => tweet.quoted_tweet_id !== undefined,
  make: (tweet) => void (tweet.quoted_tweet_id = '5'),
};
const news = linked('nytimes.com');
const video = anyOf(mediaOf('video'), linked('youtube.com'));
const at =
  (time: number): ((tweet: Draft) => void) =>
  (tweet) =>
    void (tweet.created_at = new Date(time).toISOString());
const created = (tweet: Draft): number => Date.parse(tweet.created_at!);

const inList = (list: string): Atom => ({
  holds: (tweet) => tweet.lists?.includes(list) === true,
  make: (tweet) => void (tweet.lists = [...(tweet.lists ?? []), list]),
});

/** Parts of a meaning by how they are written. */
const atoms: [RegExp, (...groups: string[]) => Atom][] = [
  [/^(?:word|phrase)\((.*)\)$/, phrase],
  [/^word\((\w+)\), no folding$/, phrase],
  [/^tag\((.*)\)$/, (tag) => entity('hashtags', tag)],
  [/^cash\((.*)\)$/, (symbol) => entity('cashtags', symbol)],
  [/^cash in \{(.*)\}$/, (symbols) => anyOf(...symbols.split(',').map((symbol) => entity('cashtags', symbol)))],
  [/^mention\((.*)\)$/, mentionOf],
  [
    /^from\((.*)\)$/,
    (username) => ({
      holds: (tweet) => tweet.username === username,
      make: (tweet) => void (tweet.username = username),
    }),
  ],
  [
    /^to\((.*)\)$/,
    (username) => ({
      holds: (tweet) => tweet.in_reply_to_username === username,
      make: (tweet) => void (tweet.in_reply_to_username = username),
    }),
  ],
  [/^url\((.*)\)$/, linked],
  [/^url tokens contain \[?([^\]]*)\]?$/, (link) => linked(link.replaceAll(',', '/'))],
  [/^card\.url contains (.*)$|^card\.domain == (.*)$/, (url, domain) => cardOf(url ?? domain)],
  [/^card\.domain in \{(.*)\}$/, (domains) => anyOf(...domains.split(',').map(cardOf))],
  [
    /^text contains "(.*)"$/,
    (signs) => ({ holds: (tweet) => tweet.words.includes(signs), make: (tweet) => tweet.words.push(signs) }),
  ],
  [/^lang == (\w+)$/, (lang) => field('lang', lang)],
  [/^lang != (\w+)$/, (lang) => noneOf(field('lang', lang))],
  [/^author in (\S+)$/, inList],
  [/^card_name == (\S+)$/, (name) => field('card_name', name)],
  [/^card_name in \{(.*)\}$/, (names) => anyOf(...names.split(',').map((name) => field('card_name', name)))],
  [/^place needed$/, () => field('place', 'The Hague, The Netherlands')],
  [/^place\.id == (\w+)$/, (id) => field('place_id', id)],
  [/^source == (.*)$/, (source) => field('source', source)],
  [/^conversation_id == (\d+)$/, (id) => field('conversation_id', id)],
  [/^quoted_tweet\.id == (\d+)$/, (id) => field('quoted_tweet_id', id)],
  [/^in_reply_to == (\d+)$/, (id) => field('in_reply_to_id', id)],
  [
    /^(like|retweet|reply)_count >= (\d+)$/,
    (name, least) => count(`${name as 'like'}_count`, (value) => value >= Number(least), Number(least)),
  ],
  [
    /^(like|retweet|reply)_count < (\d+)$/,
    (name, most) => count(`${name as 'like'}_count`, (value) => value < Number(most), Number(most) - 1),
  ],
  [/^(?:like|retweet|reply)_count>0$/, () => engaged],
  [
    /^(\d+) <= like_count < (\d+)$/,
    (least, most) => count('like_count', (value) => value >= Number(least) && value < Number(most), Number(least)),
  ],
  [/^reply_count\+like_count\+retweet_count == 0$/, () => noneOf(engaged)],
  [
    /^created_at >= (\S+)$/,
    (time) => ({ holds: (tweet) => created(tweet) >= Date.parse(time), make: at(Date.parse(time)) }),
  ],
  [
    /^created_at < (\S+)$/,
    (time) => ({ holds: (tweet) => created(tweet) < Date.parse(time), make: at(Date.parse(time) - 1) }),
  ],
  [
    /^(\S+) <= created_at < (\S+)$/,
    (since, until) => ({
      holds: (tweet) => created(tweet) >= Date.parse(since) && created(tweet) < Date.parse(until),
      make: at(Date.parse(since)),
    }),
  ],
  [
    /^created_at > now-(\d)([hd])$/,
    (number, unit) => {
      const since = now - Number(number) * (unit === 'h' ? 3_600_000 : 86_400_000);
      return { holds: (tweet) => created(tweet) > since, make: at(since + 1) };
    },
  ],
  [
    /^(\d+) < id <= (\d+)(?: \(64-bit\))?$/,
    (above, upTo) => ({
      holds: ({ id }) => BigInt(id!) > BigInt(above) && BigInt(id!) <= BigInt(upTo),
      make: (tweet) => void (tweet.id = String(BigInt(above) + 1n)),
    }),
  ],
  [
    /^id <= (\d+)(?: \(64-bit\))?$/,
    (upTo) => ({ holds: ({ id }) => BigInt(id!) <= BigInt(upTo), make: (tweet) => void (tweet.id = upTo) }),
  ],
  [
    /^id > (\d+)$/,
    (above) => ({
      holds: ({ id }) => BigInt(id!) > BigInt(above),
      make: (tweet) => void (tweet.id = String(BigInt(above) + 1n)),
    }),
  ],
  [/^nothing$/, () => noneOf({ holds: () => true, make: () => {} })],
  [
    /^text starts with "RT @"$/,
    () => ({
      holds: (tweet) => tweet.words[0]?.startsWith('RT @') === true,
      make: (tweet) => tweet.words.unshift('RT @someone'),
    }),
  ],
  [/^(?:quoted_tweet present|quoted_tweet)$/, () => quotes],
  [
    /^retweets$/,
    () => anyOf(quotes, { holds: (tweet) => tweet.words[0]?.startsWith('RT @') === true, make: () => {} }),
  ],
  [
    /^retweeted_tweet\.author\.username == (\w+)$/,
    (username) => ({
      holds: (tweet) => tweet.retweeted_tweet_id === `9${username.length}`,
      make: (tweet) => void (tweet.retweeted_tweet_id = `9${username.length}`),
    }),
  ],
  [/^(?:is reply|a reply)$/, () => isReply],
  [/^not a reply$/, () => noneOf(isReply)],
  [/^(?:in_reply_to_user == author|self reply)$/, () => selfReply],
  [/^(?:no URL and no media)$/, () => noneOf(hasLinks, hasMedia)],
  [/^(?:URL|URL present|entities\.urls not empty)$/, () => hasLinks],
  [/^(?:media empty|no media)$/, () => noneOf(hasMedia)],
  [/^media not empty$/, () => hasMedia],
  [/^media has photo$/, () => mediaOf('photo')],
  [/^media has animated_gif$/, () => mediaOf('animated_gif')],
  [/^(?:media has video|video)$/, () => video],
  [/^video host in URLs$/, () => linked('vimeo.com')],
  [/^entities\.mentions not empty$/, () => mentions],
  [/^entities\.(hashtags|cashtags) not empty$/, (kind) => some(kind as 'hashtags')],
  [/^url host in news list$/, () => news],
  [/^url host vine\.co$/, () => linked('vine.co')],
  [/^not vine$/, () => noneOf(linked('vine.co'))],
  [/^url host in \{pscp\.tv, periscope\.tv\}$/, () => anyOf(linked('pscp.tv'), linked('periscope.tv'))],
  [/^url path contains \/i\/spaces\/$/, () => linked('social.example/i/spaces/1abc')],
  [/^is_blue_verified$/, () => author('blueVerified')],
  [/^author\.verified$/, () => author('verified')],
  [/^native_rt$/, () => nativeRetweet],
];

/** Expected matches that are written by hand: the query determines the interval, authors, lists or apps. */
function spelled(text: string, query: string): string {
  const lists = [...query.matchAll(/list:(\S+)/g)].map(([, list]) => `author in ${list!}`).join(' || ');
  return text
    .replace(/\binterval\b/, '2020-01-01T00:00:00Z <= created_at < 2020-02-01T00:00:00Z')
    .replace(/\bauthor in 4\b/, '(from(shawmakesmagic) || from(elonmusk) || from(harsh_dwivedi7) || from(weremeow))')
    .replace(/\bauthor in list\b( A or B)?/, `(${lists})`)
    .replace('source in {..}', '(source == twitter_for_iphone || source == twitter_web_client)');
}

/** A meaning as the atoms it is made of and how they come together; undefined where it is not written so. */
export function meaning(text: string, query: string): { used: Atom[]; holds: (tweet: Draft) => boolean } | undefined {
  const used: Atom[] = [];
  const source = spelled(text, query).replace(/\s*\/\/.*$/, '');
  let at = 0;
  const skip = (): void => void (at += /^\s*/.exec(source.slice(at))![0].length);
  const take = (sign: string): boolean => {
    skip();
    if (!source.startsWith(sign, at)) return false;
    at += sign.length;
    return true;
  };
  type Holds = (tweet: Draft) => boolean;
  const or = (): Holds => {
    const parts = [and()];
    while (take('||')) parts.push(and());
    return (tweet) => parts.some((part) => part(tweet));
  };
  const and = (): Holds => {
    const parts = [unary()];
    while (take('&&')) parts.push(unary());
    return (tweet) => parts.every((part) => part(tweet));
  };
  const unary = (): Holds => {
    if (take('!')) {
      const part = unary();
      return (tweet) => !part(tweet);
    }
    if (take('(')) {
      const part = or();
      if (!take(')')) throw new Error('no )');
      return part;
    }
    skip();
    let end = at;
    let depth = 0;
    const over = (): boolean =>
      depth === 0 && (source.startsWith('&&', end) || source.startsWith('||', end) || source[end] === ')');
    for (let quoted = false; end < source.length && (quoted || !over()); end++) {
      if (source[end] === '"') quoted = !quoted;
      if (!quoted && source[end] === '(') depth++;
      if (!quoted && source[end] === ')') depth--;
    }
    const name = source.slice(at, end).trim();
    at = end;
    for (const [pattern, atom] of atoms) {
      const groups = pattern.exec(name)?.slice(1);
      const made = groups === undefined ? undefined : atom(...groups);
      if (made === undefined) continue;
      used.push(made);
      return made.holds;
    }
    throw new Error(`unknown: ${name}`);
  };
  try {
    const holds = or();
    skip();
    return at === source.length ? { used, holds } : undefined;
  } catch {
    return undefined;
  }
}
