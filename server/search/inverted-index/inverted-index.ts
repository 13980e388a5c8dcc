/**
 * The index: for each token, tag and author the tweets that have it, in order of time. A query becomes a composition of such lists
 * that is walked newest first, so that the first page costs by what it shows. It finds what evaluate.ts says, only faster.
 */
import { TopK } from '../../collections/top-k.ts';
import { Column } from '../../collections/column.ts';
import { LargeMap, LargeSet } from '../../collections/large-map.ts';
import type { ArchivedTweet } from '../../platforms/archive/records.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest, Position } from '../../ports/platform.ts';
import { ChronologicalOrder } from './chronological-order.ts';
import { exactPoint, type Condition } from '../language/condition.ts';
import { linksOf, nameTexts, ownTerms, relatedTerms, contextFrom, textsOf, tweetPoint } from '../document.ts';
import { areaHasBox, areaHasPoint, type Area, type Point } from '../geo.ts';
import { compileQuery } from '../language/compile.ts';
import { parse } from '../language/parse.ts';
import { all, any, between, listed, next, not, type Postings, type PostingsIterator } from './postings.ts';
import { anyToken, firstToken, TokenSequences } from './token-sequences.ts';
import type { TweetIndex, TweetReading, TweetSource } from '../tweet-index.ts';
import { TermDictionary } from './term-dictionary.ts';
import { tokensOf } from '../language/tokenizer.ts';

/** What the index keeps of an author. */
interface Author {
  /** The name and the username as numbers of their tokens. */
  names: number[][];
  verified: boolean;
  blueVerified: boolean;
}

const noNumbers: readonly number[] = [];
/** What stands before the id of a person in a term. */
const personTerms = { author: 'from:', retweeted: 'retweets_of:', answered: 'answers:' } as const;

