/** Answers a free question with the passages that have its words, or says where they do not occur. */
import { fold } from '../../../../search/language/tokenizer.ts';
import type { Answer, Context } from '../context.ts';
import { languageOf } from '../languages/choose.ts';
import type { PhraseName } from '../languages/language.ts';
import type { Passage, PassageSource } from '../passages.ts';
import type { Request } from '../question.ts';
import { bestMatches, type Match } from '../ranking.ts';
import { languageOfPost } from '../stance.ts';
import { quotation, quoted, type Post } from '../wording.ts';
import { replyCount } from './replies.ts';
import { statement } from './statement.ts';

/** Maximum number of quoted passages, and of quoted posts from elsewhere in the archive. */
const maxPassages = 3;
const maxElsewhere = 3;
/** Maximum number of posts that are counted elsewhere. */
const maxFound = 20;
/** The part of the weight of a question's terms from which a passage answers it. */
const minCoverage = 0.45;
/** Maximum number of named words. */
const maxNamed = 5;

const places: Readonly<Record<PassageSource, { readonly short: PhraseName; readonly whole: PhraseName }>> = {
  post: { short: 'inPost', whole: 'thePost' },
  card: { short: 'inPreview', whole: 'thePreview' },
  article: { short: 'inArticle', whole: 'theArticle' },
  repeated: { short: 'inReposted', whole: 'theReposted' },
  quoted: { short: 'inQuoted', whole: 'theQuoted' },
  thread: { short: 'inThread', whole: 'theThread' },
  continued: { short: 'inThread', whole: 'theThread' },
  reply: { short: 'inReply', whole: 'theReplies' },
  authored: { short: 'inOther', whole: 'authorsPosts' },
};

type SearchRequest = Extract<Request, { kind: 'search' }>;

/** `@mira_codes (post)`. */
const speaker = ({ wording }: Context, { place, tweet }: Passage): string =>
  `${wording.nameOf(tweet)} (${wording.say(places[place].short, { when: wording.day(tweet.created_at) })})`;

export const passageLine = (context: Context, passage: Passage): string =>
  context.wording.say('answers', { who: speaker(context, passage), quote: quoted(passage.text) });

const inPlace = ({ passages }: Context, place: PassageSource | undefined): readonly Passage[] =>
  place === undefined
    ? passages
    : passages.filter((passage) => passage.place === place || (place === 'thread' && passage.place === 'continued'));

/** The best passages for some words: those with numbers first, if the question asks for a number. */
export function matchesFor(context: Context, request: Pick<SearchRequest, 'terms' | 'place' | 'wantsNumber'>): Match[] {
  const stems = request.terms.map(context.lexis.stem);
  const found = bestMatches(inPlace(context, request.place), stems, 20);
  const sorted = request.wantsNumber ? found.toSorted((a, b) => hasNumber(b) - hasNumber(a)) : found;
  return sorted.slice(0, maxPassages);
}

const hasNumber = ({ passage, coverage }: Match): number =>
  coverage >= minCoverage && /\d/.test(passage.text) ? 1 : 0;

/** The words that occur nowhere in some passages, not even as a part of another word. */
function absentWords(passages: readonly Passage[], terms: readonly string[]): string[] {
  const texts = fold(passages.map(({ text }) => text).join('\n'));
  return terms.filter((term) => !texts.includes(term));
}

const named = ({ wording }: Context, terms: readonly string[]): string =>
  wording.listed(terms.slice(0, maxNamed).map((term) => quotation(term)));

/** Where passages were looked for. */
function placesOf(context: Context, passages: readonly Passage[], place: PassageSource | undefined): string {
  const found = new Set(passages.map((passage) => places[passage.place].whole));
  if (place !== undefined) found.add(places[place].whole);
  return context.wording.listed([...found].map((name) => context.wording.say(name)));
}

