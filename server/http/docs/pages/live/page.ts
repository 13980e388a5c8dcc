/** The page /live. */
import { html } from '../html.ts';
import type { Page } from '../page.ts';
import { channels, exampleQueries } from './channels.ts';

/** The maximum number of cards. More would make the page slow. */
const mostCards = 300;

export const livePage: Page = {
  name: 'live',
  place: 'live',
  styles: [],
  runs: true,
  root: './',
  title: 'Live events',
  lead: html`The events of <code>/ws</code> in real time.`,
  skip: { to: 'events', words: 'Skip to the events' },
  main: html`<details id="what" open>
<summary>Listen to</summary>
<form id="listen" autocomplete="off">
<label for="channel">Channel</label>
<select id="channel" aria-describedby="channel-text">
${Object.keys(channels).map(
  (name) => html`<option>${name}</option>
`,
)}</select>
<p class="hint" id="channel-text"></p>
<div id="value-row">
<label for="value" id="value-label">Query</label>
<input id="value" type="text" spellcheck="false" autocapitalize="off" autocorrect="off" enterkeyhint="go" maxlength="1024"
aria-describedby="fault">
</div>
<div id="fault" role="alert"></div>
<div id="examples" role="group" aria-label="Examples">${exampleQueries.map(
    (query) => html`<button type="button">${query}</button>
`,
  )}<a href="./docs/search">The query language</a></div>
<button type="submit" class="primary">Listen</button>
</form>
</details>
<section id="stream" aria-label="Events">
<p id="following" class="hint" hidden></p>
<div id="state">
<span class="dot" aria-hidden="true"></span>
<p><b id="state-name" role="status"></b> <span id="countdown"></span></p>
<span id="counter"></span>
<div id="actions">
<button type="button" id="retry" hidden>Retry now</button>
<button type="button" id="pause" hidden>Pause</button>
<button type="button" id="clear" hidden>Clear</button>
<button type="button" id="stop" hidden>Stop</button>
</div>
<p id="state-detail" role="status"></p>
</div>
<noscript><p>This page needs JavaScript for the connection.</p></noscript>
<div id="empty"><p><b>No events yet.</b></p><p>Events appear here, newest first. The page shows the newest ${mostCards}. To
see some, start the service with <code>npm start -- --replay</code>: it replays the bundled sample.</p></div>
<ol id="events" tabindex="-1" data-most="${mostCards}"></ol>
</section>`,
};
