/**
 * Renders a tweet, in the same way on every page. All content is inserted as text, and nothing is loaded from other
 * hosts.
 */
import type { components } from '../../../../../generated/types.ts';
import { element } from './element.ts';
import { linkText } from './link-text.ts';
import { piecesOf, type Piece } from './text.ts';

type Schemas = components['schemas'];
/** The short view, with the additional members of the full view where they are available. */
export type Tweet = Schemas['TweetShort'] & Partial<Omit<Schemas['Tweet'], 'author'>> & { readonly author: Author };
export type Counts = Omit<Schemas['WsEngagement'], 'tweet_id'>;
export type Children = (Node | string)[];

/** What a page shows with a tweet besides the tweet itself. */
export interface TweetContext {
  /** The time, in the format of the page. */
  readonly time: HTMLElement;
  /** Labels beside the author, such as Edited. */
  readonly labels?: Children;
  /** Returns the link of a mention, hashtag or cashtag; the text starts with its sign. */
  readonly hrefOf: (tag: string) => string;
  /** Returns the change of a count since it was last shown. */
  readonly changeOf?: (name: keyof Counts) => number;
}

export const number = new Intl.NumberFormat('en');

const countNames: readonly (readonly [keyof Counts, one: string, many: string])[] = [
  ['like_count', 'like', 'likes'],
  ['retweet_count', 'retweet', 'retweets'],
  ['quote_count', 'quote', 'quotes'],
  ['reply_count', 'reply', 'replies'],
  ['bookmark_count', 'bookmark', 'bookmarks'],
  ['view_count', 'view', 'views'],
];

/** Renders the counts with their changes. A count of 0 without a change is omitted. */
export const drawCounts = (counts: Counts, changeOf: TweetContext['changeOf'] = () => 0): HTMLElement =>
  element(
    'div',
    { class: 'facts' },
    countNames.flatMap(([name, one, many]) => {
      const [count, change] = [counts[name], changeOf(name)];
      if (count === 0 && change === 0) return [];
      const more =
        change === 0 ? [] : [' ', element('i', {}, [`${change > 0 ? '+' : '−'}${number.format(Math.abs(change))}`])];
      return [element('span', {}, [element('b', {}, [number.format(count)]), ` ${count === 1 ? one : many}`, ...more])];
    }),
  );

type Author = Pick<Schemas['Author'], 'name' | 'username'> & Partial<Pick<Schemas['Author'], 'verified'>>;

const drawAuthor = ({ name, username, verified }: Author): Children => [
  element('bdi', { class: 'name' }, [name || username || 'unknown']),
  ...(verified === true
    ? [element('span', { class: 'verified', role: 'img', 'aria-label': 'verified', title: 'verified' }, ['✓'])]
    : []),
  ...(username === '' ? [] : [' ', element('span', { class: 'username' }, [`@${username}`])]),
];

const tones = 6;
const segments = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Renders the initials on a colour that depends on the username only. Profile images are on other hosts, which the
 * pages never contact.
 */
export function drawAvatar({ name, username }: Author): HTMLElement {
  const words = (name || username)
    .split(/\s+/u)
    .map((word) => segments.segment(word)[Symbol.iterator]().next().value?.segment ?? '');
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].join('').toLocaleUpperCase('en') || '?';
  const tone = [...username].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)!) % 9973, 7) % tones;
  return element('span', { class: `avatar tone-${tone}`, 'aria-hidden': 'true' }, [initials]);
}

const externalLink = (url: string, children: Children, name: string): HTMLElement =>
  element('a', { class: name, href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }, children);

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

function drawPiece(
  { is, text }: Piece,
  { entities }: Pick<Tweet, 'entities'>,
  { hrefOf }: TweetContext,
): Node | string {
  if (is === 'plain') return text;
  if (is !== 'link') return element('a', { href: hrefOf(text) }, [text]);
  const words = entities?.urls.find(({ url }) => url === text)?.display_url;
  return externalLink(text, [linkText(text, words)], 'link');
}

const drawText = (tweet: Pick<Tweet, 'text' | 'entities'>, context: TweetContext): HTMLElement =>
  element(
    'p',
    { class: 'text', dir: 'auto' },
    piecesOf(tweet.text).map((piece) => drawPiece(piece, tweet, context)),
  );

const mediaNames = { photo: 'Photo', video: 'Video', animated_gif: 'GIF' } as const;

/** What a picture shows, in the words of its author, behind a button. */
const drawDescription = (name: string, text: string): HTMLElement =>
  element('details', { class: 'alt' }, [
    element('summary', { 'aria-label': `Description of ${name}` }, ['ALT']),
    element('p', { dir: 'auto' }, [text]),
  ]);

function drawMedia(media: readonly Schemas['Media'][]): Children {
  if (media.length === 0) return [];
  return [
    element(
      'ul',
      { class: 'media', 'aria-label': 'Media' },
      media.map(({ type, url, video_url: video, expanded_url: page, alt_text: alt }, index) => {
        const name = `${mediaNames[type]}${media.length > 1 ? ` ${index + 1} of ${media.length}` : ''}`;
        const address = video ?? url ?? page;
        // Files that the service has itself are below its root.
        const root = document.documentElement.dataset['root'] ?? './';
        const target = address.startsWith('/media/') ? `${root}${address.slice(1)}` : address;
        const shown = isWeb(target) || target !== address ? externalLink(target, [name], '') : name;
        return element('li', { class: type }, [shown, ...(alt === undefined ? [] : [drawDescription(name, alt)])]);
      }),
    ),
  ];
}

function drawCard({ url, title, description = '', domain }: Schemas['Card']): HTMLElement {
  const content = [
    element('span', { class: 'username' }, [linkText(url, domain)]),
    element('span', { class: 'name', dir: 'auto' }, [title]),
    ...(description === '' ? [] : [element('span', { dir: 'auto' }, [description])]),
  ];
  return isWeb(url) ? externalLink(url, content, 'preview') : element('div', { class: 'preview' }, content);
}

const drawNested = (tweet: Schemas['Tweet'], context: TweetContext): HTMLElement =>
  element('blockquote', {}, [
    element('div', { class: 'author' }, [drawAvatar(tweet.author), element('span', {}, drawAuthor(tweet.author))]),
    drawText(tweet, context),
    ...drawMedia(tweet.media),
  ]);

/** Renders a tweet with its context. */
export function drawTweet(tweet: Tweet, context: TweetContext): HTMLElement {
  const { author, card, article, media = [], quoted_tweet: quoted, retweeted_tweet: retweeted } = tweet;
  const body = retweeted
    ? [drawNested(retweeted, context)]
    : [drawText(tweet, context), ...(quoted ? [drawNested(quoted, context)] : [])];
  return element('div', { class: 'tweet' }, [
    drawAvatar(author),
    element('div', {}, [
      element('div', { class: 'author' }, [
        element('span', {}, [...drawAuthor(author), ...(retweeted ? [' retweeted'] : [])]),
        ...(context.labels ?? []),
        context.time,
      ]),
      ...body,
      ...drawMedia(media),
      ...(card === undefined ? [] : [drawCard(card)]),
      ...(article === undefined
        ? []
        : [
            element('p', { class: 'preview' }, [
              element('span', { class: 'username' }, ['Article']),
              element('span', { class: 'name', dir: 'auto' }, [article.title]),
            ]),
          ]),
      drawCounts(tweet, context.changeOf),
    ]),
  ]);
}
