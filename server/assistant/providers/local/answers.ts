/** Answers about the post and its conversation. Each is made of claims, which state only what is true. */
import type { CountName } from '../../../ports/platform.ts';
import { fold } from '../../../search/language/tokenizer.ts';
import { plain } from '../../plain-text.ts';
import {
  answersTo,
  askedBy,
  byWeight,
  nodeOf,
  sentencesOf,
  weightOf,
  withoutAddressees,
  type Node,
  type Post,
} from '../../conversation-tree.ts';
import { claims } from './claims.ts';
import { queryOf, type Answer, type Context } from './context.ts';
import { detectedCode, isInOther, languageOf, type Stance } from './languages.ts';
import type { Detail, Format, Request } from './question.ts';
import {
  centralSentences,
  passagesOf,
  type FactKind,
  type Passage,
  type Query,
  isAfterwards,
  mentionsOf,
  minBeginning,
} from './retrieval.ts';
import { answersIn, minNear, ranked, type Match, type RankedMatch } from './ranking.ts';
import { authorsOf } from './people.ts';
import { confirms, moodOf, objects, stanceOf } from './stance.ts';
import { readable, termsOf } from './words.ts';

/** Maximum number of posts in a list, and of those that answer a question or may be its outcome. */
const maxListed = 5;
const maxAnswers = 3;
/** The number of lines of an answer from which no further post is added. */
const maxLines = 7;
/** Posts are added to an answer until one of them answers with this probability. */
const minShown = 0.9;
/** Sure answers that together have a lower probability are given as a doubt. */
const minProbable = 0.5;
/** The part of what a question asks about that a post of another conversation must have. */
const minElsewhere = 0.6;
/** The same of a passage on what nobody can know, unless it answers a question, and of one that only comes near. */
const minForetold = 0.6;
const minForeseen = 0.38;
/** Maximum number of words of a role, and of people whose profiles are read for one. */
const maxRoleWords = 2;
const maxProfiles = 50;
/** Maximum length of a post that is quoted whole in UTF-16 units. */
const maxWhole = 200;
/** Maximum number of lines of the discussion in a summary. */
const maxSaid = 4;
const maxSummary: Readonly<Record<Format, number>> = { short: 1, usual: 2, bullets: 6 };

const lines = (...all: readonly string[]): string[] => all.filter((line) => line !== '');
const postsOf = (nodes: readonly Node[]): Post[] => nodes.map(({ post }) => post);

/** The answer whose first line is the first that states something. */
function answer(all: readonly string[], rest: Omit<Answer, 'lead' | 'evidence'> = {}): Answer {
  const [lead = '', ...evidence] = lines(...all);
  return { lead, evidence, ...rest };
}

/** The main sentences of the post, or the whole post if it has no more of them. */
function gist({ tree, passages, lexis }: Context, count: number): string {
  const sentences = sentencesOf(tree.source.text, 25_000);
  return sentences.length <= count
    ? plain(tree.source.text)
    : centralSentences(sentences, passages, count, lexis).join(' … ');
}

/** Who wrote what, with what contradicts it. */
const statement = (context: Context, count: number): string[] =>
  lines(
    claims.wrote(context, gist(context, count)) || claims.wroteNothing(context),
    ...objections(context, context.tree.sourceNode),
  );

/** The weightiest objections to a post, each with the answer of who wrote the post. */
function objections(context: Context, node: Node, count = 1): string[] {
  const { tree, languageOf } = context;
  const isAbout = node === tree.root || node === tree.sourceNode;
  const near = isAbout ? [...tree.root.replies, ...tree.at('quote', 'later', 'continued')] : node.replies;
  return [...new Set(near)]
    .filter((each) => objects(each, languageOf(each)))
    .sort((a, b) => Number(b.isByAuthor) - Number(a.isByAuthor) || byWeight(a, b))
    .slice(0, count)
    .flatMap((each) => {
      const reply = each.replies.find(
        (reply) => reply.post.author.id === node.post.author.id && reply.statements.length > 0,
      );
      return lines(
        each.isByAuthor && each.place === 'later' ? claims.later(context, each) : claims.objects(context, each),
        reply === undefined ? '' : claims.says(context, reply),
      );
    });
}

/** A post of the list of a discussion: a question with its answer, or a statement with what contradicts it. */
function lineOf(context: Context, node: Node): string[] {
  const [reply] = answersTo(node);
  if (reply !== undefined) return lines(claims.asked(context, node), claims.answered(context, reply));
  return lines(claims.asked(context, node) || claims.says(context, node), ...objections(context, node));
}

export function explain(context: Context): Answer {
  const { tree } = context;
  const [lead = '', ...contradicted] = statement(context, 2);
  return {
    lead,
    evidence: lines(
      claims.profileSays(context),
      claims.repliesTo(context),
      claims.threadStarted(context),
      claims.quotesPost(context),
      claims.article(context),
      claims.articleSays(context, attachedGist(context, 2)),
      claims.linksTo(context),
      claims.attached(context),
      ...tree
        .at('continued')
        .slice(0, 2)
        .map((node) => claims.says(context, node)),
      ...tree
        .at('later')
        .slice(0, 2)
        .map((node) => claims.later(context, node)),
      ...contradicted,
      ...discussion(context),
      tree.root.replies.length === 0 && tree.at('quote').length === 0 ? claims.repliesHere(context) : '',
    ),
    figures: lines(claims.usual(context) || claims.tooFew(context), claims.figures(context)),
    usesPages: true,
  };
}

