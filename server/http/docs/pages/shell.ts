/**
 * The frame that all pages share: head, navigation, key, colours.
 *
 * To add a page: (1) write `pages/NAME/main.tsx`, which renders into `#app` and imports everything from `../kit/index.ts`, or `frame.ts` where it shows no tweets;
 * (2) add a row to `appPages` in `app-pages.ts`; (3) add an entry to the navigation in `server/site.ts`, if it has one; (4) run
 * `npm run generate`, which bundles it to `generated/pages/NAME.js`. Styles are in `pages/site.css`.
 * A page of the documentation is made by `createPage` in `page.ts` instead.
 */
import { themeScript } from '../../express/theme-script.ts';
import { assetPath } from './assets.ts';
import { html, type Content, type Html } from './html.ts';

/** An entry of the navigation: its name, its path from the root of the service, and its words. */
export type Entry = readonly [name: string, path: string, words: string];

/** What a service with a contract has: its name, and the entries of its navigation. */
export interface Places {
  /** The name of the service at the top of each page, and in the titles. */
  readonly brand: string;
  readonly title: string;
  readonly entries: readonly Entry[];
  /** The module with `createClient` in the samples. */
  readonly client: string;
  /** Whether callers may have an API key of the service. */
  readonly takesKeys: boolean;
  /** A path from the root of the service that answers 401 to a key that is not valid; undefined: keys are not checked. */
  readonly keyCheck?: string;
}

/** Whether a service has an entry of the navigation. */
export const has = ({ entries }: Places, place: string): boolean => entries.some(([name]) => name === place);

export interface Frame {
  /** The entry of the navigation that the page belongs to; undefined where it belongs to none. */
  readonly place: string | undefined;
  /** Where the service begins, as seen from the page: links also hold behind a proxy that adds a prefix. */
  readonly root: './' | `${string}../`;
  readonly title: string;
  /**
   * The names in `generated/pages/` of the stylesheets and scripts of the page, beside those of all pages, and of the scripts to load ahead
   * because its scripts import them.
   */
  readonly styles: readonly string[];
  readonly scripts: readonly string[];
  readonly preloads?: readonly string[];
  /** What else belongs into its head. */
  readonly head?: Html;
  /** What the keyboard can skip to: the id of an element, and what is there. */
  readonly skip: { readonly to: string; readonly words: string };
  /** The Markdown of the page, relative to it. */
  readonly markdown?: string;
  /** The name of the page's layout, a class of the body. */
  readonly layout: 'app' | 'guide';
  readonly main: Html;
}

const each = <Item>(items: readonly Item[], draw: (item: Item) => Html): Content =>
  items.map(
    (item) => html`${draw(item)}
`,
  );

const icons = {
  menu: '<path d="M4 7h16M4 12h16M4 17h16"/>',
  theme: '<circle cx="12" cy="12" r="8"/><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor"/>',
  search: '<circle cx="11" cy="11" r="6"/><path d="m20 20-4.6-4.6"/>',
  key: '<circle cx="8" cy="14" r="4"/><path d="m11 11 8-8m-3 3 3 3"/>',
} as const;

const icon = (name: keyof typeof icons): Html => ({
  html: `<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">${icons[name]}</svg>`,
});

/** Tells programs where the page is as Markdown. */
const markdownLink = (path: string | undefined): Html | string =>
  path === undefined
    ? ''
    : html`<link rel="alternate" type="text/markdown" href="${path}">
`;

const head = (frame: Frame, places: Places): Html => {
  const { root, title, styles, scripts, preloads = [], head: more = '', markdown } = frame;
  const style = (name: string): Html => html`<link rel="stylesheet" href="${root}${assetPath(`${name}.css`)}">`;
  const script = (name: string): Html => html`<script type="module" src="${root}${assetPath(`${name}.js`)}"></script>`;
  const preload = (name: string): Html => html`<link rel="modulepreload" href="${root}${assetPath(`${name}.js`)}">`;
  return html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${places.title}</title>
${markdownLink(markdown)}<link rel="icon" href="${root}favicon.ico" sizes="32x32">
<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${root}apple-touch-icon.png">
<script>${{ html: themeScript }}</script>
${each(['site', ...styles], style)}${more}${each(['frame', ...scripts], script)}${each(preloads, preload)}</head>`;
};

const entry = ({ root, place }: Frame, [name, path, words]: Entry): Html =>
  name === place
    ? html`<a href="${root}${path}" aria-current="page">${words}</a>`
    : html`<a href="${root}${path}">${words}</a>`;

const keyButton = html`<button type="button" class="tool wide" id="key-open">${icon('key')}<span id="key-state">Add key</span></button>
`;

const searchBox = ({
  root,
  place,
}: Frame): Html => html`<search class="${place === 'explore' ? 'site-search shown' : 'site-search'}">
<form id="search-form" action="${root}explore" autocomplete="off">
<label for="site-search">${icon('search')}</label>
<input id="site-search" type="search" name="q" aria-label="Search tweets and people" aria-keyshortcuts="/" placeholder="Search" maxlength="1024" autocapitalize="off" spellcheck="false" enterkeyhint="search">
<kbd aria-hidden="true">/</kbd>
</form>
</search>
`;

const top = (frame: Frame, places: Places): Html => html`<header class="top">
<div class="bar">
<a class="brand" href="${frame.root}"><span class="logo" aria-hidden="true"></span>${places.brand}</a>
<nav id="places" aria-label="Main">
${each(places.entries, (row) => entry(frame, row))}</nav>
${has(places, 'explore') ? searchBox(frame) : ''}<div class="tools">
<button type="button" class="tool" id="theme" aria-label="Colours: as the system" title="Colours">${icon('theme')}</button>
${places.takesKeys ? keyButton : ''}<button type="button" class="tool" id="menu" aria-label="Menu" aria-expanded="false" aria-controls="places">${icon('menu')}</button>
</div>
</div>
</header>`;

const keyDialog = ({
  keyCheck = '',
}: Places): Html => html`<dialog id="key-dialog" aria-labelledby="key-title" data-check="${keyCheck}">
<form id="key-form" method="dialog" autocomplete="off">
<h2 id="key-title">API key</h2>
<p id="key-reason" role="alert"></p>
<label for="key">API key</label>
<input id="key" type="password" autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="sd_…" aria-describedby="key-help">
<p id="key-help" class="hint">The first <code>npm start</code> prints a key once. <code>npm run keys -- create --name me</code> makes
another. The key stays in this browser tab, is sent to this service only, and is never part of an address of a page.</p>
<label class="check"><input type="checkbox" id="key-remember"> Remember it on this device, for all tabs. Only on a device of your own:
whoever uses this browser then has the key until you remove it.</label>
<div class="row">
<button type="submit" class="primary">Use this key</button>
<button type="button" id="key-remove" hidden>Remove</button>
<button type="button" id="key-close">Cancel</button>
</div>
</form>
</dialog>`;

/** The whole page. `places`: what this service has. */
export const framed = (frame: Frame, places: Places): string =>
  html`<!doctype html>
<html lang="en" data-root="${frame.root}">
${head(frame, places)}
<body class="${frame.layout}">
<a class="skip" href="#${frame.skip.to}">${frame.skip.words}</a>
${top(frame, places)}
${frame.main}
${places.takesKeys ? keyDialog(places) : ''}
</body>
</html>
`.html;
