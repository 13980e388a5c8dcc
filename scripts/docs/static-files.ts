/** Turns documents of a server into files whose links hold in any folder. */
import { posix } from 'node:path';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { FindEntry } from '../../server/http/docs/find-index.ts';
import type { Documents, Sent } from './documentation.ts';

/** The file of a document. A web server sends `index.html` for its folder. */
function fileOf(path: string, type: string): string {
  if (path.endsWith('/')) return `${path.slice(1)}index.html`;
  return type === 'text/html' ? `${path.slice(1)}.html` : path.slice(1);
}

/** Finds the file of a link, as seen from the document that has it; undefined for what is no file. */
type FileOfLink = (link: string, from: string) => string | undefined;

function linkFinder(documents: Documents): FileOfLink {
  const files = new Map(Array.from(documents, ([path, { type }]) => [path, fileOf(path, type)]));
  // The home page of a service is the documentation here.
  files.set('/', 'docs/index.html');
  return (link, from) => {
    const url = new URL(link, `http://docs.invalid${from}`);
    const file = url.host === 'docs.invalid' ? files.get(url.pathname) : undefined;
    if (file === undefined) return undefined;
    return posix.relative(posix.dirname(fileOf(from, documents.get(from)?.type ?? '')), file) + url.hash;
  };
}

type Element = ReturnType<typeof DomUtils.findAll>[number];

const isExternal = (link: string): boolean => /^[a-z][a-z\d+.-]*:/i.test(link);

/** Puts the content of an element in its place. */
function unwrap(element: Element): void {
  for (const child of [...element.children]) DomUtils.prepend(element, child);
  DomUtils.removeElement(element);
}

/** A link to nothing that the files have becomes its text. */
function rewriteLink(element: Element, from: string, fileOfLink: FileOfLink, ids: ReadonlySet<string>): void {
  const link = element.attribs['href'] ?? '';
  if (isExternal(link)) return;
  if (link.startsWith('#')) {
    if (!ids.has(link.slice(1))) unwrap(element);
    return;
  }
  const file = fileOfLink(link, from);
  if (file === undefined) unwrap(element);
  else element.attribs['href'] = file;
}

/** A page without what needs a running service. */
function staticPage(from: string, text: string, fileOfLink: FileOfLink): string {
  const page = parseDocument(text);
  const all = (test: (element: Element) => boolean): Element[] => DomUtils.findAll(test, page.children);
  for (const element of all(({ attribs }) => attribs['data-interactive'] !== undefined))
    DomUtils.removeElement(element);
  const ids = new Set(all(({ attribs }) => attribs['id'] !== undefined).map(({ attribs }) => attribs['id'] ?? ''));
  for (const element of all(({ attribs }) => (attribs['src'] ?? '') !== '')) {
    const file = fileOfLink(element.attribs['src'] ?? '', from);
    if (file === undefined) DomUtils.removeElement(element);
    else element.attribs['src'] = file;
  }
  for (const element of all(({ name, attribs }) => name === 'link' && attribs['href'] !== undefined)) {
    const file = fileOfLink(element.attribs['href'] ?? '', from);
    if (file === undefined) DomUtils.removeElement(element);
    else element.attribs['href'] = file;
  }
  for (const element of all(({ name, attribs }) => name === 'a' && attribs['href'] !== undefined))
    rewriteLink(element, from, fileOfLink, ids);
  return DomUtils.getOuterHTML(page);
}

/** A Markdown text, apart from its blocks of code. */
function staticMarkdown(from: string, text: string, fileOfLink: FileOfLink): string {
  const rewritten = (prose: string): string =>
    prose.replaceAll(/\[((?:`[^`]*`|[^\]`[])*)\]\(([^)\s]+)\)/g, (whole, words: string, link: string) => {
      if (isExternal(link) || link.startsWith('#')) return whole;
      const file = fileOfLink(link, from);
      return file === undefined ? words : `[${words}](${file})`;
    });
  return text
    .split(/^(```+[^]*?^```+$)/m)
    .map((part, place) => (place % 2 === 1 ? part : rewritten(part)))
    .join('');
}

/** The index of the search over all pages, whose addresses are relative to it. */
const searchIndex = '/docs/search-index.json';

const staticIndex = (entries: readonly FindEntry[], fileOfLink: FileOfLink): string =>
  JSON.stringify(entries.map((entry) => ({ ...entry, href: fileOfLink(entry.href, searchIndex) ?? entry.href })));

function contentOf(path: string, { type, body }: Sent, fileOfLink: FileOfLink): Buffer | string {
  if (type === 'text/html') return staticPage(path, body.toString(), fileOfLink);
  if (path === searchIndex) return staticIndex(JSON.parse(body.toString()) as readonly FindEntry[], fileOfLink);
  if (type === 'text/markdown' || path === '/llms.txt') return staticMarkdown(path, body.toString(), fileOfLink);
  return body;
}

const home = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Documentation</title><meta http-equiv="refresh" content="0; url=docs/index.html"></head>
<body><a href="docs/index.html">Documentation</a></body>
</html>
`;

/** The files by path, with an `index.html` that leads to the first page. */
export function filesOf(documents: Documents): ReadonlyMap<string, Buffer | string> {
  const fileOfLink = linkFinder(documents);
  const files = Array.from(
    documents,
    ([path, sent]) => [fileOf(path, sent.type), contentOf(path, sent, fileOfLink)] as const,
  );
  return new Map<string, Buffer | string>([['index.html', home], ...files]);
}