/** What people say that weighs most: a confirmation, questions with their answers, and what else many react to. */
function discussion(context: Context): string[] {
  const { tree, languageOf } = context;
  const said = tree.at('reply', 'quote', 'deeper').filter((node) => !node.isByAuthor);
  const weighed = said.toSorted(byWeight);
  const confirmed = weighed.find((node) => confirms(node, languageOf(node)));
  const answered = weighed
    .filter((node) => answersTo(node).some(({ isByAuthor }) => isByAuthor))
    .sort((a, b) => weightOf(b) + weightOf(answersTo(b)[0] ?? b) - weightOf(a) - weightOf(answersTo(a)[0] ?? a));
  const best = weighed.find(
    (node) => node.place !== 'deeper' && node.statements.length > 0 && !objects(node, languageOf(node)),
  );
  const chosen = new Set([...answered.slice(0, 2), ...(best === undefined || best === confirmed ? [] : [best])]);
  return lines(
    confirmed === undefined || chosen.has(confirmed) ? '' : claims.confirms(context, confirmed),
    ...[...chosen].flatMap((node) => lineOf(context, node)),
  );
}

/** The main sentences of the article of the post. */
function attachedGist({ tree, passages, lexis }: Context, count: number): string[] {
  const title = plain(tree.source.article?.title ?? '');
  if (tree.source.article === undefined) return [];
  return centralSentences(
    tree.sourceNode.attached.filter((each) => each !== title),
    passages,
    count,
    lexis,
  );
}

export function summary(context: Context, target: 'post' | 'article' | 'quoted', format: Format): Answer {
  const { tree, wording } = context;
  const article = lines(
    claims.article(context),
    claims.articleSays(context, attachedGist(context, maxSummary[format])),
  );
  if (target === 'article' && article.length > 0) return answer(article);
  if (target === 'quoted') return answer([claims.quotesPost(context), claims.noQuote(context)]);
  const stated = statement(context, maxSummary[format]);
  if (format !== 'bullets')
    return answer([
      ...stated,
      ...(format === 'short' && stated.length > 1 ? [] : newestLater(context)),
      ...(format === 'usual' ? [...article, ...discussion(context).slice(0, maxSaid)] : []),
    ]);
  const own = centralSentences(
    sentencesOf(tree.source.text, 25_000),
    context.passages,
    maxSummary.bullets,
    context.lexis,
  );
  if (own.length < 2)
    return answer([...statement(context, 1), ...discussion(context)].map((line, n) => (n === 0 ? line : `- ${line}`)));
  return answer([
    claims.postedOn(context, tree.subject.tweet),
    ...own.map((text) => `- ${wording.quote(tree.source, text)}`),
    ...objections(context, tree.sourceNode).map((line) => `- ${line}`),
  ]);
}

/** Who mentions something in the discussion: there a question is an answer too. Undefined if nobody does. */
export function mentioned(context: Context, words: readonly string[], fact: FactKind = 'any'): Answer | undefined {
  const { tree, lexis, candidates } = context;
  const said = mentionsOf(tree.at('reply', 'deeper', 'quote'), lexis);
  const query = queryOf(context, words, fact);
  const found = answersIn(said, query, context).slice(0, maxAnswers);
  if (found.length === 0) return undefined;
  // “Did anyone get hurt?” can be answered by the post.
  const [answered] = isYesNo(context) ? answersIn(candidates, query, context) : [];
  if (answered?.passage.node.isByAuthor === true) return undefined;
  const nodes = found.map(({ passage }) => passage.node);
  return answer([...new Set(nodes.flatMap((node) => lineOf(context, node)))], { items: postsOf(nodes) });
}

/** The passages that answer a question of facts. */
export async function search(context: Context, words: readonly string[], fact: FactKind): Promise<Answer> {
  const { candidates } = context;
  const query = queryOf(context, words, fact);
  // The search takes longer than the comparison of the passages. Its result may not be needed, and then its failure does not matter.
  const searching = searched(context, words);
  searching.catch(() => {});
  const all = ranked(candidates, query, context);
  const answers = all.filter(({ isSure }) => isSure);
  // What the post itself says comes first, unless it may have changed.
  const ofPost = ({ passage: { node } }: Match): boolean => node === context.tree.sourceNode;
  const sure = (query.isOfNow ? undefined : answers.find(ofPost)) ?? answers[0];
  if (sure !== undefined) {
    // A reason is often given without a word for it, in the post that has what the question asks about.
    const anyFact = fact === 'reason' ? answersIn(candidates, { ...query, fact: 'any' }, context) : [];
    const chosen = [sure, ...anyFact.filter(ofPost), ...likeliest(all)];
    const first = chosen.filter(
      ({ passage }, n) => chosen.findIndex((each) => each.passage.node === passage.node) === n,
    );
    const { lead, evidence = [], items = [] } = answerOf(context, first.slice(0, maxListed));
    const probability = answers.reduce((sum, each) => sum + each.probability, 0);
    const isDoubtful = probability < minProbable || namesUnknown(context);
    return answer([isDoubtful ? context.wording.say('nearest') : '', lead, ...evidence], { items });
  }
  // “3 kg for that?” has a number, though it asks.
  const isAskable = fact === 'number' || (fact === 'person' && words.length > 0);
  const asking = isAskable ? mentioned(context, words, fact) : undefined;
  if (asking !== undefined) return asking;
  const described =
    ofProfile(context, query) ?? (fact === 'any' || fact === 'person' ? await byProfile(context, query) : undefined);
  if (described !== undefined) return described;
  const others = await archived(context, query, searching);
  const near = nearest(context, query, words, likeliest(all), others.read);
  const posts = others.found.slice(0, maxAnswers).map(({ passage }) => passage.node.post);
  if (posts.length === 0) return near;
  const elsewhere = posts.map((post) => claims.elsewhere(context, post));
  const { lead, evidence = [], items = [] } = near;
  return answer(items.length === 0 ? elsewhere : [...elsewhere, lead, ...evidence], { items: [...posts, ...items] });
}

