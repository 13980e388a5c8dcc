/** The state of a request that Express carries in `response.locals`. */
import type { OperationId } from '../../contract/operations.ts';
import type { AuthenticatedKey } from '../../keys/keys.ts';
import type { KeyLocation } from '../pipeline/credentials.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The request id, as sent in X-Request-Id. */
      id: string;
      /** The original method; `request.method` is GET for HEAD. */
      method: string;
      /** The API keys of the request. They are removed from it before any logging. */
      credentials: readonly string[];
      /** The location of each API key in the request. */
      keyLocations: readonly KeyLocation[];
      /** The metadata of the authenticated API key; never the key itself. */
      key?: AuthenticatedKey;
      /** The name of the authenticated API key. */
      keyId?: string;
      /** The operation of the contract that the request addresses. */
      operationId?: OperationId;
      /** The message of the error response. */
      error?: string;
      /** The server error that caused the response; only for the log. */
      fault?: Error;
    }
  }
}
