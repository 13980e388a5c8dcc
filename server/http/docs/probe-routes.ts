/** The health checks and the metrics: public routes that are there before any page is made. */
import type { RequestHandler, Router } from 'express';
import type { Metrics } from '../pipeline/request-metrics.ts';
import { unavailable } from '../../contract/service-error.ts';
import { revalidatedRoutes } from './revalidated-routes.ts';

export interface ProbeParts {
  readonly metrics: Metrics;
  /** Whether the server can accept requests: true, or the reason why not. */
  readonly ready: () => true | string;
  /** Whether the server accepts changes: true, or the reason why not. */
  readonly writable?: (() => true | string) | undefined;
  /** Warnings for the operator while the server accepts requests; /readyz lists them. */
  readonly warnings?: (() => readonly string[]) | undefined;
  /** What /readyz shows beside the status and the warnings. */
  readonly facts?: (() => object) | undefined;
}

/** Creates the routes of the health checks and the metrics. */
export function createProbeRoutes(parts: ProbeParts): Router {
  const { measureProcess, registry } = parts.metrics;
  const { router, get } = revalidatedRoutes();
  get('/healthz', (_request, response) => void response.json({ status: 'ok' }));
  get('/readyz', readinessRoute(parts));
  get('/metrics', async (_request, response) => {
    measureProcess();
    response.type(registry.contentType).send(await registry.metrics());
  });
  return router;
}

/**
 * Reports readiness. Reads and writes are separate: a balancer must not remove all instances at once because the disk of their database is
 * full.
 */
const readinessRoute =
  ({ ready, writable = () => true, warnings = () => [], facts = () => ({}) }: ProbeParts): RequestHandler =>
  ({ query }, response) => {
    const readiness = ready();
    if (readiness !== true) throw unavailable(`the server is not ready: ${readiness}`, 1);
    const writes = writable();
    if (writes !== true && query['write'] !== undefined)
      throw unavailable(`the server is not ready for changes: ${writes}`, 1);
    const currentWarnings = warnings();
    response.json({
      status: 'ok',
      ...(writes === true ? {} : { writes }),
      ...facts(),
      ...(currentWarnings.length === 0 ? {} : { warnings: currentWarnings }),
    });
  };