/**
 * Of ranked passages those that most likely answer a question: so many that one of them probably does. What the author wrote next may be
 * the outcome without a word of the question, or about something else: one such post is enough.
 */
function likeliest(all: readonly RankedMatch[]): RankedMatch[] {
  let [probable, unrelated] = [0, 0];
  return all.slice(0, maxListed).filter((match) => {
    if (probable >= minShown) return false;
    probable += match.probability;
    return match.passage.node.place !== 'authored' || isRelated(match) || unrelated++ === 0;
  });
}

/** Whether a passage, what it replies to, or its author has something of a question. */
const isRelated = ({ isOfKind, signals: { coverage, parent, name, sameKind } }: Match): boolean =>
  isOfKind || coverage + parent + name + sameKind > 0;

/** Whether a question names something that no post and nobody of the conversation has in a text or a name: “does it run on Windows?”. */
const namesUnknown = ({ names, candidates }: Context): boolean =>
  !names.every((name) =>
    candidates.some(({ folded, foldedQuestion, node: { post } }) =>
      [folded, foldedQuestion, fold(`${post.author.username} ${post.author.name}`)].some((text) => text.includes(name)),
    ),
  );

/** What comes nearest to a question that nothing answers, and what is in a language that its words cannot be compared with. */
function nearest(
  context: Context,
  query: Query,
  words: readonly string[],
  likely: readonly Match[],
  read: number,
): Answer {
  const { passages, candidates, wording } = context;
  const [note = '', ...stated] = words.length === 0 ? [] : otherLanguage(context);
  const bare: Query = { ...query, terms: [] };
  const isVague = note !== '' && query.fact === 'any' && query.concepts.length === 0;
  const isUncompared = ({ node, asked: question }: Passage): boolean =>
    question !== undefined && node.isByAuthor && isForeign(context, node) && isForeign(context, question);
  const compared = likely.filter(({ passage }) => !isUncompared(passage));
  const hasWords = compared.some(({ signals }) => signals.coverage >= minNear);
  // Without enough of its words, only the kind of fact that it asks for, or what came next, can answer a question.
  const isOther = compared.some(({ isOfKind }) => isOfKind) || (isYesNo(context) && query.concepts.length === 0);
  if (note === '' && !hasWords && asksOpinions(context)) return opinions(context);
  const near =
    note !== '' ? (isVague ? [] : answersIn(candidates, bare, context)) : hasWords || isOther ? compared : [];
  const foreign = (
    words.length === 0 ? [] : answersIn(passages.filter(isUncompared), { ...bare, concepts: [] }, context)
  )
    .filter(({ passage: { node } }) => !near.some(({ passage }) => passage.node === node))
    .slice(0, maxAnswers);
  if (near.length === 0 && foreign.length === 0)
    return answer(note === '' ? [claims.notFound(context, read)] : [note, ...stated]);
  const found = near.length === 0 ? undefined : answerOf(context, foreign.length > 0 ? near.slice(0, 1) : near);
  return answer(
    [
      note !== '' ? note : wording.say('nearest'),
      ...(found === undefined ? stated : [found.lead, ...(found.evidence ?? [])]),
      note === '' && foreign.length > 0 ? wording.say('othersOnly') : '',
      ...foreign.flatMap((match) => linesOf(context, match)),
    ],
    { items: [...(found?.items ?? []), ...foreign.map(({ passage }) => passage.node.post)] },
  );
}

/** Whether a question has no question word: “did she change her mind?”. Where such words are not known, none is one. */
const isYesNo = ({ asked, wording: { language } }: Context): boolean =>
  language.data.joined.before !== '' && asked.search(language.pattern(language.data.joined.before)) === -1;

/** The place of something in the profile of the author; undefined if it names none. */
function ofProfile(context: Context, query: Query): Answer | undefined {
  const { tree, lexis } = context;
  const { profile, tweet } = tree.subject;
  if (query.fact !== 'place' || profile === undefined) return undefined;
  const passages = passagesOf([nodeOf({ ...tweet, text: profile.description }, 'post', undefined, true)], lexis);
  const isSaid = answersIn(passages, query, context).length > 0;
  return isSaid ? answer([claims.profileSays(context)]) : undefined;
}

