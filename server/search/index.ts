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
import { all, any, endOfTime, listed, olderThan, passing, within, type Moment, type Postings } from './postings.ts';
import type { Query } from './query.ts';
import { fold, tokensOf } from './tokens.ts';
import type { TweetIndex, TweetSource } from './search.ts';

/** The texts of a tweet in which a word is looked for. */
function* textsOf(tweet: ArchivedTweet): Generator<string, void> {
  yield tweet.text;
  for (const { url, display_url } of tweet.entities?.urls ?? []) {
    yield url;
    yield display_url;
  }
  yield* tweet.expanded_urls ?? [];
  if (tweet.article !== undefined) {
    yield tweet.article.title;
    yield tweet.article.text;
  }
}

const nameTokens = (user: ArchivedUser | undefined): Set<string> =>
  new Set(user === undefined ? [] : [...tokensOf(user.name ?? ''), ...tokensOf(user.username)]);

/** Everything that a tweet is found by: tokens as they are, entities behind their sign. */
function termsOf(tweet: ArchivedTweet): Set<string> {
  // Native retweets are not searched: the platform finds the original.
  if (tweet.retweeted_tweet_id !== undefined) return new Set();
  const terms = new Set([...textsOf(tweet)].flatMap(tokensOf));
  for (const tag of tweet.entities?.hashtags ?? []) terms.add(`#${fold(tag)}`);
  for (const symbol of tweet.entities?.cashtags ?? []) terms.add(`$${fold(symbol)}`);
  for (const { username } of tweet.entities?.mentions ?? []) terms.add(`@${fold(username)}`);
  terms.add(`from:${tweet.author_id}`);
  return terms;
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

  const has = (term: string): Postings => listed(source, terms.get(term));

  /** Tweets that have a token in their texts, or whose author has it in the name. */
  const withToken = (token: string): Postings =>
    any(source, [has(token), ...[...(authorsByToken.get(token) ?? [])].map((author) => has(`from:${author}`))]);

  function adjacent(tokens: readonly string[], ordinal: number): boolean {
    const author = source.author(ordinal);
    for (const text of [...textsOf(source.tweet(ordinal)), author?.name ?? '', author?.username ?? '']) {
      const found = tokensOf(text);
      for (let start = 0; start + tokens.length <= found.length; start++) {
        if (tokens.every((token, place) => found[start + place] === token)) return true;
      }
    }
    return false;
  }

  function postings(query: Query): Postings {
    switch (query.is) {
      case 'phrase': {
        const lists = [...new Set(query.tokens)].map(withToken);
        return query.tokens.length === 1 ? lists[0]! : passing(source, all(source, lists), (ordinal) => adjacent(query.tokens, ordinal));
      }
      case 'hashtag':
        return has(`#${query.value}`);
      case 'cashtag':
        return has(`$${query.value}`);
      case 'mention':
        return has(`@${query.value}`);
      case 'from':
        return has(`from:${idsByUsername.get(query.value) ?? query.value}`);
      case 'time':
        return within(source, listed(source, everything), query.since, query.until);
      case 'or':
        return any(source, query.parts.map(postings));
      case 'not':
        return without(listed(source, everything), [query.part]);
      case 'and': {
        const wanted = query.parts.filter((part) => part.is !== 'not' && part.is !== 'time');
        const unwanted = query.parts.flatMap((part) => (part.is === 'not' ? [part.part] : []));
        const spans = query.parts.filter((part) => part.is === 'time');
        const list = wanted.length === 0 ? listed(source, everything) : all(source, wanted.map(postings));
        const spanned = spans.reduce((within_, { since, until }) => within(source, within_, since, until), list);
        return unwanted.length === 0 ? spanned : without(spanned, unwanted);
      }
    }
  }

  function without(list: Postings, unwanted: readonly Query[]): Postings {
    const lists = unwanted.map(postings);
    return passing(source, list, (ordinal) => {
      const moment = { at: source.createdAt(ordinal), id: source.id(ordinal) };
      return lists.every((each) => each.seek(moment) !== ordinal);
    });
  }

  function* newestFirst(list: Postings, from: Moment): Generator<number, void> {
    for (let found = list.seek(from); found !== undefined; found = list.seek(olderThan(source, found))) yield found;
  }

  function latest(list: Postings, { after, limit }: PageRequest): Page<number> {
    const [at, id] = after === undefined ? [] : checked(after, 2);
    const from = at === undefined ? endOfTime : { at: at as number, id: BigInt(id!) - 1n };
    const items: number[] = [];
    for (const ordinal of newestFirst(list, from)) {
      if (items.length === limit) {
        const last = items.at(-1)!;
        return { items, next: [source.createdAt(last), String(source.id(last))] };
      }
      items.push(ordinal);
    }
    return { items, next: null };
  }

  /** By engagement as it was at the first page, of the tweets that were there then; ties newest first. */
  function top(list: Postings, { after, limit }: PageRequest): Page<number> {
    const [revision = source.revision, score, at, id] = (after === undefined ? [] : checked(after, 4)) as [number?, number?, number?, string?];
    type Ranked = { ordinal: number; score: number };
    const best: Ranked[] = [];
    const precedes = (a: Ranked, b: Ranked): boolean => a.score > b.score || (a.score === b.score && source.order(a.ordinal, b.ordinal) > 0);
    const shown = ({ ordinal, score: own }: Ranked): boolean => {
      if (score === undefined || own !== score) return score !== undefined && own > score;
      const created = source.createdAt(ordinal);
      return created > at! || (created === at! && source.id(ordinal) >= BigInt(id!));
    };
    for (const ordinal of newestFirst(list, endOfTime)) {
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
      const found = termsOf(source.tweet(ordinal));
      if (found.size > 0) everything.add(ordinal, source.order);
      place(ordinal, found);
    },

    changed(ordinal, before) {
      const left = termsOf(before);
      const entered = termsOf(source.tweet(ordinal));
      for (const term of left.difference(entered)) terms.get(term)!.remove(ordinal);
      place(ordinal, entered.difference(left));
      if (left.size > 0 && entered.size === 0) everything.remove(ordinal);
      if (left.size === 0 && entered.size > 0) everything.add(ordinal, source.order);
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

    search(query, order, page) {
      const list = postings(parse(query));
      return order === 'Latest' ? latest(list, page) : top(list, page);
    },
  };
}

/** A position of so many parts, all numbers but the id at its end. */
function checked(position: Position, length: number): Position {
  const isOurs = position.length === length && position.every((part, place) => typeof part === (place === length - 1 ? 'string' : 'number'));
  if (!isOurs) throw badRequest("'cursor' belongs to another order");
  return position;
}
