/**
 * The rubric of the judged set. An answer is useful if it answers the question, cites the right pages and is short. It is
 * untrue if it quotes what nobody wrote, names somebody that the archive does not have, or states what must not be stated.
 */
import type { Reply } from '../../server/ports/assistant-provider.ts';
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';

/** One case: questions about a tweet, of which the last is judged. */
export interface JudgedCase {
  /** The data set: `sample`, or a folder of real data beside the repository. */
  readonly set: string;
  readonly tweet: string;
  /** The questions of the conversation; `null` asks for an explanation. */
  readonly prompts: readonly (string | null)[];
  /** What the answer must have in its first paragraph, each as a regular expression or as `$` and the name of a fact. */
  readonly lead: readonly string[];
  /** What the answer must have anywhere. */
  readonly has?: readonly string[];
  /** What the answer must not have: it would be untrue. */
  readonly never?: readonly string[];
  /** Maximum length in characters. */
  readonly max: number;
}

export interface Facts {
  readonly tweet: ArchivedTweet;
  readonly author: ArchivedUser | undefined;
  readonly replies: readonly ArchivedTweet[];
  readonly usernameOf: (userId: string) => string | undefined;
  /** All texts of the archive on one line each, with single quotation marks. */
  readonly texts: string;
  readonly usernames: ReadonlySet<string>;
}

export interface Judgement {
  readonly case: JudgedCase;
  readonly answer: string;
  /** Why it is not useful; empty for a useful answer. */
  readonly weaknesses: readonly string[];
  /** Why it is untrue; empty for a true one. */
  readonly untruths: readonly string[];
}

export const flat = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[“„«]/gu, '‘')
    .replace(/[”»]/gu, '’')
    .replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\s]+/gu, ' ')
    .trim();
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
const grouped = (value: number): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, String.raw`[,.\s\u202f]?`);

/** The patterns of facts that cases name with `$`: they come from the records, so that a case needs no text of them. */
function patternsOf(name: string, { tweet, author, replies, usernameOf }: Facts): string[] {
  switch (name) {
    case '$author':
      return [author === undefined ? tweet.author_id : `@${escaped(author.username)}`];
    case '$date':
      return [`${new Date(tweet.created_at).getUTCFullYear()}`, `\\b0?${new Date(tweet.created_at).getUTCDate()}\\b`];
    case '$likes':
      return tweet.like_count === undefined ? ['likes'] : [`\\b${grouped(tweet.like_count)}\\b`];
    case '$words':
      return [escaped(firstWords(tweet.text))];
    case '$reply':
      return [replies.map(({ text }) => escaped(firstWords(text))).join('|')];
    case '$replier':
      return [replies.map(({ author_id }) => escaped(usernameOf(author_id) ?? author_id)).join('|')];
    default:
      return [name];
  }
}

/** The first words of a text, without addressed users. */
const firstWords = (text: string): string =>
  flat(text)
    .replace(/^(?:@\S+\s+)+/u, '')
    .slice(0, 12)
    .trim();

const isIn = (pattern: string, text: string): boolean => new RegExp(pattern, 'iu').test(text);

/** Judges the answer to the last question of a case. */
export function judge(judged: JudgedCase, { summary, citations }: Reply, facts: Facts): Judgement {
  const [lead = ''] = summary.split('\n\n');
  const missing = (wanted: readonly string[], text: string, where: string): string[] =>
    wanted
      .flatMap((each) => patternsOf(each, facts))
      .filter((pattern) => !isIn(pattern, flat(text)))
      .map((pattern) => `${where} lacks ${pattern}`);
  const weaknesses = [
    ...missing(judged.lead, lead, 'the first sentence'),
    ...missing(judged.has ?? [], summary, 'the answer'),
    ...(summary.length > judged.max ? [`${summary.length} characters of at most ${judged.max}`] : []),
    ...citations.filter(({ url }) => !isCited(url, facts)).map(({ url }) => `cites ${url}, which no tweet links`),
  ];
  const untruths = [
    ...unwritten(summary, facts),
    ...(judged.never ?? []).filter((pattern) => isIn(pattern, summary)).map((pattern) => `states ${pattern}`),
  ];
  return { case: judged, answer: summary, weaknesses, untruths };
}

/** A citation is right if a tweet of the archive has its host. */
const isCited = (url: string, { texts }: Facts): boolean => texts.includes(new URL(url).hostname.replace(/^www\./, ''));

/** Quotations that nobody wrote, and users that the archive does not know. Words of the question are single words. */
function unwritten(answer: string, { texts, usernames }: Facts): string[] {
  const quotes = [...answer.matchAll(/“([^”]*)”/gu)].map(([, quote = '']) => quote);
  const invented = quotes
    .map((quote) => (quote.endsWith('…') ? quote.slice(0, -1).trimEnd() : quote))
    .filter((quote) => /\s/.test(quote) && !texts.includes(quote) && !quote.startsWith('not … '));
  const outside = answer.replace(/“[^”]*”/gu, ' ');
  const strangers = [...outside.matchAll(/@([\w.-]*\w)/gu)]
    .map(([, username = '']) => username)
    .filter((username) => !usernames.has(username.toLowerCase()));
  return [...invented.map((quote) => `quotes “${quote}”`), ...strangers.map((username) => `names @${username}`)];
}
