/** What is known of a request on its way through the server; Express carries it in `response.locals`. */
import type { OperationId } from '../../contract/operations.ts';
import type { AuthenticatedKey } from '../../keys/keys.ts';
import type { KeyLocation } from '../pipeline/credentials.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The id of the request, as X-Request-Id tells it. */
      id: string;
      /** The method as it was sent; `request.method` says GET for HEAD. */
      method: string;
      /** The keys the request presented, taken out of it before anything could log them. */
      credentials: readonly string[];
      /** Where in the request each of them stood. */
      keyLocations: readonly KeyLocation[];
      /** The key that was accepted, as it is known; never the key itself. */
      key?: AuthenticatedKey;
      /** Its name. */
      keyId?: string;
      /** The operation of the contract that the request addresses. */
      operationId?: OperationId;
      /** The text of the error that was sent. */
      error?: string;
      /** The fault of the server behind that error; for the log only. */
      fault?: Error;
    }
  }
}
