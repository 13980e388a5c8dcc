/**
 * The rubric of the evals. An answer is useful if its sources have the passages that a careful reader would accept, and it
 * names the facts. It is untrue if the independent reader of `test/assistant/truth` finds a sentence that the records do not
 * support, or if it has what must not be said.
 */
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { Reply } from '../../server/ports/assistant-provider.ts';

export type EvalSet =
  | 'sample'
  | 'town'
  | 'harbour'
  | 'market'
  | 'valley'
  | 'glen'
  | 'paraphrased'
  | 'everyday'
  | '01-v1.1'
  | '02-v2'
  | '05-bluesky';
export type QuestionType =
  | 'explain'
  | 'summary'
  | 'who'
  | 'when'
  | 'figures'
  | 'why'
  | 'number'
  | 'fact'
  | 'answer'
  | 'people'
  | 'stance'
  | 'mood'
  | 'truth'
  | 'now'
  | 'follow-up'
  | 'limits'
  | 'nothing';

/** One case: questions about a tweet, of which the answer to the last is graded. */
export interface EvalCase {
  readonly set: EvalSet;
  readonly tweet: string;
  readonly type: QuestionType;
  /** The questions of the conversation; `null` asks for an explanation. */
  readonly prompts: readonly (string | null)[];
  /** The posts that must be among the sources: all of them, and at least one of `any`. */
  readonly sources?: readonly string[];
  readonly any?: readonly string[];
  /** What the answer must have, each as a regular expression or as `$` and the name of a fact. */
  readonly has?: readonly string[];
  /** What the answer must not have: it would be untrue. */
  readonly never?: readonly string[];
  /** Whether the archive has no answer, and the answer must say so. */
  readonly nothing?: boolean;
  /** Maximum length in characters. */
  readonly max?: number;
}

/**
 * `restating`: it has no passage that answers, or only repeats the post. `unsure`: the same of an answer that says that it is not sure.
 * Where the archive has no answer, it is right to say so, or not to be sure.
 */
export const verdicts = ['useful', 'restating', 'unsure', 'nothing, rightly', 'nothing, wrongly', 'untrue'] as const;
export type Verdict = (typeof verdicts)[number];

export interface EvalResult {
  readonly case: EvalCase;
  readonly answer: string;
  readonly verdict: Verdict;
  /** Why it is not useful, or untrue. */
  readonly reasons: readonly string[];
}

export interface Facts {
  readonly tweet: ArchivedTweet;
  readonly author: ArchivedUser | undefined;
  /** What the independent reader finds untrue in an answer. */
  readonly faults: (answer: string) => readonly string[];
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const grouped = (value: number | undefined): string =>
  value === undefined ? 'no count' : `\\b${String(value).replace(/\B(?=(?:\d{3})+$)/g, String.raw`[,.\s\u202f]?`)}\\b`;

/** The pattern of a fact that cases name with `$`: it comes from the records, so that a case needs no text of them. */
function patternOf(name: string, { tweet, author }: Facts): string {
  switch (name) {
    case '$author':
      return author === undefined ? tweet.author_id : `@${escaped(author.username)}`;
    case '$date':
      return `${new Date(tweet.created_at).getUTCFullYear()}`;
    case '$likes':
      return grouped(tweet.like_count);
    case '$reposts':
      return grouped(tweet.retweet_count);
    default:
      return name;
  }
}

const saysNothing =
  /I found nothing that answers this|Ich fand nichts, was das beantwortet|No encontré nada que responda|n’ai rien trouvé qui réponde|Não encontrei nada que responda|答えとなるものは見つかりません|لم أجد ما يجيب|जवाब नहीं मिला/u;

const saysUnsure =
  /I am not sure that this answers it|nicht sicher, ob das die Antwort|No estoy seguro de que esto|pas sûr que cela|Não tenho certeza|確かではありません|لست متأكدا|पक्का नहीं/u;

/** Grades the answer to the last question of a case. */
export function grade(given: EvalCase, { summary, citedTweets = [] }: Reply, facts: Facts): EvalResult {
  const cited = new Set(citedTweets);
  const untruths = [
    ...facts.faults(summary).map((fault) => `untrue: ${fault}`),
    ...(given.never ?? []).filter((pattern) => isIn(pattern, summary)).map((pattern) => `states ${pattern}`),
  ];
  const { sources = [], any = [], has = [], max = 2600 } = given;
  const weaknesses = [
    ...sources.filter((id) => !cited.has(id)).map((id) => `lacks the source ${id}`),
    ...(any.length > 0 && !any.some((id) => cited.has(id)) ? [`lacks each source of ${any.join(', ')}`] : []),
    ...has.filter((each) => !isIn(patternOf(each, facts), summary)).map((each) => `lacks ${each}`),
    ...(summary.length > max ? [`${summary.length} characters of at most ${max}`] : []),
  ];
  const isWeak = weaknesses.length > 0;
  const verdict = untruths.length > 0 ? 'untrue' : verdictOf(summary, given.nothing === true, isWeak);
  return { case: given, answer: summary, verdict, reasons: [...untruths, ...weaknesses] };
}

function verdictOf(summary: string, mustBeNothing: boolean, isWeak: boolean): Verdict {
  const [isNothing, isUnsure] = [saysNothing.test(summary), saysUnsure.test(summary)];
  if (mustBeNothing) return isNothing || isUnsure ? 'nothing, rightly' : 'restating';
  if (isNothing) return 'nothing, wrongly';
  if (!isWeak) return 'useful';
  return isUnsure ? 'unsure' : 'restating';
}

const isIn = (pattern: string, text: string): boolean => new RegExp(pattern, 'iu').test(text);
