/** Routes of documents that browsers revalidate at each use. Other methods than GET and HEAD get 405. */
import { Router, type RequestHandler } from 'express';
import { methodNotAllowed } from '../express/not-found.ts';

/**
 * Caches may store pages and files, but must revalidate them each time: they change with the service while their names
 * stay the same.
 */
export const revalidate: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-cache');
  next();
};

/** A router, and the function that adds a document to it. */
export function revalidatedRoutes(): {
  readonly router: Router;
  readonly get: (path: string, handler: RequestHandler) => void;
} {
  const router = Router({ caseSensitive: true, strict: true });
  return {
    router,
    get(path, handler) {
      router
        .route(path)
        .get(revalidate, handler)
        .all(methodNotAllowed(['GET', 'HEAD']));
    },
  };
}
