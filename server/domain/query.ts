/**
 * The syntax tree of a query, and its printer. `at` is the start of a part in the text, from 0; `end` is exclusive.
 */

export type Query = { readonly at: number; readonly end: number } & (
  | { readonly is: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly is: 'not'; readonly part: Query }
  /** Tokens in sequence; `*` matches any one token. A single word is a phrase of one token. */
  | { readonly is: 'words'; readonly tokens: readonly string[] }
  /** Punctuation without words, such as `?` or `:)`. */
  | { readonly is: 'signs'; readonly text: string }
  | { readonly is: 'tag'; readonly sign: '#' | '$' | '@'; readonly name: string }
  /** A link without its protocol. */
  | { readonly is: 'link'; readonly text: string }
  /** `name` is the first name of the operator; `value` is the value as written. */
  | { readonly is: 'operator'; readonly name: string; readonly value: string }
);

/** Whether a part is a `within:`, which modifies `near:` and is no condition itself. */
export const isWithin = (query: Query): query is Extract<Query, { is: 'operator' }> =>
  query.is === 'operator' && query.name === 'within';

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
/**
 * Adds a blank after an emoticon at the end, so that the closing parenthesis of the group does not become part of it.
 */
const group = (text: string): string => `(${text}${/[:;=]-?[()]?$/.test(text) ? ' ' : ''})`;
/** Whether signs mean the same without quotes. */
const isBareSigns = (text: string): boolean =>
  /^[:;=]-?[()]$/.test(text) || (/^[^\s()"“”-][^\s()"“”]*$/.test(text) && /[^-+*]/.test(text));
const inner = (query: Query): string => (query.is === 'and' || query.is === 'or' ? group(print(query)) : print(query));

/** Prints a query as text that parses to the same tree. */
export function print(query: Query): string {
  switch (query.is) {
    case 'and':
      // OR binds tighter than a space, so it needs no parentheses here.
      return query.parts.map((part) => (part.is === 'or' ? print(part) : inner(part))).join(' ');
    case 'or':
      return query.parts.map(inner).join(' OR ');
    case 'not':
      if (query.part.is === 'not') return `-${group(print(query.part))}`;
      // Without quotes, the dash would be a part of the signs, as in `->`.
      return `-${query.part.is === 'signs' ? quoted(query.part.text) : inner(query.part)}`;
    case 'words':
      return query.tokens.length === 1 ? query.tokens[0]! : quoted(query.tokens.join(' '));
    case 'signs':
      return isBareSigns(query.text) ? query.text : quoted(query.text);
    case 'tag':
      return `${query.sign}${query.name}`;
    case 'link':
      return `https://${query.text}`;
    case 'operator':
      return `${query.name}:${/^[^\s()"“”]+$/.test(query.value) ? query.value : quoted(query.value)}`;
  }
}
