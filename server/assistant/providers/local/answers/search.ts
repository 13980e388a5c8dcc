/** Answers a free question with the passages that have its words, or says where they do not occur. */
import type { Schemas } from '../../../../contract/operations.ts';
import { fold } from '../../../../search/language/tokenizer.ts';
import type { Answer, Context } from '../context.ts';
import { languageOf } from '../languages/choose.ts';
import type { PhraseName } from '../languages/language.ts';
import { sentencesOf, type Passage, type PassageSource } from '../passages.ts';
import type { Request } from '../question.ts';
import { bestMatches, type Match } from '../ranking.ts';
import { languageOfPost } from '../stance.ts';
import { quotation, quoted, type Post } from '../wording.ts';
import { reactions, replyCount } from './replies.ts';
import { gist, statement } from './statement.ts';

/** Maximum number of quoted passages, and of quoted posts from elsewhere in the archive. */
const maxPassages = 3;
const maxElsewhere = 3;
/** Maximum number of posts that are counted elsewhere. */
const maxFound = 20;
/** The part of the weight of a question's terms from which a passage answers it. */
const minCoverage = 0.45;
/** A passage of another post of the author answers only a question that names almost all of its subject. */
const minOtherCoverage = 0.75;
/** Maximum length in UTF-16 units of a text that is quoted whole instead of one sentence of it. */
const maxWhole = 280;
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

type Tweet = Schemas['Tweet'];
type SearchRequest = Extract<Request, { kind: 'search' }>;

/** `@mira_codes (post)`. */
const speaker = ({ wording }: Context, { place, tweet }: Passage): string =>
  `${wording.nameOf(tweet)} (${wording.say(places[place].short, { when: wording.day(tweet.created_at) })})`;

export const passageLine = (context: Context, passage: Passage): string =>
  context.wording.say('answers', { who: speaker(context, passage), quote: quotedPassage(passage) });

/** A passage, or the whole of a post of two sentences: they explain each other. */
function quotedPassage({ place, tweet, text }: Passage): string {
  const isText = place !== 'card' && place !== 'article';
  const isShort = tweet.text.length <= maxWhole && sentencesOf(tweet.text, maxWhole).length <= 2;
  return quoted(isText && isShort ? tweet.text : text);
}

/** Whether a passage answers the question, and not only shares a word with it. */
const isDirect = ({ passage, coverage }: Match, terms: readonly string[]): boolean =>
  passage.place === 'authored' ? terms.length > 1 && coverage >= minOtherCoverage : coverage >= minCoverage;

const inPlace = ({ passages }: Context, place: PassageSource | undefined): readonly Passage[] =>
  place === undefined
    ? passages
    : passages.filter((passage) => passage.place === place || (place === 'thread' && passage.place === 'continued'));

/** The best passages for some words: those with numbers first, if the question asks for a number. */
export function matchesFor(context: Context, request: Pick<SearchRequest, 'terms' | 'place' | 'wantsNumber'>): Match[] {
  const stems = request.terms.map(context.lexis.stem);
  const found = bestMatches(inPlace(context, request.place), stems, 20);
  const sorted = request.wantsNumber ? found.toSorted((a, b) => hasNumber(b) - hasNumber(a)) : found;
  // One passage of each short post: it is quoted whole.
  const distinct = new Map(sorted.map((match) => [quotedPassage(match.passage), match] as const).toReversed());
  return sorted.filter((match) => distinct.get(quotedPassage(match.passage)) === match).slice(0, maxPassages);
}

const hasNumber = ({ passage, coverage }: Match): number =>
  coverage >= minCoverage && /\d/.test(passage.text) ? 1 : 0;

/**
 * The words that occur nowhere in the posts of some passages, not even as a part of another word. The whole texts count:
 * passages have no lines of hashtags alone, and only the beginning of long posts.
 */
