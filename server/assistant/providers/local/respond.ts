/** Answers a question of a conversation: understands it, and composes the answer. Loaded at the first question. */
import type { ArchiveReader, Question, Subject } from '../../../ports/assistant-provider.ts';
import { followers, person, usual, when, who } from './answers/author.ts';
import { detail } from './answers/details.ts';
import { explain } from './answers/explain.ts';
import { allFigures, compare, count, figures } from './answers/figures.ts';
import { limit, self, why } from './answers/limits.ts';
import { related } from './answers/related.ts';
import { replies, sentiment, stance, topReply } from './answers/replies.ts';
import { elsewhere, search } from './answers/search.ts';
import { summary } from './answers/statement.ts';
import { quoteAnswer, thread } from './answers/thread.ts';
import { contextOf, type Answer, type Context } from './context.ts';
import { languageOfQuestion } from './languages/choose.ts';
import { en } from './languages/en.ts';
import type { Language } from './languages/language.ts';
import { matcherOf } from './languages/matcher.ts';
import { participantIn, replierIn } from './participants.ts';
import { requestOf, type Request } from './question.ts';
import { suggestionNote } from './suggestion.ts';
import { fold } from '../../../search/language/tokenizer.ts';
import { quoted, type Post } from './wording.ts';

/** The number of earlier questions that are answered again, so that a question can refer to their answers. */
const maxEarlier = 4;
/** Maximum number of evidence lines. */
const maxEvidence = 12;

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

/** The answer to a question, as paragraphs, with its tickers. */
export async function respond(question: Question): Promise<{ paragraphs: string[]; tickers: string[] | undefined }> {
  const { subject, archive, turns, prompt } = question;
  let situation = start;
  for (const turn of turns.slice(-maxEarlier)) {
    if (turn.prompt === null) continue;
    ({ situation } = await take(subject, archive, turn.prompt, situation));
  }
  const { answer, context } = await (prompt === null
    ? first(subject, archive)
    : take(subject, archive, prompt, situation));
  const suggestion = suggestionNote(context, question.suggest);
  return {
    paragraphs: [...paragraphsOf(answer), ...(suggestion?.note === undefined ? [] : [suggestion.note])],
    tickers: suggestion?.tickers,
  };
}

async function first(subject: Subject, archive: ArchiveReader): Promise<{ answer: Answer; context: Context }> {
  const context = await contextOf(subject, archive, en, '');
  return { answer: explain(context), context };
}

