/** Answers a question of a conversation: understands it, and composes the answer. Loaded at the first question. */
import { tokensOf } from '../../../search/language/tokenizer.ts';
import type { Schemas } from '../../../contract/operations.ts';
import type { Question } from '../../../ports/assistant-provider.ts';
import type { Post } from '../../conversation-tree.ts';
import * as answers from './answers.ts';
import { claims, pagesOf } from './claims.ts';
import { contextOf, sceneOf, type Answer, type Context, type Scene } from './context.ts';
import { english, languageOfQuestion, type Language } from './languages.ts';
import { authorsOf, isNameOf, participantsIn, replierIn } from './people.ts';
import { maxTerms, requestOf, type Request } from './question.ts';
import { suggestionNote } from './suggestion.ts';
import { numbered } from './wording.ts';
import { readable } from './words.ts';

/** The number of earlier questions that are answered again, so that a question can refer to their answers. */
const maxEarlier = 4;
/** Maximum number of questions of a prompt, and of evidence lines for each of several. */
const maxQuestions = 3;
const maxOfQuestion = 5;
/** Maximum number of people who are listed because they have the same name. */
const maxNamesakes = 5;
/** Maximum number of evidence lines. */
const maxEvidence = 14;

/** What the conversation is at: the last question that was no “more”, and what its answer listed. */
interface Situation {
  readonly language: Language | undefined;
  readonly request: Request | undefined;
  readonly items: readonly Post[];
  /** The ids of the posts that answers to this request listed. */
  readonly shown: ReadonlySet<string>;
  /** The post that the last answer was about, if it was one of a list. */
  readonly focus: Post | undefined;
}

const start: Situation = { language: undefined, request: undefined, items: [], shown: new Set(), focus: undefined };

export interface Response {
  readonly paragraphs: string[];
  /** The ids of the posts that the answer quotes, in the order of their numbers. */
  readonly sources: string[];
  /** The pages that the answer names. */
  readonly pages: Schemas['Citation'][];
  readonly tickers: string[] | undefined;
}

/** The answer to a question. */
export async function respond({ subject, archive, turns, prompt, suggest }: Question): Promise<Response> {
  const scene = sceneOf(subject, archive);
  let situation = start;
  for (const turn of turns.slice(-maxEarlier))
    if (turn.prompt !== null) ({ situation } = await take(scene, turn.prompt, situation));
  const { answer, context } = await (prompt === null ? first(scene, situation) : take(scene, prompt, situation));
  const suggestion = suggestionNote(context, suggest);
  const { paragraphs, sources } = numbered([
    ...paragraphsOf(answer),
    ...(suggestion?.note === undefined ? [] : [suggestion.note]),
  ]);
  return {
    paragraphs,
    sources,
    pages: answer.usesPages === true ? pagesOf(context) : [],
    tickers: suggestion?.tickers,
  };
}

async function first(scene: Scene, { language = english }: Situation): Promise<{ answer: Answer; context: Context }> {
  const context = await contextOf(scene, language, '');
  return { answer: answers.explain(context), context };
}

interface Taken {
  readonly answer: Answer;
  readonly context: Context;
  readonly situation: Situation;
}

/** Answers one prompt, and moves the conversation on. */
async function take(scene: Scene, prompt: string, situation: Situation): Promise<Taken> {
  // Without a word of a language, a question is in that of the conversation.
  const language = languageOfQuestion(prompt, situation.language ?? scene.languageOf(scene.tree.sourceNode));
  const questions = language.questionsIn(readable(prompt)).slice(0, maxQuestions);
  const [only = prompt, ...further] = questions.length > 1 ? questions : [];
  let taken = await takeOne(scene, only, situation, language);
  for (const question of further) {
    const next = await takeOne(scene, question, taken.situation, language);
    // “What is the question?” after another one asks for nothing more.
    if (next.situation.request?.kind !== 'explain') taken = { ...next, answer: joined(taken.answer, next.answer) };
  }
  return taken;
}

