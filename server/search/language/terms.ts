/** The terms of values that tweets are indexed by and queries ask for: both sides have one form of each value. */
import { fold, tokensOf } from './tokenizer.ts';

/** The term of a client name, in which `_` replaces blanks and hyphens. */
export const sourceTerm = (source: string): string => `source:${fold(source).replace(/[\s-]/g, '_')}`;

/** The term of a domain. A name with other letters than ASCII has one form (RFC 3492): `münchen.de` is `xn--mnchen-3ya.de`. */
export function domainTerm(domain: string): string {
  const name = domain.replace(/^www\./i, '');
  const isInternational = /[^\0-\x7f]/.test(name) && URL.canParse(`http://${name}`);
  return `card_domain:${isInternational ? new URL(`http://${name}`).hostname : fold(name)}`;
}

/** The tokens of a link without protocol, query string and fragment. */
export const linkTokens = (link: string): string[] =>
  tokensOf(withoutEscapes(link.replace(/^https?:\/\//i, '').replace(/[?#].*$/, '')));

/** A link with the characters that its percent-encoding stands for (RFC 3986, UTF-8); what is no such encoding stays. */
export const withoutEscapes = (link: string): string =>
  link.includes('%') ? link.replaceAll(/(?:%[\da-f]{2})+/gi, decoded) : link;

function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}

/** Two names of one language that Unicode keeps apart: X and old data say `no`, others `nb`. */
const sameLanguage: Readonly<Record<string, string>> = { nb: 'no' };
/** The languages by tag. Data has few tags; a limit, because it can have any. */
const languages = new Map<string, string>();
const maxKnown = 1_000;

/**
 * The language of a tag: the primary language subtag in the form of BCP 47. `in` and `id`, `iw` and `he`, `zh-cn` and `zh`, `en-US` and `en` are one
 * language. Another text stands for itself, without case.
 */
export function languageOf(tag: string): string {
  const known = languages.get(tag);
  if (known !== undefined) return known;
  const language = canonicalLanguage(tag);
  if (languages.size < maxKnown) languages.set(tag, language);
  return language;
}

function canonicalLanguage(tag: string): string {
  try {
    // Without its region and script, because some pairs stand for another language.
    const [primary = ''] = tag.trim().split(/[-_]/);
    // Node has no language for `und`.
    const language = (new Intl.Locale(primary).language as string | undefined) ?? fold(primary);
    return sameLanguage[language] ?? language;
  } catch {
    return fold(tag);
  }
}

export const languageTerm = (tag: string): string => `lang:${languageOf(tag)}`;
