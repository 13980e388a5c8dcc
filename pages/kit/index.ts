/**
 * What the pages that show data share. Import from here or from `frame.ts` only: the generator leaves these imports, and those of Preact
 * and of the client, to `generated/pages/kit.js` and `frame.js`, so that the pages share one copy.
 */
export * from './frame.ts';
export type * from '@social-data/client';
// By name: what no page uses is left out of the script.
export { BadRequestError, NotFoundError, UnauthorizedError } from '@social-data/client';
export * from './address.ts';
export * from './api.ts';
export * from './faults.tsx';
export * from './full-tweets.ts';
export * from './list.tsx';
export * from './live.tsx';
export * from './media.tsx';
export * from './request.tsx';
export * from './tweet.tsx';
export * from './user.tsx';
export type { ShowPerson } from './hover.ts';
export { linkText } from './link-text.ts';
export { piecesOf } from './text-pieces.ts';
