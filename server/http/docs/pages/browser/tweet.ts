/** Draws a tweet, the same on every page. Whatever a tweet says goes in as text, and nothing is loaded for it from other hosts. */
import type { components } from '../../../../../generated/types.ts';
import { element } from './element.ts';
import { piecesOf, type Piece } from './text.ts';

type Schemas = components['schemas'];
/** The short form, with what the full form has beyond it where it is known. */
export type Tweet = Schemas['TweetShort'] & Partial<Omit<Schemas['Tweet'], 'author'>> & { readonly author: Author };
export type Counts = Omit<Schemas['WsEngagement'], 'tweet_id'>;
export type Children = (Node | string)[];

/** What a page says of a tweet besides the tweet itself. */
export interface TweetContext {
  /** When, as the page writes it. */
  readonly time: HTMLElement;
  /** Beside the author, such as that it was edited. */
  readonly labels?: Children;
  /** Where a mention, hashtag or cashtag leads to; the text begins with its sign. */
  readonly hrefOf: (tag: string) => string;
  /** How much a count has grown since it was last shown. */
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

/** Counts in words, each with its change where there is one; what is 0 and was so before is left out. */
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

/** Initials on a colour that is always the same for the same person. Pictures are on other hosts, which no page of ours asks. */
export function drawAvatar({ name, username }: Author): HTMLElement {
  const words = (name || username)
    .split(/\s+/u)
    .map((word) => segments.segment(word)[Symbol.iterator]().next().value?.segment ?? '');
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].join('').toLocaleUpperCase('en') || '?';
  const tone = [...username].reduce((sum, sign) => (sum * 31 + sign.codePointAt(0)!) % 9973, 7) % tones;
  return element('span', { class: `avatar tone-${tone}`, 'aria-hidden': 'true' }, [initials]);
}

const leaveTo = (url: string, words: Children, name: string): HTMLElement =>
  element('a', { class: name, href: url, rel: 'noopener noreferrer nofollow', target: '_blank' }, words);

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url);

function drawPiece(
  { is, text }: Piece,
  { entities }: Pick<Tweet, 'entities'>,
  { hrefOf: addressOf }: TweetContext,
): Node | string {
  if (is === 'plain') return text;
  if (is !== 'link') return element('a', { href: addressOf(text) }, [text]);
  const shown = entities?.urls.find(({ url }) => url === text)?.display_url ?? text.replace(/^https?:\/\//i, '');
  return leaveTo(text, [shown], 'link');
}

const drawText = (tweet: Pick<Tweet, 'text' | 'entities'>, around: TweetContext): HTMLElement =>
  element(
    'p',
    { class: 'text', dir: 'auto' },
    piecesOf(tweet.text).map((piece) => drawPiece(piece, tweet, around)),
  );

const mediaNames = { photo: 'Photo', video: 'Video', animated_gif: 'GIF' } as const;

function drawMedia(media: readonly Schemas['Media'][]): Children {
  if (media.length === 0) return [];
  return [
    element(
      'ul',
      { class: 'media', 'aria-label': 'Media' },
      media.map(({ type, url, video_url: video, expanded_url: page }, place) => {
        const name = `${mediaNames[type]}${media.length > 1 ? ` ${place + 1} of ${media.length}` : ''}`;
        const address = video ?? url ?? page;
        return element('li', { class: type }, [isWeb(address) ? leaveTo(address, [name], '') : name]);
      }),
    ),
  ];
}

function drawCard({ url, title, description = '', domain }: Schemas['Card']): HTMLElement {
  const words = [
    element('span', { class: 'username' }, [domain]),
    element('span', { class: 'name', dir: 'auto' }, [title]),
    ...(description === '' ? [] : [element('span', { dir: 'auto' }, [description])]),
  ];
  return isWeb(url) ? leaveTo(url, words, 'preview') : element('div', { class: 'preview' }, words);
}

const drawNested = (tweet: Schemas['Tweet'], around: TweetContext): HTMLElement =>
  element('blockquote', {}, [
    element('div', { class: 'author' }, [drawAvatar(tweet.author), element('span', {}, drawAuthor(tweet.author))]),
    drawText(tweet, around),
    ...drawMedia(tweet.media),
  ]);

/** A tweet with what the page says of it. */
export function drawTweet(tweet: Tweet, around: TweetContext): HTMLElement {
  const { author, card, article, media = [], quoted_tweet: quoted, retweeted_tweet: retweeted } = tweet;
  const body = retweeted
    ? [drawNested(retweeted, around)]
    : [drawText(tweet, around), ...(quoted ? [drawNested(quoted, around)] : [])];
  return element('div', { class: 'tweet' }, [
    drawAvatar(author),
    element('div', {}, [
      element('div', { class: 'author' }, [
        element('span', {}, [...drawAuthor(author), ...(retweeted ? [' retweeted'] : [])]),
        ...(around.labels ?? []),
        around.time,
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
      drawCounts(tweet, around.changeOf),
    ]),
  ]);
}
