/** Compares content by media type, with the encoding of its parts, and headers. */
import { same } from './canonical.ts';
import { child, children, exists, type At, type Revision } from './document.ts';
import type { Node } from './graph.ts';
import { compareAsText, flag, otherMembers, text } from './operation-parts.ts';
import type { Comparison } from './pair.ts';

/** A media type in one form: its case, its spaces and the order of its parameters have no meaning. */
function normalised(type: string): string {
  const [name = '', ...parameters] = type.split(';').map((part) => part.trim());
  const written = parameters.map((each) => {
    const [key = '', value = ''] = each.split('=', 2);
    const unquoted = value.replace(/^"(.*)"$/, '$1');
    return `${key.toLowerCase()}=${key.toLowerCase() === 'charset' ? unquoted.toLowerCase() : unquoted}`;
  });
  return [name.toLowerCase(), ...written.sort()].join(';');
}

/** Whether every value of a media type, in one form, also has the other one, which may be a range. */
const isWithin = (type: string, range: string): boolean =>
  type === range || range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));

type ByType = ReadonlyMap<string, readonly [name: string, content: At]>;
const byType = (at: At): ByType => new Map(children(at).map(([name, content]) => [normalised(name), [name, content]]));
/** The content for a media type: its own, or that of the narrowest range that includes it. */
const contentFor = (type: string, all: ByType): At | undefined =>
  [type, `${type.split('/', 1)[0]}/*`, '*/*'].map((each) => all.get(each)?.[1]).find((found) => found !== undefined);

/** Compares two maps of media types. */
export function compareContent(comparison: Comparison, node: Node, x: At, y: At): void {
  const [old, now] = [byType(x), byType(y)];
  for (const [type, [name, p]] of old) {
    const q = contentFor(type, now);
    if (q) node.link(compareMedia(comparison, p, q, type));
    else node.report('media-type-removed', p, undefined, name);
  }
  for (const [type, [name, q]] of now) if (!old.has(type)) node.report('media-type-added', undefined, q, name);
}

function compareMedia(comparison: Comparison, p: At, q: At, type: string): string {
  return comparison.graph.visit(`content ${p.pointer} ${q.pointer}`, (node) => {
    const [old, now] = [child(p, 'schema'), child(q, 'schema')];
    if (type.startsWith('application/x-www-form-urlencoded')) compareAsText(comparison, node, old, now);
    else node.link(comparison.compare(old, now));
    const [from, to] = [child(p, 'encoding'), child(q, 'encoding')];
    for (const name of new Set([...children(from), ...children(to)].map(([key]) => key)))
      compareEncoding(comparison, node, child(from, name), child(to, name), name);
    otherMembers(node, p, q, ['schema', 'encoding']);
  });
}

/** The media types of a part, in one form. */
const typesOfPart = (at: At): string[] =>
  text(child(at, 'contentType').value)
    .split(',')
    .map((type) => normalised(type));

/** Compares the encodings of a part; a revision without one has no value there. */
function compareEncoding(comparison: Comparison, node: Node, x: At, y: At, name: string): void {
  const [p, q] = [child(x, 'contentType'), child(y, 'contentType')];
  if (exists(p) && exists(q)) {
    const [old, now] = [typesOfPart(x), typesOfPart(y)];
    const beyond = (types: readonly string[], others: readonly string[]): string[] =>
      types.filter((type) => !others.some((range) => isWithin(type, range)));
    const [removed, added] = [beyond(old, now), beyond(now, old)];
    if (removed.length > 0) node.report('part-type-removed', p, q, removed.join(', '));
    if (added.length > 0) node.report('part-type-added', p, q, added.join(', '));
  } else if (exists(p) || exists(q)) node.report('encoding-changed', p, q, name);
  for (const member of ['style', 'explode', 'allowReserved']) {
    const [from, to] = [child(x, member), child(y, member)];
    if (!same(from.value, to.value)) node.report('encoding-changed', from, to, name);
  }
  compareHeaders(comparison, node, child(x, 'headers'), child(y, 'headers'));
  otherMembers(node, x, y, ['contentType', 'style', 'explode', 'allowReserved', 'headers']);
}

/** Compares two maps of headers. */
export function compareHeaders(comparison: Comparison, node: Node, x: At, y: At): void {
  const headersOf = (revision: Revision, at: At): Map<string, At> =>
    new Map(children(at).map(([name, inner]) => [name.toLowerCase(), revision.follow(inner)]));
  const [old, now] = [headersOf(comparison.before, x), headersOf(comparison.after, y)];
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    const [p, q] = [old.get(name), now.get(name)];
    if (name === 'content-type') {
      // OpenAPI ignores it: the media types are in `content`.
      if (!same(p?.value, q?.value)) node.report('documentation-changed', p, q, name);
    } else if (!q) node.report('header-removed', p, undefined, name);
    else if (!p) node.report(flag(q, 'required') ? 'header-added-required' : 'header-added', undefined, q, name);
    else node.link(compareHeader(comparison, p, q, name));
  }
}

function compareHeader(comparison: Comparison, x: At, y: At, name: string): string {
  return comparison.graph.visit(`header ${x.pointer} ${y.pointer}`, (node) => {
    if (flag(x, 'required') !== flag(y, 'required')) {
      const rule = flag(y, 'required') ? 'header-became-required' : 'header-became-optional';
      node.report(rule, child(x, 'required'), child(y, 'required'), name);
    }
    compareAsText(comparison, node, child(x, 'schema'), child(y, 'schema'));
    compareContent(comparison, node, child(x, 'content'), child(y, 'content'));
    otherMembers(node, x, y, ['required', 'schema', 'content']);
  });
}
