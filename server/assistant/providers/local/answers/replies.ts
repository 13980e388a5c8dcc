/** What the replies do, say and sound like. */
import type { Schemas } from '../../../../contract/operations.ts';
import { engagementOf as engagement } from '../../../../search/engagement.ts';
import { isKnown } from '../../../engagement-baseline.ts';
import type { Answer, Context } from '../context.ts';
import type { Stance } from '../languages/language.ts';
import type { Format } from '../question.ts';
import { languageOfPost, moodOf, stanceOf } from '../stance.ts';
import { quoted } from '../wording.ts';

type Tweet = Schemas['Tweet'];

/** The number of replies that a subject has at most: the archive may have more. */
const maxReplies = 20;
/** Maximum number of replies that an answer quotes. */
const maxExamples = 3;
/** Maximum length of a quoted reply in UTF-16 units. */
const maxLength = 180;

const stances = ['agree', 'disagree', 'asks', 'jokes', 'neutral'] as const;

/** `@x: “…” (likes: 12)`. */
export function replyLine({ subject, wording }: Context, reply: Tweet): string {
  const likes = isKnown(subject, reply, 'like_count') && reply.like_count > 0;
  const suffix = likes ? ` (${wording.figure('likes', reply.like_count)})` : '';
  return `${wording.say('answers', { who: wording.nameOf(reply), quote: quoted(reply.text, maxLength) })}${suffix}`;
}

/** How many replies the archive has, or why it has none. */
export function replyCount(context: Context): string {
  const { subject, wording, replies } = context;
  const { tweet } = subject;
  const post = tweet.retweeted_tweet ?? tweet;
  const isTotalKnown = isKnown(subject, post, 'reply_count');
  const total = post.reply_count;
  const { length: here } = subject.replies;
  if (replies.length === 0 && here > 0) return wording.say('onlyAuthorReplies');
  if (replies.length === 0) {
    if (!isTotalKnown) return wording.say('repliesUnknown');
    return total === 0 ? wording.say('noReplies') : wording.say('repliesMissing', { total });
  }
  if (here >= maxReplies) return wording.say('repliesRead', { count: replies.length });
  return isTotalKnown && total > here
    ? wording.say('repliesOf', { count: here, total })
    : wording.say('repliesHere', { count: here });
}

const byStance = ({ subject, replies }: Context): Map<Stance, Tweet[]> =>
  Map.groupBy(replies, (reply) => stanceOf(reply.text, languageOfPost(subject, reply)));

/** `By their wording: ask something: 4, agree or praise: 2.` */
function stanceCounts({ wording }: Context, groups: ReadonlyMap<Stance, readonly Tweet[]>): string {
  const parts = stances.flatMap((stance) => {
    const count = groups.get(stance)?.length ?? 0;
    return count === 0 ? [] : [wording.figure(stance, count)];
  });
  return wording.say('stances', { list: wording.listed(parts) });
}

/** Replies with a word, most engaging first. */
const worded = (replies: readonly Tweet[]): Tweet[] => replies.filter(({ text }) => /[\p{L}\p{N}\p{S}]/u.test(text));

/** One reply of each stance, the most engaging first, and further ones up to the maximum. */
function examples({ replies }: Context, groups: ReadonlyMap<Stance, readonly Tweet[]>, count: number): Tweet[] {
  const firsts = stances.flatMap((stance) => worded(groups.get(stance) ?? []).slice(0, 1));
  const wanted = new Set([...worded(replies).slice(0, 1), ...firsts, ...worded(replies)]);
  const chosen = new Set([...wanted].slice(0, count));
  return worded(replies).filter((reply) => chosen.has(reply));
}

/** The number of replies, and what they do. One line each, for the explanation of a post. */
export function reactions(context: Context): string[] {
  if (context.replies.length === 0) return context.subject.tweet.retweeted_tweet === null ? [replyCount(context)] : [];
  const groups = byStance(context);
  const counts = [...groups.keys()].some((stance) => stance !== 'neutral') ? [stanceCounts(context, groups)] : [];
  return [
    [replyCount(context), ...counts].join(' '),
    ...examples(context, groups, 2).map((reply) => replyLine(context, reply)),
  ];
}

/** What the replies say. `shown`: the ids of those that earlier answers quoted. */
export function replies(context: Context, format: Format, shown: ReadonlySet<string>): Answer {
  if (context.replies.length === 0) return { lead: replyCount(context) };
  const groups = byStance(context);
  const all = worded(context.replies);
  if (shown.size > 0) return moreReplies(context, all, shown);
  const top = all[0];
  const isSorted = top !== undefined && engagementOf(top) > 0 && top === context.replies[0];
  const isAllNeutral = groups.size === 1 && groups.has('neutral');
  const topLine = top && leadingReply(context, top, isSorted);
  const counts = stanceCounts(context, groups);
  const lead = isAllNeutral ? (topLine ?? counts) : counts;
  if (format === 'oneSentence') return { lead, items: all };
  const quotedReplies = examples(context, groups, format === 'bullets' || format === 'usual' ? 5 : maxExamples);
  const rest = isAllNeutral ? quotedReplies.filter((reply) => reply !== top) : quotedReplies;
  const bullet = format === 'bullets' ? '- ' : '';
  return {
    lead,
    evidence: rest.map((reply) => `${bullet}${replyLine(context, reply)}`),
    figures: [replyCount(context)],
    items: isAllNeutral && top !== undefined ? [top, ...rest] : rest,
  };
}

