/** Code samples to copy. Wide samples scroll, also by keyboard. */
import { html, type Html } from './html.ts';

export const sample = (text: string, name: string): Html =>
  html`<pre class="sample" id="${name}" tabindex="0"><code>${text}</code></pre>`;
