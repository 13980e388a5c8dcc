/** The API reference in the frame of all pages. */
import { lazy } from '../../../../collections/lazy.ts';
import type { OpenApiDocument } from '../../../../contract/openapi.ts';
import type { Origin } from '../../../server/client-address.ts';
import { html, type Content, type Html } from '../html.ts';
import { intro } from '../intro.ts';
import { phrase } from '../prose.ts';
import { framed, type Places } from '../shell.ts';
import { named, operationText } from './operation.ts';
import { idOf, overview, scopesOf, sectionsOf, sectionTable, titleOf, wholeReference, type Section } from './page.ts';
import type { Placed } from './placed-operation.ts';
import { sampleOrigin } from './samples.ts';

/** Whether errors are an object with the member `error`. */
const hasPlainError = ({ components }: OpenApiDocument): boolean =>
  Object.hasOwn((components?.schemas?.['Error'] as { properties?: object } | undefined)?.properties ?? {}, 'error');

/** The reference as pages and as Markdown, with the origin of a reader in its samples. */
export interface Reference {
  html(origin: Origin): string;
  /** The page of an operation, by its id, or of a section, by its slug; undefined where there is none. */
  part(name: string, origin: Origin): string | undefined;
  markdown(origin: Origin): Promise<string>;
}

const withOrigin = (text: string, { secure, host }: Origin): string =>
  host === undefined ? text : text.replaceAll(sampleOrigin, () => html`${secure ? 'https' : 'http'}://${host}`.html);

/** What pages below `/docs/api/` consist of. */
interface Part {
  readonly title: string;
  readonly heading: Content;
  readonly lead: Content;
  /** Links that lead up. */
  readonly above: Html;
  readonly main: Html;
  /** The id of the operation that the page is about, or the slug of the section. */
  readonly name: string;
}

/** Links from a page below `/docs/api/`: the texts of the contract have those of a page below `/docs/`. */
const oneLevelDeeper = ({ html: text }: Html): Html => ({ html: text.replaceAll(' href="../', ' href="../../') });

/** All operations by section, beside each page of the reference. */
const contents = (sections: readonly Section[], current: string): Html => {
  const link = (name: string, words: Content): Html =>
    name === current
      ? html`<a href="${encodeURIComponent(name)}" aria-current="page">${words}</a>
`
      : html`<a href="${encodeURIComponent(name)}">${words}</a>
`;
  return html`<nav class="contents of-parts" aria-label="API reference">
<a href="../">Overview</a>
${sections.map(
  ({ title, slug, operations }) => html`<b>${link(slug, title)}</b>
${operations.map((each) => link(idOf(each), named(titleOf(each), each.operation)))}`,
)}</nav>`;
};

const neighbours = (all: readonly Placed[], place: number): Html => {
  const [before, after] = [all[place - 1], all[place + 1]];
  return html`<nav class="neighbours" aria-label="Next and previous operation">
${before === undefined ? '' : html`<a rel="prev" href="${encodeURIComponent(idOf(before))}">← ${titleOf(before)}</a>`}
${after === undefined ? '' : html`<a rel="next" href="${encodeURIComponent(idOf(after))}">${titleOf(after)} →</a>`}
</nav>`;
};

/** The pages below `/docs/api/`, by the last part of their paths. They are made at their first request. */
function partsOf(document: OpenApiDocument, client: string): ReadonlyMap<string, () => Part> {
  const sections = sectionsOf(document);
  const all = sections.flatMap(({ operations }) => operations);
  const scopes = scopesOf(document);
  const up = html`<a href="../">API reference</a>`;
  const ofSection = (section: Section) => (): Part => ({
    ...{ name: section.slug, title: section.title, heading: section.title },
    lead: section.description === undefined ? '' : oneLevelDeeper(phrase(section.description)),
    above: html`<p class="crumbs">${up}</p>
`,
    main: html`<section class="operations">${sectionTable(section, encodeURIComponent)}</section>`,
  });
  const ofOperation = (each: Placed, section: Section) => (): Part => ({
    ...{ name: idOf(each), title: titleOf(each), heading: named(titleOf(each), each.operation) },
    lead: html`<code>${idOf(each)}</code>`,
    above: html`<p class="crumbs">${up} / <a href="${section.slug}">${section.title}</a></p>
`,
    main: html`<section class="operations"><article id="${idOf(each)}">
${oneLevelDeeper(operationText({ document, client }, each, scopes(idOf(each))))}
</article>
${neighbours(all, all.indexOf(each))}</section>`,
  });
  return new Map([
    ...sections.map((section) => [section.slug, ofSection(section)] as const),
    ...sections.flatMap((section) =>
      section.operations.map((each) => [idOf(each), ofOperation(each, section)] as const),
    ),
  ]);
}

const partPage = (part: Part, sections: readonly Section[], places: Places): string =>
  framed(
    {
      ...{ place: 'api', root: '../../', title: part.title },
      ...{ styles: ['docs', 'find'], scripts: ['docs', 'operation'] },
      skip: { to: 'part', words: 'Skip to the reference' },
      layout: 'guide',
      markdown: '../index.md',
      main: html`<main class="reference">
${intro('../../', part.heading, part.lead, part.above)}
<div class="body">
${contents(sections, part.name)}
<div id="part" tabindex="-1">
${part.main}
</div>
</div>
</main>`,
    },
    places,
  );

/** Makes the overview once, and other pages and the Markdown at the first request for them. */
export function createReference(document: OpenApiDocument, places: Places): Reference {
  const title = 'API reference';
  const lead = html`Version ${document.info.version}.${hasPlainError(document) ? html` An operation that fails answers <code>{"error": "…"}</code>.` : ''}`;
  const markdown = lazy(async () => {
    const { markdownOf } = await import('../markdown.ts');
    return markdownOf({ title, lead, main: wholeReference({ document, client: places.client }) });
  });
  const page = framed(
    {
      ...{ place: 'api', root: '../', title },
      ...{ styles: ['docs', 'find'], scripts: ['docs'] },
      skip: { to: 'introduction', words: 'Skip to the reference' },
      layout: 'guide',
      markdown: './index.md',
      main: html`<main class="reference">
${intro('../', title, lead)}
<div class="body">
${overview(document)}
</div>
</main>`,
    },
    places,
  );
  const sections = sectionsOf(document);
  const parts = partsOf(document, places.client);
  const made = new Map<string, string>();
  return {
    html: (origin) => withOrigin(page, origin),
    part(name, origin) {
      const make = parts.get(name);
      if (make === undefined) return undefined;
      const text = made.get(name) ?? partPage(make(), sections, places);
      made.set(name, text);
      return withOrigin(text, origin);
    },
    markdown: async (origin) => withOrigin(await markdown(), origin),
  };
}
