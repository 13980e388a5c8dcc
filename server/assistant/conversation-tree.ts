/** The conversation around a post as a tree of posts, with their sentences, and with the answers that questions got. */
import { lazy } from '../collections/lazy.ts';
import type { Schemas } from '../contract/operations.ts';
import type { Subject } from '../ports/assistant-provider.ts';
import { handlePattern } from '../text/username.ts';
import { plain } from './plain-text.ts';

type Tweet = Schemas['Tweet'];
/** The short form of a tweet; the full form has all its members too. */
export type Post = Schemas['TweetShort'];
/**
 * Where a post stands. `reply`, `deeper` and `quote` are what people say, `below later` what they say to a later post; `authored` is no
 * part of the conversation.
 */
export type Place =
  | 'post'
  | 'repeated'
  | 'quoted'
  | 'linked'
  | 'thread'
  | 'continued'
  | 'reply'
  | 'deeper'
  | 'quote'
  | 'later'
  | 'below later'
  | 'authored'
  | 'found';

export interface Node {
  readonly post: Post;
  readonly place: Place;
  /** The post that it replies to, or that it quotes. */
  readonly parent: Node | undefined;
  /** The replies to it that were read. */
  readonly replies: Node[];
  readonly isByAuthor: boolean;
  /** The sentences that state something, and those that ask something. */
  readonly statements: readonly string[];
  readonly questions: readonly string[];
  /** What its link preview and its article say. */
  readonly attached: readonly string[];
}

/** Limits that bound the time: the length of a text in UTF-16 units by place, and the sentences of a text. */
const maxLength: Readonly<Partial<Record<Place, number>>> = { post: 25_000, repeated: 25_000, quoted: 10_000 };
const otherLength = 1000;
const maxArticle = 25_000;
const maxSentences = 300;
/** The other posts that the author wrote soon after a post may say what became of it: how soon, and their number. */
const soonMs = 60 * 86_400_000;
const maxNext = 8;

const segmenter = lazy(() => new Intl.Segmenter('und', { granularity: 'sentence' }));
const isEmpty = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text.replace(/(?:https?:\/\/|[@#])\S+/g, '').slice(0, maxArticle));
const dayNumber = /(?:^|\s)\d{1,2}\.\s*$/u;
const germanMonth = /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/u;

/** The sentences of the first `limit` UTF-16 units of a text that say something. The day of a German date ends none. */
export function sentencesOf(text: string, limit: number): string[] {
  const found: string[] = [];
  for (const line of text.slice(0, limit).split(/[\r\n\u2028\u2029]+/)) {
    const parts: string[] = [];
    for (const { segment } of segmenter().segment(line)) {
      const last = parts.at(-1);
      const isDate = last !== undefined && dayNumber.test(last.slice(-8)) && germanMonth.test(segment);
      if (isDate) parts[parts.length - 1] = last + segment;
      else parts.push(segment);
    }
    for (const part of parts.map(plain)) if (part !== '' && !isEmpty(part)) found.push(part);
    if (found.length >= maxSentences) return found.slice(0, maxSentences);
  }
  return found;
}

const addressees = new RegExp(String.raw`^(?:@(?:\w{1,50}|${handlePattern})\s+)+(?=\S)`);
/** A text without the users whom a reply addresses at its start. */
export const withoutAddressees = (text: string): string => plain(text).replace(addressees, '');

const afterQuestion = /(?:[\s\p{Extended_Pictographic}\p{M}\u200d!)"'”’»]|https?:\/\/\S+|[@#]\S+)+$/u;
/** Whether a sentence asks something: its last sign besides emoji, links and names is a question mark. */
export const isQuestion = (sentence: string): boolean =>
  /[?？؟か]/u.test(sentence) &&
  /(?:[?？؟]|(?:です|ます|でしょう|ません)か[。．]?)$/u.test(sentence.slice(-200).replace(afterQuestion, ''));

export class ConversationTree {
  readonly nodes = new Map<string, Node>();
  readonly root: Node;
  readonly subject: Subject;

  constructor(subject: Subject) {
    this.subject = subject;
    const { tweet } = subject;
    const { retweeted_tweet: repeated, quoted_tweet: quoted } = tweet;
    this.#add('thread', subject.thread);
    this.root = this.#node('post', tweet, subject.thread.at(-1)?.id);
    this.#add('repeated', repeated === null ? [] : [repeated]);
    this.#add(
      'quoted',
      [quoted, repeated?.quoted_tweet ?? null].filter((post) => post !== null),
    );
    this.#add('linked', subject.linked);
    this.#add('continued', subject.continuation);
    this.#add('reply', subject.replies);
    this.#add('quote', subject.quotes);
    this.#add('later', subject.later);
    this.#add('deeper', subject.deeperReplies);
    this.#add(
      'authored',
      subject.authored.filter((post) => post.retweeted_tweet === null),
    );
  }

  readonly #next = lazy((): readonly Node[] => {
    const timeOf = ({ created_at }: Post): number => Date.parse(created_at);
    const start = timeOf(this.source);
    return this.at('authored')
      .filter(({ post }) => timeOf(post) > start && timeOf(post) < start + soonMs)
      .sort((a, b) => timeOf(a.post) - timeOf(b.post))
      .slice(0, maxNext);
  });

  /** The post with the text and the engagement: for a retweet, the retweeted one. */
  get source(): Tweet {
    return this.subject.tweet.retweeted_tweet ?? this.subject.tweet;
  }

  get sourceNode(): Node {
    return this.nodes.get(this.source.id) ?? this.root;
  }

  /** The posts of some places, in their order. */
  at(...places: readonly Place[]): Node[] {
    return [...this.nodes.values()].filter(({ place }) => places.includes(place));
  }

  /** The next other posts of the author within two months, the oldest first. */
  get next(): readonly Node[] {
    return this.#next();
  }

  /** What the author wrote after the post, the oldest first. The posts of `next` may be about something else. */
  get afterwards(): Node[] {
    return [...this.at('continued', 'later'), ...this.next].sort((a, b) =>
      a.post.created_at.localeCompare(b.post.created_at),
    );
  }

  /** The posts of the conversation. */
  get conversation(): Node[] {
    return [...this.nodes.values()].filter(({ place }) => place !== 'authored');
  }

  /** What others say about the post: direct replies and quotes. */
  get reactions(): Node[] {
    return this.at('reply', 'quote').filter(({ isByAuthor }) => !isByAuthor);
  }

  #add(place: Place, posts: readonly Post[]): void {
    for (const post of posts) this.#node(place, post);
  }

  #node(place: Place, post: Post, above?: string): Node {
    const existing = this.nodes.get(post.id);
    if (existing !== undefined) return existing;
    const { tweet, backgrounds } = this.subject;
    const isDirect = place === 'quote' || place === 'reply';
    const parent = this.nodes.get(isDirect ? tweet.id : (backgrounds.get(post.id)?.inReplyToId ?? above ?? ''));
    const isBelowLater = place === 'deeper' && (parent?.place === 'later' || parent?.place === 'below later');
    const node = nodeOf(post, isBelowLater ? 'below later' : place, parent, post.author.id === tweet.author.id);
    this.nodes.set(post.id, node);
    if (place !== 'quote') parent?.replies.push(node);
    return node;
  }
}

