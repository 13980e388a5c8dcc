/** Reads the bodies of errors, in whatever form a server has. */
import { items, member } from './part.ts';

/** The words of an error, only to search in; its code; and the member of the request that it is about. */
export interface ReportedError {
  readonly words: string;
  readonly code: unknown;
  readonly param: unknown;
}

/** The members with words about an error. Others can repeat the request, and with it untrusted text. */
const wordMembers = [
  ...['error', 'errors', 'message', 'msg', 'detail', 'details', 'title', 'description', 'reason'],
  ...['err', 'error_message', 'error_description', 'errorMessage', 'type', 'code', 'param', 'loc'],
];
const maxWords = 4_000;
const maxDepth = 5;

/** The error in a body: an object with `error`, a flat object, a list `detail`, or plain text. */
export function reportedError(body: string): ReportedError {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    const words = /^\s*</.test(body) ? '' : body.slice(0, maxWords);
    return { words, code: undefined, param: undefined };
  }
  return errorIn(value);
}

/** The error in a parsed body. */
export function errorIn(value: unknown): ReportedError {
  // Some servers answer with a list that has one error.
  const body = items(value)[0] ?? value;
  const error = member(body, 'error') ?? body;
  return {
    words: wordsIn(body, maxDepth).join(' ').slice(0, maxWords),
    code: member(error, 'code') ?? member(body, 'code'),
    param: member(error, 'param') ?? member(body, 'param'),
  };
}

function wordsIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value.slice(0, maxWords)];
  if (typeof value === 'number') return [String(value)];
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.slice(0, 20).flatMap((each) => wordsIn(each, depth - 1));
  return wordMembers.flatMap((name) => wordsIn(member(value, name), depth - 1));
}

/** Whether a value of a successful response reports an error instead of an answer. */
export function isError(value: unknown): boolean {
  const error = member(value, 'error');
  if (error !== undefined && error !== null && error !== '' && error !== false) return true;
  if (member(value, 'object') === 'error') return true;
  const isAnswer = ['choices', 'output', 'content', 'type', 'usage'].some((name) => member(value, name) !== undefined);
  return !isAnswer && ['detail', 'message', 'errors'].some((name) => member(value, name) !== undefined);
}
