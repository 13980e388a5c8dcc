import type { RequestHandler } from 'express';
import { lazy } from '../../collections/lazy.ts';

/** Routes that are created for the first request that reaches them, or before it by `prepare`. */
export interface DeferredRoutes {
  readonly handler: RequestHandler;
  prepare(): Promise<unknown>;
}

/** Defers routes. Where they cannot be created, the request gets the error, and the next one tries again. */
export function deferRoutes(create: () => Promise<RequestHandler>): DeferredRoutes {
  let routes: RequestHandler | undefined;
  const prepare = lazy(async () => (routes = await create()));
  return {
    prepare,
    // Without a wait where they are there: a caller that has closed its side would get no response.
    handler: (...call) =>
      routes === undefined ? prepare().then((created) => void created(...call)) : void routes(...call),
  };
}