export function createInvertedIndex(source: TweetSource): TweetIndex {
  const chronology = new ChronologicalOrder(source.order);
  const terms = new TermDictionary(source.order, firstToken);
  const sequences = new TokenSequences();
  /** By ordinal. */
  const handles = new Column(new Uint32Array(0));
  const authorNumbers = new Column(new Uint32Array(0));
  const authors: Author[] = [];
  const numbersByAuthor = new LargeMap<string, number>();
  const authorsByUsername = new LargeMap<string, Set<string>>();
  /** The numbers of the terms that tell of another tweet, where they are known; most tweets have at most one. */
  const related = new LargeMap<number, number | readonly number[]>();
  /** The exact points of the few tweets that have one. */
  const points = new LargeMap<number, Point>();
  const around = contextFrom(source);

  const numbers = (text: string): number[] => tokensOf(text).map((token) => terms.number(token));

  function authorNumber(id: string): number {
    let number = numbersByAuthor.get(id);
    if (number === undefined) {
      number = authors.length;
      numbersByAuthor.set(id, number);
      authors.push({ names: [], verified: false, blueVerified: false });
    }
    return number;
  }

  /** Everything that a tweet is found by, but what tells of another tweet; and its texts, to be stored. */
  function read(tweet: ArchivedTweet): TweetReading {
    const texts = textsOf(tweet).map(numbers);
    const links = linksOf(tweet).map(numbers);
    const found = new Set([...texts.flat(), ...links.flat(), terms.number(`from:${tweet.author_id}`)]);
    for (const term of ownTerms(tweet)) found.add(terms.number(term));
    for (const token of nameTexts(source.user(tweet.author_id)).flat()) found.add(terms.number(`name:${token}`));
    return { found, texts, links };
  }

  /** Finds out anew what a tweet tells of another. */
  function relate(ordinal: number, tweet = source.tweet(ordinal)): void {
    const known = related.get(ordinal) ?? noNumbers;
    const before = typeof known === 'number' ? [known] : known;
    const after = Array.from(relatedTerms(tweet, around), (term) => terms.number(term));
    for (const number of before) if (!after.includes(number)) terms.remove(number, new Set([ordinal]));
    for (const number of after) if (!before.includes(number)) terms.add(number, ordinal);
    const [only, second] = after;
    if (only === undefined) related.delete(ordinal);
    else related.set(ordinal, second === undefined ? only : after);
  }

  function locate(ordinal: number, tweet: ArchivedTweet): void {
    const point = tweetPoint(tweet);
    if (point !== undefined) points.set(ordinal, point);
    else points.delete(ordinal);
  }

  const usernameOf = (userId: string): string | undefined => source.user(userId)?.username;

  /** The terms that a term of a place or of a list stands for: those of the places that have it, or of the members. */
  function standsFor(term: string): string[] {
    if (/^(near|place_country):/.test(term)) {
      return [term, ...Array.from(source.places.withTerm(term), (id) => `place:${id}`)];
    }
    if (term.startsWith('list:')) return Array.from(source.lists.withTerm(term, usernameOf), (id) => `from:${id}`);
    return [term];
  }

  const withTerm = (term: string): PostingsIterator => listed(terms.tweets(term), chronology.ranks);
  const withAny = (names: readonly string[]): Postings => any(names.map((term) => ({ iterator: withTerm(term) })));
  const unless = <Value>(known: Value | undefined, otherwise: Value): Value =>
    known === undefined ? otherwise : known;

  /** Tweets that have tokens next to each other, in a text or in the author's name. */
  function words(tokens: readonly string[], within: 'text' | 'link'): Postings {
    const onlyLinks = within === 'link';
    const one = (token: string): Postings =>
      any([{ iterator: withTerm(token) }, ...(onlyLinks ? [] : [{ iterator: withTerm(`name:${token}`) }])]);
    const candidates = all([...new Set(tokens)].filter((token) => token !== '*').map(one));
    if (tokens.length === 1 && !onlyLinks) return candidates;
    const sequence = tokens.map((token) => (token === '*' ? anyToken : unless(terms.find(token), -2)));
    /** By author: not looked at yet, yes, no. */
    const inName = new Uint8Array(authors.length);
    const nameHas = (author: number): boolean => {
      if (inName[author] === 0)
        inName[author] = authors[author]!.names.some((name) => adjacent(name, sequence)) ? 1 : 2;
      return inName[author] === 1;
    };
    const { byRank } = chronology;
    return {
      ...candidates,
      filter: (rank) => {
        const ordinal = byRank[rank]!;
        return (
          sequences.has(handles.get(ordinal), sequence, onlyLinks) ||
          (!onlyLinks && nameHas(authorNumbers.get(ordinal)))
        );
      },
    };
  }

  const older = (isOlder: (ordinal: number) => boolean): number => chronology.count(isOlder);
  const created = (since: number, until: number): Postings => ({
    iterator: between(
      older((ordinal) => source.createdAt(ordinal) < since),
      older((ordinal) => source.createdAt(ordinal) < until),
    ),
  });
  const checked = (holds: (ordinal: number) => boolean): Postings => {
    const { byRank } = chronology;
    return { filter: (rank) => holds(byRank[rank]!) };
  };

  /** Tweets posted in any of some areas. */
  function inAreas(areas: readonly Area[]): Postings {
    if (areas.length === 0) return withAny([]);
    const { byRank } = chronology;
    const hasPoint = (point: Point | undefined): boolean =>
      point !== undefined && areas.some((area) => areaHasPoint(area, point));
    const places = Array.from(source.places.boxes()).filter(([, box]) => areas.some((area) => areaHasBox(area, box)));
    return any([
      { iterator: withTerm(exactPoint), filter: (rank) => hasPoint(points.get(byRank[rank]!)) },
      all([withAny(places.map(([id]) => `place:${id}`)), not({ iterator: withTerm(exactPoint) })]),
    ]);
  }

  /** Tweets posted near the places that have a term. */
  function near(term: string, metres: number): Postings {
    const circles = source.places.centres(term).map((centre): Area => ({ shape: 'circle', centre, metres }));
    return any([inAreas(circles), all([withAny(standsFor(term)), not({ iterator: withTerm(exactPoint) })])]);
  }

  function ids(above: bigint, upTo: bigint): Postings {
    if (upTo - above > 1n) return checked((ordinal) => source.id(ordinal) > above && source.id(ordinal) <= upTo);
    const only = source.ordinal(String(upTo));
    const rank = only === undefined ? 0 : chronology.ranks[only]!;
    return { iterator: between(rank, only === undefined ? rank : rank + 1) };
  }

  function find(condition: Condition, now: number): Postings {
    switch (condition.is) {
      case 'all':
        return all(condition.parts.map((part) => find(part, now)));
      case 'any':
        return any(condition.parts.map((part) => find(part, now)));
      case 'not':
        return not(find(condition.part, now));
      case 'words':
        return words(condition.tokens, condition.within);
      case 'term':
        return withAny(standsFor(condition.term));
      case 'person': {
        const people = new Set([condition.name, ...(authorsByUsername.get(condition.name) ?? [])]);
        return withAny(Array.from(people, (id) => `${personTerms[condition.role]}${id}`));
      }
      case 'area':
        return inAreas([condition.area]);
      case 'near':
        return near(condition.term, condition.metres);
      case 'verified':
        return checked((ordinal) => authors[authorNumbers.get(ordinal)]!.verified);
      case 'blue_verified':
        return checked((ordinal) => authors[authorNumbers.get(ordinal)]!.blueVerified);
      case 'count':
        return checked((ordinal) => source.count(ordinal, condition.count) >= condition.least);
      case 'created':
        return created(condition.since, condition.until);
      case 'recent':
        return created(now - condition.ms + 1, Number.POSITIVE_INFINITY);
      case 'ids':
        return ids(condition.above, condition.upTo);
    }
  }

  type Walked = Postings & { readonly iterator: PostingsIterator };

  function latest(found: Walked, { after, limit }: PageRequest): Page<number> {
    const [at, id] = (after === undefined ? [] : positionOf(after, 2)) as [number?, string?];
    let rank = at === undefined ? chronology.size : older((ordinal) => source.isOlder(ordinal, at, BigInt(id!)));
    const { byRank } = chronology;
    const items: number[] = [];
    while ((rank = next(found, rank - 1)) >= 0) {
      if (items.length === limit) {
        const last = items.at(-1)!;
        return { items, next: [source.createdAt(last), String(source.id(last))] };
      }
      items.push(byRank[rank]!);
    }
    return { items, next: null };
  }

  /** By engagement as it was at the first page, of the tweets that were there then; ties newest first. */
  function top(found: Walked, { after, limit }: PageRequest): Page<number> {
    const [revision = source.revision, score, at, id] = (after === undefined ? [] : positionOf(after, 4)) as [
      number?,
      number?,
      number?,
      string?,
    ];
    const { byRank } = chronology;
    const shown =
      score === undefined ? undefined : { score, rank: older((ordinal) => source.isOlder(ordinal, at!, BigInt(id!))) };
    const best = new TopK<{ rank: number; score: number }>(limit + 1, (a, b) => b.score - a.score || b.rank - a.rank);
    for (let rank = chronology.size; (rank = next(found, rank - 1)) >= 0;) {
      const ordinal = byRank[rank]!;
      const own = source.engagement(ordinal, revision);
      // Walked newest first: what is not better than the worst comes after it.
      if (best.worst !== undefined && own <= best.worst.score) continue;
      if (shown !== undefined && (own > shown.score || (own === shown.score && rank >= shown.rank))) continue;
      if (source.arrivedAt(ordinal) <= revision) best.add({ rank, score: own });
    }
    const items = best.items.slice(0, limit).map(({ rank, score }) => ({ ordinal: byRank[rank]!, score }));
    const last = items.at(-1);
    const more = best.items.length > limit && last !== undefined;
    return {
      items: items.map(({ ordinal }) => ordinal),
      next: more ? [revision, last.score, source.createdAt(last.ordinal), String(source.id(last.ordinal))] : null,
    };
  }

  return {
    frequency(term) {
      const named = terms.tweets(`name:${term}`).length;
      return standsFor(term).reduce((sum, each) => sum + terms.tweets(each).length, named);
    },

    read,

    readUser: (user) => void nameTexts(user),

    added(ordinal, reading) {
      const tweet = source.tweet(ordinal);
      const { found, texts, links } = reading ?? read(tweet);
      chronology.add(ordinal);
      handles.push(sequences.put(texts, links));
      authorNumbers.push(authorNumber(tweet.author_id));
      for (const number of found) terms.add(number, ordinal);
      if (tweet.coordinates !== undefined) locate(ordinal, tweet);
      relate(ordinal, tweet);
      // Those that told of this tweet before it was here.
      for (const key of ['in_reply_to_tweet_id', 'quoted_tweet_id', 'retweets_of_tweet_id']) {
        for (const other of terms.tweets(`${key}:${tweet.id}`)) relate(other);
      }
    },

    changed(ordinal, before, { found, texts, links }) {
      const tweet = source.tweet(ordinal);
      sequences.remove(handles.get(ordinal));
      handles.set(ordinal, sequences.put(texts, links));
      for (const number of before.found) if (!found.has(number)) terms.remove(number, new Set([ordinal]));
      for (const number of found) if (!before.found.has(number)) terms.add(number, ordinal);
      locate(ordinal, tweet);
      relate(ordinal, tweet);
    },

    userChanged(after, before) {
      const author = authors[authorNumber(after.id)]!;
      author.names = nameTexts(after).map((name) => name.map((token) => terms.number(token)));
      author.verified = after.verified === true;
      author.blueVerified = after.is_blue_verified === true;

      const tweets = terms.tweets(`from:${after.id}`).slice();
      const left = new Set(nameTexts(before).flat());
      const entered = new Set(nameTexts(after).flat());
      for (const token of left.difference(entered)) terms.remove(terms.number(`name:${token}`), new LargeSet(tweets));
      for (const token of entered.difference(left)) {
        const number = terms.number(`name:${token}`);
        for (const ordinal of tweets) terms.add(number, ordinal);
      }

      const usernames = [before?.username.toLowerCase(), after.username.toLowerCase()] as const;
      if (usernames[0] === usernames[1]) return;
      if (usernames[0] !== undefined) authorsByUsername.get(usernames[0])!.delete(after.id);
      const namesakes = authorsByUsername.get(usernames[1]) ?? new Set<string>();
      authorsByUsername.set(usernames[1], namesakes.add(after.id));
      // Who answers a username answers himself only while it is his.
      const own = new LargeSet(tweets);
      for (const username of usernames) {
        if (username !== undefined)
          for (const ordinal of terms.tweets(`to:${username}`).slice()) if (own.has(ordinal)) relate(ordinal);
      }
    },

    search(text, order, page) {
      const found = find(compileQuery(parse(text)), Date.now());
      const walked = { ...found, iterator: found.iterator ?? between(0, chronology.size) };
      return order === 'Latest' ? latest(walked, page) : top(walked, page);
    },
  };
}

/** Whether numbers stand next to each other. */
function adjacent(text: readonly number[], tokens: readonly number[]): boolean {
  for (let start = 0; start + tokens.length <= text.length; start++) {
    if (tokens.every((token, place) => token === anyToken || text[start + place] === token)) return true;
  }
  return false;
}

/** A position of so many parts, all numbers but the id at its end. */
function positionOf(position: Position, length: number): Position {
  const isOurs =
    position.length === length &&
    position.every((part, place) => typeof part === (place === length - 1 ? 'string' : 'number'));
  if (!isOurs) throw badRequest("'cursor' belongs to another order");
  return position;
}
