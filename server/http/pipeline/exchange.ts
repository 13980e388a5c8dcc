/** One request and its response, with the state that the pipeline steps share. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedKey } from '../../ports/keys.ts';
import type { Credential } from './credentials.ts';
import type { Representation } from './representation.ts';
import type { RequestFacts } from './request-summary.ts';
import { sendResponse, type ContentPreferences } from './send.ts';

/** The state of one request. The steps of the pipeline read it and add to it. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The facts for the log and the metrics. */
  readonly facts: RequestFacts;
  /** The credentials of the request. */
  readonly credentials: readonly Credential[];
  readonly preferences: ContentPreferences;
  /**
   * Response headers as alternating names and values, in addition to those that the response holds already. They are
   * sent with every response to this request, errors included.
   */
  readonly headers: string[];
  /** The authenticated key, or another caller as one; undefined before authentication, and for public requests. */
  key: AuthenticatedKey | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    facts: RequestFacts,
    credentials: readonly Credential[],
    preferences: ContentPreferences,
    headers: string[] = [],
  ) {
    this.request = request;
    this.response = response;
    this.facts = facts;
    this.credentials = credentials;
    this.preferences = preferences;
    this.headers = headers;
    this.key = undefined;
  }

  /**
   * Sends the representation with the status of the response, 200 unless it was set. Returns a promise while the
   * representation is compressed; it rejects, as the call throws, when the response cannot be written.
   */
  send(representation: Representation, conditional: boolean, contentType?: string): Promise<void> | undefined {
    return sendResponse(this.response, this.headers, representation, conditional, this.preferences, contentType);
  }

  /** Moves the headers to the response, for code that writes the response itself. */
  applyHeaders(): void {
    setHeaderPairs(this.response, this.headers);
    this.headers.length = 0;
  }
}

/** Sets headers that are given as alternating names and values. Throws for a value that HTTP does not permit. */
export function setHeaderPairs(response: ServerResponse, pairs: readonly string[]): void {
  for (let index = 0; index + 1 < pairs.length; index += 2)
    response.setHeader(pairs[index] ?? '', pairs[index + 1] ?? '');
}