/** What people write here whose profiles have all words of a question: “what does the engineer say?”. Undefined if there is none. */
async function byProfile(context: Context, { terms }: Query): Promise<Answer | undefined> {
  const { archive, tree, lexis } = context;
  if (terms.length === 0 || terms.length > maxRoleWords) return undefined;
  const others = tree.conversation.filter(({ isByAuthor }) => !isByAuthor);
  const ids = [...new Set(others.map(({ post }) => post.author.id))].slice(0, maxProfiles);
  const people = (await archive.profiles(ids)).filter(({ description }) => {
    const own = termsOf(description, lexis);
    return terms.every((term) => own.includes(term));
  });
  if (people.length === 0) return undefined;
  const nodes = others.filter(({ post }) => people.some(({ id }) => id === post.author.id)).slice(0, maxListed);
  return answer(
    [
      ...people.map((user) => claims.profileOf(context, user)),
      ...new Set(nodes.flatMap((node) => lineOf(context, node))),
    ],
    { items: postsOf(nodes) },
  );
}

/** Whether a post is in another language than the question: by its source, or surely by its words. */
function isForeign({ tree, wording: { language } }: Context, { post }: Node): boolean {
  const named = tree.subject.backgrounds.get(post.id)?.lang;
  return named === undefined || !/^[a-z]{2}(?:[-_]|$)/i.test(named)
    ? isInOther(withoutAddressees(post.text), language)
    : languageOf(named) !== language;
}

/** The post, where its words cannot be compared with those of a question in another language. */
function otherLanguage(context: Context): string[] {
  const { tree, wording } = context;
  const code = tree.subject.backgrounds.get(tree.source.id)?.lang ?? detectedCode(tree.source.text);
  if (code === undefined || !/^[a-z]{2}$/.test(code) || !isForeign(context, tree.sourceNode)) return [];
  return [wording.say('wordsOnly', { language: wording.languageName(code) }), ...statement(context, 2)];
}

/** Posts that answer a question, and for one such as “did they find him?” what the author wrote later. */
function answerOf(context: Context, chosen: readonly Match[]): Answer {
  const hasOutcome = (match: Match): boolean =>
    isRelated(match) && (isAfterwards(match.passage.node) || match.passage.node.place === 'continued');
  const since = isYesNo(context) && !chosen.some(hasOutcome) ? afterwards(context) : [];
  const all = new Set<string>();
  const items: Post[] = [];
  for (const match of chosen) {
    if (all.size >= maxLines) break;
    for (const line of linesOf(context, match)) all.add(line);
    items.push(match.passage.node.post);
  }
  return answer([...all, ...since], { items });
}

/** A match with the question that it answers, and with what contradicts it. */
const linesOf = (context: Context, { passage: { node, text, asked } }: Match): string[] =>
  lines(
    asked !== undefined && node !== context.tree.root
      ? claims.answered(context, node)
      : isAfterwards(node)
        ? claims.later(context, node)
        : claims.says(context, node, whole(node, text)),
    asked === undefined || node === context.tree.root ? '' : claims.asked(context, asked),
    objects(node, context.languageOf(node)) ? refuted(context, node) : '',
    // Who asks or complains says why; what the author replies is what the user looks for.
    ...firstReply(context, node),
    ...objections(context, node),
  );

/** The first reply that belongs to a post; none where there is none. */
const firstReply = (context: Context, node: Node): string[] =>
  repliesTo(context, node)
    .slice(0, 1)
    .map((each) => claims.answered(context, each) || claims.says(context, each));

/** The answers to a question that somebody else asks, and otherwise what others reply to somebody else, the author first. */
const repliesTo = ({ tree }: Context, node: Node): Node[] => {
  if (node === tree.root || node.questions.length > 0) return node === tree.root ? [] : answersTo(node);
  if (node.isByAuthor) return [];
  return node.replies
    .filter((each) => each.statements.length > 0 && each.post.author.id !== node.post.author.id)
    .sort((a, b) => Number(b.isByAuthor) - Number(a.isByAuthor) || byWeight(a, b));
};

/** The whole text of a short post, so that nothing is torn from what it belongs to; otherwise the passage. */
const whole = ({ post, questions }: Node, text: string): string =>
  post.text.length <= maxWhole && questions.length === 0 && plain(post.text).includes(text) ? post.text : text;

/** The posts of the rest of the archive that have all words of a question, the newest first. */
async function searched({ archive, tree }: Context, words: readonly string[]): Promise<Post[]> {
  const specific = words.filter((word) => [...word].length > 1);
  if (specific.length < 2) return [];
  const query = specific
    .slice(0, maxListed)
    .map((word) => `"${word.replaceAll('"', ' ')}"`)
    .join(' ');
  return (await archive.search(query, maxListed)).filter(({ id }) => !tree.nodes.has(id));
}

