/** The syntax tree of a query, and its way back to text. `at` is where a part begins in the text, from 0; `end` is behind it. */

export type Query = { readonly at: number; readonly end: number } & (
  | { readonly is: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly is: 'not'; readonly part: Query }
  /** Tokens next to each other, in this order; `*` is any one token. A single word is a phrase of one. */
  | { readonly is: 'words'; readonly tokens: readonly string[] }
  /** Signs without a word among them, such as `?` or `:)`. */
  | { readonly is: 'signs'; readonly text: string }
  | { readonly is: 'tag'; readonly sign: '#' | '$' | '@'; readonly name: string }
  /** A link that was pasted in, without its protocol. */
  | { readonly is: 'link'; readonly text: string }
  /** `name` is the first of the operator's names; `value` as it was written. */
  | { readonly is: 'operator'; readonly name: string; readonly value: string }
);

/** Whether a part is a `within:`, which is no condition of its own. */
export const isWithin = (query: Query): query is Extract<Query, { is: 'operator' }> =>
  query.is === 'operator' && query.name === 'within';

const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;
/** A blank keeps an emoticon at the end from closing the group, and signs at the end from making one of its parenthesis. */
const group = (text: string): string => `(${text}${/[:;=]-?[()]?$/.test(text) ? ' ' : ''})`;
const inner = (query: Query): string => (query.is === 'and' || query.is === 'or' ? group(print(query)) : print(query));

/** The query as text that is read as the same tree. */
export function print(query: Query): string {
  switch (query.is) {
    case 'and':
      // OR binds tighter than a space: it needs no parentheses here.
      return query.parts.map((part) => (part.is === 'or' ? print(part) : inner(part))).join(' ');
    case 'or':
      return query.parts.map(inner).join(' OR ');
    case 'not':
      return query.part.is === 'not' ? `-${group(print(query.part))}` : `-${inner(query.part)}`;
    case 'words':
      return query.tokens.length === 1 ? query.tokens[0]! : quoted(query.tokens.join(' '));
    case 'signs':
      return query.text;
    case 'tag':
      return `${query.sign}${query.name}`;
    case 'link':
      return `https://${query.text}`;
    case 'operator':
      return `${query.name}:${/^[^\s()"“”]+$/.test(query.value) ? query.value : quoted(query.value)}`;
  }
}
