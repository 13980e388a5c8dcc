/** The pages and routes of this service beside its contract: home, search, live, questions, events, and the operator's interface. */
import { Router, type RequestHandler } from 'express';
import { createAgentSite } from './agents/site.ts';
import { lazy } from './collections/lazy.ts';
import { nameOf, type OpenApiDocument } from './contract/openapi.ts';
import { operationTable } from './contract/operation-table.ts';
import { overviewOf } from './http/docs/overview.ts';
import { readProtocol } from './http/docs/pages/events/protocol.ts';
import { createPage, type Page } from './http/docs/pages/page.ts';
import type { Places } from './http/docs/pages/shell.ts';
import { methodNotAllowed, upgradeRequired } from './http/express/not-found.ts';
import { apiEntry, takesKeys, type Guide, type GuideServices, type Site, type SiteServices } from './http/site.ts';
import type { OperateParts } from './operate/action.ts';
import { path as eventStreamPath } from './realtime/path.ts';

/** The parts of the service that its pages and routes show. */
export interface SiteParts {
  /** What the service follows on live platforms; /live shows it. */
  readonly following?: (() => readonly object[]) | undefined;
  /** The live platforms that this instance reads; undefined without other instances. /readyz shows it. */
  readonly reading?: (() => readonly string[] | undefined) | undefined;
  /** The operator's interface: the parts of `/operate/api`, and the history of requests that it shows. */
  readonly operate?: OperateParts | undefined;
  /** The files of media; see `createMediaRoutes`. */
  readonly media?: RequestHandler | undefined;
  /** Whether there is an event stream at `/ws`; true by default. */
  readonly events?: boolean | undefined;
}

/** The entries of the navigation that a service with this contract has. */
async function placesOf(document: OpenApiDocument): Promise<Places> {
  const protocol = await readProtocol();
  const operations = Object.keys(operationTable(document));
  const hasEvery = (...ids: string[]): boolean => ids.every((id) => operations.includes(id));
  const messages = Object.values(protocol.components.messages);
  const hasEvents = messages.every(({ payload }) => Object.hasOwn(document.components.schemas, nameOf(payload)));
  const hasData = hasEvery('searchTweets', 'getUserLastTweets', 'getTweetReplies');
  const answers = hasEvery('explainTweet', 'getAssistantStatus');
  return {
    ...{
      brand: 'Social Data',
      title: 'Social Data API',
      client: '@social-data/client',
      takesKeys: takesKeys(document),
    },
    ...(hasEvery('getAssistantStatus') ? { keyCheck: 'social/assistant/status' } : {}),
    entries: [
      ...(hasData ? [['home', '', 'Home'] as const, ['explore', 'explore', 'Explore'] as const] : []),
      ...(hasEvery('searchTweets') ? [['search', 'docs/search', 'Queries'] as const] : []),
      ...(hasEvents ? [['live', 'live', 'Live'] as const] : []),
      ...(hasData && answers ? [['ask', 'ask', 'Ask'] as const] : []),
      apiEntry,
      ...(hasEvents ? [['events', 'docs/events', 'Events'] as const] : []),
      ['operate', 'operate', 'Operate'],
    ],
  };
}

/** The routes of the operator's interface. Their module is loaded at the first request. */
function operateRoutes(operate: OperateParts, services: SiteServices): RequestHandler {
  const routes = lazy(async () => (await import('./operate/routes.ts')).createOperateRoutes({ operate, ...services }));
  return async (request, response, next) => (await routes())(request, response, next);
}

/** The numbers that the pages show, from the metrics and the follower. */
function statusRoutes({ following = () => [] }: SiteParts, { registry }: SiteServices): RequestHandler {
  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, valueOf: () => Promise<object>): void => {
    router
      .route(path)
      .get(async (_request, response) => void response.set('Cache-Control', 'no-cache').json(await valueOf()))
      .all(methodNotAllowed(['GET', 'HEAD']));
  };
  get('/live/following', async () => ({ following: following() }));
  get('/live/overview', () => overviewOf(registry));
  return router;
}

async function routes(parts: SiteParts, services: SiteServices): Promise<readonly RequestHandler[]> {
  const { createAppPages } = await import('./http/docs/pages/app-pages.ts');
  const { operate, media, events = true } = parts;
  const { places } = services;
  const router = Router({ caseSensitive: true, strict: true });
  if (media !== undefined) router.use(media);
  if (operate !== undefined) router.use('/operate/api', operateRoutes(operate, services));
  if (events)
    router
      .route(eventStreamPath)
      .get(upgradeRequired)
      .all(methodNotAllowed(['GET']));
  return [statusRoutes(parts, services), createAppPages(places), router];
}

/** The guides about search and events, as far as the contract has these, and the guide about operations. */
function guides({ document, places, originOf }: GuideServices): readonly Guide[] {
  const guide = (name: string, title: string, about: string, make: () => Promise<Page>): Guide => ({
    ...{ path: `docs/${name}.md`, title, about },
    ...createPage(name, places, make),
  });
  const all = [
    guide('search', 'Search', 'the query language: every operator, filter and date, with examples', async () =>
      (await import('./http/docs/pages/search/page.ts')).searchPage(document),
    ),
    guide(
      'events',
      'Events',
      'the event stream over a WebSocket: channels, messages, cursors, errors and limits',
      async () =>
        (await import('./http/docs/pages/events/page.ts')).eventsPage(await readProtocol(), document, originOf),
    ),
  ];
  return [
    ...all.filter(({ path }) => places.entries.some(([, page]) => path === `${page}.md`)),
    guide(
      'operations',
      'Operations',
      'running the service: configuration, keys, proxies, metrics, backups, erasure and upgrades',
      async () => (await import('./http/docs/pages/operations/page.ts')).operationsPage(),
    ),
  ];
}

/** The site of this service. */
export const createSite = (parts: SiteParts = {}): Site => ({
  placesOf,
  routes: (services) => routes(parts, services),
  guides,
  agents: createAgentSite,
  facts: () => {
    const reading = parts.reading?.();
    return reading === undefined ? {} : { following: reading };
  },
  observe: parts.operate && ((summary) => parts.operate?.history.observe(summary)),
  onShed: () => parts.operate?.history.shed(),
});
