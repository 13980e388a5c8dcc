/** The format of the log on a terminal. Loaded only there. */
import { prettyFactory } from 'pino-pretty';

/** A control character, which could move the cursor of the terminal. */
const control = /\p{Cc}/gu;
/** As `control`, except the characters that structure a stack. */
const controlInStack = /[^\P{Cc}\n\t]/gu;

const escaped = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;

/** Escapes control characters in the members of a record. */
const escapeMember = (name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(name === 'stack' ? controlInStack : control, escaped) : value;

interface LogRecord {
  readonly level: number;
  readonly time: number;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly key?: string;
  readonly code?: string;
  readonly parameter?: string;
  readonly err?: object;
}

/** A record about a request, with its members in the message: method, path, status, duration, key, and the code of the error with its parameter. */
function summarised(record: LogRecord): object {
  const { level, time, method, path, status, ms, key, code, parameter, err } = record;
  if (method === undefined || path === undefined || status === undefined) return record;
  const caller = key === undefined ? '' : ` · key ${key}`;
  const error = code === undefined ? '' : ` · ${code}${parameter === undefined ? '' : ` of ${parameter}`}`;
  const msg = `${method} ${path} ${status} in ${ms} ms${caller}${error}`;
  return { level, time, msg, ...(err === undefined ? {} : { err }) };
}

/**
 * Returns a function that converts a JSON line of the log to one readable line. The stack of an error takes further
 * lines. Control characters, which a caller may have sent, are escaped.
 */
export function readableFormat({ colours }: { readonly colours: boolean }): (json: string) => string {
  const prettify = prettyFactory({
    colorize: colours,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname',
  });
  return (json) => prettify(summarised(JSON.parse(json, escapeMember) as LogRecord));
}
