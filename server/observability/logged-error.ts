/** What the log says about an error. The message of an unforeseen error can quote what a caller sent, so the log has its stack only. */
import { types } from 'node:util';

/** Members of `cause` that are followed; errors can refer to each other in a circle. */
const maxCauses = 4;

interface LoggedError {
  readonly type: string;
  readonly message?: string;
  readonly code?: string;
  readonly findings?: readonly object[];
  /** The lines of the stack without the message. */
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const textOf = (error: Error, name: string): string | undefined => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value : undefined;
};

/** Errors of the storage and of the system name files, addresses and the state of the disk; a breach names rules of the contract. */
const hasSafeMessage = (error: Error): boolean =>
  ['StoreError', 'ContractBreach'].includes(error.name) || textOf(error, 'syscall') !== undefined;

/** The lines of a stack that name functions and places. The message, which stands in front of them, can have several lines. */
function framesOf({ stack = '', message }: Error): string {
  const withoutMessage = message === '' ? stack : stack.replace(message, () => '');
  return withoutMessage
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n');
}

/** Places and rules of validation errors of Ajv, without the values. */
export function loggedFindings(findings: unknown): readonly object[] {
  if (!Array.isArray(findings)) return [];
  return findings.slice(0, 10).map((finding: Readonly<Record<string, unknown>>) => ({
    path: finding['instancePath'] ?? finding['path'],
    rule: finding['keyword'] ?? finding['errorCode'],
  }));
}

/** The serialiser of errors: type, code and stack; the message only where the service words it without text of callers. */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!types.isNativeError(error)) return { type: typeof error };
  const code = textOf(error, 'code');
  const findings = loggedFindings(Reflect.get(error, 'findings'));
  return {
    type: error.name,
    ...(hasSafeMessage(error) ? { message: error.message } : {}),
    ...(code !== undefined && /^[A-Za-z\d_-]{1,64}$/.test(code) ? { code } : {}),
    ...(findings.length === 0 ? {} : { findings }),
    stack: framesOf(error),
    ...(types.isNativeError(error.cause) && depth < maxCauses ? { cause: loggedError(error.cause, depth + 1) } : {}),
  };
}
