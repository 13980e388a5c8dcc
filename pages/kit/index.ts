/**
 * What all pages share. Import from here only: the generator leaves imports of this file, of Preact and of the client to
 * `generated/pages/kit.js`, so that the pages share one copy. `kit.js` also runs the frame of every page.
 */
import './shell.ts';

export * from './frame.ts';
export type * from '@social-data/client';
// By name: what no page uses is left out of the script.
export { NotFoundError, UnauthorizedError } from '@social-data/client';
export * from './address.ts';
export * from './api.ts';
export * from './faults.tsx';
export * from './format.ts';
export * from './full-tweets.ts';
export * from './list.tsx';
export * from './live.tsx';
export * from './media.tsx';
export * from './mount.tsx';
export * from './plot.tsx';
export * from './request.tsx';
export * from './tweet.tsx';
export * from './user.tsx';
export { linkText } from '../../server/http/docs/pages/browser/link-text.ts';
export { piecesOf } from '../../server/http/docs/pages/browser/text.ts';