/** The answers to two questions of one prompt as one. */
const joined = (one: Answer, other: Answer): Answer => ({
  lead: one.lead,
  evidence: [
    ...(one.evidence ?? []).slice(0, maxOfQuestion),
    other.lead,
    ...(other.evidence ?? []).slice(0, maxOfQuestion),
  ],
  figures: [...new Set([...(one.figures ?? []), ...(other.figures ?? [])])],
  items: [...(one.items ?? []), ...(other.items ?? [])],
  usesPages: one.usesPages === true || other.usesPages === true,
});

async function takeOne(scene: Scene, prompt: string, situation: Situation, language: Language): Promise<Taken> {
  const context = await contextOf(scene, language, prompt);
  const asked = await askedIn(context, prompt, situation);
  const isMore = asked.kind === 'more' && situation.request !== undefined;
  const request = isMore && situation.request !== undefined ? situation.request : aboutLast(asked, situation, context);
  const shown = isMore ? situation.shown : new Set<string>();
  const focus = focusOf(context, prompt, asked, situation);
  const answer = focus === undefined ? await answerTo(context, request, shown) : answers.item(context, focus, asked);
  const { items = [] } = answer;
  const isReference = focus !== undefined;
  return {
    answer,
    context,
    situation: {
      language,
      request: isReference ? situation.request : request,
      items: isReference || items.length === 0 ? situation.items : items,
      shown: isReference ? situation.shown : shown.union(new Set(items.map(({ id }) => id))),
      focus,
    },
  };
}

/** Requests that a person answers with what they wrote here. */
const personal = new Set<Request['kind']>([
  'search',
  'explain',
  'replies',
  'who',
  'usual',
  'stance',
  'authorAnswers',
  'later',
]);

/** What a prompt asks for. Whoever it names without `@` is the author of the post, or somebody who wrote here. */
async function askedIn(context: Context, prompt: string, situation: Situation): Promise<Request> {
  const { tree, wording, lexis } = context;
  const { authors, rest } = participantsIn(context, prompt);
  const named = authors.length === 1 ? authors[0] : undefined;
  const isAuthor = named?.id === tree.subject.tweet.author.id;
  const asked = requestOf(isAuthor ? rest : prompt, wording.language, lexis, {
    previous: situation.request,
    hasItems: situation.items.length > 0,
    hasReplies: tree.reactions.length > 0,
  });
  const wantsAnswers = wording.language.has('answered', readable(prompt));
  // “What did they answer?” after a list: who answers is the author.
  const isOfOthers =
    ['before', 'replies', 'authorAnswers'].includes(asked.kind) || (isAuthor && asked.kind === 'stance');
  if (wantsAnswers && isOfOthers && (isAuthor || situation.items.length > 0)) {
    const about = asked.kind === 'stance' ? answers.withStance(context, asked.stance) : situation.items;
    return { kind: 'authorAnswers', about: about.map(({ id }) => id) };
  }
  // “What did the inn say?”, where the word is used in the conversation too.
  const byName =
    asked.kind === 'search' ? authorsOf(tree).filter((each) => isNameOf(each, asked.terms, wording.language)) : [];
  const [only] = named === undefined && byName.length === 1 ? byName : [];
  if (only?.id === tree.subject.tweet.author.id && wantsAnswers) return { kind: 'authorAnswers', about: [] };
  if (only !== undefined && only.id !== tree.subject.tweet.author.id)
    return { kind: 'person', username: only.username, isHere: true };
  if (authors.length > 1 && authors.length <= maxNamesakes && personal.has(asked.kind))
    return { kind: 'namesakes', ids: authors.map(({ id }) => id) };
  const username = named === undefined ? await replierIn(context, prompt) : isAuthor ? undefined : named.username;
  return username !== undefined && personal.has(asked.kind)
    ? { kind: 'person', username, isHere: asked.kind !== 'who' && asked.kind !== 'usual' }
    : asked;
}

/** “Is he right?” after an answer asks for the truth of what that answer quotes first. */
function aboutLast(asked: Request, { items }: Situation, { lexis }: Context): Request {
  const [first] = items;
  if (asked.kind !== 'truth' || asked.terms.length > 0 || first === undefined) return asked;
  return {
    kind: 'truth',
    terms: tokensOf(readable(first.text))
      .filter((word) => !lexis.isStop(word))
      .slice(0, maxTerms),
  };
}

