/** Sorts the parameters of a method into the parts of a request. */
import { UsageError, type Failed } from './errors.ts';
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
 * UsageError for a value that would change the form of the path.
 */
export function inputOf(
  {
    path: template,
    operation: { body: hasBody, inQuery = [] },
    parameters = {},
  }: Pick<Call, 'path' | 'operation' | 'parameters'>,
  failed: Failed,
): Input {
  const names = namesIn(template);
  const path = emptyMembers();
  const query = emptyMembers();
  const body = hasBody ? emptyMembers() : undefined;
  for (const name of names)
    if (/^\.{0,2}$/.test(String(parameters[name] ?? '')))
      throw new UsageError(`the parameter '${name}' is missing, or invalid in a path`, failed);
  for (const [name, value] of Object.entries(parameters))
    (names.includes(name) ? path : body && !inQuery.includes(name) ? body : query)[name] = value;
  return { path, query, body };
}
