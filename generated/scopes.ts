// Written by `npm run generate` from spec/. Do not edit.

/** What a key may be made for, in the contract's order, each with what it opens. */
export const scopes = {
  "read": "tweets, users, communities and spaces, and the search",
  "assistant": "questions to the assistant, which cost of its pool, and its figures",
  "write": "changes, such as removing a like",
  "events": "the event stream"
} as const;
export type Scope = keyof typeof scopes;

/** What the event stream needs: to connect, and for a command beside that. */
export const streamScopes = {
  "connect": "events",
  "ask": "assistant"
} as const satisfies Record<string, Scope>;
