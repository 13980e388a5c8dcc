/**
 * Fastify 5 with schemas for queries and responses, and @fastify/response-validation, which validates each response. With
 * `complete`, it also has what this service gives each response: security headers, CORS, an ETag, a rate limit for each
 * key, a request id and metrics, by Fastify's own plugins and @prometheus-io/client.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { crc32 } from 'node:zlib';
import { Counter, Histogram, Registry } from '@prometheus-io/client';
import { importPeer } from '../../peer-packages.ts';
import { operationMetadata, resolve, type Schema } from '../../../../server/contract/openapi.ts';
import type { OperationId } from '../../../../server/contract/operations.ts';
import { operations } from '../../../../generated/operations.ts';
import { answer, responseSchema, isKey, portOf, routes, standaloneSchema, type Parts } from './parts.ts';

interface Request {
  readonly id: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly routeOptions: { readonly url?: string };
}
interface Reply {
  readonly statusCode: number;
  /** Milliseconds since the request. */
  readonly elapsedTime: number;
  code(status: number): Reply;
  header(name: string, value: string): Reply;
  send(body: object): unknown;
}
type Hook = (request: Request, reply: Reply, done: () => void) => unknown;
interface Fastify {
  readonly server: import('node:net').Server & RequestListener;
  register(plugin: unknown, options: object): Promise<void>;
  addHook(name: 'onRequest' | 'onResponse', hook: Hook): void;
  get(path: string, options: object, handler: (request: Request) => Promise<unknown>): void;
  listen(options: object): Promise<string>;
}

const importPlugin = async (name: string): Promise<unknown> => (await importPeer<{ default: unknown }>(name)).default;

/** The headers of helmet that this service does not send. */
const unsentHeaders = [
  'crossOriginOpenerPolicy',
  'originAgentCluster',
  'referrerPolicy',
  'strictTransportSecurity',
  'xDnsPrefetchControl',
  'xDownloadOptions',
  'xPermittedCrossDomainPolicies',
  'xXssProtection',
];

/** Adds the headers, limits and metrics that this service has, as Fastify's documentation recommends them. */
async function addGuarantees(app: Fastify): Promise<void> {
  await app.register(await importPlugin('@fastify/helmet'), {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    ...Object.fromEntries(unsentHeaders.map((name) => [name, false])),
  });
  await app.register(await importPlugin('@fastify/cors'), {
    origin: '*',
    exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'X-Request-Id'],
  });
  await app.register(await importPlugin('@fastify/rate-limit'), {
    max: 100_000_000,
    timeWindow: 1000,
    enableDraftSpec: true,
    keyGenerator: (request: Request) => String(request.headers['x-api-key']),
  });
  await app.register(await importPlugin('@fastify/etag'), {
    weak: true,
    hashFn: (body: string | Buffer) => crc32(body).toString(16),
  });
  const registers = [new Registry()];
  const requests = new Counter({ name: 'requests', help: 'Requests.', labelNames: ['path', 'status'], registers });
  const duration = new Histogram({ name: 'duration', help: 'Seconds.', labelNames: ['path'], registers });
  app.addHook('onRequest', (request, reply, done) => {
    reply
      .header('X-Request-Id', request.id)
      .header('Cache-Control', 'private, no-cache')
      .header('Vary', 'Accept-Encoding');
    done();
  });
  app.addHook('onResponse', ({ routeOptions: { url = 'none' } }, { statusCode, elapsedTime }, done) => {
    requests.inc({ path: url, status: statusCode });
    duration.observe({ path: url }, elapsedTime / 1000);
    done();
  });
}

export interface FastifyOptions {
  readonly complete: boolean;
  /** Answers the operations; by default with the archive of this service. */
  readonly answers?: (id: OperationId, query: unknown) => Promise<unknown>;
}

/** Starts the server and returns its port. */
export async function openFastify(
  parts: Parts,
  { complete, answers = (id, query) => answer(parts, id, query) }: FastifyOptions,
): Promise<number> {
  const { default: fastify } = await importPeer<{ default: (options: object) => Fastify }>('fastify');
  const app = fastify({ ajv: { customOptions: { strict: false } }, ...(complete && { genReqId: () => randomUUID() }) });
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  await app.register(await importPlugin('@fastify/response-validation'), { ajv });
  if (complete) await addGuarantees(app);
  app.addHook('onRequest', (request, reply, done) =>
    isKey(request.headers['x-api-key']) ? done() : reply.code(401).send({ error: 'no key' }),
  );
  for (const { id, path } of routes) {
    const parameters = [...operationMetadata(parts.document)[id].parameters.values()];
    const properties = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, resolve<Schema>(parts.document, schema)]),
    );
    const querystring = { type: 'object', additionalProperties: false, properties, required: operations[id].required };
    const schema = {
      querystring,
      response: { 200: standaloneSchema(parts, responseSchema(parts, id), 'definitions') },
    };
    app.get(path, { schema }, (request) => answers(id, request.query));
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  return portOf(app.server);
}
