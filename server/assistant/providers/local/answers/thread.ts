/** The posts that a post replies to, continues or quotes, and with which its author continues it. */
import type { Answer, Context } from '../context.ts';
import { quoted, type Post } from '../wording.ts';
import { gist } from './statement.ts';

/** Maximum number of quoted posts of a thread, and maximum length of each in UTF-16 units. */
const maxPosts = 4;
const maxLength = 240;

/** What the post replies to or continues; empty for a post that is no reply. */
export function parent(context: Context): string[] {
  const { subject, wording } = context;
  const { tweet, thread } = subject;
  const before = thread.at(-1);
  const background = subject.backgrounds.get(tweet.id);
  if (before === undefined) {
    if (background?.inReplyToId === undefined) return [];
    const username = background.inReplyToUsername;
    return [
      username === undefined
        ? wording.say('repliesToMissing')
        : wording.say('repliesToMissingOf', { who: `@${username}` }),
    ];
  }
  const quote = gist(context, before, 'thread', 2);
  const isOwn = before.author.id === tweet.author.id;
  const line = isOwn
    ? wording.say('continues', { quote })
    : wording.say('repliesTo', { who: wording.nameOf(before), quote });
  const [first = before] = thread;
  const startsElsewhere = subject.backgrounds.get(first.id)?.inReplyToId !== undefined;
  if (thread.length === 1 || startsElsewhere) return [line];
  const started = wording.say('threadStarted', { who: wording.nameOf(first), quote: quoted(first.text, maxLength) });
  return [line, started];
}

/** How the author continues the post; empty if the archive has no later post. */
export function continued(context: Context, count: number): string[] {
  const { subject, wording } = context;
  const { continuation } = subject;
  if (continuation.length === 0) return [];
  return [
    wording.say('threadGoesOn', { count: continuation.length }),
    ...continuation.slice(0, count).map((post) => postLine(context, post)),
  ];
}

const postLine = ({ wording }: Context, post: Post): string =>
  wording.say('answers', { who: wording.nameOf(post), quote: quoted(post.text, maxLength) });

/** The quoted post; empty if the post quotes none. */
export function quote(context: Context): string[] {
  const { subject, wording } = context;
  const { quoted_tweet: other, id } = subject.tweet;
  if (other !== null)
    return [wording.say('quotesPost', { who: wording.nameOf(other), quote: gist(context, other, 'quoted', 2) })];
  return subject.backgrounds.get(id)?.quotedId === undefined ? [] : [wording.say('quotesMissing')];
}

export function quoteAnswer(context: Context): Answer {
  const { subject, wording } = context;
  const [lead = wording.say('noQuote')] = quote(context);
  const other = subject.tweet.quoted_tweet;
  return { lead, ...(other === null ? {} : { items: [other] }) };
}

/** The thread before and after the post. */
export function thread(context: Context, direction: 'before' | 'after' | 'both', shown: ReadonlySet<string>): Answer {
  const { subject, wording } = context;
  if (direction === 'after') return later(context, shown);
  const before = parent(context);
  const ancestors = subject.thread.slice(-maxPosts);
  if (direction === 'before') {
    const [lead = wording.say('noReplyTo'), ...evidence] = before;
    return { lead, evidence: [...evidence, ...quote(context)], items: ancestors };
  }
  const after = continued(context, maxPosts);
  const [lead = wording.say('noReplyTo'), ...evidence] = [...before, ...after];
  return {
    lead,
    evidence: after.length > 0 ? evidence : [...evidence, wording.say('threadEnds')],
    items: [...ancestors, ...subject.continuation.slice(0, maxPosts)],
  };
}

function later(context: Context, shown: ReadonlySet<string>): Answer {
  const { subject, wording } = context;
  const next = subject.continuation.filter(({ id }) => !shown.has(id)).slice(0, maxPosts);
  if (subject.continuation.length === 0) return { lead: wording.say('threadEnds'), evidence: parent(context) };
  if (next.length === 0) return { lead: wording.say('noMore') };
  return {
    lead: wording.say('threadGoesOn', { count: subject.continuation.length }),
    evidence: next.map((post) => postLine(context, post)),
    items: next,
  };
}
