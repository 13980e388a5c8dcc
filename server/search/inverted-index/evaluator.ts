/** Evaluates a condition with the tables of the index: the result is a composition of postings. */
import { areaContainsBox, areaContainsPoint, type Area, type Point } from '../geo.ts';
import { exactPoint, type Condition } from '../language/condition.ts';
import type { IndexTables } from './index-tables.ts';
import { all, any, not, ordinalIterator, rankRange, type Postings, type PostingsIterator } from './postings.ts';
import { anyToken } from './token-sequences.ts';

/** The prefix of a term that holds the id of a person. */
const personTermPrefixes = { author: 'from:', retweeted: 'retweets_of:', answered: 'answers:' } as const;
/** The number of a token that no tweet has. */
const unknownToken = -2;

/** For one search: it reads the tables as they are, and the tables must not change before the search ends. */
export class Evaluator {
  readonly #tables: IndexTables;
  /** Milliseconds since the epoch. */
  readonly #now: number;
  readonly #maxSeeks: number | undefined;

  /** `maxSeeks`: an upper bound of the ranks that the caller asks the postings for, if it knows one. */
  constructor(tables: IndexTables, now: number, maxSeeks?: number) {
    this.#tables = tables;
    this.#now = now;
    this.#maxSeeks = maxSeeks;
  }

  evaluate(condition: Condition): Postings {
    const { source, authors, authorNumbers } = this.#tables;
    switch (condition.is) {
      case 'all':
        return all(condition.parts.map((part) => this.evaluate(part)));
      case 'any':
        return this.#any(condition.parts.map((part) => this.evaluate(part)));
      case 'not':
        return not(this.evaluate(condition.part));
      case 'words':
        return this.#words(condition.tokens, condition.within);
      case 'term':
        return this.#withAny(this.#tables.expandTerm(condition.term));
      case 'person': {
        const people = new Set([condition.name, ...authors.withUsername(condition.name)]);
        return this.#withAny(Array.from(people, (id) => `${personTermPrefixes[condition.role]}${id}`));
      }
      case 'area':
        return this.#inAreas([condition.area]);
      case 'near':
        return this.#near(condition.term, condition.metres);
      case 'verified':
        return this.#filtered((ordinal) => authors.at(authorNumbers.get(ordinal)).verified);
      case 'blue_verified':
        return this.#filtered((ordinal) => authors.at(authorNumbers.get(ordinal)).blueVerified);
      case 'count':
        return this.#filtered((ordinal) => source.count(ordinal, condition.count) >= condition.min);
      case 'created':
        return this.#createdBetween(condition.since, condition.until);
      case 'recent':
        return this.#createdBetween(this.#now - condition.ms + 1, Number.POSITIVE_INFINITY);
      case 'ids':
        return this.#ids(condition.above, condition.upTo);
    }
  }

  #withTerm(term: string): PostingsIterator {
    return ordinalIterator(this.#tables.terms.tweets(term), this.#tables.chronology.ranks);
  }

  #withAny(terms: readonly string[]): Postings {
    return this.#any(terms.map((term) => ({ iterator: this.#withTerm(term) })));
  }

  #any(parts: readonly Postings[]): Postings {
    return any(parts, this.#maxSeeks);
  }

  #filtered(holds: (ordinal: number) => boolean): Postings {
    const { byRank } = this.#tables.chronology;
    return { filter: (rank) => holds(byRank[rank]!) };
  }

  /** Tweets that contain the tokens in sequence, in a text, a link or the author's name. */
  #words(tokens: readonly string[], within: 'text' | 'link'): Postings {
    const { terms, sequences, handles, authorNumbers } = this.#tables;
    const onlyLinks = within === 'link';
    const one = (token: string): Postings =>
      any([{ iterator: this.#withTerm(token) }, ...(onlyLinks ? [] : [{ iterator: this.#withTerm(`name:${token}`) }])]);
    const candidates = all([...new Set(tokens)].filter((token) => token !== '*').map(one));
    if (tokens.length === 1 && !onlyLinks) return candidates;
    const sequence = tokens.map((token) => (token === '*' ? anyToken : (terms.find(token) ?? unknownToken)));
    // Most phrases have a token that no name has.
    const mayBeName = !onlyLinks && tokens.every((token) => token === '*' || terms.tweets(`name:${token}`).length > 0);
    const nameHas = mayBeName ? this.#nameFilter(sequence) : undefined;
    const { byRank } = this.#tables.chronology;
    return {
      ...candidates,
      filter: (rank) => {
        const ordinal = byRank[rank]!;
        return (
          sequences.has(handles.get(ordinal), sequence, onlyLinks) || nameHas?.(authorNumbers.get(ordinal)) === true
        );
      },
    };
  }

  /** Whether a name of an author contains the tokens in sequence. */
  #nameFilter(sequence: readonly number[]): (author: number) => boolean {
    const { authors } = this.#tables;
    /** Cached result by author: 0 not computed, 1 match, 2 no match. */
    let inName: Uint8Array | undefined;
    return (author) => {
      inName ??= new Uint8Array(authors.size);
      if (inName[author] === 0)
        inName[author] = authors.at(author).names.some((name) => adjacent(name, sequence)) ? 1 : 2;
      return inName[author] === 1;
    };
  }

  #createdBetween(since: number, until: number): Postings {
    const { chronology, source } = this.#tables;
    return {
      iterator: rankRange(
        chronology.count((ordinal) => source.createdAt(ordinal) < since),
        chronology.count((ordinal) => source.createdAt(ordinal) < until),
      ),
    };
  }

  /** Tweets that were posted in one of the areas. */
  #inAreas(areas: readonly Area[]): Postings {
    if (areas.length === 0) return this.#withAny([]);
    const { points, source, chronology } = this.#tables;
    const { byRank } = chronology;
    const hasPoint = (point: Point | undefined): boolean =>
      point !== undefined && areas.some((area) => areaContainsPoint(area, point));
    const places = Array.from(source.places.boxes()).filter(([, box]) =>
      areas.some((area) => areaContainsBox(area, box)),
    );
    return this.#any([
      { iterator: this.#withTerm(exactPoint), filter: (rank) => hasPoint(points.get(byRank[rank]!)) },
      all([this.#withAny(places.map(([id]) => `place:${id}`)), not({ iterator: this.#withTerm(exactPoint) })]),
    ]);
  }

  /** Tweets that were posted near the places that have a term. */
  #near(term: string, metres: number): Postings {
    const { source } = this.#tables;
    const circles = source.places.centres(term).map((centre): Area => ({ shape: 'circle', centre, metres }));
    return this.#any([
      this.#inAreas(circles),
      all([this.#withAny(this.#tables.expandTerm(term)), not({ iterator: this.#withTerm(exactPoint) })]),
    ]);
  }

  #ids(above: bigint, upTo: bigint): Postings {
    const { source, chronology } = this.#tables;
    if (upTo - above > 1n) return this.#filtered((ordinal) => source.id(ordinal) > above && source.id(ordinal) <= upTo);
    const ordinal = source.ordinal(String(upTo));
    const rank = ordinal === undefined ? 0 : chronology.ranks[ordinal]!;
    return { iterator: rankRange(rank, ordinal === undefined ? rank : rank + 1) };
  }
}

/** Whether the text contains the tokens in sequence. */
function adjacent(text: readonly number[], tokens: readonly number[]): boolean {
  for (let start = 0; start + tokens.length <= text.length; start++) {
    if (tokens.every((token, place) => token === anyToken || text[start + place] === token)) return true;
  }
  return false;
}
