/** The engagement of a post, and how usual it is for its author. Unknown counts are named as unknown. */
import type { Schemas } from '../../../../contract/operations.ts';
import {
  comparedPosts,
  engagementBaselines,
  isKnown,
  minComparedPosts,
  type EngagementBaseline,
} from '../../../engagement-baseline.ts';
import type { CountName } from '../../../../ports/platform.ts';
import type { Answer, Context } from '../context.ts';
import type { PhraseName } from '../languages/language.ts';
import type { Post } from '../wording.ts';

const labels: Readonly<Record<CountName, PhraseName>> = {
  like_count: 'likes',
  retweet_count: 'reposts',
  reply_count: 'replies',
  quote_count: 'quotes',
  bookmark_count: 'bookmarks',
  view_count: 'views',
};
const names = Object.keys(labels) as CountName[];

/** The post that has the engagement: for a retweet, the retweeted post. */
const counted = ({ subject: { tweet } }: Context): Schemas['Tweet'] => tweet.retweeted_tweet ?? tweet;

/** The known counts of a post, and which ones are unknown. */
export function figures(context: Context, post: Post = counted(context)): string[] {
  const { subject, wording } = context;
  const known = names.filter((name) => isKnown(subject, post, name));
  const unknown = names.filter((name) => !known.includes(name));
  if (known.length === 0) return [wording.say('nothingCounted')];
  const isOfRepost = post.id === subject.tweet.retweeted_tweet?.id;
  const list = wording.listed(known.map((name) => wording.figure(labels[name], post[name])));
  const missing = wording.listed(unknown.map((name) => wording.say(labels[name])));
  return [
    wording.say(isOfRepost ? 'figuresOfRepost' : 'figures', { list }),
    ...(unknown.length === 0 ? [] : [wording.say('notCounted', { list: missing })]),
  ];
}

/** A share of posts from which a count is far from the usual, and from which it is different from it. */
const farShare = 0.9;
const differentShare = 0.65;

/** The level of a count. Equal counts are no difference: with all counts equal it is the usual one. */
function levelOf({ count, median, below, above, posts }: EngagementBaseline): PhraseName {
  if (count > median && below / posts >= differentShare) return below / posts >= farShare ? 'farMore' : 'more';
  if (count < median && above / posts >= differentShare) return above / posts >= farShare ? 'farLess' : 'less';
  return 'same';
}

const comparison = ({ wording }: Context, baseline: EngagementBaseline): string =>
  wording.start(
    wording.say('usual', {
      label: wording.say(baseline.measure),
      count: baseline.count,
      level: wording.say(levelOf(baseline)),
      posts: baseline.posts,
      median: baseline.median,
    }),
  );

/** The comparison with the author's other posts, or the reason why there is none. */
export function reach(context: Context): string[] {
  const { subject, wording } = context;
  if (subject.tweet.retweeted_tweet !== null) return [wording.say('repostUncompared')];
  const baselines = engagementBaselines(subject);
  if (baselines.length > 0) return baselines.map((baseline) => comparison(context, baseline));
  const others = comparedPosts(subject);
  const most = Math.max(
    ...(['like_count', 'view_count'] as const).map(
      (name) => others.filter((other) => isKnown(subject, other, name)).length,
    ),
  );
  return most < minComparedPosts ? [wording.say('tooFew', { posts: most, needed: minComparedPosts })] : [];
}

export function compare(context: Context): Answer {
  const [lead = '', ...rest] = reach(context);
  if (lead !== '') return { lead, evidence: rest, figures: figures(context) };
  const [first = '', ...others] = figures(context);
  return { lead: first, evidence: others };
}

/** One count, or that it is unknown. */
export function count(context: Context, name: CountName): Answer {
  const { subject, wording } = context;
  const post = counted(context);
  if (!isKnown(subject, post, name))
    return { lead: wording.say('notCounted', { list: wording.say(labels[name]) }), figures: figures(context) };
  const measure = labels[name];
  const baseline = engagementBaselines(subject).find((each) => each.measure === measure);
  const compared = subject.tweet.retweeted_tweet === null && baseline !== undefined;
  if (compared) return { lead: comparison(context, baseline) };
  return { lead: `${wording.start(wording.figure(measure, post[name]))}.` };
}

export function allFigures(context: Context): Answer {
  const [lead = '', ...rest] = figures(context);
  return { lead, evidence: [...rest, ...reach(context)] };
}
