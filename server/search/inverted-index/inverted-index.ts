/**
 * The inverted index: for each token, tag and author the tweets that have it, in chronological order. A query becomes a
 * composition of postings that is iterated newest first, so the cost of the first page depends on the results that it
 * shows. The results are the same as those of evaluate.ts.
 */
import { LargeSet } from '../../collections/large-map.ts';
import type { SavedTable, SectionReader, Sections } from '../../collections/saved-table.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import type { AuthorMemo } from '../../domain/author-memo.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { contextFrom, nameTexts, refersToTweet, relatedTerms, tweetPoint, type DocumentContext } from '../document.ts';
import { compileQuery } from '../language/compile.ts';
import type { Query } from '../language/syntax-tree.ts';
import { minEngagement } from '../engagement.ts';
import type { TweetIndex } from '../tweet-index.ts';
import type { TweetPlace, TweetSource } from '../tweet-source.ts';
import { EngagementTiers } from './engagement-tiers.ts';
import { Evaluator } from './evaluator.ts';
import { IndexTables } from './index-tables.ts';
import { rankRange, type Postings } from './postings.ts';
import { RelatedTerms } from './related-terms.ts';
import { latestPage, topPage } from './result-pages.ts';
import { Sweeper } from './sweeper.ts';
import type { PreparedReading } from './term-batch.ts';
import { TweetReader, type TweetReading } from './tweet-reader.ts';

/** The terms by which a tweet that arrives finds the tweets that refer to it. */
const referringTerms = ['in_reply_to_tweet_id', 'quoted_tweet_id', 'retweets_of_tweet_id'] as const;

const noTerms: readonly number[] = [];

/** The maximum number of bits for each tweet in the filter of the tweets that others refer to. */
const maxFilterBits = 16;

export class InvertedIndex implements TweetIndex, SavedTable {
  readonly #source: TweetSource;
  readonly #tables: IndexTables;
  readonly #reader: TweetReader;
  readonly #context: DocumentContext;
  /** The numbers of the terms that depend on another tweet. */
  readonly #related = new RelatedTerms();
  /** The terms of the names of authors that were read, since terms were last removed. A profile that changes is another object. */
  #namesRead = { removals: 0, byAuthor: new WeakMap<ArchivedUser, readonly number[]>() };

  readonly #sweeper: Sweeper;
  readonly #tiers: EngagementTiers;

