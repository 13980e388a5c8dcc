/** Whether a later post of an author is about the same thing as an earlier one: by hashtags, links and rare words. */
import type { Schemas } from '../contract/operations.ts';
import { fold, tokensOf } from '../search/language/tokenizer.ts';
import { stopLists, stopWordsOf } from './stop-lists.ts';

type Tweet = Schemas['Tweet'];

/** Minimum length of a word that says what a post is about, and maximum number of such words. */
const minWordLength = 4;
const maxWords = 3;
/** A word of more of the author's other posts is a habit, and says nothing about this post. */
const maxPart = 0.1;
const minPosts = 3;
/** The words that a text must share where it has no common hashtag or link; within days, one longer word is enough. */
const minShared = 2;
const soonMs = 14 * 86_400_000;
const longWord = 5;

export interface SharedSubject {
  /** Terms of the search language, of which a post about the same thing has at least one. */
  readonly terms: readonly string[];
  /** Whether a post is about the same thing. */
  isOn(post: Pick<Tweet, 'text' | 'created_at'>): boolean;
}

/**
 * What a later post must share with a post. `said`: what else the author wrote in the conversation; `others`: other posts of the author, which
 * show what is a habit.
 */
export function sharedSubject(post: Tweet, said: readonly string[], others: readonly Tweet[]): SharedSubject {
  const tags = post.entities.hashtags.map((tag) => `#${tag}`);
  const links = post.entities.urls
    .map(({ url }) => url)
    .filter((url) => !/\/status\/|["\s]/.test(url) && URL.canParse(url))
    .map((url) => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/[?#].*$/, ''));
  const counts = new Map<string, number>();
  for (const { text } of others)
    for (const word of new Set(wordsIn(text))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isHabit = (word: string): boolean => (counts.get(word) ?? 0) > Math.max(minPosts, others.length * maxPart);
  const lists = [stopLists.get('en'), stopWordsOf(post.text)];
  const isStop = (word: string): boolean => lists.some((list) => list?.has(word) === true);
  const words = [...new Set([post.text, ...said].flatMap(wordsIn))].filter((word) => !isStop(word) && !isHabit(word));
  // Long words are rarer, and each word that is searched takes time.
  const searched = words.toSorted((a, b) => b.length - a.length).slice(0, maxWords);
  const marks = [...tags, ...links].map((mark) => fold(mark));
  return {
    terms: [...tags, ...links.map((link) => `url:"${link}"`), ...searched.map((word) => `"${word}"`)],
    isOn: ({ text, created_at }) => {
      const folded = fold(text);
      if (marks.some((mark) => folded.includes(mark))) return true;
      const found = new Set(wordsIn(text));
      const common = words.filter((word) => found.has(word));
      const isSoon = Date.parse(created_at) - Date.parse(post.created_at) < soonMs;
      return common.length >= minShared || (isSoon && common.some((word) => word.length >= longWord));
    },
  };
}

/** English words without a subject that its stop list does not have. */
const vague = new Set(
  'anyone anybody someone somebody everyone everybody nobody anything something everything nothing maybe really please think today tomorrow'.split(
    ' ',
  ),
);

/** The longer words of a text, without links and names, folded. Numbers are none. */
const wordsIn = (text: string): string[] =>
  tokensOf(text.replace(/https?:\/\/\S+|[@#]\S+/g, ' ')).filter(
    (word) => word.length >= minWordLength && /^\p{L}/u.test(word) && !vague.has(word),
  );
