// Tests server/http/docs/pages/api/frame.ts and server/http/docs/pages/api/operation.ts.
/** The API reference of other contracts than that of the service: a team may have any. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { createDocs } from '../../server/http/docs/docs.ts';
import { apiEntry } from '../../server/http/site.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1.0.0' },
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        summary: 'Stores a thing',
        deprecated: true,
        'x-deprecated-since': '2026-10-01',
        'x-sunset': '2027-03-31',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 2, maxLength: 9 } },
          {
            name: 'mode',
            in: 'query',
            description: 'How.',
            deprecated: true,
            'x-sunset': '2027-01-31',
            schema: { enum: ['fast', 'slow'], default: 'fast' },
          },
          { name: 'X-Trace', in: 'header', schema: { type: 'string', format: 'uuid' } },
        ],
        requestBody: {
          content: {
            'application/merge-patch+json': {
              schema: {
                type: 'object',
                required: ['count'],
                properties: {
                  count: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many.' },
                  old: { type: 'string', deprecated: true, 'x-deprecated-since': '2026-11-01' },
                },
              },
            },
          },
        },
        responses: { 204: { description: 'Stored.' }, 404: { description: 'No such thing.' } },
      },
    },
    '/picture': {
      get: {
        operationId: 'getPicture',
        tags: ['Pictures'],
        responses: { 200: { description: 'It.', content: { 'image/png': {} } } },
      },
    },
  },
};

describe('/docs/ of a contract without components and tags', () => {
  let server: Server;
  let overview: string;
  let page: string;
  /** The row of a table that names something. */
  const rowOf = (name: string): string => page.split('<tr>').find((row) => row.includes(`<code>${name}</code>`)) ?? '';

  beforeAll(async () => {
    const app = express();
    app.use(
      createDocs(
        document as unknown as OpenApiDocument,
        () => ({ secure: false, host: 'a.test' }),
        { brand: 'Test', title: 'Test API', entries: [apiEntry], client: 'a-client', takesKeys: true },
        [],
      ),
    );
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    overview = await textOf('');
    page = await textOf('api/putThing');
  });
  const open = (path: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/${path}`);
  async function textOf(path: string): Promise<string> {
    const response = await open(path);
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  }

  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });

  test('strikes through what is deprecated, with its days', () => {
    expect(page).toContain('<h1><del>Stores a thing</del></h1>');
    for (const text of [page, overview]) expect(text).toContain('deprecated since 2026-10-01, last day 2027-03-31');
    expect(overview).toContain('<a href="api/putThing"><del>');
    expect(page).toContain('<a href="putThing" aria-current="page"><del>');
    expect(rowOf('mode')).toMatch(/<del><code>mode<\/code><\/del>[^]*deprecated, last day 2027-01-31/);
    expect(rowOf('old')).toMatch(/<del><code>old<\/code><\/del>[^]*deprecated since 2026-11-01/);
    expect(rowOf('id')).not.toContain('<del>');
  });

  test('parameters and members of the body name their limits, their default and where they are', () => {
    expect(rowOf('id')).toMatch(/required[^]*path[^]*a string, 2 to 9 characters/);
    expect(rowOf('mode')).toContain('fast or slow, default fast');
    expect(rowOf('X-Trace')).toMatch(/header[^]*a string, a UUID/);
    expect(rowOf('count')).toMatch(/required[^]*How many\.[^]*a whole number, 1 to 100, default 20/);
    expect(page).toContain('Body: application/merge-patch+json');
  });

  test('has a page for every operation and every section, which lead to each other', async () => {
    for (const id of ['putThing', 'getPicture']) {
      expect(overview).toContain(`<tr id="${id}"><th scope="row"><a href="api/${id}">`);
      expect(await textOf(`api/${id}`)).toContain(`<article id="${id}">`);
    }
    expect(overview).toContain('<h2 id="tag-pictures"><a href="api/pictures">Pictures</a></h2>');
    expect(await textOf('api/pictures')).toContain('<th scope="row"><a href="getPicture">');
    expect(page).toContain('<a rel="next" href="getPicture">');
    expect(page).toMatch(/<b>204<\/b> Stored\./);
    expect(page).toContain('-X PUT');
    for (const path of ['api/nothing', 'api/putThing/', 'api/PUTTHING', 'api/..%2ftry', 'api/constructor'])
      expect([path, (await open(path)).ok]).toEqual([path, false]);
    expect((await open('api/')).url).toMatch(/\/docs\/$/);
  });

  test('tells the form that tries an operation what it sends, and where the key goes', () => {
    const [, text = ''] = / data-operation="([^"]*)"/.exec(page) ?? [];
    expect(JSON.parse(text.replaceAll('&quot;', '"'))).toEqual({
      ...{ id: 'putThing', method: 'put', path: '/things/{id}', accepts: [] },
      parameters: [
        { name: 'id', in: 'path', required: true, value: 'id' },
        { name: 'mode', in: 'query', required: false, value: '', values: ['fast', 'slow'] },
        { name: 'X-Trace', in: 'header', required: false, value: '' },
      ],
      body: { type: 'application/merge-patch+json', text: '' },
    });
  });

  test('the search finds its operations', async () => {
    const entries = (await (await open('search-index.json')).json()) as { title: string; href: string }[];
    expect(entries.map(({ title, href }) => [title, href])).toEqual([
      ['Operations', 'api/operations'],
      ['Stores a thing', 'api/putThing'],
      ['Pictures', 'api/pictures'],
      ['getPicture', 'api/getPicture'],
    ]);
  });
});
