import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** A community, and which of its counts are unknown. */
export const getCommunity =
  ({ platform }: Parts): Handler<'getCommunity'> =>
  (call) =>
    platform.communityInfo(call.query.id, call);