/** A post with its sentences. */
export function nodeOf(post: Post, place: Place, parent: Node | undefined, isByAuthor: boolean): Node {
  // Most answers need the sentences of few posts.
  const sentences = lazy(() => {
    const all = sentencesOf(post.text.replace(addressees, ''), maxLength[place] ?? otherLength);
    return { statements: all.filter((each) => !isQuestion(each)), questions: all.filter(isQuestion) };
  });
  const attached = lazy(() => attachedTo(post));
  return {
    ...{ post, place, parent, isByAuthor, replies: [] },
    get statements() {
      return sentences().statements;
    },
    get questions() {
      return sentences().questions;
    },
    get attached() {
      return attached();
    },
  };
}

/** The sentences of the link preview and of the article of a post. */
function attachedTo(post: Post | Tweet): string[] {
  if (!('entities' in post)) return [];
  const { card, article } = post;
  const texts = [card?.title, card?.description, article?.title, article?.text];
  return texts.flatMap((text) => (text === undefined ? [] : sentencesOf(text, maxArticle)));
}

/** How much a post weighs with its readers, above 0. */
export const weightOf = ({ post }: Node): number =>
  1 + post.like_count + 2 * (post.retweet_count + post.quote_count) + post.reply_count;

export const byWeight = (a: Node, b: Node): number => weightOf(b) - weightOf(a);

/** The answers to a post that asks: statements by others than who asked, the author's first, then by weight. */
export const answersTo = (node: Node): Node[] =>
  node.questions.length === 0
    ? []
    : node.replies
        .filter((reply) => reply.statements.length > 0 && reply.post.author.id !== node.post.author.id)
        .sort((a, b) => Number(b.isByAuthor) - Number(a.isByAuthor) || byWeight(a, b));

/** The post with the question that a post answers; undefined if it answers none. */
export const askedBy = (node: Node): Node | undefined =>
  node.parent !== undefined && answersTo(node.parent).includes(node) ? node.parent : undefined;
