/** The content of a feed entry as HTML: no element and no attribute comes from untrusted text. */
import type { Schemas } from '../../contract/operations.ts';
import { absolute, escapeText, isWebAddress } from './feed-text.ts';

type Tweet = Schemas['Tweet'];

const link = (url: string, words: string): string => `<a href="${escapeText(url)}">${escapeText(words)}</a>`;

/** Where a text of plain parts is divided: at the links that the entities name. */
function withLinks(text: string, urls: readonly Schemas['UrlEntity'][]): string {
  let html = '';
  let rest = text;
  for (const { url } of urls) {
    const at = url === '' ? -1 : rest.indexOf(url);
    if (at < 0 || !isWebAddress(url)) continue;
    html += escapeText(rest.slice(0, at)) + link(url, url);
    rest = rest.slice(at + url.length);
  }
  return html + escapeText(rest);
}

/** Each paragraph has its own writing direction, which ends with it. */
const paragraphs = (html: string): string =>
  html
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== '')
    .map((part) => `<p dir="auto">${part.replaceAll('\n', '<br>')}</p>`)
    .join('');

function picture({ type, url, video_url: video, alt_text: alt = '' }: Schemas['Media'], origin: string): string {
  const [image, film] = [absolute(url, origin), absolute(video, origin)];
  if (type !== 'photo' && film !== undefined) {
    const poster = image === undefined ? '' : ` poster="${escapeText(image)}"`;
    return `<p><video controls preload="none" src="${escapeText(film)}"${poster}>${link(film, 'Video')}</video></p>`;
  }
  return image === undefined ? '' : `<p><img src="${escapeText(image)}" alt="${escapeText(alt)}"></p>`;
}

const nameOf = ({ name, username }: Tweet['author']): string =>
  username === '' ? name : name === '' ? `@${username}` : `${name} (@${username})`;

/** A tweet alone: its text, article, pictures and card. */
function body({ text, entities, article, media, card }: Tweet, origin: string): string {
  return [
    paragraphs(withLinks(text, entities.urls)),
    article === undefined ? '' : `<h2>${escapeText(article.title)}</h2>${paragraphs(escapeText(article.text))}`,
    ...media.map((each) => picture(each, origin)),
    card !== undefined && isWebAddress(card.url)
      ? `<p>${link(card.url, card.title === '' ? card.url : card.title)}</p>`
      : '',
  ].join('');
}

/** The content of a tweet, with the tweet that it quotes or repeats. */
export function contentOf(tweet: Tweet, origin: string): string {
  const shown = tweet.retweeted_tweet ?? tweet;
  const { quoted_tweet: quoted } = shown;
  const by =
    tweet.retweeted_tweet === null ? '' : `<p>Retweet of ${link(`${origin}/t/${shown.id}`, nameOf(shown.author))}</p>`;
  const quote =
    quoted === null
      ? ''
      : `<blockquote><p>${link(`${origin}/t/${quoted.id}`, nameOf(quoted.author))}</p>${body(quoted, origin)}</blockquote>`;
  return by + body(shown, origin) + quote;
}
