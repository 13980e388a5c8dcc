/** The API reference in the frame of all pages. */
import type { OpenApiDocument } from '../../../../contract/openapi.ts';
import type { Origin } from '../../../server/client-address.ts';
import { html } from '../html.ts';
import { framed, type Places } from '../shell.ts';
import { apiReference } from './page.ts';
import { sampleOrigin } from './samples.ts';

/** Whether errors are an object with the member `error`. */
const hasPlainError = ({ components }: OpenApiDocument): boolean =>
  Object.hasOwn((components?.schemas?.['Error'] as { properties?: object } | undefined)?.properties ?? {}, 'error');

/** Makes the page once; the result writes the origin of a reader into its samples. */
export function createReference(document: OpenApiDocument, places: Places): (origin: Origin) => string {
  const page = framed(
    {
      ...{ place: 'api', root: '../', title: 'API reference' },
      styles: ['../assets/docs.css'],
      scripts: ['../assets/docs.js'],
      preloads: [],
      skip: { to: 'introduction', words: 'Skip to the reference' },
      layout: 'guide',
      main: html`<main class="reference">
<div class="intro">
<h1>API reference</h1>
<p class="lead">Version ${document.info.version}.${hasPlainError(document) ? html` An operation that fails answers <code>{"error": "…"}</code>.` : ''}</p>
</div>
<div class="body">
${apiReference({ document, client: places.client })}
</div>
</main>`,
    },
    places,
  );
  return ({ secure, host }) =>
    host === undefined ? page : page.replaceAll(sampleOrigin, () => html`${secure ? 'https' : 'http'}://${host}`.html);
}
