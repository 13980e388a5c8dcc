/** Fastify 5 with schemas for queries and responses, and @fastify/response-validation, which validates each response. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { RequestListener } from 'node:http';
import { importPeer } from '../../engines/engine.ts';
import { resolve, type Parameter, type Schema } from '../../../../server/contract/openapi.ts';
import { operations } from '../../../../generated/operations.ts';
import { answer, responseSchema, isKey, portOf, routes, standaloneSchema, type Parts } from './parts.ts';

interface Request {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: unknown;
}
interface Fastify {
  readonly server: import('node:net').Server & RequestListener;
  register(plugin: unknown, options: object): Promise<void>;
  addHook(
    name: 'onRequest',
    hook: (
      request: Request,
      reply: { code(status: number): { send(body: object): unknown } },
      done: () => void,
    ) => unknown,
  ): void;
  get(path: string, options: object, handler: (request: Request) => Promise<unknown>): void;
  listen(options: object): Promise<string>;
}

/** Starts the server and returns its port. */
export async function openFastify(parts: Parts): Promise<number> {
  const { default: fastify } = await importPeer<{ default: (options: object) => Fastify }>('fastify');
  const { default: responseValidation } = await importPeer<{ default: unknown }>('@fastify/response-validation');
  const app = fastify({ ajv: { customOptions: { strict: false } } });
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  await app.register(responseValidation, { ajv });
  app.addHook('onRequest', (request, reply, done) =>
    isKey(request.headers['x-api-key']) ? done() : reply.code(401).send({ error: 'no key' }),
  );
  for (const { id, path } of routes) {
    const parameters = (parts.document.paths[path]!.get!.parameters ?? []).map((parameter) =>
      resolve<Parameter>(parts.document, parameter),
    );
    const properties = Object.fromEntries(
      parameters.map(({ name, schema }) => [name, resolve<Schema>(parts.document, schema)]),
    );
    const querystring = { type: 'object', additionalProperties: false, properties, required: operations[id].required };
    const schema = {
      querystring,
      response: { 200: standaloneSchema(parts, responseSchema(parts, id), 'definitions') },
    };
    app.get(path, { schema }, (request) => answer(parts, id, request.query));
  }
  await app.listen({ port: 0, host: '127.0.0.1' });
  return portOf(app.server);
}
