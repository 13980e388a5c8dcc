import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Details of an audio room. */
export const getSpace =
  ({ platform }: Parts): Handler<'getSpace'> =>
  (call) =>
    platform.space(call.query.id, call);
