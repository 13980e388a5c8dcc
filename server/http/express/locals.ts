/** The state of a request that Express carries in `response.locals`. */
import type { Exchange } from '../pipeline/exchange.ts';

declare global {
  namespace Express {
    interface Locals {
      /** The request, its response, and the state that the pipeline steps share. */
      exchange: Exchange;
    }
  }
}
