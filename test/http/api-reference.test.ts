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
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/`);
    expect(response.status).toBe(200);
    page = await response.text();
  });
  afterAll(() => {
    server?.close();
    server?.closeAllConnections();
  });

  test('strikes through what is deprecated, with its days', () => {
    expect(page).toContain('<h3><del>Stores a thing</del></h3>');
    expect(page).toContain('deprecated since 2026-10-01, last day 2027-03-31');
    expect(page).toMatch(/<a href="#putThing"><del>/);
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

  test('shows every operation, with its successes', () => {
    for (const id of ['putThing', 'getPicture']) expect(page).toContain(`<article id="${id}">`);
    expect(page).toContain('<h2 id="tag-pictures">Pictures</h2>');
    expect(page).toMatch(/<b>204<\/b> Stored\./);
    expect(page).toContain('-X PUT');
  });
});
