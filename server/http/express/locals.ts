/** The state of a request that Express carries in `response.locals`. */
import type { Security } from '../security.ts';
import type { Exchange } from '../pipeline/exchange.ts';

/** The validated parameters of a request that are not in its query or path. */
export interface ReadParameters {
  readonly path: Record<string, unknown>;
  readonly query: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly cookies: Record<string, unknown>;
}

declare global {
  namespace Express {
    interface Locals {
      /** The request, its response, and the state that the pipeline steps share. */
      exchange: Exchange;
      /** What the operation needs; undefined where it was not looked for. */
      security?: Security;
      /** The parameters that are read by the contract; undefined where express-openapi-validator reads them. */
      parameters?: ReadParameters;
      /** The media type of the request body, where the operation has several. */
      bodyType?: string | undefined;
    }
  }
}
