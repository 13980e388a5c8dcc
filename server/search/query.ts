/** The syntax tree of a query. `at` is where a part begins in its text, from 0. */
export type Query =
  | { readonly is: 'and' | 'or'; readonly parts: readonly Query[]; readonly at: number }
  | { readonly is: 'not'; readonly part: Query; readonly at: number }
  /** Tokens next to each other, in this order; a single word is a phrase of one. */
  | { readonly is: 'phrase'; readonly tokens: readonly string[]; readonly at: number }
  | { readonly is: 'hashtag' | 'cashtag' | 'mention' | 'from'; readonly value: string; readonly at: number }
  /** Created within [since, until), in milliseconds since the epoch. */
  | { readonly is: 'time'; readonly since: number; readonly until: number; readonly at: number };
