/** CORS: allows browser apps of other origins to call the API (Fetch standard). */
import cors from 'cors';
import type { RequestHandler } from 'express';
import type { CorsOrigins } from '../../config/cors-origins.ts';
import type { OperationMetadata, OperationMetadataMap } from '../../contract/openapi.ts';
import { pathOf } from '../pipeline/request-target.ts';

/** The documents of the contract, which tools of other origins read, and what agents call. */
const documents = new Set([
  '/mcp',
  '/openapi.json',
  '/openapi.yaml',
  '/openapi.generators.json',
  '/asyncapi.json',
  '/asyncapi.yaml',
]);

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

/**
 * Returns the test whether a request target belongs to the contract: its documents, and all paths that begin like one of its
 * operations, so that a browser app can also read the error for a misspelt path.
 */
export function createContractTest(metadata: OperationMetadataMap): (target: string) => boolean {
  const segments = new Set(Object.values(metadata).map(({ entry }) => firstSegment(entry.path)));
  return (target) => {
    const path = pathOf(target);
    return segments.has(firstSegment(path)) || documents.has(path);
  };
}

/** The headers that each response can have. */
const usualHeaders = ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'ETag', 'X-Request-Id'];

/** The headers of the responses of an operation that its contract declares. */
const headersOf = ({ responses, deprecation, sendsEventCursor }: OperationMetadata): readonly string[] => [
  ...(sendsEventCursor ? ['X-Event-Cursor'] : []),
  ...deprecation.filter((_, index) => index % 2 === 0),
  ...[...responses.values()].flatMap(({ headers }) => Array.from(headers.values(), ({ name }) => name)),
];

/** The names without those that differ only in case from one before. */
const distinct = (names: readonly string[]): string[] =>
  names.filter((name, index) => names.findIndex((each) => each.toLowerCase() === name.toLowerCase()) === index);

/**
 * Creates the CORS middleware. It responds to preflight requests, which never carry an API key, with 204, and exposes
 * the responses and the headers of the contract to the allowed origins. Pages, metrics, health checks and the interface of operators are
 * outside the contract: no other origin may read them.
 */
export function allowOrigins(origins: CorsOrigins, metadata: OperationMetadataMap): RequestHandler[] {
  if (origins === 'off') return [];
  const corsHandler = cors({
    origin: origins === '*' ? '*' : [...origins],
    methods: [
      ...new Set([
        'HEAD',
        'POST',
        ...Object.values(metadata).map(({ entry: operation }) => operation.method.toUpperCase()),
      ]),
    ],
    exposedHeaders: distinct([...usualHeaders, ...Object.values(metadata).flatMap(headersOf)]),
    maxAge: 600,
    preflightContinue: true,
  });
  const endPreflight: RequestHandler = (request, response, next) => {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (isPreflight) response.status(204).end();
    else next();
  };
  const isOfContract = createContractTest(metadata);
  return [corsHandler, endPreflight].map(
    (handler): RequestHandler =>
      (request, response, next) =>
        isOfContract(request.url) ? handler(request, response, next) : next(),
  );
}
