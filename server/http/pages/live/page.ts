/** The HTML of /live. */
import { html } from '../html.ts';
import { channels, exampleQueries } from './channels.ts';

export interface PageFacts {
  /** The paths of the page's modules and styles, from where it stands; the first module is run, the others are loaded ahead. */
  readonly modules: readonly string[];
  readonly stylesheets: readonly string[];
}

/** The page, whole. */
export function livePage({ modules: [main, ...others], stylesheets }: PageFacts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Live events · Social Data API</title>
<link rel="icon" type="image/png" sizes="32x32" href="./docs/favicon-32x32.png">
${stylesheets.map((stylesheet) => html`<link rel="stylesheet" href="./${stylesheet}">
`)}<script type="module" src="./${main!}"></script>
${others.map((module) => html`<link rel="modulepreload" href="./${module}">
`)}</head>
<body>
<a class="skip" href="#events">Skip to the events</a>
<header>
<nav aria-label="Documentation"><a href="./docs/">API reference</a> <a href="./docs/search">Search</a> <a href="./docs/events">Events</a> <a
href="./live" aria-current="page">Live events</a></nav>
<h1>Live events</h1>
<p class="lead">What happens in the archive, as <code>/ws</code> tells it. <code>npm start -- --replay</code> makes something
happen: it plays the bundled sample.</p>
</header>
<main>
<section class="controls" aria-label="What to listen to">
<form id="listen" autocomplete="off">
<label for="channel">Channel</label>
<select id="channel" name="channel" aria-describedby="tells">
${Object.keys(channels).map((name) => html`<option>${name}</option>
`)}</select>
<p class="hint" id="tells"></p>
<div id="value-row">
<label for="value" id="value-label">Query</label>
<input id="value" type="text" spellcheck="false" autocapitalize="off" autocorrect="off" enterkeyhint="go" maxlength="1024"
aria-describedby="fault">
<div id="examples">${exampleQueries.map((query) => html`<button type="button">${query}</button> `)}</div>
</div>
<div id="fault" role="alert"></div>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sd_…" aria-describedby="key-help">
<p class="hint" id="key-help">The first <code>npm start</code> prints a key once; <code>npm run keys -- create --name me</code>
makes another. It is kept until you close this tab, and sent to this server only.</p>
<button type="submit" class="go">Listen</button>
</form>
</section>
<section class="stream" aria-label="Events">
<div id="state">
<span class="dot" aria-hidden="true"></span>
<p><b id="state-name" role="status">Not connected</b> <span id="countdown"></span></p>
<span id="counter"></span>
<button type="button" id="retry" hidden>Now</button>
<button type="button" id="pause" hidden>Pause</button>
<button type="button" id="stop" hidden>Stop</button>
<p id="state-detail" role="status"></p>
</div>
<noscript><p>This page needs scripts: they hold the connection.</p></noscript>
<p id="empty">Nothing has happened yet. Events appear here, newest first; the newest 300 stay.</p>
<ol id="events" tabindex="-1"></ol>
</section>
</main>
</body>
</html>
`.html;
}
