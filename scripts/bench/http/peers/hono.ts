/** Hono with @hono/zod-openapi. Zod converts the schemas of the contract. The handlers validate the responses, because Hono does not. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { importPeer } from '../../peer-packages.ts';
import { operationMetadata, resolve, type Parameter, type Schema } from '../../../../server/contract/openapi.ts';
import { answer, responseSchema, isKey, portOf, routes, standaloneSchema, type Parts } from './parts.ts';

interface Zod {
  parse(value: unknown): unknown;
  default(value: unknown): Zod;
  optional(): Zod;
}
interface Z {
  fromJSONSchema(schema: object): Zod;
  object(shape: Record<string, Zod>): Zod;
  coerce: { number(): { int(): { min(min: number): { max(max: number): Zod } } } };
}
interface Context {
  readonly req: { valid(target: 'query'): unknown; header(name: string): string | undefined };
  json(body: unknown, status?: number): unknown;
}
interface Hono {
  use(step: (context: Context, next: () => Promise<void>) => Promise<unknown>): void;
  openapi(route: unknown, handler: (context: Context) => Promise<unknown>): void;
}

/** Starts the server and returns its port. */
export async function openHono(parts: Parts): Promise<number> {
  const { OpenAPIHono, createRoute, z } = await importPeer<{
    OpenAPIHono: new () => Hono;
    createRoute: (route: object) => unknown;
    z: Z;
  }>('@hono/zod-openapi');
  const { serve } = await importPeer<{ serve: (options: object) => Server }>('@hono/node-server');
  const app = new OpenAPIHono();
  app.use(async (context, next) =>
    isKey(context.req.header('x-api-key')) ? next() : context.json({ error: 'no key' }, 401),
  );
  const parameterOf = ({ schema: reference, required }: Parameter): Zod => {
    const schema = resolve<Schema & { readonly minimum?: number; readonly maximum?: number }>(
      parts.document,
      reference,
    );
    // Query values are strings; numbers are coerced, as in Hono's manual.
    const type =
      schema.type === 'integer'
        ? z.coerce.number().int().min(schema.minimum!).max(schema.maximum!)
        : z.fromJSONSchema({ ...schema, default: undefined });
    return schema.default !== undefined ? type.default(schema.default) : required ? type : type.optional();
  };
  for (const { id, path } of routes) {
    const parameters = [...operationMetadata(parts.document)[id].parameters.values()];
    const query = z.object(Object.fromEntries(parameters.map((parameter) => [parameter.name, parameterOf(parameter)])));
    const schema = z.fromJSONSchema(standaloneSchema(parts, responseSchema(parts, id), '$defs'));
    const route = createRoute({
      method: 'get',
      path,
      request: { query },
      responses: { 200: { description: 'The response.', content: { 'application/json': { schema } } } },
    });
    app.openapi(route, async (context) =>
      context.json(schema.parse(await answer(parts, id, context.req.valid('query')))),
    );
  }
  const server = serve({ fetch: (app as unknown as { fetch: unknown }).fetch, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  return portOf(server);
}
