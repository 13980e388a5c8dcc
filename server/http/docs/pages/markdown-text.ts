/** Parts of Markdown documents: blocks of code, anchors, and the links between the documentation pages. */

/** A block of code, with a fence that is longer than any inside of it. `info`: its language, and what follows it. */
export function fenced(info: string, text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/^`{3,}/gm), ([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${text.trimEnd()}\n${fence}`;
}

/** A place that links can lead to; nothing for an empty id. */
export const anchor = (id: string): string => (id === '' ? '' : `<a id="${id}"></a>`);

/** The documentation pages, relative to each other. The API reference is at `./`. */
const pages: ReadonlySet<string> = new Set(['./', './search', './events', './operations', './agents']);

/** Where a link of a documentation page leads in its Markdown: to the Markdown of the page that it names. */
export function markdownTarget(href: string): string {
  const [path = '', fragment] = href.split('#', 2);
  const page = path.replace(/^(?:\.\.\/docs\/|(?!\.|\/|\w+:))/, './');
  // The pages of operations are parts of one Markdown document.
  const operation = /^\.\/api\/([^/]+)$/.exec(page)?.[1];
  if (operation !== undefined) return `index.md#${operation}`;
  if (path === '' || !pages.has(page)) return href;
  return `${page === './' ? 'index' : page.slice(2)}.md${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Rewrites the links of a Markdown text. */
export const withMarkdownLinks = (text: string): string =>
  text.replaceAll(/\]\(([^)\s]+)\)/g, (_whole, href: string) => `](${markdownTarget(href)})`);
