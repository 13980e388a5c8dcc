/** The input field of the API key, which all pages share; `browser/key.ts` stores its value. */
import { html } from './html.ts';

export const keyField = {
  box: html`<label class="key">API key <input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sd_…"
aria-describedby="key-help"></label>`,
  help: html`<span id="key-help">The first <code>npm start</code> prints a key once; <code>npm run keys -- create --name
me</code> makes another. It is kept in this browser until you empty the field, and sent to this server only.</span>`,
};
