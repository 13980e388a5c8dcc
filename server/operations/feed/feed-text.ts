/** Untrusted texts in feeds: without what no document may contain, and as titles of one line. */
import { lazy } from '../../collections/lazy.ts';

/**
 * What XML 1.0 does not permit in a document (its production Char), and the control characters that it discourages. A lone
 * surrogate becomes U+FFFD.
 */
// oxlint-disable-next-line no-control-regex
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFFFE\uFFFF]/g;
/** Controls of the writing direction: in a title they would turn round what a reader shows behind it. */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** Nothing but characters that show nothing. */
const invisible = /^[\s\p{Cf}\p{Mn}\u115F\u1160\u3164\uFFA0\u2800]*$/u;

/** Graphemes of a title. */
const maxTitle = 100;
/** Its tables take some milliseconds to load. */
const graphemes = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** A text that every document can contain, with line feeds as its only line breaks. */
export const clean = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(forbidden, '');

/** The beginning of a text on one line; empty where it shows nothing. */
export function excerpt(text: string): string {
  // A long text is not looked at as a whole. A grapheme can have many units, so they are limited, too.
  const line = clean(text.slice(0, 2_000)).replaceAll(directions, '').replaceAll(/\s+/g, ' ').trim();
  if (invisible.test(line)) return '';
  let title = '';
  let count = 0;
  for (const { segment } of graphemes().segment(line)) {
    if (++count > maxTitle || title.length + segment.length > 4 * maxTitle) return `${title.trimEnd()}…`;
    title += segment;
  }
  return title;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for XML and HTML, in elements and in quoted attributes. `>` is escaped, too, so `]]>` is not. */
export const escapeText = (text: string): string =>
  clean(text).replaceAll(/[&<>"']/g, (character) => entities[character]!);

/** Whether a text is an address that a reader may open: of HTTP, without white space. */
export function isWebAddress(text: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0020\u007F-\u009F]/.test(text) || !text.isWellFormed() || !URL.canParse(text)) return false;
  return /^https?:$/.test(new URL(text).protocol);
}

/** An address that a feed reader can use; undefined for what is no web address. */
export function absolute(url: string | undefined, origin: string): string | undefined {
  if (url === undefined || url === '') return undefined;
  const whole = url.startsWith('/') && !url.startsWith('//') ? origin + url : url;
  return isWebAddress(whole) ? whole : undefined;
}
