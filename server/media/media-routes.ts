/**
 * The media files at `/media`, outside the contract. They need no key, because the pictures of a page cannot send one: nobody knows
 * the name of a file who has not read its tweet or its content.
 */
import { Router } from 'express';
import { ServiceError } from '../contract/service-error.ts';
import { methodNotAllowed } from '../http/express/not-found.ts';
import { mediaTypes, readMediaName } from '../storage/media-files.ts';
import type { heldTweets } from './media-purge.ts';

/** Nothing in a file can run or load anything. Other websites may show it, as the pictures of the platforms. */
const headers = {
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  // No shared cache: a file ends with its tweet.
  'Cache-Control': 'private, max-age=31536000, immutable',
};

const missing = (): ServiceError => new ServiceError(404, 'no such media file');

/** `folder`: where the files are. A file is there only while the archive has its tweet. */
export function createMediaRoutes(folder: string, held: ReturnType<typeof heldTweets>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route('/media/:name')
    .get(async ({ params, headers: sent }, response, next) => {
      const { name } = params;
      const media = readMediaName(name);
      if (media === undefined || !(await held([media.tweetId])).has(media.tweetId)) throw missing();
      // The file sender would answer these with errors of its own form. A file never changes.
      for (const condition of ['if-match', 'if-unmodified-since']) delete sent[condition];
      response.set({
        ...headers,
        'Content-Type': mediaTypes[media.type],
        'Content-Disposition': `inline; filename="${name}"`,
      });
      response.sendFile(name, { root: folder, cacheControl: false, dotfiles: 'deny' }, (error) => {
        if (error === undefined || error === null || response.headersSent) return;
        for (const header of [...Object.keys(headers), 'Content-Disposition', 'Content-Type'])
          response.removeHeader(header);
        const { statusCode } = error as { statusCode?: number };
        if (statusCode !== 416) return next(missing());
        // The contract, whose errors `next` answers, has no ranges.
        response.status(416).json({ error: 'the range is outside of the file' });
      });
    })
    .all(methodNotAllowed(['GET', 'HEAD']));
  return router;
}