/** The post of a list that a question is about: named by its number, or the one of the last answer (“who wrote it?”). */
function focusOf(context: Context, prompt: string, asked: Request, situation: Situation): Post | undefined {
  const { tree, wording } = context;
  const text = readable(prompt);
  if (asked.kind === 'item') {
    const all = tree.reactions.map(({ post }) => post);
    const isOfList = situation.items.every(({ id }) => tree.nodes.get(id)?.place === 'reply');
    const isList = situation.items.length > 0 && !(wording.language.has('replies', text) && !isOfList);
    const list = isList ? situation.items : all;
    return asked.index === -1 ? list.at(-1) : list[asked.index];
  }
  const isAboutIt = asked.kind === 'who' || asked.kind === 'when' || asked.kind === 'figures' || asked.kind === 'count';
  return isAboutIt && !wording.language.has('post', text) ? situation.focus : undefined;
}

type Answering<Kind extends Request['kind']> = (
  context: Context,
  request: Request & { readonly kind: Kind },
  shown: ReadonlySet<string>,
) => Answer | Promise<Answer>;

const noMore = ({ wording }: Context): Answer => ({ lead: wording.say('noMore') });
const explain: Answering<'explain' | 'more'> = (context, _, shown) =>
  shown.size > 0 ? noMore(context) : answers.explain(context);

/** What answers each kind of request. `shown`: the ids of the posts that earlier answers to it listed. */
const answering: { readonly [Kind in Request['kind']]: Answering<Kind> } = {
  explain,
  more: explain,
  summary: (context, { target, format }) => answers.summary(context, target, format),
  replies: (context, _, shown) => answers.replies(context, shown),
  authorAnswers: (context, { about }, shown) => answers.authorAnswers(context, shown, new Set(about)),
  stance: (context, { stance }, shown) => answers.stance(context, stance, shown),
  sentiment: answers.sentiment,
  truth: (context, { terms }) => answers.truth(context, terms),
  later: (context, { terms }, shown) => answers.later(context, terms, shown),
  related: (context, { terms }) => answers.related(context, terms),
  search: (context, { terms, fact, isOfReplies }, shown) => {
    if (shown.size > 0) return noMore(context);
    const said = isOfReplies && fact === 'any' ? answers.mentioned(context, terms) : undefined;
    return said ?? answers.search(context, terms, fact);
  },
  topReply: (context, { byLikes }) => answers.topReply(context, byLikes),
  person: (context, { username, isHere }) => answers.person(context, username, isHere),
  namesakes: (context, { ids }) => answers.namesakes(context, new Set(ids)),
  item: ({ wording }, { index }) => ({ lead: wording.say('noItem', { number: index + 1 }) }),
  before: answers.before,
  quoted: answers.quoted,
  quotes: answers.quotes,
  detail: (context, { detail }) => answers.detail(context, detail),
  who: (context) => answers.who(context),
  when: (context, request) => answers.when(context, request),
  figures: (context, request) => answers.item(context, context.tree.source, request),
  usual: answers.usual,
  followers: answers.followers,
  compare: answers.compare,
  count: (context, request) => answers.count(context, request.count),
  whoDid: (context, request) => answers.whoDid(context, request.count),
  limit: (context, { terms, isForModel }) =>
    answers.foretold(context, terms) ??
    (answers.asksOpinions(context)
      ? answers.opinions(context)
      : { lead: [context.wording.say('cannot'), ...(isForModel ? [context.wording.say('useModel')] : [])].join(' ') }),
  self: ({ wording }) => ({ lead: wording.say('self') }),
};

/** The answer to a request about the subject; never an empty one. */
async function answerTo(context: Context, request: Request, shown: ReadonlySet<string>): Promise<Answer> {
  const answer = await (answering[request.kind] as Answering<Request['kind']>)(context, request, shown);
  return answer.lead === '' ? { lead: claims.notFound(context, 0) } : answer;
}

/** The answer, its evidence and its figures, each as a paragraph. */
function paragraphsOf({ lead, evidence = [], figures = [] }: Answer): string[] {
  const lines = [...new Set(evidence)].filter((line) => line !== '' && line !== lead).slice(0, maxEvidence);
  return [lead, lines.join('\n'), figures.filter((line) => line !== '').join(' ')].filter((part) => part !== '');
}
