/** The names of the client's methods, by the contract. */

/** The name of a method: `user.lastTweets`. */
export interface MethodName {
  readonly group: string;
  readonly name: string;
}

/** An operation, as far as it names its method. */
interface Named {
  readonly path: string;
  readonly operation: { readonly operationId: string; readonly tags?: readonly string[] | undefined };
}

/** Words as one name: `museum-hours` becomes `museumHours`. */
function identifier(text: string): string {
  const name = text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1))
    .join('');
  return /^[A-Za-z]/.test(name) ? name : `n${name}`;
}

/** A template such as `/social/{group}/{name}` as an expression. */
const pathPattern = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/(\{group\}|\{name\})/)
      .map((part) =>
        /^\{\w+\}$/.test(part) ? `(?<${part.slice(1, -1)}>[a-z][a-z0-9_-]*)` : part.replace(/[^\w/]/g, '\\$&'),
      )
      .join('')}$`,
  );

/**
 * The group and the name of the method for an operation. `template` is `x-method-names` of the document: with
 * `/social/{group}/{name}`, `/social/user/last_tweets` is `user.lastTweets`. For any other path, the group is the first tag
 * and the name is the operationId.
 */
export function methodName({ path, operation: { operationId, tags = [] } }: Named, template?: string): MethodName {
  const { group, name } = (template === undefined ? null : pathPattern(template).exec(path))?.groups ?? {};
  return group !== undefined && name !== undefined
    ? { group: identifier(group), name: identifier(name) }
    : { group: identifier(tags[0] ?? 'api'), name: identifier(operationId) };
}

/** What a client or its mocks have beside the groups of methods; `then` would make a promise of the client. */
export const reservedGroups = ['events', 'request', 'use', 'eject', 'withOptions', 'handlers', 'then'];

/** As `methodName`, where the client of any contract renames a group whose name it needs itself: `events` becomes `eventsApi`. */
export function plainMethodName(named: Named, template?: string): MethodName {
  const { group, name } = methodName(named, template);
  return { group: reservedGroups.includes(group) ? `${group}Api` : group, name };
}
