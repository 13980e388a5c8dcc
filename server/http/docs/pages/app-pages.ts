/** The pages that run in the browser as apps. */
import { Router } from 'express';
import { protectApps } from '../../express/security-headers.ts';
import { redirectTo } from '../redirect.ts';
import { get, routerOptions, send } from './assets.ts';
import { html } from './html.ts';
import { framed, has, type Places } from './shell.ts';

interface AppPage {
  /** The folder of `pages/` with its code. */
  readonly name: string;
  /** Its path: a fixed one, or a folder whose next part is a name or an id that the script reads. */
  readonly path: '/' | `/${string}`;
  readonly title: string;
  readonly place: string;
  /** Stylesheets that other pages do not use. */
  readonly styles?: readonly string[];
  /** Whether its script needs the one of the kit. */
  readonly usesKit?: boolean;
}

const appPages: readonly AppPage[] = [
  { name: 'home', path: '/', title: 'Home', place: 'home' },
  { name: 'explore', path: '/explore', title: 'Explore', place: 'explore', styles: ['query'] },
  { name: 'profile', path: '/u/*', title: 'Profile', place: 'explore' },
  { name: 'tweet', path: '/t/*', title: 'Tweet', place: 'explore' },
  { name: 'community', path: '/c/*', title: 'Community', place: 'explore' },
  { name: 'space', path: '/s/*', title: 'Audio room', place: 'explore' },
  { name: 'live', path: '/live', title: 'Live events', place: 'live', styles: ['live'] },
  { name: 'ask', path: '/ask', title: 'Ask', place: 'ask' },
  { name: 'operate', path: '/operate', title: 'Operate', place: 'operate', styles: ['operate'], usesKit: false },
  { name: 'import', path: '/import', title: 'Import', place: 'operate', styles: ['operate'], usesKit: false },
];

const page = ({ name, path, title, place, styles = [], usesKit = true }: AppPage, places: Places): string => {
  const root = path.endsWith('/*') ? '../' : './';
  return framed(
    {
      ...{ place, root, title },
      styles,
      scripts: [name],
      preloads: usesKit ? ['kit'] : [],
      skip: { to: 'app', words: 'Skip to the content' },
      layout: 'app',
      main: html`<main id="app" tabindex="-1">
<h1 class="sr">${title}</h1>
<noscript><p class="panel">This page needs JavaScript. The <a href="${root}docs/">API reference</a> does not.</p></noscript>
</main>`,
    },
    places,
  );
};

/** Routes of the pages. `places`: the entries of the navigation that this service has. */
export function createAppPages(places: Places): Router {
  const pages = Router(routerOptions);
  for (const appPage of appPages.filter(({ place }) => has(places, place))) {
    const path = appPage.path.endsWith('/*') ? new RegExp(`^${appPage.path.slice(0, -1)}[^/]+$`) : appPage.path;
    get(pages, path, [protectApps, send('html', page(appPage, places))]);
    if (typeof path === 'string' && path !== '/') get(pages, `${path}/`, [redirectTo(308, `..${path}`)]);
  }
  return pages;
}
