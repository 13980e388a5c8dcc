/** The words of a link to another site: who wrote a tweet chose them, so they must not hide where the link leads. */

/** Maximum characters of the words of the source. Behind more the host could be out of view. */
const maxWords = 80;
/** Invisible characters, and those that change the direction of the text behind them. */
const hidden = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;

/** The host of an address as a browser looks it up: international names as `xn--…`; undefined for anything that is no web address. */
export function hostOf(url: string): string | undefined {
  const parsed = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  return parsed === undefined || parsed.hostname === '' ? undefined : parsed.hostname;
}

const withoutScheme = (text: string): string => text.replace(/^https?:\/\//i, '');
const withoutWww = (host: string): string => host.replace(/^www\./, '');

/** The host that words show at their beginning, by their characters: a letter that only looks like another one is another host. */
const shownHost = (words: string): string => (/^[^/?#]*/.exec(words)?.[0] ?? '').replace(/:\d{1,5}$/, '').toLowerCase();

/**
 * The words of a link: those of the source, and the host of the target in parentheses where the words begin with anything else.
 * `words`: the words of the source; by default the address itself.
 */
export function linkText(url: string, words: string = url): string {
  const host = hostOf(url);
  const visible = withoutScheme(words.replace(hidden, '').trim());
  const short = visible.length > maxWords ? `${visible.slice(0, maxWords)}…` : visible;
  if (host === undefined) return short;
  const isSame = shownHost(visible) === host || withoutWww(shownHost(visible)) === withoutWww(host);
  if (isSame) return short;
  return short === '' ? host : `${short} (${host})`;
}