function absentWords({ subject }: Context, place: PassageSource | undefined, terms: readonly string[]): string[] {
  const { tweet, thread, replies, authored, continuation } = subject;
  const own = [tweet, tweet.retweeted_tweet, tweet.quoted_tweet];
  const posts =
    place === 'reply'
      ? replies
      : place === 'thread'
        ? [...thread, ...continuation]
        : place === 'quoted'
          ? [tweet.quoted_tweet]
          : [...own, ...thread, ...continuation, ...replies, ...authored];
  const texts = fold(posts.flatMap((post) => (post === null ? [] : textsOf(post))).join('\n'));
  return terms.filter((term) => !texts.includes(term));
}

const textsOf = ({ text, article, card }: Tweet): string[] =>
  [text, article?.title, article?.text, card?.title, card?.description].filter((each) => each !== undefined);

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
  if (request.place === 'reply' && context.subject.replies.length === 0) return { lead: replyCount(context) };
  const searched = inPlace(context, request.place);
  if (searched.length === 0 && (request.place === undefined || request.place === 'reply'))
    return request.place === undefined
      ? { lead: wording.say('nothingSuch'), evidence: [statement(context, 1)] }
      : search(context, { ...request, place: undefined }, shown);
  if (searched.length === 0) return { lead: wording.say('nothingSuch'), evidence: [statement(context, 1)] };
  const matches = matchesFor(context, request);
  const [best] = matches;
  const absent = absentWords(context, request.place, request.terms);
  const where = placesOf(context, searched, request.place);
  const missing = absent.length === 0 ? [] : [wording.say('notHere', { list: named(context, absent), places: where })];
  const direct = matches.filter((match) => isDirect(match, request.terms) && !shown.has(match.passage.tweet.id));
  const [first, ...more] = direct;
  if (first !== undefined)
    return {
      lead: passageLine(context, first.passage),
      evidence: [...more.map(({ passage }) => passageLine(context, passage)), ...missing],
      items: direct.map(({ passage }) => passage.tweet),
    };
  if (shown.size > 0) return { lead: wording.say('noMore') };
  if (request.place !== undefined) return notInPlace(context, request, missing);
  const other = await elsewhereLines(context, request.terms);
  const [none = wording.say('notHereAtAll', { places: where })] = missing;
  if (best !== undefined && best.passage.place !== 'authored')
    return {
      lead: wording.say('closest', { who: speaker(context, best.passage), quote: quotedPassage(best.passage) }),
      evidence: [...missing, ...other.lines],
      items: [best.passage.tweet, ...other.items],
    };
  return {
    lead: [none, ...postSays(context)].join(' '),
    evidence: [...otherLanguage(context), ...other.lines],
    items: other.items,
  };
}

/** What the post says: a short post may answer in other words than those of the question. */
function postSays(context: Context): string[] {
  const { tweet } = context.subject;
  if (tweet.text.trim() === '') return [];
  const [place, post] =
    tweet.retweeted_tweet === null ? (['post', tweet] as const) : (['repeated', tweet.retweeted_tweet] as const);
  const quote = post.text.length <= maxWhole ? quoted(post.text) : gist(context, post, place, 2);
  return [context.wording.say('postSays', { quote })];
}

/** That a part of the context lacks the words, with what it or another part has. */
async function notInPlace(context: Context, request: SearchRequest, missing: readonly string[]): Promise<Answer> {
  const { wording } = context;
  const places = placesOf(context, inPlace(context, request.place), request.place);
  const [none = wording.say('notHereAtAll', { places })] = missing;
  const elsewhereHere = matchesFor(context, { ...request, place: undefined }).filter((match) =>
    isDirect(match, request.terms),
  );
  const [first] = elsewhereHere;
  if (first !== undefined)
    return {
      lead: `${none} ${passageLine(context, first.passage)}`,
      items: elsewhereHere.map(({ passage }) => passage.tweet),
    };
  return { lead: none, evidence: request.place === 'reply' ? reactions(context) : [statement(context, 1)] };
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
