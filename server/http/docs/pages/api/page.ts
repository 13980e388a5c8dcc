/** The API reference: an overview of all operations by their sections, and a page for each section and each operation. */
import type { OpenApiDocument } from '../../../../contract/openapi.ts';
import { operationTable } from '../../../../contract/operation-table.ts';
import { html, type Html } from '../html.ts';
import { phrase, prose } from '../prose.ts';
import { table } from '../table.ts';
import { deprecationWords } from '../../../../contract/deprecation.ts';
import { endpoint, named, operationText, placedOperations } from './operation.ts';
import type { Placed } from './placed-operation.ts';
import type { Sampling } from './samples.ts';

/** Operations with the same tag. */
export interface Section {
  readonly title: string;
  /** The last part of the path of its page. */
  readonly slug: string;
  readonly description: string | undefined;
  readonly operations: readonly Placed[];
}

const tagsOf = (document: OpenApiDocument): readonly { name: string; description?: string }[] =>
  (document as unknown as { tags?: readonly { name: string; description?: string }[] }).tags ?? [];

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/\W+/g, '-');

/** The sections of a contract, in the order of its tags. Operations need no tag, and tags need no declaration. */
export function sectionsOf(document: OpenApiDocument): readonly Section[] {
  const all = placedOperations(document);
  const tagOf = ({ operation }: Placed): string => operation.tags?.[0] ?? 'Operations';
  const declared = tagsOf(document);
  const others = new Set(all.map(tagOf)).difference(new Set(declared.map(({ name }) => name)));
  return [...declared, ...[...others].map((name) => ({ name, description: undefined }))]
    .map(({ name, description }) => ({
      ...{ title: name, slug: slugOf(name), description },
      operations: all.filter((each) => tagOf(each) === name),
    }))
    .filter(({ operations }) => operations.length > 0);
}

export const idOf = ({ operation }: Placed): string => operation.operationId;
export const titleOf = ({ operation }: Placed): string => operation.summary ?? operation.operationId;

/** The path of the page of an operation or a section, from the overview. */
export const pathOf = (name: string): string => `api/${encodeURIComponent(name)}`;

/** The row of an operation. `pathTo` makes the address of a page. */
function operationRow(each: Placed, pathTo: (name: string) => string): Html {
  const words = deprecationWords(each.operation);
  const days = words === '' ? '' : html`<br><span class="optional">${words}</span>`;
  return html`<tr id="${idOf(each)}"><th scope="row"><a href="${pathTo(idOf(each))}">${named(titleOf(each), each.operation)}</a>${days}</th><td>${endpoint(each)}</td></tr>
`;
}

/** The operations of a section as a table. */
export const sectionTable = ({ operations }: Section, pathTo: (name: string) => string): Html =>
  html`<div class="of-sections">${table(
    ['Operation', 'Request'],
    [html`${operations.map((each) => operationRow(each, pathTo))}`],
  )}</div>`;

/** The text of the contract about itself; its headings become sections of the page. */
const introduction = (document: OpenApiDocument): Html => html`<section id="introduction" class="prose">
${prose((document.info as { description?: string }).description ?? '')}
<p>The contract: <a href="../openapi.yaml">openapi.yaml</a>, <a href="../openapi.json">openapi.json</a>, and
<a href="../openapi.generators.json">for code generators</a>.<span data-interactive> <a href="try">All operations in Swagger UI</a>.</span>
<a href="agents">For agents</a>: the operations as tools of an MCP server.</p>
</section>`;

const heading = ({ slug, description }: Section, content: Html | string): Html =>
  html`<h2 id="tag-${slug}">${content}</h2>
${description === undefined ? '' : html`<p>${phrase(description)}</p>`}`;

/** The contents and the main part of the overview. */
export const overview = (document: OpenApiDocument): Html => html`<nav class="contents" aria-label="On this page">
<a href="#introduction">Introduction</a>
${sectionsOf(document).map(
  ({ title, slug }) => html`<a href="#tag-${slug}">${title}</a>
`,
)}</nav>
${introduction(document)}
${sectionsOf(document).map(
  (section) => html`<section class="operations">
${heading(section, html`<a href="${pathOf(section.slug)}">${section.title}</a>`)}
${sectionTable(section, pathOf)}
</section>`,
)}`;

/** The whole reference as one text, for programs. */
export function wholeReference(sampling: Sampling): Html {
  const { document } = sampling;
  const scopes = scopesOf(document);
  return html`${introduction(document)}
${sectionsOf(document).map(
  (section) => html`<section class="operations">
${heading(section, section.title)}
${section.operations.map(
  (each) => html`<article id="${idOf(each)}">
<h3>${named(titleOf(each), each.operation)}</h3>
${operationText(sampling, each, scopes(idOf(each)))}
</article>`,
)}
</section>`,
)}`;
}

/** The scope of an operation; undefined for one that needs none. */
export function scopesOf(document: OpenApiDocument): (id: string) => string | undefined {
  const operations: Readonly<Record<string, { readonly scope?: string } | undefined>> = operationTable(document);
  return (id) => operations[id]?.scope;
}
