/**
 * The index: for each token, tag and author the tweets that have it, in order of time. A query becomes a composition of such
 * lists that is walked newest first, so that the first page costs by what it shows. Phrases and what stands next to what are
 * checked against the text of the candidates: that costs a few microseconds each and saves keeping every position.
 */
import type { ArchivedTweet, ArchivedUser } from '../archive/records.ts';
import { Timeline } from '../archive/timeline.ts';
import { badRequest } from '../errors.ts';
import type { Page, PageRequest, Position } from '../platforms/platform.ts';
import { parse } from './parse.ts';
import { all, any, endOfTime, listed, newestFirst, single, within, without, type Postings } from './postings.ts';
import { featuresOf } from './features.ts';
import { nativeRetweet, wantsRetweets, type Query } from './query.ts';
import { tests } from './tests.ts';
import { tokensOf } from './tokens.ts';
import type { TweetIndex, TweetSource } from './search.ts';

/** The links of a tweet, as they stand in it and as they lead on. */
function* linksOf(tweet: ArchivedTweet): Generator<string, void> {
  for (const { url, display_url } of tweet.entities?.urls ?? []) {
    yield url;
    yield display_url;
  }
  yield* tweet.expanded_urls ?? [];
  for (const { expanded_url } of tweet.media ?? []) if (expanded_url !== undefined) yield expanded_url;
  if (tweet.card !== undefined) yield tweet.card.url;
}

/** The texts of a tweet in which a word is looked for. */
function* textsOf(tweet: ArchivedTweet): Generator<string, void> {
  yield tweet.text;
  yield* linksOf(tweet);
  if (tweet.article !== undefined) {
    yield tweet.article.title;
    yield tweet.article.text;
  }
}

const nameTokens = (user: ArchivedUser | undefined): Set<string> =>
  new Set(user === undefined ? [] : [...tokensOf(user.name ?? ''), ...tokensOf(user.username)]);

/** Everything that a tweet is found by: its tokens, and its features behind their sign. */
const termsOf = (tweet: ArchivedTweet): Set<string> => new Set([...[...textsOf(tweet)].flatMap(tokensOf), ...featuresOf(tweet)]);

/** Whether the tokens stand next to each other in a text; `*` is any one. */
function adjacentIn(text: string, tokens: readonly string[]): boolean {
  const found = tokensOf(text);
  for (let start = 0; start + tokens.length <= found.length; start++) {
    if (tokens.every((token, place) => token === '*' || found[start + place] === token)) return true;
  }
  return false;
}

