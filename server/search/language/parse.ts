/**
 * Parses query text to a syntax tree, in the web dialect of the platform. A space means AND; `OR` in upper case binds
 * tighter; `-` negates the term that follows it; parentheses group; an unclosed quote extends to the end. Throws
 * ServiceError 400 with the problem, its position and the expected input. Reads each character a bounded number of
 * times.
 */
import { badRequest } from '../../contract/service-error.ts';
import { linkTokens } from '../document.ts';
import { findOperator, readOperator } from './operators.ts';
import { isWithin, type Query } from './syntax-tree.ts';
import { signRuns, tokensOf } from './tokenizer.ts';

/** Limits that bound the cost of a query. */
export const maxNesting = 20;
export const maxTerms = 100;

const blank = /\s/;
const wordEnd = /[\s()"“”]/;
const quote = /["“”]/;
const noTermMessage = 'the query has no search term: add a word, a phrase or an operator';
const emptyGroupMessage = 'these parentheses are empty: put a term between them';
const usernameExpected = 'expected a username (1–15 letters, digits or _)';
const danglingOr = '`OR` needs a term on both sides';

export function parse(text: string): Query {
  let at = 0;
  let terms = 0;

  const fault = (message: string, position = at): never => {
    throw badRequest(`'query' cannot be read at ${position}: ${message}`);
  };
  const skipBlanks = (): void => {
    while (at < text.length && blank.test(text[at]!)) at++;
  };
  /** Characters up to the next blank, quote or parenthesis. */
  const word = (): string => {
    const start = at;
    while (at < text.length && !wordEnd.test(text[at]!)) at++;
    return text.slice(start, at);
  };
  /** The text between quotes; `\"` is a literal quote. */
  const quoted = (): string => {
    let inner = '';
    for (at++; at < text.length && !quote.test(text[at]!); at++) {
      if (text[at] === '\\' && text[at + 1] === '"') at++;
      inner += text[at];
    }
    at++;
    return inner;
  };
  /** A value that starts with `[` extends to the `]` and can contain blanks. */
  const bracketed = (prefix: string): string => {
    if (!prefix.startsWith('[') || prefix.includes(']')) return prefix;
    const start = at - prefix.length;
    const end = text.indexOf(']', at);
    if (end < 0) return fault("this '[' has no matching ']'", start);
    at = end + 1;
    word();
    return text.slice(start, at);
  };
  const atQuote = (): boolean => at < text.length && quote.test(text[at]!);
  /**
   * The range from `start` to the current position. After an unclosed quote the position is beyond the end of the text.
   */
  const span = (start: number): { at: number; end: number } => ({ at: start, end: Math.min(at, text.length) });
  const join = (is: 'and' | 'or', parts: Query[], range: { at: number; end: number }): Query =>
    parts.length === 1 ? parts[0]! : { is, parts, ...range };

  /** Items until the end or the closing parenthesis. */
  function sequence(depth: number): Query {
    const start = at;
    const items: Query[] = [];
    skipBlanks();
    const first = at;
    let range = span(first);
    for (; at < text.length && text[at] !== ')'; skipBlanks()) {
      const item = alternatives(depth);
      if (item !== undefined) items.push(item);
      range = span(first);
    }
    if (items.length === 0 && depth === 0) fault(noTermMessage, start);
    if (items.length === 0) fault(emptyGroupMessage, start - 1);
    return join('and', items, range);
  }

  function alternatives(depth: number): Query | undefined {
    const start = at;
    const parts: Query[] = [];
    for (;;) {
      const part = unary(depth);
      if (part !== undefined) parts.push(part);
      const before = at;
      skipBlanks();
      if (!/^OR(?=[\s(]|$)/.test(text.slice(at, at + 3))) {
        at = before;
        break;
      }
      const or = at;
      at += 2;
      skipBlanks();
      if (parts.length === 0 || at >= text.length || text[at] === ')') fault(danglingOr, or);
    }
    return parts.length === 0 ? undefined : join('or', parts, span(start));
  }

  function unary(depth: number): Query | undefined {
    const start = at;
    if (text[at] === '-' && at + 1 < text.length && !/[\s)]/.test(text[at + 1]!)) {
      at++;
      const part = primary(depth);
      return part === undefined ? undefined : { is: 'not', part, ...span(start) };
    }
    return primary(depth);
  }

  function primary(depth: number): Query | undefined {
    if (++terms > maxTerms) fault(`the query has more than ${maxTerms} terms`);
    const start = at;
    // The parenthesis of an emoticon does not open or close a group.
    const emoticon = /^[:;=]-?[()](?=\s|$)/.exec(text.slice(at, at + 4))?.[0];
    if (emoticon !== undefined) {
      at += emoticon.length;
      return phrase(emoticon, start, true);
    }
    if (text[at] === '(') {
      if (depth === maxNesting) fault(`parentheses are nested more than ${maxNesting} deep`);
      at++;
      const inner = sequence(depth + 1);
      if (text[at] !== ')') fault("this '(' has no matching ')'", start);
      at++;
      return inner;
    }
    if (atQuote()) return phrase(quoted(), start);
    if (text[at] === ')') return fault("this ')' has no matching '('");
    return term(word(), start);
  }

  /** A tag, an operator, a link or a word. */
  function term(source: string, start: number): Query | undefined {
    if (source === 'OR') fault(danglingOr, start);
    if (/^https?:\/\//.test(source)) {
      const link = source.replace(/^https?:\/\//, '');
      return linkTokens(link).length === 0 ? undefined : { is: 'link', text: link, ...span(start) };
    }
    const key = /^([A-Za-z][A-Za-z0-9_]*):/.exec(source)?.[1];
    if (key !== undefined) {
      const rest = source.slice(key.length + 1);
      const inBrackets = findOperator(key.toLowerCase())?.bracketed === true;
      const value = rest === '' && atQuote() ? quoted() : inBrackets ? bracketed(rest) : rest;
      const read = readOperator(key, value);
      if (read === undefined) return phrase(`${key} ${value}`, start);
      if ('fault' in read) return fault(read.fault, read.inValue ? start + key.length + 1 : start);
      return { is: 'operator', name: read.name, value, ...span(start) };
    }
    // Punctuation at the end is not part of the tag: users copy tags from sentences.
    const [, sign, name] = /^([#＃@＠])([\p{L}\p{M}\p{N}_]+)[.,:;!?]*$/u.exec(source) ?? [];
    if (name !== undefined && '@＠'.includes(sign!) && !/^\w{1,15}$/.test(name)) {
      fault(`${usernameExpected} after ${sign!}; to search for the words, put them in quotes`, start + 1);
    }
    if (name !== undefined && '@＠'.includes(sign!)) return { is: 'tag', sign: '@', name, ...span(start) };
    if (name !== undefined && !/^\d+$/.test(name)) return { is: 'tag', sign: '#', name, ...span(start) };
    const symbol = /^\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)[.,:;!?]*$/.exec(source)?.[1];
    if (symbol !== undefined) return { is: 'tag', sign: '$', name: symbol, ...span(start) };
    return phrase(source, start, true);
  }

  /**
   * Words in sequence. In quotes, a separate `*` matches any one word. Outside quotes, punctuation without words is
   * searched too.
   */
  function phrase(words: string, start: number, bare = false): Query | undefined {
    const tokens = bare
      ? tokensOf(words)
      : words.split(/\s+/).flatMap((each) => (each === '*' ? [each] : tokensOf(each)));
    while (tokens[0] === '*') tokens.shift();
    while (tokens.at(-1) === '*') tokens.pop();
    if (tokens.length > 0) return { is: 'words', tokens, ...span(start) };
    return bare && /[^-+*"]/.test(words) && signRuns(words).length > 0
      ? { is: 'signs', text: words, ...span(start) }
      : undefined;
  }

  const query = sequence(0);
  if (at < text.length) fault("this ')' has no matching '('");
  const misplaced = misplacedWithin(query);
  if (misplaced !== undefined)
    fault('`within:` needs a `near:` in the same group, and a group has one `within:`', misplaced.at);
  return query;
}

const partsOf = (query: Query): readonly Query[] =>
  'parts' in query ? query.parts : query.is === 'not' ? [query.part] : [];
const hasNear = (query: Query): boolean =>
  (query.is === 'operator' && query.name === 'near') || partsOf(query).some(hasNear);

/**
 * The first `within:` without a `near:` in its group, or the second `within:` of a group; undefined if there is none.
 */
function misplacedWithin(query: Query): Query | undefined {
  if (isWithin(query)) return query;
  const [first, second] = query.is === 'and' ? query.parts.filter(isWithin) : [];
  if (second !== undefined) return second;
  if (first !== undefined && !hasNear(query)) return first;
  for (const part of partsOf(query)) {
    const misplaced = part === first ? undefined : misplacedWithin(part);
    if (misplaced !== undefined) return misplaced;
  }
  return undefined;
}
