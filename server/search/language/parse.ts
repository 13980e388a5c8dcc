/**
 * Query text to syntax tree: the web dialect of the platform. A space means AND; `OR`, in upper case, binds tighter; `-` negates what
 * touches it; parentheses group; an unclosed quote runs to the end. Throws ServiceError 400 that says what is wrong, where, and
 * what was expected. Reads each character a bounded number of times.
 */
import { badRequest } from '../../contract/service-error.ts';
import { linkTokens } from '../document.ts';
import { operatorNamed, readOperator } from './operators.ts';
import { isWithin, type Query } from './syntax-tree.ts';
import { signRuns, tokensOf } from './tokenizer.ts';

/** Bounds that keep every query cheap. */
export const maxNesting = 20;
export const maxTerms = 100;

const blank = /\s/;
const wordEnd = /[\s()"“”]/;
const quote = /["“”]/;
const noTerm = 'the query has no search term: give a word, a phrase or an operator';
const emptyGroup = 'these parentheses are empty: put a term between them';
const notUsername = 'expected a username (1–15 letters, digits or _)';
const lonelyOr = '`OR` needs a term on both sides';

export function parse(text: string): Query {
  let at = 0;
  let terms = 0;

  const fault = (message: string, place = at): never => {
    throw badRequest(`'query' cannot be read at ${place}: ${message}`);
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
  /** What stands between quotes; `\"` is a quote of the text. */
  const quoted = (): string => {
    let inner = '';
    for (at++; at < text.length && !quote.test(text[at]!); at++) {
      if (text[at] === '\\' && text[at + 1] === '"') at++;
      inner += text[at];
    }
    at++;
    return inner;
  };
  /** A value that begins with `[` runs to the `]`, blanks included. */
  const bracketed = (begun: string): string => {
    if (!begun.startsWith('[') || begun.includes(']')) return begun;
    const start = at - begun.length;
    const end = text.indexOf(']', at);
    if (end < 0) return fault("this '[' has no matching ']'", start);
    at = end + 1;
    word();
    return text.slice(start, at);
  };
  const atQuote = (): boolean => at < text.length && quote.test(text[at]!);
  /** Where a part stands that begins there and ends here; an unclosed quote has read beyond the text. */
  const from = (start: number): { at: number; end: number } => ({ at: start, end: Math.min(at, text.length) });
  const join = (is: 'and' | 'or', parts: Query[], place: { at: number; end: number }): Query =>
    parts.length === 1 ? parts[0]! : { is, parts, ...place };

  /** Items until the end or the closing parenthesis. */
  function sequence(depth: number): Query {
    const start = at;
    const items: Query[] = [];
    skipBlanks();
    const first = at;
    let place = from(first);
    for (; at < text.length && text[at] !== ')'; skipBlanks()) {
      const item = alternatives(depth);
      if (item !== undefined) items.push(item);
      place = from(first);
    }
    if (items.length === 0 && depth === 0) fault(noTerm, start);
    if (items.length === 0) fault(emptyGroup, start - 1);
    return join('and', items, place);
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
      if (parts.length === 0 || at >= text.length || text[at] === ')') fault(lonelyOr, or);
    }
    return parts.length === 0 ? undefined : join('or', parts, from(start));
  }

  function unary(depth: number): Query | undefined {
    const start = at;
    if (text[at] === '-' && at + 1 < text.length && !/[\s)]/.test(text[at + 1]!)) {
      at++;
      const part = primary(depth);
      return part === undefined ? undefined : { is: 'not', part, ...from(start) };
    }
    return primary(depth);
  }

  function primary(depth: number): Query | undefined {
    if (++terms > maxTerms) fault(`the query has more than ${maxTerms} terms`);
    const start = at;
    // An emoticon is no parenthesis.
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
  function term(given: string, start: number): Query | undefined {
    if (given === 'OR') fault(lonelyOr, start);
    if (/^https?:\/\//.test(given)) {
      const link = given.replace(/^https?:\/\//, '');
      return linkTokens(link).length === 0 ? undefined : { is: 'link', text: link, ...from(start) };
    }
    const key = /^([A-Za-z][A-Za-z0-9_]*):/.exec(given)?.[1];
    if (key !== undefined) {
      const rest = given.slice(key.length + 1);
      const inBrackets = operatorNamed(key.toLowerCase())?.bracketed === true;
      const value = rest === '' && atQuote() ? quoted() : inBrackets ? bracketed(rest) : rest;
      const read = readOperator(key, value);
      if (read === undefined) return phrase(`${key} ${value}`, start);
      if ('fault' in read) return fault(read.fault, read.inValue ? start + key.length + 1 : start);
      return { is: 'operator', name: read.name, value, ...from(start) };
    }
    // Punctuation at the end belongs to the sentence that it was copied from.
    const [, sign, name] = /^([#＃@＠])([\p{L}\p{M}\p{N}_]+)[.,:;!?]*$/u.exec(given) ?? [];
    if (name !== undefined && '@＠'.includes(sign!) && !/^\w{1,15}$/.test(name)) {
      fault(`${notUsername} after ${sign!}; to search for the words, put them in quotes`, start + 1);
    }
    if (name !== undefined && '@＠'.includes(sign!)) return { is: 'tag', sign: '@', name, ...from(start) };
    if (name !== undefined && !/^\d+$/.test(name)) return { is: 'tag', sign: '#', name, ...from(start) };
    const symbol = /^\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)[.,:;!?]*$/.exec(given)?.[1];
    if (symbol !== undefined) return { is: 'tag', sign: '$', name: symbol, ...from(start) };
    return phrase(given, start, true);
  }

  /** Words next to each other; in quotes a `*` on its own is any one word. Outside, signs without words are looked for too. */
  function phrase(words: string, start: number, bare = false): Query | undefined {
    const tokens = bare
      ? tokensOf(words)
      : words.split(/\s+/).flatMap((each) => (each === '*' ? [each] : tokensOf(each)));
    while (tokens[0] === '*') tokens.shift();
    while (tokens.at(-1) === '*') tokens.pop();
    if (tokens.length > 0) return { is: 'words', tokens, ...from(start) };
    return bare && /[^-+*"]/.test(words) && signRuns(words).length > 0
      ? { is: 'signs', text: words, ...from(start) }
      : undefined;
  }

  const query = sequence(0);
  if (at < text.length) fault("this ')' has no matching '('");
  const lost = misplacedWithin(query);
  if (lost !== undefined) fault('`within:` needs a `near:` in the same group, and a group has one `within:`', lost.at);
  return query;
}

const partsOf = (query: Query): readonly Query[] =>
  'parts' in query ? query.parts : query.is === 'not' ? [query.part] : [];
const hasNear = (query: Query): boolean =>
  (query.is === 'operator' && query.name === 'near') || partsOf(query).some(hasNear);

/** The first `within:` without a `near:` in its group, or the second of a group; undefined where there is none. */
function misplacedWithin(query: Query): Query | undefined {
  if (isWithin(query)) return query;
  const [own, second] = query.is === 'and' ? query.parts.filter(isWithin) : [];
  if (second !== undefined) return second;
  if (own !== undefined && !hasNear(query)) return own;
  for (const part of partsOf(query)) {
    const lost = part === own ? undefined : misplacedWithin(part);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
