/** Links, media, mentions, hashtags and the token of a post. */
import type { Schemas } from '../../../../contract/operations.ts';
import { sourcesOf } from '../../../sources.ts';
import { plain } from '../../../plain-text.ts';
import { contractsIn, tokenOf } from '../../../token-mentions.ts';
import type { Answer, Context } from '../context.ts';
import type { PhraseName } from '../languages/language.ts';
import type { Detail } from '../question.ts';
import { quotation } from '../wording.ts';
import { quote } from './thread.ts';

const maxLinks = 5;

/** The linked pages; the link to the quoted post is no page. */
export function links(context: Context): string[] {
  const { subject, wording } = context;
  const quotedId = subject.backgrounds.get(subject.tweet.id)?.quotedId;
  const pages = sourcesOf({ tweet: subject.tweet, thread: [] })
    .filter(({ url, domain }) => !isPost(url) && !(quotedId !== undefined && isPlatform(domain)))
    .slice(0, maxLinks);
  if (pages.length === 0) return [];
  const list = pages.map(({ title, domain }) => (title === null ? domain : `${quotation(title)} (${domain})`));
  return [wording.say('linksTo', { list: wording.listed(list) })];
}

/** Whether a page is one of the platform: the display text of a link to a quoted post may be cut. */
const isPlatform = (domain: string): boolean => /^(?:(?:www|mobile)\.)?(?:twitter|x|t)\.com?$/.test(domain);

/** Whether a URL is that of a post of the platform. Quoted posts are linked in the text. */
const isPost = (url: string): boolean =>
  /^https?:\/\/(?:www\.|mobile\.)?(?:twitter|x)\.com\/(?:\w+|i\/web)\/status(?:\/|$|…|%)/i.test(url);

const mediaLabels: Readonly<Record<Schemas['Media']['type'], PhraseName>> = {
  photo: 'photos',
  video: 'videos',
  animated_gif: 'animations',
};

/** Pictures, videos and animations. */
export function attachments({ subject, wording }: Context): string[] {
  const { media } = subject.tweet.retweeted_tweet ?? subject.tweet;
  const list = (Object.keys(mediaLabels) as Schemas['Media']['type'][]).flatMap((type) => {
    const { length } = media.filter((item) => item.type === type);
    return length === 0 ? [] : [wording.figure(mediaLabels[type], length)];
  });
  return list.length === 0 ? [] : [wording.say('attached', { list: wording.listed(list) })];
}

function token({ subject, wording }: Context): string[] {
  const named = tokenOf(subject);
  const list = (['ticker', 'name', 'contract', 'chain'] as const).flatMap((part) => {
    const value = named[part];
    return value === null ? [] : [wording.pair(wording.say(part), value)];
  });
  if (list.length === 0) return [];
  const { length } = contractsIn(subject);
  return [
    wording.say('token', { list: wording.listed(list) }),
    ...(length > 1 ? [wording.say('tokenMany', { count: length })] : []),
    wording.say('tokenUnchecked'),
  ];
}

function mentions({ subject, wording }: Context): string[] {
  const names = subject.tweet.entities.mentions.map(({ username }) => `@${plain(username)}`);
  return names.length === 0 ? [] : [wording.say('mentions', { list: wording.listed([...new Set(names)]) })];
}

function hashtags({ subject, wording }: Context): string[] {
  const tags = subject.tweet.entities.hashtags.map((tag) => `#${plain(tag)}`);
  return tags.length === 0 ? [] : [wording.say('hashtags', { list: wording.listed([...new Set(tags)]) })];
}

const lines: Readonly<Record<Detail, (context: Context) => string[]>> = {
  links,
  media: attachments,
  mentions,
  hashtags,
  token,
};
const none: Readonly<Record<Detail, PhraseName>> = {
  links: 'noLinks',
  media: 'noMedia',
  mentions: 'noMentions',
  hashtags: 'noHashtags',
  token: 'noToken',
};

/** A detail of the post, or that the archive does not have it. */
export function detail(context: Context, asked: Detail): Answer {
  const [lead, ...evidence] = lines[asked](context);
  if (lead !== undefined) return { lead, evidence };
  // The only link of a quote is the quoted post.
  return { lead: context.wording.say(none[asked]), evidence: asked === 'links' ? quote(context) : [] };
}
