// Written by `npm run generate` from spec/. Do not edit.
import type { SecurityScheme } from '../server/ports/authenticator.ts';

/** What a key may be made for, in the contract's order, each with what it opens. */
export const scopes = {
  "read": "tweets, users, communities, spaces and search",
  "assistant": "questions to the assistant, which use its quota, and the status of its pool",
  "write": "changes, such as removing a like",
  "events": "the event stream",
  "feeds": "feeds of users and searches; a key with `read` has it too",
  "tokens": "tokens that are made from the key; every key has it, and no token",
  "alerts": "saved searches, and webhooks that deliver the tweets that match them"
} as const;
export type Scope = keyof typeof scopes;

/** What the event stream needs: to connect, and for a command beside that. */
export const streamScopes = {
  "connect": "events",
  "ask": "assistant"
} as const satisfies Record<string, Scope>;

/** Where the event stream takes the key, as security schemes of OpenAPI. The order is that in errors. */
export const streamSchemes: readonly SecurityScheme[] = [
  {
    "type": "apiKey",
    "in": "query",
    "name": "api_key"
  },
  {
    "type": "apiKey",
    "in": "header",
    "name": "x-api-key"
  },
  {
    "type": "http",
    "scheme": "bearer"
  }
];
