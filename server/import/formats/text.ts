/** Texts of the platform: decoded once, and what they name. */
import { createRequire } from 'node:module';
import { decodeXMLStrict } from 'entities';
import type TwitterText from 'twitter-text';
import type { Schemas } from '../../contract/operations.ts';
import { lazy } from '../../collections/lazy.ts';

/**
 * Loaded for the first text that names something: its many expressions take a twentieth of the time that the service
 * starts in.
 */
const twitterText = lazy(() => createRequire(import.meta.url)('twitter-text') as typeof TwitterText);

/** The platform escapes `&`, `<` and `>` in every text it gives; this undoes it once. */
export const decode = (text: string): string => (text.includes('&') ? decodeXMLStrict(text) : text);

/** As decode; what is unknown stays so. */
export const decoded = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : decode(text);

/** The platform's longest post. The extractors take time by the square of the length. */
const maxTextLength = 25_000;

/**
 * What a text names, by the platform's own rules; only its first 25,000 characters are looked at. Each extractor is
 * slow, so it runs only where its sign is in the text.
 */
export function entitiesOf(whole: string): Schemas['Entities'] {
  const text = whole.slice(0, maxTextLength);
  return {
    mentions: /[@＠]/.test(text)
      ? twitterText()
          .extractMentions(text)
          .map((username) => ({ username }))
      : [],
    hashtags: /[#＃]/.test(text) ? twitterText().extractHashtags(text) : [],
    cashtags: text.includes('$') ? twitterText().extractCashtags(text) : [],
    urls: text.includes('.') ? twitterText().extractUrls(text).map(linkOf) : [],
  };
}

const linkOf = (url: string): Schemas['UrlEntity'] => ({ url, display_url: url.replace(/^https?:\/\//, '') });

/** The app of a tweet: `source` is an HTML link to it in older answers, its name in newer ones. */
export const appName = (source: string): string => decode(/^<a [^>]*>([^<]*)<\/a>$/.exec(source)?.[1] ?? source);