function moreReplies(context: Context, all: readonly Tweet[], shown: ReadonlySet<string>): Answer {
  const next = all.filter(({ id }) => !shown.has(id)).slice(0, maxExamples);
  const [first, ...rest] = next;
  if (first === undefined) return { lead: context.wording.say('noMore') };
  return { lead: replyLine(context, first), ...evidenceOf(context, rest), items: next };
}

const evidenceOf = (context: Context, replies: readonly Tweet[]): Pick<Answer, 'evidence'> => ({
  evidence: replies.map((reply) => replyLine(context, reply)),
});

const leadingReply = ({ wording }: Context, reply: Tweet, isSorted: boolean): string =>
  wording.say(isSorted ? 'mostLiked' : 'oneReply', {
    who: wording.nameOf(reply),
    quote: quoted(reply.text, maxLength),
  });

/** The reply with the most engagement, or with the most likes. */
export function topReply(context: Context, byLikes: boolean): Answer {
  const all = worded(context.replies);
  const sorted = byLikes ? all.toSorted((a, b) => b.like_count - a.like_count) : all;
  const [top, ...others] = sorted;
  if (top === undefined) return { lead: replyCount(context) };
  const isRanked = (byLikes ? top.like_count : engagementOf(top)) > 0;
  return {
    lead: isRanked && !byLikes ? leadingReply(context, top, true) : replyLine(context, top),
    ...evidenceOf(context, others.slice(0, 2)),
    figures: [replyCount(context)],
    items: sorted.slice(0, 3),
  };
}

/** The engagement by which replies are ranked. */
const engagementOf = (reply: Tweet): number => engagement((name) => reply[name]);

/** Whether replies agree, disagree, ask or joke. */
export function stance(context: Context, asked: Exclude<Stance, 'neutral'>, shown: ReadonlySet<string>): Answer {
  const { wording } = context;
  const total = context.replies.length;
  if (total === 0) return { lead: replyCount(context) };
  const found = byStance(context).get(asked) ?? [];
  const label = wording.say(asked);
  if (found.length === 0)
    return {
      lead: wording.say('stanceNone', { label, total }),
      evidence: reactions(context).slice(1),
      figures: [replyCount(context)],
    };
  if (shown.size > 0) return moreReplies(context, found, shown);
  const quotedReplies = found.slice(0, maxExamples);
  return {
    lead: wording.say('stanceFound', { label, count: found.length, total }),
    ...evidenceOf(context, quotedReplies),
    figures: [replyCount(context)],
    items: quotedReplies,
  };
}

/** How the replies, or the post if it has none, sound. */
export function sentiment(context: Context, target: 'post' | 'replies'): Answer {
  const { subject, wording } = context;
  if (target === 'replies' && context.replies.length > 0) return moodOfReplies(context);
  const post = subject.tweet.retweeted_tweet ?? subject.tweet;
  const { score, words } = moodOf(post.text, languageOfPost(subject, post));
  if (words.length === 0) {
    const none = wording.say('moodNone');
    return target === 'replies' ? { lead: replyCount(context) } : { lead: none };
  }
  const mood = wording.say(score > 0 ? 'positive' : score < 0 ? 'negative' : 'mixed');
  const list = wording.listed([...new Set(words)].slice(0, 5).map((word) => `“${word}”`));
  const sounds = [wording.say('moodPost', { mood }), wording.say('moodWords', { list })];
  const [lead = '', ...evidence] = target === 'replies' ? [replyCount(context), ...sounds] : sounds;
  return { lead, evidence };
}

/** The part of the replies with a mood from which it is the mood of most. */
const majority = 2 / 3;

function moodOfReplies(context: Context): Answer {
  const { subject, wording } = context;
  const moods = context.replies.map((reply) => ({ reply, ...moodOf(reply.text, languageOfPost(subject, reply)) }));
  const positive = moods.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const negative = moods.filter(({ score }) => score < 0).sort((a, b) => a.score - b.score);
  const figured = positive.length + negative.length;
  const counts = wording.say('moodCounts', {
    positive: positive.length,
    negative: negative.length,
    neutral: moods.length - figured,
  });
  if (figured === 0) return { lead: wording.say('moodNone'), figures: [replyCount(context)] };
  const share = positive.length / figured;
  const name = share >= majority ? 'positive' : share <= 1 - majority ? 'negative' : 'mixed';
  const mood = wording.say(figured * 4 < moods.length ? 'calm' : name);
  const shown = [...positive.slice(0, 2), ...negative.slice(0, 2)].map(({ reply }) => reply);
  return {
    lead: wording.say('moodReplies', { mood }),
    evidence: [counts, ...shown.map((reply) => replyLine(context, reply))],
    figures: [replyCount(context)],
    items: shown,
  };
}