export async function search(context: Context, request: SearchRequest, shown: ReadonlySet<string>): Promise<Answer> {
  const { wording } = context;
  if (request.place === 'reply' && context.replies.length === 0) return { lead: replyCount(context) };
  const searched = inPlace(context, request.place);
  if (searched.length === 0) return { lead: wording.say('nothingSuch'), evidence: [statement(context, 1)] };
  const matches = matchesFor(context, request);
  const [best] = matches;
  const absent = absentWords(searched, request.terms);
  const where = placesOf(context, searched, request.place);
  const missing = absent.length === 0 ? [] : [wording.say('notHere', { list: named(context, absent), places: where })];
  const direct = matches.filter(({ coverage, passage }) => coverage >= minCoverage && !shown.has(passage.tweet.id));
  const [first, ...more] = direct;
  if (first !== undefined)
    return {
      lead: passageLine(context, first.passage),
      evidence: [...more.map(({ passage }) => passageLine(context, passage)), ...missing],
      items: direct.map(({ passage }) => passage.tweet),
    };
  if (shown.size > 0) return { lead: wording.say('noMore') };
  const other = await elsewhereLines(context, request.terms);
  const language = otherLanguage(context);
  if (best !== undefined)
    return {
      lead: wording.say('closest', { who: speaker(context, best.passage), quote: quoted(best.passage.text) }),
      evidence: [...missing, ...other.lines],
      items: [best.passage.tweet, ...other.items],
    };
  const [none = wording.say('notHereAtAll', { places: where })] = missing;
  const says = context.subject.tweet.text.trim() === '' || request.place !== undefined ? [] : [statement(context, 1)];
  return { lead: none, evidence: [...language, ...other.lines, ...says], items: other.items };
}

/** That words were compared across languages, if the post is in another one. */
function otherLanguage({ subject, wording }: Context): string[] {
  const code = subject.backgrounds.get(subject.tweet.id)?.lang ?? languageOfPost(subject, subject.tweet)?.code;
  const isName = code !== undefined && /^[a-z]{2}(?:-\w+)?$/i.test(code) && code !== 'in' && code !== 'iw';
  if (!isName || languageOf(code) === wording.language) return [];
  return [wording.say('wordsOnly', { language: wording.languageName(code) })];
}

/** The query that finds posts with all of some words. */
const queryOf = (terms: readonly string[]): string => terms.map((term) => `"${term.replaceAll('"', ' ')}"`).join(' ');

/** Posts elsewhere in the archive that have all words. */
async function elsewhereLines(
  context: Context,
  terms: readonly string[],
): Promise<{ readonly lines: string[]; readonly items: readonly Post[] }> {
  const { subject, archive, wording } = context;
  const words = terms.filter((term) => /[\p{L}\p{N}]/u.test(term)).slice(0, maxNamed);
  if (words.every((word) => [...word].length < 2)) return { lines: [], items: [] };
  const known = new Set([subject.tweet.id, ...subject.backgrounds.keys()]);
  const found = (await archive.search(`${queryOf(words)} include:nativeretweets`, maxFound)).filter(
    ({ id }) => !known.has(id),
  );
  if (found.length === 0) return { lines: [], items: [] };
  const items = found.slice(0, maxElsewhere);
  return {
    lines: [
      wording.say('elsewhere', { list: named(context, words), count: countOf(context, found.length) }),
      ...items.map((post) => postLine(context, post)),
    ],
    items,
  };
}

/** A number of found posts; with the maximum there may be more. */
export const countOf = ({ wording }: Context, found: number): string =>
  found >= maxFound - 1 ? wording.say('orMore', { count: found }) : wording.number(found);

/** `@x, 4 March 2026: “…”`. */
export const postLine = ({ wording }: Context, post: Post): string =>
  wording.say('answers', {
    who: `${wording.nameOf(post)} (${wording.day(post.created_at)})`,
    quote: quoted(post.text, 240),
  });

/** What the rest of the archive says about some words. */
export async function elsewhere(context: Context, terms: readonly string[]): Promise<Answer> {
  const { lines, items } = await elsewhereLines(context, terms);
  const [lead, ...evidence] = lines;
  if (lead !== undefined) return { lead, evidence, items };
  return search(context, { kind: 'search', terms, place: undefined, wantsNumber: false }, new Set());
}
