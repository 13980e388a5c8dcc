import type { Handler } from '../contract/operations.ts';
import { toIsoTime } from '../text/iso-time.ts';
import type { Parts } from './parts.ts';

/** A short-lived token of the key. */
export const createToken =
  ({ tokens }: Parts): Handler<'createToken'> =>
  ({ keyId, body }) => {
    const { token, scopes, endsAt } = tokens.mint(keyId, body.scopes, body.ttl_seconds ?? 600);
    return { token, scopes: [...scopes] as never, expires_at: toIsoTime(endsAt) };
  };
