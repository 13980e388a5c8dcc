/** Texts of the platform: unescaping, and extraction of entities. */
import { decodeXMLStrict } from 'entities';
import type { Schemas } from '../contract/operations.ts';
import { cashtagsIn, hashtagsIn, linksIn, mentionsIn } from './twitter-text.ts';

/** Unescapes `&`, `<` and `>` once: the platform escapes them in every text. */
export const decode = (text: string): string => (text.includes('&') ? decodeXMLStrict(text) : text);

/** Like `decode`; undefined stays undefined. */
export const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : decode(text);

/** The maximum length of a post on the platform. The extractors take quadratic time. */
const maxTextLength = 25_000;

/** The maximum number of parts of a domain. */
const maxDomainParts = 127;

/** Whether a text has enough dots and hyphens for a chain that is too long. Most texts have not, and need no expression. */
function hasManySeparators(text: string): boolean {
  let separators = 0;
  for (let index = 0; index < text.length && separators < maxDomainParts; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x2e || code === 0x2d) separators++;
  }
  return separators === maxDomainParts;
}

/** Removes chains such as `a.a.a.a` that are too long for a domain: the extractors take seconds for each of them. */
const withoutLongChains = (text: string): string =>
  text.length <= 2 * maxDomainParts || !hasManySeparators(text)
    ? text
    : text.replaceAll(/[\p{L}\p{M}\p{N}_.-]+/gu, (chain) =>
        (chain.match(/[^.-][.-]/g)?.length ?? 0) >= maxDomainParts ? ' ' : chain,
      );

/**
 * The entities in a text, by the rules of the platform; only from its first 25,000 characters. Each extractor is
 * slow, so it runs only if its sign is in the text.
 */
export function entitiesOf(whole: string): Schemas['Entities'] {
  const text = withoutLongChains(whole.slice(0, maxTextLength));
  // A domain goes on behind its dots, unlike a sentence.
  const links = /\.[^\s.]/.test(text) ? linksIn(text) : [];
  return {
    mentions: /[@＠]/.test(text) ? mentionsIn(text).map((username) => ({ username })) : [],
    hashtags: /[#＃]/.test(text) ? hashtagsIn(text, links) : [],
    cashtags: text.includes('$') ? cashtagsIn(text) : [],
    urls: links.map(({ text: url }) => linkOf(url)),
  };
}

/** A link with its scheme, which needs no known domain: its host, and its path of ASCII characters. */
const plainLink = /https?:\/\/(?!t\.co\/)[\p{L}\p{N}.-]+(?::\d{1,5})?(?:[/?#][\w!#$%&'()*+,./:;=?@[\]~-]*)?/giu;

/** A link without the punctuation behind it, such as the end of a sentence or of a pair of brackets. */
function trimmed(link: string): string {
  const marks = link.includes('(') ? ".,:;!?'*" : ".,:;!?'*)";
  let end = link.length;
  while (end > 0 && marks.includes(link.charAt(end - 1))) end--;
  return link.slice(0, end);
}

/**
 * The links in a text that no entity names: those of tweets before t.co, which the platform did not list. Not a link that the platform
 * cut off with an ellipsis. `known`: the entities of links in v1.1 or v2.
 */
export function plainLinks(body: string, known: readonly Readonly<Record<string, unknown>>[]): Schemas['UrlEntity'][] {
  if (!/https?:\/\/(?!t\.co\/)/i.test(body)) return [];
  const named = new Set(known.flatMap(({ url, expanded_url }) => [url, expanded_url]));
  const links = Array.from(body.slice(0, maxTextLength).matchAll(plainLink), ({ 0: link, index }) =>
    body[index + link.length] === '…' ? '' : trimmed(link),
  );
  return [...new Set(links)].filter((url) => URL.canParse(url) && !named.has(url)).map(linkOf);
}

/** Entities with further links that they do not have. */
export const withLinks = (
  { urls, ...entities }: Schemas['Entities'],
  links: readonly Schemas['UrlEntity'][],
): Schemas['Entities'] => ({
  ...entities,
  urls: [...urls, ...links.filter(({ url }) => !urls.some((known) => known.url === url))],
});

const linkOf = (url: string): Schemas['UrlEntity'] => ({ url, display_url: url.replace(/^https?:\/\//, '') });

/** The name of the app of a tweet: `source` is an HTML link in older responses and the name in newer ones. */
export const appName = (source: string | undefined): string | undefined =>
  source && decode(/^<a [^>]*>([^<]*)<\/a>$/.exec(source)?.[1] ?? source);
