import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { deferRoutes } from '../../server/http/express/deferred-routes.ts';

const answer: RequestHandler = (request, response, next) =>
  request.path === '/page' ? void response.send('the page') : next();

test('routes are created once, for the requests that come together; after an error the next request tries again', async () => {
  let created = 0;
  const routes = deferRoutes(async () => {
    if (++created === 1) throw new Error('a file cannot be read');
    return answer;
  });
  const server = createServer(express().use(routes.handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const statusOf = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  try {
    expect([await statusOf('/page'), created]).toEqual([500, 1]);
    expect(await Promise.all(['/page', '/page', '/other'].map(statusOf))).toEqual([200, 200, 404]);
    expect(await statusOf('/page')).toBe(200);
    await routes.prepare();
    expect(created).toBe(2);
  } finally {
    server.close();
  }
});
