/** The targets that an operator follows: their forms, and the list in `FOLLOW`. Knows no network. */
import type { Target } from '../ports/live-source.ts';

/** The forms of all targets, for messages and the documentation. */
export const targetForms =
  'bluesky:HANDLE, bluesky:did:…, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:*, x:USERNAME, x:search:QUERY';

/** The maximum length of a query, in characters. */
const maxQuery = 1024;
const handle =
  /^(?=.{3,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const did = /^did:[a-z]+:[A-Za-z0-9._:%-]{1,240}$/;
const listAddress = /^at:\/\/[^/\s]{3,260}\/app\.bsky\.graph\.list\/[A-Za-z0-9._:~-]{1,512}$/;
const username = /^[A-Za-z0-9_]{1,15}$/;

/** Reads the part of a target behind the name of its source; undefined where it has no known form. */
type ReadTarget = (text: string) => Pick<Target, 'kind' | 'value'> | undefined;

const withoutAt = (text: string): string => text.replace(/^@/, '');

function readSearch(text: string): ReturnType<ReadTarget> {
  const value = /^search:\s*(\S.*)$/s.exec(text)?.[1]?.trim();
  return value === undefined || value.length > maxQuery ? undefined : { kind: 'search', value };
}

/** The languages of a network target in a canonical form: `de+en`. */
const languages = (text = ''): string => [...new Set(text.toLowerCase().split('+'))].toSorted().join('+');

function readBluesky(text: string): ReturnType<ReadTarget> {
  const network = /^\*(?::([a-z]{2,3}(?:\+[a-z]{2,3})*))?$/i.exec(text);
  if (network !== null) return { kind: 'network', value: languages(network[1]) };
  const list = /^list:(.*)$/s.exec(text)?.[1];
  if (list !== undefined) return listAddress.test(list) ? { kind: 'list', value: list } : undefined;
  if (did.test(text)) return { kind: 'account', value: text };
  const name = withoutAt(text).toLowerCase();
  return handle.test(name) ? { kind: 'account', value: name } : readSearch(text);
}

function readX(text: string): ReturnType<ReadTarget> {
  const name = withoutAt(text);
  return username.test(name) ? { kind: 'account', value: name.toLowerCase() } : readSearch(text);
}

/** The known sources. */
interface KnownSource {
  /** For output. */
  readonly title: string;
  /** The expected form of a target. */
  readonly expected: string;
  readonly read: ReadTarget;
}

const sources: Readonly<Record<string, KnownSource>> = {
  bluesky: {
    title: 'Bluesky',
    expected:
      'bluesky:HANDLE such as bluesky:alice.example.com, bluesky:did:…, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:* or bluesky:*:en+de',
    read: readBluesky,
  },
  x: { title: 'X', expected: 'x:USERNAME or x:search:QUERY', read: readX },
};

/** The names of the known sources. */
export const sourceNames: readonly string[] = Object.keys(sources);

/** The name of a source for output. */
export const sourceTitle = (source: string): string => sources[source]?.title ?? source;

/** A text that is no target; the message says the expected form. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
}

/** Addresses of accounts, and how callers write sources. */
const [blueskyAddress, xAddress, otherSource] = [
  /^(?:https?:\/\/)?bsky\.app\/profile\/([^/?#\s]+)\/?$/i,
  /^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/@?(\w{1,15})\/?$/i,
  /^(bluesky|bsky|x|twitter)\s*:\s*(.+)$/is,
];

/** The targets that a text without a known source may mean: an account by its name or address, a source in other words. */
function suggestionFor(text: string): string[] {
  const [, word = '', rest = ''] = otherSource.exec(text) ?? [];
  const name = withoutAt(text).toLowerCase();
  const bluesky = /^b/i.test(word)
    ? rest
    : (blueskyAddress.exec(text)?.[1] ?? (handle.test(name) ? name : did.test(text) ? text : undefined));
  const x = /^[xt]/i.test(word) ? rest : xAddress.exec(text)?.[1];
  if (x !== undefined) return readX(x.trim()) === undefined ? [] : [`x:${x.trim()}`];
  if (bluesky !== undefined) return readBluesky(bluesky.trim()) === undefined ? [] : [`bluesky:${bluesky.trim()}`];
  // Names of both platforms look alike without the host of Bluesky.
  return /^[a-z0-9_]{1,15}$/.test(name)
    ? [...(name.includes('_') ? [] : [`bluesky:${name}.bsky.social`]), `x:${name}`]
    : [];
}

/** Parses one target. Throws TargetError. */
export function parseTarget(text: string): Target {
  const trimmed = text.trim();
  const [, source = '', rest = ''] = /^([a-z]+):(.*)$/s.exec(trimmed) ?? [];
  const known = Object.hasOwn(sources, source) ? sources[source] : undefined;
  const shown = trimmed.slice(0, 100);
  if (known === undefined) {
    const meant = suggestionFor(trimmed);
    const hint = meant.length === 0 ? '' : `. Did you mean ${meant.map((each) => `'${each}'`).join(' or ')}?`;
    throw new TargetError(`'${shown}' is no target: expected one of ${targetForms}${hint}`);
  }
  const read = known.read(rest.trim());
  if (read === undefined) throw new TargetError(`'${shown}' is no target: expected ${known.expected}`);
  return { source, ...read };
}

const prefixes: Readonly<Record<Target['kind'], string>> = {
  account: '',
  list: 'list:',
  search: 'search:',
  network: '*:',
};

/** The canonical text of a target: `parseTarget` reads it. */
export const targetText = ({ source, kind, value }: Target): string =>
  kind === 'network' && value === '' ? `${source}:*` : `${source}:${prefixes[kind]}${value}`;

/** The part of the canonical text behind the name of the source. */
export const sourcePart = (target: Target): string => targetText(target).slice(target.source.length + 1);

/**
 * Parses the list of targets in `FOLLOW`. Commas separate targets. A comma between double quotes belongs to the query, as in
 * `bluesky:search:"coffee, please"`; `%2C` stands for a comma elsewhere, as in `bluesky:search:geocode:37%2C-122%2C10km`.
 * Removes repeated targets. Throws TargetError.
 */
export function parseTargets(text: string): Target[] {
  const parts = text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  if ((text.match(/"/g)?.length ?? 0) % 2 !== 0) throw new TargetError('a double quote is not closed');
  const targets = parts.filter((part) => part.trim() !== '').map((part) => parseTarget(part.replaceAll(/%2C/gi, ',')));
  return uniqueTargets(targets);
}

/** The targets without repeated ones. */
export const uniqueTargets = (targets: readonly Target[]): Target[] => [
  ...new Map(targets.map((target) => [targetText(target), target])).values(),
];

/** What is wrong with targets where the archive keeps all tweets: the whole network would fill any memory. */
export function unboundedTarget(targets: readonly Target[]): string | undefined {
  const network = targets.find(({ kind }) => kind === 'network');
  return network === undefined
    ? undefined
    : `${targetText(network)}: the whole network needs a limit: set RETAIN, such as RETAIN=1000000 or RETAIN=7d`;
}
