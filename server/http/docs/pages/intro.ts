/** The head of a documentation page: its title, its first sentence, and the search over all pages. */
import { assetPath } from './assets.ts';
import { html, type Content, type Html } from './html.ts';

/** The button of the search. Its script and its index are loaded when it is used. */
const findButton = (
  root: string,
): Html => html`<button type="button" id="find-open" class="find-open" aria-keyshortcuts="Control+K Meta+K"
data-script-src="${root}${assetPath('find.js')}" data-index-src="${root}docs/search-index.json"><svg class="icon" viewBox="0 0 24 24"
width="18" height="18" aria-hidden="true"><circle cx="11" cy="11" r="6"/><path d="m20 20-4.6-4.6"/></svg><span>Search the documentation</span><kbd>Ctrl K</kbd></button>`;

/** `above`: what stands above the title. */
export const intro = (
  root: string,
  title: Content,
  lead: Content,
  above: Content = '',
): Html => html`<div class="intro">
<div>
${above}<h1>${title}</h1>
<p class="lead">${lead}</p>
</div>
${findButton(root)}
</div>`;
