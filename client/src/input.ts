/** Sorts the parameters of a method into the parts of a request. */
import { type Failed, UsageError } from './failure.ts';
import type { Call } from './exchange.ts';

type Members = Record<string, unknown>;
/** An object whose members can have any name, such as `__proto__`. */
export const emptyMembers = (): Members => Object.create(null) as Members;

/** Where the parameters of a method go. */
export interface Input {
  readonly path: Members;
  readonly query: Members;
  readonly body: Members | undefined;
}

/** The names of the parameters of a path, in their order. */
export const namesIn = (path: string): string[] => path.match(/[^{]+(?=\})/g) ?? [];

/**
 * The parts of a request: all parameters that are not in the path are in the query, or in the body of a call with one. Throws a
 * UsageError for parameters that are no object, as in `user.info(null)`, and for a value that would change the form of the path.
 */
export function inputOf(
  {
    path: template,
    operation: { body: hasBody, inQuery = [], units = {} },
    parameters = {},
  }: Pick<Call, 'path' | 'operation' | 'parameters'>,
  failed: Failed,
): Input {
  if (Object(parameters) !== parameters || Array.isArray(parameters))
    throw new UsageError('the parameters must be an object', failed);
  const names = namesIn(template);
  const path = emptyMembers();
  const query = emptyMembers();
  const body = hasBody ? emptyMembers() : undefined;
  for (const name of names)
    if (/^\.{0,2}$/.test(String(parameters[name] ?? '')))
      throw new UsageError(`the parameter '${name}' is missing, or invalid in a path`, failed);
  for (const [name, value] of Object.entries(parameters)) {
    const part = names.includes(name) ? path : body && !inQuery.includes(name) ? body : query;
    const unit = units[name];
    const isCounted = unit && (value === !!value || value instanceof Date);
    part[name] = isCounted ? Math.floor((value as unknown as number) / unit) : value;
  }
  return { path, query, body };
}
