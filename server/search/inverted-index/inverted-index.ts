/**
 * The inverted index: for each token, tag and author the tweets that have it, in chronological order. A query becomes a
 * composition of postings that is iterated newest first, so the cost of the first page depends on the results that it
 * shows. The results are the same as those of evaluate.ts.
 */
import { TopK } from '../../collections/top-k.ts';
import { Column } from '../../collections/column.ts';
import { LargeMap, LargeSet } from '../../collections/large-map.ts';
import type { ArchivedTweet } from '../../platforms/archive/records.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest, Position } from '../../contract/page.ts';
import { ChronologicalOrder } from './chronological-order.ts';
import { exactPoint, type Condition } from '../language/condition.ts';
import { linkTexts, nameTexts, ownTerms, relatedTerms, contextFrom, textsOf, tweetPoint } from '../document.ts';
import { areaContainsBox, areaContainsPoint, type Area, type Point } from '../geo.ts';
import { compileQuery } from '../language/compile.ts';
import { all, any, rankRange, ordinalIterator, next, not, type Postings, type PostingsIterator } from './postings.ts';
import { anyToken, firstToken, TokenSequences } from './token-sequences.ts';
import type { TweetIndex, TweetReading, TweetSource } from '../tweet-index.ts';
import { TermDictionary } from './term-dictionary.ts';
import { tokensOf } from '../language/tokenizer.ts';

/** The indexed properties of an author. */
interface Author {
  /** The display name and the username, each as the numbers of its tokens. */
  names: number[][];
  verified: boolean;
  blueVerified: boolean;
}

const noNumbers: readonly number[] = [];
/** The prefix of a term that holds the id of a person. */
const personTermPrefixes = { author: 'from:', retweeted: 'retweets_of:', answered: 'answers:' } as const;