  /**
   * `onSwept`: the index has no entry of the tweets of the first `removals` calls of `removed` any more, so their ordinals can be
   * used again.
   */
  constructor(source: TweetSource, onSwept: (removals: number) => void = () => {}) {
    this.#source = source;
    this.#tables = new IndexTables(source);
    const { chronology, terms } = this.#tables;
    this.#reader = new TweetReader(terms);
    this.#tiers = new EngagementTiers(source, chronology);
    this.#sweeper = new Sweeper(terms, source, {
      sweepOrder: (isCovered, max) => {
        if (!chronology.sweep(isCovered, max)) return false;
        this.#tiers.sweep((ordinal) => source.isGone(ordinal));
        return true;
      },
      swept: onSwept,
    });
    this.#context = contextFrom(source);
  }

  /** See `TermDictionary`. */
  set isBulkLoading(isOn: boolean) {
    this.#tables.terms.isBulkLoading = isOn;
  }

  frequency(term: string): number {
    const { terms } = this.#tables;
    const count = (each: string): number =>
      this.#sweeper.isClean ? terms.tweets(each).length : this.#living(each).length;
    return this.#tables.expandTerm(term).reduce((sum, each) => sum + count(each), count(`name:${term}`));
  }

  read(tweet: ArchivedTweet): TweetReading {
    const names = this.#nameTerms(this.#source.user(tweet.author_id));
    const { terms, sequence } = this.#reader.read(tweet);
    return { terms: names.length === 0 ? terms : terms.concat(names), sequence };
  }

  readPrepared(prepared: PreparedReading, user: ArchivedUser | undefined, author: AuthorMemo): TweetReading {
    const { terms } = this.#tables;
    if (author.named !== user || author.nameTermsVersion !== terms.removals) {
      author.nameTerms = user === undefined ? noTerms : this.#reader.readNames(user);
      [author.named, author.nameTermsVersion] = [user, terms.removals];
    }
    return prepared.of(terms, author.nameTerms);
  }

  /** The numbers of the terms of an author's names. */
  #nameTerms(author: ArchivedUser | undefined): readonly number[] {
    if (author === undefined) return noTerms;
    const { terms } = this.#tables;
    if (this.#namesRead.removals !== terms.removals)
      this.#namesRead = { removals: terms.removals, byAuthor: new WeakMap() };
    const { byAuthor } = this.#namesRead;
    let numbers = byAuthor.get(author);
    if (numbers === undefined) byAuthor.set(author, (numbers = this.#reader.readNames(author)));
    return numbers;
  }

  readUser(user: ArchivedUser): void {
    nameTexts(user);
  }

  added(
    ordinal: number,
    tweet: TweetHead,
    { terms: numbers, sequence }: TweetReading,
    isNewest: boolean,
    author?: AuthorMemo,
  ): void {
    const { chronology, handles, sequences, authorNumbers, authors, terms } = this.#tables;
    chronology.add(ordinal, isNewest);
    handles.put(ordinal, sequences.put(sequence));
    authorNumbers.put(ordinal, author === undefined ? authors.number(tweet.author_id) : authors.numberOf(author));
    for (const number of numbers) terms.add(number, ordinal, isNewest);
    if (tweet.coordinates !== undefined) this.#updatePoint(ordinal, tweet);
    this.#updateRelatedTerms(ordinal, tweet);
    this.#tiers.changed(ordinal);
    // Tweets that refer to this tweet and arrived before it.
    this.authorChanged(tweet.id);
  }

  removed(ordinal: number): void {
    const { handles, sequences, points } = this.#tables;
    this.#related.set(ordinal, []);
    points.delete(ordinal);
    sequences.remove(handles.get(ordinal));
    this.#sweeper.removed(ordinal);
  }

  authorChanged(tweetId: string): void {
    if (!this.#tables.referred.mayHave(tweetId)) return;
    for (const key of referringTerms)
      for (const ordinal of this.#living(`${key}:${tweetId}`)) this.#updateRelatedTerms(ordinal);
  }

  retweetsOf(tweetId: string): number[] {
    return this.#living(`retweets_of_tweet_id:${tweetId}`);
  }

  changed(ordinal: number, before: TweetReading, after: TweetReading): void {
    const { handles, sequences, terms } = this.#tables;
    const tweet = this.#source.tweet(ordinal);
    sequences.remove(handles.get(ordinal));
    handles.set(ordinal, sequences.put(after.sequence));
    const [numbersBefore, numbersAfter] = [new Set(before.terms), new Set(after.terms)];
    for (const number of numbersBefore.difference(numbersAfter)) terms.removeOne(number, ordinal);
    for (const number of numbersAfter.difference(numbersBefore)) terms.add(number, ordinal);
    this.#updatePoint(ordinal, tweet);
    this.#updateRelatedTerms(ordinal, tweet);
  }

  countsChanged(ordinal: number): void {
    this.#tiers.changed(ordinal);
  }

  userChanged(after: ArchivedUser, before: ArchivedUser | undefined): void {
    const { authors, terms } = this.#tables;
    const author = authors.at(authors.number(after.id));
    terms.releaseName(author.names.flat());
    author.names = nameTexts(after).map((name) => name.map((token) => terms.number(token)));
    terms.keepName(author.names.flat());
    author.verified = after.verified === true;
    author.blueVerified = after.is_blue_verified === true;
    const tweets = this.#living(`from:${after.id}`);
    this.#updateNames(tweets, after, before);
    const usernames = [before?.username.toLowerCase(), after.username.toLowerCase()] as const;
    if (usernames[0] === usernames[1]) return;
    authors.rename(after.id, ...usernames);
    // A reply to a username is a self-reply only while the author has that username.
    const authored = new LargeSet(tweets);
    for (const username of usernames) {
      if (username === undefined) continue;
      for (const ordinal of this.#living(`to:${username}`))
        if (authored.has(ordinal)) this.#updateRelatedTerms(ordinal);
    }
  }

  get authorCount(): number {
    return this.#tables.authors.count;
  }

  userForgotten(userId: string): void {
    const { authors, terms } = this.#tables;
    terms.releaseName(authors.forget(userId)?.names.flat() ?? []);
  }

  search(query: Query, order: 'Latest' | 'Top', page: PageRequest): Page<number> {
    const { chronology } = this.#tables;
    const condition = compileQuery(query);
    const now = Date.now();
    const postings = (maxSeeks?: number): Postings & Required<Pick<Postings, 'iterator'>> => {
      const matching = new Evaluator(this.#tables, now, maxSeeks).evaluate(condition);
      return { ...matching, iterator: matching.iterator ?? rankRange(0, chronology.size) };
    };
    const tweets = { source: this.#source, chronology };
    return order === 'Latest'
      ? latestPage({ ...tweets, postings: postings() }, page)
      : topPage({ ...tweets, postings, tiers: this.#tiers, minEngagement: minEngagement(condition) }, page);
  }

  prepareTop(): Promise<void> | undefined {
    return this.#tiers.prepare();
  }

  oldest(after: TweetPlace | undefined, limit: number): number[] {
    const { byRank } = this.#tables.chronology;
    const found: number[] = [];
    for (let rank = this.#tables.chronology.countUpTo(this.#source, after); rank < byRank.length; rank++) {
      if (found.length === limit) break;
      if (!this.#source.isGone(byRank[rank]!)) found.push(byRank[rank]!);
    }
    return found;
  }

  /** Removes what is gone from all tables, as `Sweeper.sweepAll`. */
  sweepAll(): Iterable<void> {
    return this.#sweeper.sweepAll();
  }

  *save(): Sections {
    for (const table of [this.#tables, this.#related, this.#sweeper]) yield* table.save();
  }

  load(reader: SectionReader): void {
    for (const table of [this.#tables, this.#related, this.#sweeper]) table.load(reader);
  }

  /** Updates the `name:` terms of an author's tweets. */
  #updateNames(tweets: readonly number[], after: ArchivedUser, before: ArchivedUser | undefined): void {
    const { terms } = this.#tables;
    const removedTokens = new Set(nameTexts(before).flat());
    const addedTokens = new Set(nameTexts(after).flat());
    for (const token of removedTokens.difference(addedTokens))
      terms.remove(terms.number(`name:${token}`), new LargeSet(tweets));
    for (const token of addedTokens.difference(removedTokens)) {
      const number = terms.number(`name:${token}`);
      for (const ordinal of tweets) terms.add(number, ordinal);
    }
  }

  /** Computes the terms that depend on another tweet again, and updates the postings. */
  #updateRelatedTerms(ordinal: number, tweet: TweetHead = this.#source.tweet(ordinal)): void {
    const { terms, referred } = this.#tables;
    const before = this.#related.get(ordinal);
    let after = noTerms;
    if (refersToTweet(tweet)) {
      for (const id of [tweet.in_reply_to_id, tweet.quoted_tweet_id, tweet.retweeted_tweet_id])
        if (id !== undefined) referred.add(id, maxFilterBits * this.#source.ordinalCount);
      after = Array.from(relatedTerms(tweet, this.#context), (term) => terms.number(term));
    }
    for (const number of before) if (!after.includes(number)) terms.removeOne(number, ordinal);
    for (const number of after) if (!before.includes(number)) terms.add(number, ordinal);
    this.#related.set(ordinal, after);
  }

  /** The tweets that have a term, without those that are gone. */
  #living(term: string): number[] {
    const ordinals = this.#tables.terms.tweets(term);
    return ordinals.length === 0 ? [] : Array.from(ordinals).filter((ordinal) => !this.#source.isGone(ordinal));
  }

  #updatePoint(ordinal: number, tweet: TweetHead): void {
    const point = tweetPoint(tweet);
    if (point !== undefined) this.#tables.points.set(ordinal, point);
    else this.#tables.points.delete(ordinal);
  }
}
