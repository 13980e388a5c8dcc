import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { userRef } from './user-ref.ts';

/** A user with profile and counts. */
export const getUser =
  ({ platform }: Parts): Handler<'getUser'> =>
  (call) =>
    platform.userInfo(userRef(call.query), call);
