/** The documentation of this service, as a server would send it. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { createPublicRoutes } from '../../server/http/docs/public-routes.ts';
import type { Places } from '../../server/http/docs/pages/shell.ts';
import type { Origin } from '../../server/http/server/client-address.ts';
import { createSite } from '../../server/site.ts';

export type { Origin };

/** What a server sent for a path; `undefined` where it has no such page. */
export interface Sent {
  readonly type: string;
  readonly body: Buffer;
}
export type Documents = ReadonlyMap<string, Sent>;

/** What needs a running service. */
const ofService = new Set(['/', '/docs/try', '/metrics', '/healthz', '/readyz']);

/** The entries of the navigation that lead to documentation. */
const documentationOnly = (places: Places): Places => ({
  ...places,
  takesKeys: false,
  entries: [
    ...places.entries.filter(([, path]) => path.startsWith('docs/')),
    ['operate', 'docs/operations', 'Operations'],
  ],
});

async function createApp(origin: Origin): Promise<express.Express> {
  const contract = new URL('../../generated/openapi.json', import.meta.url);
  const document = JSON.parse(await readFile(contract, 'utf8')) as OpenApiDocument;
  const site = createSite();
  const places = documentationOnly(await site.placesOf(document));
  const originOf = (): Origin => origin;
  const parts = { document, documentText: undefined, originOf, places };
  const guides = site.guides?.(parts) ?? [];
  const app = express().disable('x-powered-by');
  app.use(await createPublicRoutes({ ...parts, pages: [], guides, agents: site.agents?.(document) }));
  return app;
}

/** The addresses in a document, relative to it. */
function linksIn({ type, body }: Sent): string[] {
  const text = body.toString();
  if (type === 'text/html') return Array.from(text.matchAll(/\b(?:href|src)="([^"]+)"/g), ([, link = '']) => link);
  if (/^text\/(?:markdown|plain)$/.test(type))
    return Array.from(text.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  return [];
}

/** Gets all documents that pages of the documentation link to, by path, as a server on this machine sends them. */
export async function documentation(origin: Origin): Promise<Documents> {
  const server = createServer(await createApp(origin)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = new Map<string, Sent>();
  const seen = new Set(ofService);
  try {
    const queue = ['/llms.txt', '/docs/', '/docs/operations'];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const response = await fetch(root + path);
      if (response.status !== 200) {
        await response.body?.cancel();
        continue;
      }
      const [type = ''] = (response.headers.get('content-type') ?? '').split(';', 1);
      const sent = { type, body: Buffer.from(await response.arrayBuffer()) };
      found.set(path, sent);
      for (const link of linksIn(sent)) {
        const url = URL.parse(link, root + path);
        if (url?.origin === root) queue.push(url.pathname);
      }
    }
  } finally {
    server.close();
    server.closeAllConnections();
  }
  return found;
}
