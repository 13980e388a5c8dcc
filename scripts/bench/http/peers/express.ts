/** Express 5: without validation, or with express-openapi-validator for requests and responses as in its manual. */
import { once } from 'node:events';
import express, { type NextFunction, type Request, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { operations } from '../../../../generated/operations.ts';
import { answer, isKey, portOf, routes, type Parts } from './parts.ts';

/** Starts the server and returns its port. */
export async function openExpress(parts: Parts, validated: boolean): Promise<number> {
  const app = express().disable('x-powered-by');
  if (validated) {
    app.use(
      OpenApiValidator.middleware({
        apiSpec: parts.document as never,
        validateRequests: true,
        validateResponses: true,
        validateSecurity: {
          handlers: {
            apiKeyHeader: (request) => isKey(request.headers['x-api-key']),
            bearer: () => false,
            apiKeyQuery: () => false,
          },
        },
      }),
    );
  } else {
    app.use(
      (request, response, next) =>
        void (isKey(request.headers['x-api-key']) ? next() : response.status(401).json({ error: 'no key' })),
    );
  }
  for (const { id, path } of routes) {
    app.get(path, async (request, response) => {
      // The validator sets defaults and converts numbers; without it the handler needs the defaults.
      const query = validated ? request.query : { ...operations[id].defaults, ...request.query };
      response.json(await answer(parts, id, query));
    });
  }
  app.use(
    (error: { status?: number; message: string }, _request: Request, response: Response, _next: NextFunction) =>
      void response.status(error.status ?? 500).json({ error: error.message }),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}
