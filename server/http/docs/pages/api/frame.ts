/** The API reference in the frame of all pages. */
import { lazy } from '../../../../collections/lazy.ts';
import type { OpenApiDocument } from '../../../../contract/openapi.ts';
import type { Origin } from '../../../server/client-address.ts';
import { html } from '../html.ts';
import { framed, type Places } from '../shell.ts';
import { apiReference } from './page.ts';
import { sampleOrigin } from './samples.ts';

/** Whether errors are an object with the member `error`. */
const hasPlainError = ({ components }: OpenApiDocument): boolean =>
  Object.hasOwn((components?.schemas?.['Error'] as { properties?: object } | undefined)?.properties ?? {}, 'error');

/** The reference as a page and as Markdown, with the origin of a reader in its samples. */
export interface Reference {
  html(origin: Origin): string;
  markdown(origin: Origin): Promise<string>;
}

/** Makes the page once, and the Markdown at its first request. */
export function createReference(document: OpenApiDocument, places: Places): Reference {
  const title = 'API reference';
  const lead = html`Version ${document.info.version}.${hasPlainError(document) ? html` An operation that fails answers <code>{"error": "…"}</code>.` : ''}`;
  const main = apiReference({ document, client: places.client });
  const markdown = lazy(async () => (await import('../markdown.ts')).markdownOf({ title, lead, main }));
  const page = framed(
    {
      ...{ place: 'api', root: '../', title },
      ...{ styles: ['docs'], scripts: ['docs'] },
      skip: { to: 'introduction', words: 'Skip to the reference' },
      layout: 'guide',
      markdown: './index.md',
      main: html`<main class="reference">
<div class="intro">
<h1>${title}</h1>
<p class="lead">${lead}</p>
</div>
<div class="body">
${main}
</div>
</main>`,
    },
    places,
  );
  const withOrigin = (text: string, { secure, host }: Origin): string =>
    host === undefined ? text : text.replaceAll(sampleOrigin, () => html`${secure ? 'https' : 'http'}://${host}`.html);
  return {
    html: (origin) => withOrigin(page, origin),
    markdown: async (origin) => withOrigin(await markdown(), origin),
  };
}
