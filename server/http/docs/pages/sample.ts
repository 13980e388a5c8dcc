/** Programs, commands and files that a reader copies; wide ones are scrolled, by keyboard too. */
import { html, type Html } from './html.ts';

export const sample = (text: string, name: string): Html =>
  html`<pre class="sample" id="${name}" tabindex="0"><code>${text}</code></pre>`;
