/** Serves /docs/search: the page, its style and the modules that it runs, and nothing else. */
import { readFile } from 'node:fs/promises';
import { Router, type RequestHandler } from 'express';
import { operationFacts, type OpenApiDocument } from '../../openapi.ts';
import { protectPages } from '../../security-headers.ts';
import { methodNotAllowed } from '../../unknown.ts';
import { content } from '../content.ts';
import { modulesOf } from '../modules.ts';
import { searchPage } from './page.ts';

/** Routes below `/docs`. Rejects when the page imports what a browser does not have, or the contract does not bound queries. */
export async function createSearchPage(document: OpenApiDocument): Promise<Router> {
  const modules = await modulesOf('http/pages/search/browser/main.ts');
  const style = await readFile(new URL('./page.css', import.meta.url), 'utf8');
  const mostCharacters = operationFacts(document).searchTweets.parameters.get('query')?.schema.maxLength;
  if (mostCharacters === undefined) throw new Error("the contract sets no maxLength for the 'query' of searchTweets");
  const addressed = new Map([...modules].map(([path, code]) => [`modules/${path}`, code]));
  const page = searchPage({ modules: [...addressed.keys()], stylesheets: ['theme.css', 'guide.css', 'search.css'], mostCharacters });

  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handler: RequestHandler): void => {
    router.route(path).get(protectPages, handler).all(methodNotAllowed(['GET', 'HEAD']));
  };
  get('/search', content('html', page));
  get('/search.css', content('css', style));
  for (const [path, code] of addressed) get(`/${path}`, content('text/javascript', code));
  return router;
}