/** Answers one prompt, and moves the conversation on. */
async function take(
  subject: Subject,
  archive: ArchiveReader,
  prompt: string,
  situation: Situation,
): Promise<{ answer: Answer; context: Context; situation: Situation }> {
  const language = languageOfQuestion(prompt, situation.language);
  const context = await contextOf(subject, archive, language, prompt);
  const asked = await askedIn(context, prompt, situation);
  const isMore = asked.kind === 'more' && situation.request !== undefined;
  const request = isMore && situation.request !== undefined ? situation.request : asked;
  const shown = isMore ? situation.shown : new Set<string>();
  const focus = focusOf(context, prompt, asked, situation);
  const answer =
    focus === undefined ? await answerTo(context, request, shown, situation) : aboutItem(context, asked, focus);
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
const personal = new Set<Request['kind']>(['search', 'explain', 'replies', 'who', 'usual', 'stance']);

/** What a prompt asks for. Whoever it names without `@` is the author of the post, or somebody who wrote here. */
async function askedIn(context: Context, prompt: string, situation: Situation): Promise<Request> {
  const named = participantIn(context, prompt);
  const isAuthor = named?.author.id === context.subject.tweet.author.id;
  const asked = requestOf(
    isAuthor && named !== undefined ? named.rest : prompt,
    context.wording.language,
    context.lexis,
    {
      previous: situation.request,
      hasItems: situation.items.length > 0,
      hasReplies: context.replies.length > 0,
    },
  );
  const username =
    named === undefined ? await replierIn(context, prompt) : isAuthor ? undefined : named.author.username;
  return username !== undefined && personal.has(asked.kind)
    ? { kind: 'person', username, isHere: asked.kind !== 'who' && asked.kind !== 'usual' }
    : asked;
}

/** The post of a list that a question is about: named by its number, or the one of the last answer (“who wrote it?”). */
function focusOf(context: Context, prompt: string, asked: Request, situation: Situation): Post | undefined {
  if (asked.kind === 'item') {
    const list = listFor(context, prompt, situation);
    return asked.index === -1 ? list.at(-1) : list[asked.index];
  }
  const isAboutIt = asked.kind === 'who' || asked.kind === 'when' || asked.kind === 'figures' || asked.kind === 'count';
  const named = matcherOf(context.wording.language).has('post', fold(prompt));
  return isAboutIt && !named ? situation.focus : undefined;
}

/** The posts that a number refers to: the last list, or the replies. */
function listFor({ replies: all, wording }: Context, prompt: string, { items }: Situation): readonly Post[] {
  const namesReplies = matcherOf(wording.language).has('replies', fold(prompt));
  return items.length > 0 && !(namesReplies && !items.every(({ id }) => all.some((reply) => reply.id === id)))
    ? items
    : all;
}

/** The answer about one post of a list. */
function aboutItem(context: Context, asked: Request, post: Post): Answer {
  const { wording } = context;
  if (asked.kind === 'who') return who(context, post);
  if (asked.kind === 'when') return when(context, post);
  if (asked.kind === 'figures' || asked.kind === 'count') {
    const [lead = '', ...evidence] = figures(context, post);
    return { lead, evidence };
  }
  const number = asked.kind === 'item' && asked.index >= 0 ? asked.index + 1 : undefined;
  const values = { who: wording.nameOf(post), quote: quoted(post.text) };
  return {
    lead: number === undefined ? wording.say('answers', values) : wording.say('item', { number, ...values }),
    evidence: figures(context, post),
  };
}

/** The answer to a request about the subject. `shown`: the ids of the posts that earlier answers to it listed. */
async function answerTo(
  context: Context,
  request: Request,
  shown: ReadonlySet<string>,
  { items }: Situation,
): Promise<Answer> {
  switch (request.kind) {
    case 'explain':
    case 'more':
      return shown.size > 0 ? { lead: context.wording.say('noMore') } : explain(context);
    case 'summary':
      return summary(context, request.target, request.format);
    case 'replies':
      return replies(context, request.format, shown);
    case 'stance':
      return stance(context, request.stance, shown);
    case 'sentiment':
      return sentiment(context, request.target);
    case 'thread':
      return thread(context, request.direction, shown);
    case 'search':
      return search(context, request, shown);
    case 'elsewhere':
      return elsewhere(context, request.terms);
    case 'related':
      return related(context);
    case 'topReply':
      return topReply(context, request.byLikes);
    case 'person':
      return person(context, request.username, request.isHere);
    case 'item':
      return noItem(context, request.index, items);
    default:
      return factAbout(context, request);
  }
}

const noItem = ({ wording }: Context, index: number, items: readonly Post[]): Answer => ({
  lead: items.length === 0 ? wording.say('noItems') : wording.say('noItem', { number: index + 1, count: items.length }),
});

type FactRequest = Exclude<
  Request,
  {
    kind:
      | 'explain'
      | 'more'
      | 'summary'
      | 'replies'
      | 'stance'
      | 'sentiment'
      | 'thread'
      | 'search'
      | 'elsewhere'
      | 'related'
      | 'topReply'
      | 'person'
      | 'item';
  }
>;

function factAbout(context: Context, request: FactRequest): Answer {
  switch (request.kind) {
    case 'who':
      return who(context);
    case 'when':
      return when(context, context.subject.tweet);
    case 'why':
      return why(context, request.terms);
    case 'usual':
      return usual(context);
    case 'followers':
      return followers(context);
    case 'compare':
      return compare(context);
    case 'figures':
      return allFigures(context);
    case 'count':
      return count(context, request.count);
    case 'quoted':
      return quoteAnswer(context);
    case 'detail':
      return detail(context, request.detail);
    case 'limit':
      return limit(context, request.limit, request.terms);
    case 'self':
      return self(context);
  }
}

/** The answer, its evidence and its figures, each as a paragraph. */
function paragraphsOf({ lead, evidence = [], figures: numbers = [] }: Answer): string[] {
  const lines = evidence.filter((line) => line !== '' && line !== lead).slice(0, maxEvidence);
  return [lead, lines.join('\n'), numbers.filter((line) => line !== '').join(' ')].filter((part) => part !== '');
}
