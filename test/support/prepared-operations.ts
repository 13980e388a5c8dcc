/** The operations of a small document, prepared as a start does it, without a server. */
import { operationMetadata, type OpenApiDocument } from '../../server/contract/openapi.ts';
import type { Handlers } from '../../server/contract/operations.ts';
import { Admission } from '../../server/http/pipeline/admission.ts';
import { createErrorResponder } from '../../server/http/pipeline/error-responder.ts';
import {
  prepareOperations,
  type OperationServices,
  type PreparedOperations,
} from '../../server/http/pipeline/operation.ts';
import { ResponseCache } from '../../server/http/pipeline/response-cache.ts';
import { contractSecurity } from '../../server/http/security.ts';
import { createAuthenticator } from '../../server/keys/authenticator.ts';
import type { Keys } from '../../server/ports/keys.ts';

/** What the operations share: no key is known, no response has a revision, and every cursor is reached. */
export function operationServices(
  document: OpenApiDocument,
  verify: Keys['verify'] = () => undefined,
): OperationServices {
  return {
    security: contractSecurity(document as never, []),
    admission: new Admission({
      authenticate: createAuthenticator({ keys: { verify, recordUse() {} }, failures: 'off' }),
      addressOf: () => '192.0.2.1',
      rateLimiter: { consume: () => undefined },
    }),
    cache: new ResponseCache(),
    eventCursor: () => 'epoch.1',
    cursorReached: () => undefined,
    revisionOf: () => undefined,
    respondWithError: createErrorResponder(document, operationMetadata(document)),
    originOf: () => ({ secure: true, host: 'social.example' }),
  };
}

/** Prepares the operations of a document with handlers by their ids. */
export const preparedOperations = (
  document: OpenApiDocument,
  handlers: Readonly<Record<string, (call: never) => unknown>> | undefined,
  services: OperationServices,
): PreparedOperations =>
  prepareOperations(document, operationMetadata(document), handlers as unknown as Handlers | undefined, services);
