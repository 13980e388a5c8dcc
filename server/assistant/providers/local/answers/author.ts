/** The author of a post. */
import { comparedPosts } from '../../../engagement-baseline.ts';
import { fold } from '../../../../search/language/tokenizer.ts';
import { sentencesOf } from '../passages.ts';
import type { Answer, Context } from '../context.ts';
import { repliesBy } from '../participants.ts';
import { quotation, quoted, withoutAddressees, type Post } from '../wording.ts';
import { postLine } from './search.ts';
import { statement, unknownProfile } from './statement.ts';

/** Minimum number of posts that contain a frequent word, and maximum number of such words. */
const minPosts = 3;
const maxWords = 5;

/** Who wrote a post. */
export function who(context: Context, post: Post = context.subject.tweet): Answer {
  const { subject, wording } = context;
  const isSubject = post.id === subject.tweet.id;
  const facts = [
    ...(isSubject && subject.tweet.author.verified ? [`${wording.start(wording.say('verifiedAccount'))}.`] : []),
    ...followerCount(context, post),
  ];
  const unknown = isSubject ? unknownProfile(context) : '';
  return {
    lead:
      isSubject && subject.tweet.retweeted_tweet !== null
        ? statement(context, 1)
        : wording.say('authorIs', { who: wording.fullNameOf(post) }),
    evidence: [
      ...(unknown === '' ? [] : [unknown]),
      ...(facts.length === 0 ? [] : [facts.join(' ')]),
      wording.say('postedOn', { who: wording.nameOf(post), when: wording.moment(post.created_at) }),
    ],
  };
}

/** The followers; a count of 0 may be unknown, so it is left out. */
const followerCount = ({ wording }: Context, { author }: Post): string[] =>
  author.followers_count > 0 ? [wording.say('followers', { count: author.followers_count })] : [];

export function followers(context: Context): Answer {
  const { subject, wording } = context;
  const [lead] = followerCount(context, subject.tweet);
  if (lead === undefined)
    return {
      lead: wording.say('profileUnknown'),
      evidence: [wording.say('authorIs', { who: wording.fullNameOf(subject.tweet) })],
    };
  return { lead, evidence: [wording.say('authorIs', { who: wording.fullNameOf(subject.tweet) })] };
}

export function when({ wording }: Context, post: Post): Answer {
  return { lead: wording.say('postedOn', { who: wording.nameOf(post), when: wording.moment(post.created_at) }) };
}

/** What the author usually posts about. */
export function usual(context: Context): Answer {
  const { subject, wording } = context;
  const others = comparedPosts(subject);
  const [newest] = others;
  const author = wording.say('authorIs', { who: wording.fullNameOf(subject.tweet) });
  if (newest === undefined) return { lead: wording.say('noOtherPosts'), evidence: [author] };
  const words = frequentWords(context);
  return {
    lead: author,
    evidence: [
      wording.say('otherPosts', { count: others.length }),
      words.length === 0
        ? wording.say('noUsualWords')
        : wording.say('usualWords', {
            list: wording.listed(words.map(([word, count]) => wording.pair(quotation(word), wording.number(count)))),
          }),
      wording.say('newest', { when: wording.day(newest.created_at), quote: quoted(newest.text, 240) }),
    ],
    items: others.slice(0, 1),
  };
}

/** The most frequent words of the author's other posts as they are written most often, with the number of posts. */
function frequentWords({ subject, lexis }: Context): [string, number][] {
  const counts = new Map<string, { posts: number; word: string }>();
  for (const post of comparedPosts(subject)) {
    const text = sentencesOf(post.text, 300)
      .map(withoutAddressees)
      .join(' ')
      .replace(/https?:\/\/\S+/g, ' ');
    const words = new Map<string, string>();
    for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}\p{N}]{2,}/gu)) {
      const folded = fold(word);
      if (!lexis.isStop(folded)) words.set(folded, word.toLowerCase());
    }
    for (const [folded, word] of words) {
      const entry = counts.get(folded);
      counts.set(folded, { posts: (entry?.posts ?? 0) + 1, word: entry?.word ?? word });
    }
  }
  return [...counts.values()]
    .filter(({ posts }) => posts >= minPosts)
    .sort((a, b) => b.posts - a.posts)
    .slice(0, maxWords)
    .map(({ word, posts }) => [word, posts]);
}

/** Another user: what they write here, and unless `isHere` asks for that alone, their newest posts in the archive. */
export async function person(context: Context, username: string, isHere: boolean): Promise<Answer> {
  const { subject, archive, wording } = context;
  const isTheirs = (post: Post): boolean => post.author.username.toLowerCase() === username.toLowerCase();
  if (isTheirs(subject.tweet)) return who(context);
  const { quoted_tweet: quote, retweeted_tweet: original } = subject.tweet;
  const nested = [quote, original].filter((post) => post !== null);
  const here = [...subject.thread, ...subject.replies, ...nested].filter(isTheirs);
  const replies = await repliesBy(context, username);
  const newest = isHere && here.length + replies.length > 0 ? [] : await archive.author(username, 3);
  const posts: Post[] = [...new Map([...here, ...replies, ...newest].map((post) => [post.id, post])).values()].slice(
    0,
    3,
  );
  const [first, ...others] = posts;
  if (first === undefined) return { lead: wording.say('userUnknown', { who: `@${username}` }) };
  return {
    lead: postLine(context, first),
    evidence: [...others.map((post) => postLine(context, post)), ...followerCount(context, first)],
    items: posts,
  };
}