/** What the other posts of the author, and otherwise those of the archive, have of a question, and how many posts were read. */
async function archived(
  context: Context,
  asked: Query,
  searching: Promise<readonly Post[]>,
): Promise<{ found: Match[]; read: number }> {
  const { tree, lexis } = context;
  const authored = tree.at('authored');
  const nearly = (nodes: readonly Node[]): Match[] =>
    answersIn(passagesOf(nodes, lexis), asked, context).filter(({ coverage }) => coverage >= minElsewhere);
  // Few posts have a word of the question, and to cut the others into passages takes time.
  const mayAnswer = (node: Node): boolean => {
    const text = readable(node.post.text);
    return (
      asked.terms.some((term) => text.includes(term.slice(0, minBeginning))) ||
      asked.concepts.some(([concept]) => asked.languageOf(node).has(concept, text))
    );
  };
  const byAuthor =
    asked.terms.length === 0 ? [] : nearly(authored.filter((node) => !tree.next.includes(node) && mayAnswer(node)));
  const posts = await searching;
  if (byAuthor.length > 0) return { found: byAuthor, read: authored.length };
  const found = nearly(posts.map((post) => nodeOf(post, 'found', undefined, false)));
  return { found, read: authored.length + posts.length };
}

/** What the author wrote later, and where the post stands now. */
export async function later(context: Context, words: readonly string[], shown: ReadonlySet<string>): Promise<Answer> {
  const { tree, candidates, wording } = context;
  const next = [...tree.at('continued'), ...tree.at('later')].filter(({ post }) => !shown.has(post.id));
  const listed = [...next, ...tree.next.toReversed().filter(({ post }) => !shown.has(post.id))].slice(0, maxListed);
  const newest = listed.map((node) => sinceThen(context, node));
  if (words.length > 0 && shown.size === 0) {
    const all = answersIn(candidates, queryOf(context, words, 'any'), context);
    const late = all.filter(({ passage: { node } }) => next.includes(node));
    const found = late.length > 0 ? answerOf(context, late.slice(0, maxAnswers)) : await search(context, words, 'any');
    const { lead, evidence = [], items = [] } = found;
    if (items.length > 0) return answer([...new Set([lead, ...evidence, ...newest.slice(0, 2)])], { items });
  }
  if (next.length > 0) return answer(newest, { items: postsOf(listed) });
  return shown.size > 0 ? { lead: wording.say('noMore') } : answer([claims.noLater(context), ...afterwards(context)]);
}

/** What the conversation says about what nobody can know; undefined if it says nothing. */
export function foretold(context: Context, words: readonly string[]): Answer | undefined {
  const { candidates, wording } = context;
  if (words.length === 0) return undefined;
  const all = ranked(candidates, queryOf(context, words, 'any'), context);
  const found = all.filter(({ isSure }) => isSure);
  const [best] = found;
  const isSure = best !== undefined && (best.coverage >= minForetold || best.passage.asked !== undefined);
  if (isSure) return answerOf(context, found.slice(0, maxAnswers));
  const near = likeliest(all).filter(({ signals }) => signals.coverage >= minForeseen);
  if (near.length === 0) return undefined;
  const { lead, evidence = [], items = [] } = answerOf(context, near);
  return answer([wording.say('nearest'), lead, ...evidence], { items });
}

/** Whether something is true: what confirms and what contradicts it. */
export async function truth(context: Context, words: readonly string[]): Promise<Answer> {
  const { tree, languageOf, wording, candidates, lexis } = context;
  const said = tree.conversation.filter(
    (node) => node.place !== 'post' && node.place !== 'repeated' && node.place !== 'thread',
  );
  const terms = words.map(lexis.stem);
  // What is said about the very thing that the question asks comes first.
  const nearness = ({ post, parent }: Node): number => {
    const own = new Set(termsOf(`${post.text} ${parent === tree.root ? '' : (parent?.post.text ?? '')}`, lexis));
    return terms.filter((term) => own.has(term)).length;
  };
  const rank = (nodes: Node[]): Node[] =>
    nodes.sort((a, b) => nearness(b) - nearness(a) || Number(b.isByAuthor) - Number(a.isByAuthor) || byWeight(a, b));
  const against = rank(said.filter((node) => objects(node, languageOf(node)))).slice(0, maxAnswers);
  const by = rank(said.filter((node) => confirms(node, languageOf(node)))).slice(0, 2);
  // “Is that official?”, with its answer.
  const isCheck = (node: Node): boolean =>
    answersTo(node).length > 0 && languageOf(node)?.has('verify', readable(node.questions.join(' '))) === true;
  const matches =
    words.length === 0
      ? []
      : ranked(
          candidates.filter(({ node }) => !against.includes(node) && !by.includes(node)),
          queryOf(context, words, 'any'),
          context,
        ).filter(({ signals }) => signals.coverage >= minNear);
  const all = [
    ...against.flatMap((node) => [claims.objects(context, node), refuted(context, node)]),
    ...by.map((node) => claims.confirms(context, node)),
    ...newestLater(context).filter((line) => !against.some((node) => line === claims.later(context, node))),
    ...said
      .filter(isCheck)
      .slice(0, 2)
      .flatMap((node) => lineOf(context, node)),
    ...matches.slice(0, 2).flatMap((match) => linesOf(context, match)),
  ];
  // Where nobody's words show it, the reader sees what weighs most.
  const heard = all.length > 0 ? [] : tree.reactions.toSorted(byWeight).slice(0, 2);
  const shown = heard.flatMap((node) => lineOf(context, node));
  const checked = lines(...all, claims.noChecks(context), ...shown, wording.say('cannotVerify'));
  return answer(checked, { items: postsOf([...against, ...by, ...heard]) });
}

