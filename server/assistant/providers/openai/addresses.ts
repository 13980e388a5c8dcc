/** Finds addresses without a scheme in texts: domains with and without a path, IP addresses, and e-mail addresses. */
import { isIPv4, isIPv6 } from 'node:net';
// The list of public suffixes is the only way to tell `evil.io` from `e.g` and `index.js`.
import { parse } from 'tldts';

/** The dots that browsers read as one; an ideographic full stop only before a Latin letter or a digit. */
const dot = String.raw`(?:[.．﹒․]|\[\.\]|[。｡](?=[a-z\da-z０-９ａ-ｚ]))`;
const label = String.raw`[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_-]{0,62}`;
const rest = String.raw`(?::\d{1,5}(?!\d))?(?:[/?#\\][^\s<>"'\u0060]*)?`;
/** The pattern of what may be an address, for a regular expression with the flags `i` and `u`. */
export const addressPattern = [
  String.raw`(?<![\p{L}\p{M}\p{N}_])(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}._%+-]{0,63}@)?${label}(?:${dot}${label})+${rest}`,
  String.raw`\[[\da-f:.]{2,45}\]${rest}`,
  String.raw`(?<![\p{L}\p{N}:.])(?=[\da-f]{0,4}:[\da-f:]*:)[\da-f:]{2,39}(?:\.\d{1,3}){0,3}`,
].join('|');
const candidates = new RegExp(addressPattern, 'giu');
const parts = new RegExp(String.raw`^(?<mail>[^@]*@)?(?<host>\[[^\]]*:[^\]]*\]|[^/?#\\:]*)(?<rest>[^]*)$`, 'u');

/** Scripts that are written without spaces, so that a domain can follow their letters; as can the signs of emphasis. */
const unspaced = String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}ー]+`;
const before = new RegExp(String.raw`^(?:_+(?=[\p{L}\p{N}])|${unspaced}(?=[a-z\d]))`, 'iu');
const after = new RegExp(String.raw`(?:_+|(?<=[a-z])${unspaced})$`, 'iu');

/** Names of RFC 6761 and others that no list of public suffixes has. */
const specialNames = new Set('example test invalid localhost local internal onion i2p lan home corp'.split(' '));
/** Top-level domains that are first of all endings of files. */
const fileDomains = new Set('md py rs sh zip mov'.split(' '));
const fileEndings =
  /^(?:[cm]?[jt]sx?|json[lc5]?|ya?ml|txt|[ct]sv|html?|s?css|xml|pdf|png|jpe?g|gif|svg|webp|mp[34]|tar|gz|exe|dll|jar|java|kt|go|rb|php|cpp|hpp|cs|sql|ini|toml|lock|log|env|md|py|rs|sh|docx?|xlsx?|ipynb)$/;
/** A sentence after another one, without a space. */
const joinedSentences =
  /\p{Ll}\.(?:It|Is|In|At|To|So|My|No|As|Am|Do|Me|Us|Be|Now|Here|How|One|New|You|La|De|Es|Se|Si|Su|Et|Il|Al)$/u;

/** The address in a candidate: its place there and its comparable form; undefined if the candidate is none. */
export function addressIn(
  candidate: string,
  previous = '',
  next = '',
): { readonly start: number; readonly end: number; readonly form: string } | undefined {
  const { mail = '', host = '', rest: tail = '' } = parts.exec(candidate)?.groups ?? {};
  if (host.startsWith('[') || (!/[^\da-f:.]/i.test(candidate) && candidate.split(':').length > 2))
    return ipv6(candidate);
  const start = mail === '' ? (before.exec(host)?.[0].length ?? 0) : 0;
  const cut = tail === '' ? (after.exec(host)?.[0].length ?? 0) : 0;
  const given = host.slice(start, host.length - cut);
  const name = given
    .normalize('NFKC')
    .replace(/[.。｡]|\[\.\]/gu, '.')
    .toLowerCase();
  const isCode = previous === '$' || next === '(' || joinedSentences.test(given);
  const isAddress = isIPv4(name) || isDomain(name, tail, mail !== '', isCode);
  const trimmed = tail.replace(endings, '');
  const form = `${mail.toLowerCase()}${name}${trimmed.replace(/\/$/, '')}`;
  return isAddress ? { start, end: candidate.length - cut - (tail.length - trimmed.length), form } : undefined;
}

/** The punctuation after an address, which does not belong to it. */
const endings = /[.,;:!?)\]}*_。、，！？）」』】]+$/u;

function ipv6(candidate: string): ReturnType<typeof addressIn> {
  const form = candidate.toLowerCase().replace(endings, (end) => (end.startsWith(']') ? ']' : ''));
  const address = /^\[([^\]]*)\]/.exec(form)?.[1] ?? form;
  return isIPv6(address) && /\d/.test(address) ? { start: 0, end: form.length, form } : undefined;
}

/** `isCode`: what stands around the name says that it is none, unless a port or a path follows. */
function isDomain(name: string, rest: string, isMail: boolean, isCode: boolean): boolean {
  const labels = name.split('.');
  const last = labels.at(-1)!;
  const { domain, isIcann, isPrivate } = parse(name, { validateHostname: false });
  const isKnown = specialNames.has(last) || (domain !== null && (isIcann === true || isPrivate === true));
  if (isMail) return isKnown;
  if (rest !== '') return isKnown || (/^[a-z]{2,63}$/.test(last) && !fileEndings.test(last) && /^[/:]/.test(rest));
  if (isCode || (fileDomains.has(last) && labels.length === 2) || name === 'asp.net') return false;
  return isKnown;
}

/** The comparable forms of the addresses in a text. */
export const addressesIn = (text: string): string[] =>
  [...text.matchAll(candidates)].flatMap(([candidate]) => addressIn(candidate)?.form ?? []);