export function createInvertedIndex(source: TweetSource): TweetIndex {
  const chronology = new ChronologicalOrder(source.order);
  const terms = new TermDictionary(source.order, firstToken);
  const sequences = new TokenSequences();
  /** Handles of the token sequences, by ordinal. */
  const handles = new Column(new Uint32Array(0));
  const authorNumbers = new Column(new Uint32Array(0));
  const authors: Author[] = [];
  const numbersByAuthor = new LargeMap<string, number>();
  const authorsByUsername = new LargeMap<string, Set<string>>();
  /** By ordinal, the numbers of the terms that depend on another tweet. Most tweets have at most one. */
  const related = new LargeMap<number, number | readonly number[]>();
  /** The exact points of the few tweets that have one, by ordinal. */
  const points = new LargeMap<number, Point>();
  const context = contextFrom(source);

  const termNumbers = (text: string): number[] => tokensOf(text).map((token) => terms.number(token));

  function authorNumber(id: string): number {
    let number = numbersByAuthor.get(id);
    if (number === undefined) {
      number = authors.length;
      numbersByAuthor.set(id, number);
      authors.push({ names: [], verified: false, blueVerified: false });
    }
    return number;
  }

  /** All terms of a tweet, except those that depend on another tweet, and its token sequences. */
  function read(tweet: ArchivedTweet): TweetReading {
    const texts = textsOf(tweet).map(termNumbers);
    const links = linkTexts(tweet).map(termNumbers);
    const ownTermNumbers = new Set([...texts.flat(), ...links.flat(), terms.number(`from:${tweet.author_id}`)]);
    for (const term of ownTerms(tweet)) ownTermNumbers.add(terms.number(term));
    for (const token of nameTexts(source.user(tweet.author_id)).flat())
      ownTermNumbers.add(terms.number(`name:${token}`));
    return { terms: ownTermNumbers, texts, links };
  }

  /** Computes the terms that depend on another tweet again, and updates the postings. */
  function updateRelatedTerms(ordinal: number, tweet = source.tweet(ordinal)): void {
    const stored = related.get(ordinal) ?? noNumbers;
    const before = typeof stored === 'number' ? [stored] : stored;
    const after = Array.from(relatedTerms(tweet, context), (term) => terms.number(term));
    for (const number of before) if (!after.includes(number)) terms.remove(number, new Set([ordinal]));
    for (const number of after) if (!before.includes(number)) terms.add(number, ordinal);
    const [only, second] = after;
    if (only === undefined) related.delete(ordinal);
    else related.set(ordinal, second === undefined ? only : after);
  }

  function updatePoint(ordinal: number, tweet: ArchivedTweet): void {
    const point = tweetPoint(tweet);
    if (point !== undefined) points.set(ordinal, point);
    else points.delete(ordinal);
  }

  const usernameOf = (userId: string): string | undefined => source.user(userId)?.username;

  /** Expands a place term to the ids of the places that have it, and a list term to the ids of the list's members. */
  function expandTerm(term: string): string[] {
    if (/^(near|place_country):/.test(term)) {
      return [term, ...Array.from(source.places.withTerm(term), (id) => `place:${id}`)];
    }
    if (term.startsWith('list:')) return Array.from(source.lists.withTerm(term, usernameOf), (id) => `from:${id}`);
    return [term];
  }

  const withTerm = (term: string): PostingsIterator => ordinalIterator(terms.tweets(term), chronology.ranks);
  const withAny = (names: readonly string[]): Postings => any(names.map((term) => ({ iterator: withTerm(term) })));
  const valueOr = <Value>(value: Value | undefined, fallback: Value): Value => (value === undefined ? fallback : value);

  /** Tweets that contain the tokens in sequence, in a text, a link or the author's name. */
  function words(tokens: readonly string[], within: 'text' | 'link'): Postings {
    const onlyLinks = within === 'link';
    const one = (token: string): Postings =>
      any([{ iterator: withTerm(token) }, ...(onlyLinks ? [] : [{ iterator: withTerm(`name:${token}`) }])]);
    const candidates = all([...new Set(tokens)].filter((token) => token !== '*').map(one));
    if (tokens.length === 1 && !onlyLinks) return candidates;
    const sequence = tokens.map((token) => (token === '*' ? anyToken : valueOr(terms.find(token), -2)));
    /** Cached result by author: 0 not computed, 1 match, 2 no match. */
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

  const countOlder = (isOlder: (ordinal: number) => boolean): number => chronology.count(isOlder);
  const createdBetween = (since: number, until: number): Postings => ({
    iterator: rankRange(
      countOlder((ordinal) => source.createdAt(ordinal) < since),
      countOlder((ordinal) => source.createdAt(ordinal) < until),
    ),
  });
  const filtered = (holds: (ordinal: number) => boolean): Postings => {
    const { byRank } = chronology;
    return { filter: (rank) => holds(byRank[rank]!) };
  };

  /** Tweets that were posted in one of the areas. */
  function inAreas(areas: readonly Area[]): Postings {
    if (areas.length === 0) return withAny([]);
    const { byRank } = chronology;
    const hasPoint = (point: Point | undefined): boolean =>
      point !== undefined && areas.some((area) => areaContainsPoint(area, point));
    const places = Array.from(source.places.boxes()).filter(([, box]) =>
      areas.some((area) => areaContainsBox(area, box)),
    );
    return any([
      { iterator: withTerm(exactPoint), filter: (rank) => hasPoint(points.get(byRank[rank]!)) },
      all([withAny(places.map(([id]) => `place:${id}`)), not({ iterator: withTerm(exactPoint) })]),
    ]);
  }

  /** Tweets that were posted near the places that have a term. */
  function near(term: string, metres: number): Postings {
    const circles = source.places.centres(term).map((centre): Area => ({ shape: 'circle', centre, metres }));
    return any([inAreas(circles), all([withAny(expandTerm(term)), not({ iterator: withTerm(exactPoint) })])]);
  }

  function ids(above: bigint, upTo: bigint): Postings {
    if (upTo - above > 1n) return filtered((ordinal) => source.id(ordinal) > above && source.id(ordinal) <= upTo);
    const ordinal = source.ordinal(String(upTo));
    const rank = ordinal === undefined ? 0 : chronology.ranks[ordinal]!;
    return { iterator: rankRange(rank, ordinal === undefined ? rank : rank + 1) };
  }

  function evaluate(condition: Condition, now: number): Postings {
    switch (condition.is) {
      case 'all':
        return all(condition.parts.map((part) => evaluate(part, now)));
      case 'any':
        return any(condition.parts.map((part) => evaluate(part, now)));
      case 'not':
        return not(evaluate(condition.part, now));
      case 'words':
        return words(condition.tokens, condition.within);
      case 'term':
        return withAny(expandTerm(condition.term));
      case 'person': {
        const people = new Set([condition.name, ...(authorsByUsername.get(condition.name) ?? [])]);
        return withAny(Array.from(people, (id) => `${personTermPrefixes[condition.role]}${id}`));
      }
      case 'area':
        return inAreas([condition.area]);
      case 'near':
        return near(condition.term, condition.metres);
      case 'verified':
        return filtered((ordinal) => authors[authorNumbers.get(ordinal)]!.verified);
      case 'blue_verified':
        return filtered((ordinal) => authors[authorNumbers.get(ordinal)]!.blueVerified);
      case 'count':
        return filtered((ordinal) => source.count(ordinal, condition.count) >= condition.min);
      case 'created':
        return createdBetween(condition.since, condition.until);
      case 'recent':
        return createdBetween(now - condition.ms + 1, Number.POSITIVE_INFINITY);
      case 'ids':
        return ids(condition.above, condition.upTo);
    }
  }

  type IterablePostings = Postings & { readonly iterator: PostingsIterator };

  function latest(postings: IterablePostings, { after, limit }: PageRequest): Page<number> {
    const [at, id] = (after === undefined ? [] : parsePosition(after, 2)) as [number?, string?];
    let rank = at === undefined ? chronology.size : countOlder((ordinal) => source.isOlder(ordinal, at, BigInt(id!)));
    const { byRank } = chronology;
    const items: number[] = [];
    while ((rank = next(postings, rank - 1)) >= 0) {
      if (items.length === limit) {
        const last = items.at(-1)!;
        return { items, next: [source.createdAt(last), String(source.id(last))] };
      }
      items.push(byRank[rank]!);
    }
    return { items, next: null };
  }

  /**
   * Sorts by the engagement at the time of the first page and ignores tweets that arrived later; the newer tweet wins a
   * tie.
   */
  function top(postings: IterablePostings, { after, limit }: PageRequest): Page<number> {
    const [revision = source.revision, score, at, id] = (after === undefined ? [] : parsePosition(after, 4)) as [
      number?,
      number?,
      number?,
      string?,
    ];
    const { byRank } = chronology;
    const lastShown =
      score === undefined
        ? undefined
        : { score, rank: countOlder((ordinal) => source.isOlder(ordinal, at!, BigInt(id!))) };
    const best = new TopK<{ rank: number; score: number }>(limit + 1, (a, b) => b.score - a.score || b.rank - a.rank);
    for (let rank = chronology.size; (rank = next(postings, rank - 1)) >= 0;) {
      const ordinal = byRank[rank]!;
      const engagement = source.engagement(ordinal, revision);
      // The iteration is newest first, so a tweet with the same score as the worst result ranks after it.
      if (best.worst !== undefined && engagement <= best.worst.score) continue;
      if (
        lastShown !== undefined &&
        (engagement > lastShown.score || (engagement === lastShown.score && rank >= lastShown.rank))
      )
        continue;
      if (source.arrivedAt(ordinal) <= revision) best.add({ rank, score: engagement });
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
      return expandTerm(term).reduce((sum, each) => sum + terms.tweets(each).length, named);
    },

    read,

    readUser: (user) => void nameTexts(user),

    added(ordinal, reading) {
      const tweet = source.tweet(ordinal);
      const { terms: numbers, texts, links } = reading ?? read(tweet);
      chronology.add(ordinal);
      handles.push(sequences.put(texts, links));
      authorNumbers.push(authorNumber(tweet.author_id));
      for (const number of numbers) terms.add(number, ordinal);
      if (tweet.coordinates !== undefined) updatePoint(ordinal, tweet);
      updateRelatedTerms(ordinal, tweet);
      // Tweets that refer to this tweet and arrived before it.
      for (const key of ['in_reply_to_tweet_id', 'quoted_tweet_id', 'retweets_of_tweet_id']) {
        for (const other of terms.tweets(`${key}:${tweet.id}`)) updateRelatedTerms(other);
      }
    },

    changed(ordinal, before, { terms: numbers, texts, links }) {
      const tweet = source.tweet(ordinal);
      sequences.remove(handles.get(ordinal));
      handles.set(ordinal, sequences.put(texts, links));
      for (const number of before.terms) if (!numbers.has(number)) terms.remove(number, new Set([ordinal]));
      for (const number of numbers) if (!before.terms.has(number)) terms.add(number, ordinal);
      updatePoint(ordinal, tweet);
      updateRelatedTerms(ordinal, tweet);
    },

    userChanged(after, before) {
      const author = authors[authorNumber(after.id)]!;
      author.names = nameTexts(after).map((name) => name.map((token) => terms.number(token)));
      author.verified = after.verified === true;
      author.blueVerified = after.is_blue_verified === true;

      const tweets = terms.tweets(`from:${after.id}`).slice();
      const removedTokens = new Set(nameTexts(before).flat());
      const addedTokens = new Set(nameTexts(after).flat());
      for (const token of removedTokens.difference(addedTokens))
        terms.remove(terms.number(`name:${token}`), new LargeSet(tweets));
      for (const token of addedTokens.difference(removedTokens)) {
        const number = terms.number(`name:${token}`);
        for (const ordinal of tweets) terms.add(number, ordinal);
      }

      const usernames = [before?.username.toLowerCase(), after.username.toLowerCase()] as const;
      if (usernames[0] === usernames[1]) return;
      if (usernames[0] !== undefined) authorsByUsername.get(usernames[0])!.delete(after.id);
      const namesakes = authorsByUsername.get(usernames[1]) ?? new Set<string>();
      authorsByUsername.set(usernames[1], namesakes.add(after.id));
      // A reply to a username is a self-reply only while the author has that username.
      const authored = new LargeSet(tweets);
      for (const username of usernames) {
        if (username !== undefined)
          for (const ordinal of terms.tweets(`to:${username}`).slice())
            if (authored.has(ordinal)) updateRelatedTerms(ordinal);
      }
    },

    search(query, order, page) {
      const postings = evaluate(compileQuery(query), Date.now());
      const iterable = { ...postings, iterator: postings.iterator ?? rankRange(0, chronology.size) };
      return order === 'Latest' ? latest(iterable, page) : top(iterable, page);
    },
  };
}

/** Whether the text contains the tokens in sequence. */
function adjacent(text: readonly number[], tokens: readonly number[]): boolean {
  for (let start = 0; start + tokens.length <= text.length; start++) {
    if (tokens.every((token, place) => token === anyToken || text[start + place] === token)) return true;
  }
  return false;
}

/**
 * Checks that a position has `length` parts, all of them numbers except the id at the end. Throws ServiceError 400
 * otherwise.
 */
function parsePosition(position: Position, length: number): Position {
  const isValid =
    position.length === length &&
    position.every((part, place) => typeof part === (place === length - 1 ? 'string' : 'number'));
  if (!isValid) throw badRequest("'cursor' belongs to another order");
  return position;
}