/** What the author wrote after the post. */
const sinceThen = (context: Context, node: Node): string =>
  node.place === 'continued' ? claims.says(context, node) : claims.later(context, node);

/**
 * What the author wrote later: the posts that weigh most with readers, the oldest first. It is unsure where none of them is surely on the
 * same thing.
 */
function afterwards(context: Context): string[] {
  const { tree, wording } = context;
  const all = tree.afterwards;
  if (all.length === 0) return [];
  const weightiest = new Set(all.toSorted(byWeight).slice(0, maxAnswers));
  const shown = all.filter((node) => weightiest.has(node)).map((node) => sinceThen(context, node));
  return tree.at('continued', 'later').length > 0 ? shown : [wording.say('nearest'), ...shown];
}

/** The newest of the author's later posts about the same thing: it says what became of a statement. */
const newestLater = (context: Context): string[] =>
  context.tree
    .at('later')
    .slice(0, 1)
    .map((node) => claims.later(context, node));

/** What an objection below another post is about. */
const refuted = (context: Context, { parent }: Node): string =>
  parent === undefined || parent === context.tree.root ? '' : claims.says(context, parent);

/** Whether a question asks what people think, and some say something. */
export const asksOpinions = ({ asked, tree, wording: { language } }: Context): boolean =>
  tree.reactions.length > 0 && (['agree', 'disagree', 'sentiment'] as const).some((cue) => language.has(cue, asked));

/** What people say, for a question about what they think of something that none of them names. */
export function opinions(context: Context): Answer {
  const { lead, evidence = [], items = [] } = replies(context, new Set());
  return answer([context.wording.say('nearest'), lead, ...evidence], { items });
}

export function replies(context: Context, shown: ReadonlySet<string>): Answer {
  const { tree, wording } = context;
  const all = tree.reactions.toSorted(byWeight);
  const listed = all.filter(({ post }) => !shown.has(post.id)).slice(0, maxListed);
  if (listed.length === 0)
    return shown.size > 0 ? { lead: wording.say('noMore') } : answer([claims.repliesHere(context)]);
  const { stances, unread } = byStance(context);
  return {
    lead: lines(
      claims.repliesHere(context),
      shown.size > 0 ? '' : claims.stances(context, stances),
      claims.unread(context, unread),
    ).join(' '),
    evidence: [...new Set(listed.flatMap((node) => lineOf(context, node)))],
    items: postsOf(listed),
  };
}

/** The reactions in languages whose words are known, by what they do, and the number of the others. */
function byStance({ tree, languageOf }: Context): { stances: Map<Stance, Node[]>; unread: number } {
  const stances = new Map<Stance, Node[]>();
  let unread = 0;
  for (const node of tree.reactions) {
    const language = languageOf(node);
    if (language === undefined) unread++;
    else stances.set(stanceOf(node, language), [...(stances.get(stanceOf(node, language)) ?? []), node]);
  }
  return { stances, unread };
}

/** The reactions that do something by their wording. */
export const withStance = (context: Context, wanted: Stance): Post[] =>
  postsOf(byStance(context).stances.get(wanted) ?? []);

/** Which reactions do something by their wording. */
export function stance(context: Context, wanted: Exclude<Stance, 'neutral'>, shown: ReadonlySet<string>): Answer {
  const { tree, wording } = context;
  const { stances, unread } = byStance(context);
  const found = (stances.get(wanted) ?? []).sort(byWeight).filter(({ post }) => !shown.has(post.id));
  if (tree.reactions.length === 0) return answer([claims.repliesHere(context)]);
  if (found.length === 0 && shown.size > 0) return { lead: wording.say('noMore') };
  const counted = new Map<Stance, Node[]>([
    [wanted, stances.get(wanted) ?? []],
    ['neutral', [...stances].filter(([each]) => each !== wanted).flatMap(([, nodes]) => nodes)],
  ]);
  // Where no words show it, the reader sees the weightiest replies. An objection to a reply is shown with that reply.
  const listed =
    found.length === 0 ? tree.reactions.toSorted(byWeight).slice(0, maxAnswers) : found.slice(0, maxListed);
  const nested = wanted === 'disagree' ? tree.at('deeper').filter((node) => !node.isByAuthor) : [];
  return {
    lead: lines(claims.stances(context, counted), claims.unread(context, unread)).join(' '),
    evidence: [
      ...new Set([
        ...listed.flatMap((node) => lineOf(context, node)),
        ...nested.flatMap((node) => lines(claims.objects(context, node))).slice(0, maxAnswers),
      ]),
    ],
    items: postsOf(listed),
  };
}

export function sentiment(context: Context): Answer {
  const { tree, languageOf } = context;
  if (tree.reactions.length === 0) return answer([claims.repliesHere(context)]);
  const moods = new Map(tree.reactions.map((node) => [node, moodOf(node, languageOf(node))]));
  const strength = (node: Node): number => Math.abs(moods.get(node) ?? 0);
  // Those that show a mood most clearly are examples of what is counted.
  const listed = tree.reactions.toSorted((a, b) => strength(b) - strength(a) || byWeight(a, b)).slice(0, maxAnswers);
  const unread = tree.reactions.filter((node) => languageOf(node) === undefined).length;
  return {
    lead: lines(claims.mood(context, [...moods.values()]), claims.unread(context, unread)).join(' '),
    evidence: listed.map((node) => claims.says(context, node)),
    items: postsOf(listed),
  };
}

