/**
 * Query text to syntax tree: the web dialect of the platform. A space means AND; `OR`, in upper case, binds tighter; `-` negates what
 * touches it; parentheses group; an unclosed quote runs to the end. Throws ServiceError 400 that says what is wrong, where, and
 * what was expected. Reads each character once.
 */
import { badRequest } from '../errors.ts';
import type { Query } from './query.ts';
import { fold, tokensOf } from './tokens.ts';

/** Bounds that keep every query cheap. */
const mostNesting = 20;
const mostTerms = 100;

const operators = ['from', 'since', 'until', 'since_time', 'until_time'] as const;

export function parse(text: string): Query {
  let at = 0;
  let terms = 0;

  const fault = (message: string, place = at): never => {
    throw badRequest(`'query' cannot be read at ${place}: ${message}`);
  };
  const skipBlanks = (): void => {
    while (at < text.length && /\s/.test(text[at]!)) at++;
  };
  /** Characters up to the next blank or parenthesis. */
  const word = (): string => {
    const start = at;
    while (at < text.length && !/[\s()"]/.test(text[at]!)) at++;
    return text.slice(start, at);
  };
  const quoted = (): string => {
    const end = text.indexOf('"', at + 1);
    const inner = text.slice(at + 1, end === -1 ? text.length : end);
    at = end === -1 ? text.length : end + 1;
    return inner;
  };
  const join = (is: 'and' | 'or', parts: Query[], start: number): Query => (parts.length === 1 ? parts[0]! : { is, parts, at: start });

  /** Items until the end or the closing parenthesis. */
  function sequence(depth: number): Query {
    const start = at;
    const items: Query[] = [];
    for (skipBlanks(); at < text.length && text[at] !== ')'; skipBlanks()) {
      const item = alternatives(depth);
      if (item !== undefined) items.push(item);
    }
    if (items.length === 0) fault(depth === 0 ? 'expected a word, a phrase or an operator' : "expected something between '(' and ')'", start);
    return join('and', items, start);
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
      if (parts.length === 0 || at === text.length || text[at] === ')') fault("'OR' stands between two things", or);
    }
    return parts.length === 0 ? undefined : join('or', parts, start);
  }

  function unary(depth: number): Query | undefined {
    const start = at;
    if (text[at] === '-' && at + 1 < text.length && !/\s/.test(text[at + 1]!)) {
      at++;
      const part = primary(depth);
      return part === undefined ? undefined : { is: 'not', part, at: start };
    }
    return primary(depth);
  }

  function primary(depth: number): Query | undefined {
    if (++terms > mostTerms) fault(`more than ${mostTerms} terms`);
    const start = at;
    if (text[at] === '(') {
      if (depth === mostNesting) fault(`nested more than ${mostNesting} deep`);
      at++;
      const inner = sequence(depth + 1);
      if (text[at] !== ')') fault("expected ')' for the '(' here", start);
      at++;
      return inner;
    }
    if (text[at] === '"') return phrase(quoted(), start);
    if (text[at] === ')') return fault("')' without '('");
    const given = word();
    if (given === 'OR') fault("'OR' stands between two things", start);
    const tagged = /^([#＃$@＠])([\p{L}\p{M}\p{N}_.]+)$/u.exec(given);
    if (tagged !== null) {
      const [, sign, name] = tagged as unknown as [string, string, string];
      if (sign === '$' && !/^[A-Za-z]{1,6}([._][A-Za-z]{1,2})?$/.test(name)) return phrase(given, start);
      return { is: sign === '$' ? 'cashtag' : '@＠'.includes(sign) ? 'mention' : 'hashtag', value: fold(name), at: start };
    }
    const colon = /^([A-Za-z_]+):(?!\/\/)(.*)$/s.exec(given);
    if (colon !== null) return operator(colon[1]!, colon[2]! === '' && text[at] === '"' ? quoted() : colon[2]!, start);
    return phrase(given, start);
  }

  function phrase(words: string, start: number): Query | undefined {
    const tokens = tokensOf(words);
    return tokens.length === 0 ? undefined : { is: 'phrase', tokens, at: start };
  }

  function operator(key: string, value: string, start: number): Query {
    const name = key.toLowerCase();
    const place = start + key.length + 1;
    switch (name) {
      case 'from': {
        const user = /^@?(\w{1,30})$/.exec(value)?.[1];
        return user === undefined ? fault('expected a username after from:', place) : { is: 'from', value: user.toLowerCase(), at: start };
      }
      case 'since':
      case 'until':
      case 'since_time':
      case 'until_time': {
        const time = name.endsWith('_time') ? (/^\d{1,12}$/.test(value) ? Number(value) * 1000 : undefined) : moment(value);
        if (time === undefined) return fault(`expected ${name.endsWith('_time') ? 'Unix seconds' : 'a date such as 2026-03-04 or 2026-03-04_05:06:07_UTC'} after ${name}:`, place);
        const isSince = name.startsWith('since');
        return { is: 'time', since: isSince ? time : Number.NEGATIVE_INFINITY, until: isSince ? Number.POSITIVE_INFINITY : time, at: start };
      }
      default:
        return fault(`unknown operator '${key}:'; expected one of ${operators.map((known) => `${known}:`).join(' ')}, or quotes around the words`, start);
    }
  }

  const query = sequence(0);
  if (at < text.length) fault("')' without '('");
  return query;
}

/** A day, or a moment of one, in UTC; undefined where there is no such day or time. */
function moment(value: string): number | undefined {
  const parts = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[_T](\d{2}):(\d{2}):(\d{2})(?:_?(?:UTC|GMT|Z))?)?$/i.exec(value);
  if (parts === null) return undefined;
  const [year, month, day, hour = 0, minute = 0, second = 0] = parts.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
  const time = Date.UTC(year!, month! - 1, day, hour, minute, second);
  const read = new Date(time);
  return read.getUTCMonth() === month! - 1 && read.getUTCDate() === day && hour < 24 && minute < 60 && second < 60 ? time : undefined;
}
