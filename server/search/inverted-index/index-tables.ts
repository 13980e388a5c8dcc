/** The tables of the inverted index, which the writer fills and the evaluator reads. */
import { Column } from '../../collections/column.ts';
import { IdFilter } from '../../collections/id-filter.ts';
import { LargeMap } from '../../collections/large-map.ts';
import {
  readValues,
  saveValues,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import type { Point } from '../geo.ts';
import type { TweetSource } from '../tweet-source.ts';
import { Authors } from './authors.ts';
import { ChronologicalOrder } from './chronological-order.ts';
import { TermDictionary } from './term-dictionary.ts';
import { firstToken, TokenSequences } from './token-sequences.ts';

export class IndexTables implements SavedTable {
  readonly source: TweetSource;
  readonly chronology: ChronologicalOrder;
  readonly terms: TermDictionary;
  readonly sequences = new TokenSequences();
  /** Handles of the token sequences, by ordinal. */
  readonly handles = new Column(new Uint32Array(0));
  /** The numbers of the authors, by ordinal. */
  readonly authorNumbers = new Column(new Uint32Array(0));
  readonly authors = new Authors();
  /** The ids of the tweets that a tweet of the index answers, quotes or retweets, and perhaps others. */
  readonly referred = new IdFilter();
  /** The exact points of the few tweets that have one, by ordinal. */
  readonly points = new LargeMap<number, Point>();

  constructor(source: TweetSource) {
    this.source = source;
    this.chronology = new ChronologicalOrder(source.order);
    this.terms = new TermDictionary(source.order, firstToken);
  }

  *save(): Sections {
    for (const table of this.#tables()) yield* table.save();
    yield* saveValues(this.points);
  }

  load(reader: SectionReader): void {
    for (const table of this.#tables()) table.load(reader);
    for (const [ordinal, point] of readValues<[number, Point]>(reader)) this.points.set(ordinal, point);
  }

  #tables(): SavedTable[] {
    const { chronology, terms, sequences, handles, authorNumbers, authors, referred } = this;
    return [chronology, terms, sequences, handles, authorNumbers, authors, referred];
  }

  /** Expands a place term to the ids of the places that have it, and a list term to the ids of the list's members. */
  expandTerm(term: string): string[] {
    const { places, lists } = this.source;
    if (/^(near|place_country):/.test(term)) {
      return [term, ...Array.from(places.withTerm(term), (id) => `place:${id}`)];
    }
    if (term.startsWith('list:')) {
      const usernameOf = (userId: string): string | undefined => this.source.user(userId)?.username;
      return Array.from(lists.withTerm(term, usernameOf), (id) => `from:${id}`);
    }
    return [term];
  }
}