/** What the author replied in the conversation, each with what it replies to; of the posts in `about` only, if they got replies. */
export function authorAnswers(context: Context, shown: ReadonlySet<string>, about: ReadonlySet<string>): Answer {
  const { tree, wording } = context;
  const isReply = ({ isByAuthor, parent, statements }: Node): boolean =>
    isByAuthor && parent !== undefined && !parent.isByAuthor && statements.length > 0;
  const all = tree.conversation.filter((node) => isReply(node) && !shown.has(node.post.id));
  const asked = all.filter(({ parent }) => about.has(parent?.post.id ?? ''));
  const found = asked.length > 0 ? asked : all;
  if (found.length === 0)
    return shown.size > 0 ? { lead: wording.say('noMore') } : answer([claims.noAuthorAnswer(context)]);
  const weight = (node: Node): number => weightOf(node) + weightOf(node.parent ?? node);
  const listed = found
    .sort((a, b) => Number(askedBy(b) !== undefined) - Number(askedBy(a) !== undefined) || weight(b) - weight(a))
    .slice(0, maxListed);
  const said = listed.flatMap((node) => [
    claims.answered(context, node) || claims.says(context, node),
    ...(node.parent === undefined ? [] : [claims.asked(context, node.parent) || claims.says(context, node.parent)]),
  ]);
  return answer(said, { items: postsOf(listed) });
}

export function topReply(context: Context, byLikes: boolean): Answer {
  const [best] = context.tree.reactions.toSorted((a, b) =>
    byLikes ? b.post.like_count - a.post.like_count : byWeight(a, b),
  );
  if (best === undefined) return answer([claims.repliesHere(context)]);
  return answer([...lineOf(context, best), claims.figures(context, best.post)], { items: [best.post] });
}

export const before = (context: Context): Answer =>
  answer(
    [claims.repliesTo(context), claims.threadStarted(context), claims.noReplyTo(context), claims.quotesPost(context)],
    {
      items: context.tree.subject.thread.slice(-maxListed),
    },
  );

export function quotes(context: Context): Answer {
  const found = context.tree.at('quote').sort(byWeight).slice(0, maxListed);
  return answer([claims.quotedBy(context), ...found.flatMap((node) => lineOf(context, node))], {
    items: postsOf(found),
  });
}

export function quoted(context: Context): Answer {
  const other = context.tree.subject.tweet.quoted_tweet ?? context.tree.source.quoted_tweet;
  return answer([claims.quotesPost(context), claims.noQuote(context)], { items: other === null ? [] : [other] });
}

export function detail(context: Context, asked: Detail): Answer {
  const line = asked === 'links' ? claims.linksTo(context) : claims[asked](context);
  if (line === '')
    return answer([context.wording.say('noDetail'), ...(asked === 'links' ? [claims.quotesPost(context)] : [])]);
  return { ...answer([line]), usesPages: asked === 'links' };
}

export const who = (context: Context, post: Post = context.tree.subject.tweet): Answer => {
  const isSubject = post.id === context.tree.subject.tweet.id;
  return answer([
    claims.authorIs(context, post),
    isSubject ? claims.profileSays(context) : '',
    [
      isSubject && context.tree.subject.tweet.author.verified
        ? `${context.wording.start(context.wording.say('verifiedAccount'))}.`
        : '',
      claims.followers(context, post),
    ]
      .filter(Boolean)
      .join(' '),
    claims.postedOn(context, post),
  ]);
};

export const followers = (context: Context): Answer =>
  answer(
    [
      claims.followers(context, context.tree.subject.tweet),
      context.wording.say('noDetail'),
      claims.authorIs(context, context.tree.subject.tweet),
    ].filter((_, n, all) => n !== 1 || all[0] === ''),
  );

/** Who did what a count counts. */
export async function whoDid(context: Context, count: CountName): Promise<Answer> {
  const { archive, tree, wording } = context;
  if (count === 'quote_count') return quotes(context);
  if (count === 'reply_count') return replies(context, new Set());
  const users = count === 'retweet_count' ? await archive.retweeters(tree.source.id, 10) : [];
  return answer([claims.retweeters(context, users) || wording.say('peopleUnknown'), claims.count(context, count)]);
}

export const compare = (context: Context): Answer =>
  answer([claims.usual(context) || claims.tooFew(context), claims.figures(context)]);

export const count = (context: Context, name: CountName): Answer =>
  answer([claims.usual(context, name) || claims.count(context, name)]);

/** What the author usually posts about. */
export function usual(context: Context): Answer {
  const { tree } = context;
  const others = tree.at('authored');
  const [newest] = others;
  return answer(
    [
      claims.authorIs(context, tree.subject.tweet),
      claims.profileSays(context),
      claims.noOtherPosts(context),
      ...others.slice(0, maxAnswers).map((node) => claims.elsewhere(context, node.post)),
    ],
    { items: newest === undefined ? [] : [newest.post] },
  );
}