export function createTweetIndex(source: TweetSource): TweetIndex {
  const terms = new Map<string, Timeline>();
  const everything = new Timeline();
  const authorsByToken = new Map<string, Set<string>>();
  const idsByUsername = new Map<string, string>();

  function place(ordinal: number, found: Iterable<string>): void {
    for (const term of found) {
      let timeline = terms.get(term);
      if (timeline === undefined) terms.set(term, (timeline = new Timeline()));
      timeline.add(ordinal, source.order);
    }
  }

  const everywhere = listed(source, everything);
  const has = (term: string): Postings => ({ list: listed(source, terms.get(term)) });

  /** Tweets that have a token in their texts, or whose author has it in the name. */
  const withToken = (token: string): Postings =>
    any(source, [has(token), ...[...(authorsByToken.get(token) ?? [])].map((author) => has(`from:${author}`))]);

  /** Tweets that have all of the tokens, and in one of the texts next to each other. */
  function adjacent(tokens: readonly string[], texts: (ordinal: number) => Generator<string, void>, one: (token: string) => Postings): Postings {
    const { list } = all(source, [...new Set(tokens)].filter((token) => token !== '*').map(one), everywhere);
    return { list, passes: (ordinal) => texts(ordinal).some((text) => adjacentIn(text, tokens)) };
  }

  function* textsAndName(ordinal: number): Generator<string, void> {
    yield* textsOf(source.tweet(ordinal));
    const author = source.author(ordinal);
    if (author === undefined) return;
    yield author.name ?? '';
    yield author.username;
  }

  function postings(query: Query): Postings {
    switch (query.is) {
      case 'phrase':
        return query.tokens.length === 1 ? withToken(query.tokens[0]!) : adjacent(query.tokens, textsAndName, withToken);
      case 'url':
        return adjacent(query.tokens, (ordinal) => linksOf(source.tweet(ordinal)), has);
      case 'feature':
        return has(query.term);
      case 'from':
        return has(`from:${idsByUsername.get(query.value) ?? query.value}`);
      case 'thread':
        return any(source, [has(`conversation_id:${query.id}`), { list: single(source, source.ordinal(query.id)) }]);
      case 'test':
        return { list: everywhere, passes: (ordinal) => tests[query.test](source, ordinal, query.value) };
      case 'count':
        return { list: everywhere, passes: (ordinal) => (source.tweet(ordinal)[query.count] ?? 0) >= query.least };
      case 'ids':
        return { list: everywhere, passes: (ordinal) => source.id(ordinal) > query.since && source.id(ordinal) <= query.max };
      case 'retweets':
        return { list: everywhere };
      case 'time':
        return { list: within(source, everywhere, query.since, query.until) };
      case 'not':
        return without(everywhere, postings(query.part));
      case 'or':
        return any(source, query.parts.map(postings));
      case 'and':
        return all(source, query.parts.map(postings), everywhere);
    }
  }

  function latest(found: Postings, { after, limit }: PageRequest): Page<number> {
    const [at, id] = after === undefined ? [] : checked(after, 2);
    const from = at === undefined ? endOfTime : { at: at as number, id: BigInt(id!) - 1n };
    const items: number[] = [];
    for (const ordinal of newestFirst(source, found, from)) {
      if (items.length === limit) {
        const last = items.at(-1)!;
        return { items, next: [source.createdAt(last), String(source.id(last))] };
      }
      items.push(ordinal);
    }
    return { items, next: null };
  }

  /** By engagement as it was at the first page, of the tweets that were there then; ties newest first. */
  function top(found: Postings, { after, limit }: PageRequest): Page<number> {
    const [revision = source.revision, score, at, id] = (after === undefined ? [] : checked(after, 4)) as [number?, number?, number?, string?];
    type Ranked = { ordinal: number; score: number };
    const best: Ranked[] = [];
    const precedes = (a: Ranked, b: Ranked): boolean => a.score > b.score || (a.score === b.score && source.order(a.ordinal, b.ordinal) > 0);
    const shown = ({ ordinal, score: own }: Ranked): boolean => {
      if (score === undefined || own !== score) return score !== undefined && own > score;
      const created = source.createdAt(ordinal);
      return created > at! || (created === at! && source.id(ordinal) >= BigInt(id!));
    };
    for (const ordinal of newestFirst(source, found, endOfTime)) {
      if (source.arrivedAt(ordinal) > revision) continue;
      const ranked = { ordinal, score: source.engagement(ordinal, revision) };
      if (shown(ranked) || (best.length > limit && !precedes(ranked, best.at(-1)!))) continue;
      let place = best.length;
      while (place > 0 && precedes(ranked, best[place - 1]!)) place--;
      best.splice(place, 0, ranked);
      if (best.length > limit + 1) best.pop();
    }
    const items = best.slice(0, limit);
    const last = items.at(-1);
    const next: Position | null =
      best.length > limit && last !== undefined ? [revision, last.score, source.createdAt(last.ordinal), String(source.id(last.ordinal))] : null;
    return { items: items.map(({ ordinal }) => ordinal), next };
  }

  return {
    added(ordinal) {
      everything.add(ordinal, source.order);
      place(ordinal, termsOf(source.tweet(ordinal)));
    },

    changed(ordinal, before) {
      const left = termsOf(before);
      const entered = termsOf(source.tweet(ordinal));
      for (const term of left.difference(entered)) terms.get(term)!.remove(ordinal);
      place(ordinal, entered.difference(left));
    },

    userChanged(after, before) {
      const left = nameTokens(before);
      const entered = nameTokens(after);
      for (const token of left.difference(entered)) authorsByToken.get(token)!.delete(after.id);
      for (const token of entered.difference(left)) {
        const authors = authorsByToken.get(token);
        if (authors === undefined) authorsByToken.set(token, new Set([after.id]));
        else authors.add(after.id);
      }
      if (before !== undefined && idsByUsername.get(before.username.toLowerCase()) === after.id) idsByUsername.delete(before.username.toLowerCase());
      idsByUsername.set(after.username.toLowerCase(), after.id);
    },

    search(text, order, page) {
      const query = parse(text);
      // Native retweets are found only by who asks for them: the original says the same.
      const found = wantsRetweets(query) ? postings(query) : all(source, [postings(query), without(everywhere, has(nativeRetweet))], everywhere);
      return order === 'Latest' ? latest(found, page) : top(found, page);
    },
  };
}

/** A position of so many parts, all numbers but the id at its end. */
function checked(position: Position, length: number): Position {
  const isOurs = position.length === length && position.every((part, place) => typeof part === (place === length - 1 ? 'string' : 'number'));
  if (!isOurs) throw badRequest("'cursor' belongs to another order");
  return position;
}