/** What several people of the same name write here. */
export function namesakes(context: Context, ids: ReadonlySet<string>): Answer {
  const nodes = context.tree.conversation.filter(({ post }) => ids.has(post.author.id));
  const people = authorsOf(context.tree).filter(({ id }) => ids.has(id));
  const listed = people.flatMap(({ id }) => nodes.filter(({ post }) => post.author.id === id).slice(0, 2));
  const said = listed.flatMap((node) => lineOf(context, node));
  return answer([claims.namesakes(context, people), ...new Set(said)], { items: postsOf(listed) });
}

/** Another user: what they write here, and unless `isHere` asks for that alone, their newest posts in the archive. */
export async function person(context: Context, username: string, isHere: boolean): Promise<Answer> {
  const { tree, archive, wording } = context;
  const isTheirs = ({ post }: Node): boolean => post.author.username.toLowerCase() === username.toLowerCase();
  if (isTheirs(tree.root)) return who(context);
  const here = tree.conversation.filter(isTheirs).slice(0, maxListed);
  const replied =
    here.length > 0 ? [] : await archive.search(`from:${username} in_reply_to_tweet_id:${tree.subject.tweet.id}`, 3);
  const newest = isHere && here.length + replied.length > 0 ? [] : await archive.author(username, 3);
  const others = [...replied, ...newest].filter(({ id }) => !here.some(({ post }) => post.id === id)).slice(0, 3);
  const [first] = [...postsOf(here), ...others];
  if (first === undefined) return { lead: wording.say('userUnknown', { who: `@${username}` }) };
  const all = [
    ...here.flatMap((node) => [...lineOf(context, node), ...firstReply(context, node)]),
    ...replied.map((post) => claims.says(context, nodeOf(post, 'reply', tree.root, false))),
    ...others.filter((post) => !replied.includes(post)).map((post) => claims.elsewhere(context, post)),
  ];
  return answer([...new Set(all)], { items: [...postsOf(here), ...others] });
}

/** Other posts with the same link, hashtag or cashtag; with words, other posts that have them. */
export async function related(context: Context, words: readonly string[]): Promise<Answer> {
  const { archive, tree, wording } = context;
  const { entities } = tree.source;
  const marks: [string, string][] = [
    ...entities.urls
      .filter(({ url }) => !/["\s]/.test(url))
      .map(({ url, display_url }): [string, string] => [display_url, `url:"${url.replace(/^https?:\/\//, '')}"`]),
    ...entities.hashtags.map((tag): [string, string] => [`#${plain(tag)}`, `#${tag}`]),
    ...entities.cashtags.map((tag): [string, string] => [`$${plain(tag)}`, `$${tag}`]),
  ];
  const asked: [string, string][] =
    words.length === 0
      ? marks.slice(0, 4)
      : [
          [
            wording.listed(words.map((word) => `‘${word}’`)),
            words.map((word) => `"${word.replaceAll('"', ' ')}"`).join(' '),
          ],
        ];
  const found = await Promise.all(
    asked.map(
      async ([what, query]) =>
        [
          what,
          (await archive.search(`${query} include:nativeretweets`, 21)).filter(
            ({ id }) => id !== tree.subject.tweet.id && id !== tree.source.id,
          ),
        ] as const,
    ),
  );
  const posts = [
    ...new Map(found.flatMap(([, each]) => each.slice(0, maxAnswers)).map((post) => [post.id, post])).values(),
  ];
  const listed = posts.map((post) => {
    const node = tree.nodes.get(post.id);
    return node === undefined || node.place === 'authored'
      ? claims.elsewhere(context, post)
      : claims.says(context, node);
  });
  const all = lines(...found.map(([what, each]) => claims.sameTag(context, what, each.slice(0, 20))), ...listed);
  if (all.length > 0) return answer(all, { items: posts });
  return words.length > 0 ? search(context, words, 'any') : answer([wording.say('relatedNone')]);
}

/** When the post is from, and what its author says about a time. */
export function when(context: Context, request: Request): Answer {
  const { passages, tree } = context;
  const own = passages.filter(({ node }) => node.isByAuthor && node.place !== 'later');
  const named = answersIn(own, { ...queryOf(context, [], 'time'), concepts: [] }, context).slice(0, 2);
  const { lead } = item(context, tree.subject.tweet, request);
  return answer([lead, ...named.map(({ passage: { node, text } }) => claims.says(context, node, whole(node, text)))]);
}

/** One post of an earlier list. */
export function item(context: Context, post: Post, request: Request): Answer {
  const { tree, wording } = context;
  if (request.kind === 'who') return who(context, post);
  if (request.kind === 'when') return answer([claims.postedOn(context, post)]);
  if (request.kind === 'figures' || request.kind === 'count') return answer([claims.figures(context, post)]);
  const values = { who: wording.nameOf(post), quote: wording.quote(post) };
  const node = tree.nodes.get(post.id);
  return answer([
    request.kind === 'item' && request.index >= 0
      ? wording.say('item', { number: request.index + 1, ...values })
      : wording.say('answers', values),
    ...(node === undefined
      ? []
      : answersTo(node)
          .slice(0, 1)
          .map((each) => claims.answered(context, each))),
    claims.figures(context, post),
  ]);
}
