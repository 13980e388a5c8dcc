/** The client's part of generated/: which method stands for which operation, documented from the spec. */
import { escapeKey } from './pointer.ts';
import { SpecError } from './spec-error.ts';

interface Example {
  readonly name: string;
  readonly required?: boolean;
  readonly schema?: Record<string, unknown>;
  readonly example?: unknown;
}

/** What the client needs to know of an operation. */
export interface ClientOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly 'x-repeat'?: string;
  readonly 'x-items'?: string;
  readonly 'x-timeout-seconds'?: number;
  readonly 'x-exactly-one-of'?: readonly string[];
}

/** An operation where it stands in the document, with its parameters and the example of its body. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: ClientOperation;
  readonly parameters: readonly Example[];
  readonly body: unknown;
}

const repeats = ['safe', 'refused'];

/** `/social/user/last_tweets` is `user.lastTweets`, as the client itself names it at run time. Throws for a path that makes no such name. */
export function methodName(path: string): { group: string; name: string } {
  const [, group, name] = /^\/social\/([a-z]+)\/([a-z_]+)$/.exec(path) ?? [];
  if (group === undefined || name === undefined)
    throw new SpecError(
      `${path}: the client names its methods by paths of the form /social/GROUP/NAME`,
      `/paths/${escapeKey(path)}`,
    );
  return { group, name: name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) };
}

/** A call that works against the sample archive, as far as the examples of the spec say. */
function exampleCall({ path, operation, parameters, body }: Placed): string {
  const { group, name } = methodName(path);
  const wanted = parameters.filter(({ name, required }) => required || name === operation['x-exactly-one-of']?.[0]);
  const start = wanted.length === 0 ? parameters.slice(0, 1) : wanted;
  const given = body ?? Object.fromEntries(start.map(({ name, example }) => [name, example]));
  const literal = Object.entries(given).map(
    ([key, value]) =>
      `${key}: ${typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)}`,
  );
  return `client.${group}.${name}(${literal.length === 0 ? '' : `{ ${literal.join(', ')} }`})`;
}

function documentation(placed: Placed): string {
  const { operation, method, path } = placed;
  const items = operation['x-items'];
  const call = exampleCall(placed);
  const lines = [
    `${operation.summary ?? operation.operationId}: \`${method.toUpperCase()} ${path}\`.`,
    '',
    ...(operation.description === undefined ? [] : [...operation.description.trim().split('\n'), '']),
    '@example',
    '```ts',
    ...(items === undefined
      ? [`const answer = await ${call};`]
      : [`for await (const item of ${call}) console.log(item);`, `const page = await ${call}; // page.${items}`]),
    '```',
  ];
  return ['    /**', ...lines.map((line) => `     * ${line.replaceAll('*/', '*\\/')}`.trimEnd()), '     */'].join('\n');
}

/**
 * The module that names the methods. Throws for an operation that does not say when it may be repeated, or whose name another one has.
 */
export function clientSurface(banner: string, operations: readonly Placed[]): string {
  const groups = new Map<string, Map<string, Placed>>();
  for (const placed of operations) {
    const { group, name } = methodName(placed.path);
    const { operationId, 'x-repeat': repeat } = placed.operation;
    const pointer = `/paths/${escapeKey(placed.path)}/${placed.method}`;
    if (repeat === undefined || !repeats.includes(repeat))
      throw new SpecError(`${operationId}: x-repeat must be one of ${repeats.join(', ')}`, pointer);
    const methods = groups.get(group) ?? new Map<string, Placed>();
    if (methods.has(name))
      throw new SpecError(`${operationId}: the client has a method ${group}.${name} already`, pointer);
    groups.set(group, methods.set(name, placed));
  }
  const row = ({ method, path, operation }: Placed): string => {
    const { 'x-repeat': repeat, 'x-items': items, 'x-timeout-seconds': timeout } = operation;
    const parts = {
      method,
      repeat,
      ...(items === undefined ? {} : { items }),
      ...(timeout === undefined ? {} : { timeoutSeconds: timeout }),
    };
    return `  '${path}': { ${Object.entries(parts)
      .map(([key, value]) => `${key}: ${typeof value === 'number' ? value : `'${value}'`}`)
      .join(', ')} },`;
  };
  const methodsOf = (methods: ReadonlyMap<string, Placed>): string =>
    Array.from(
      methods,
      ([name, placed]) => `${documentation(placed)}\n    ${name}: Of['${placed.operation.operationId}'];\n`,
    ).join('');
  return `${banner}
/** Every operation by its path: when it may be repeated, which member of a page holds the items. */
export const table = {
${operations.map(row).join('\n')}
} as const;

/** Which member of an operation's pages holds the items. */
export interface ItemNames {
${operations.flatMap(({ operation: { operationId, 'x-items': items } }) => (items === undefined ? [] : [`  ${operationId}: '${items}';`])).join('\n')}
}

/** The methods of the client, whose types are given by operationId. */
export interface Methods<Of extends Record<string, unknown>> {
${Array.from(groups, ([group, methods]) => `  ${group}: {\n${methodsOf(methods)}  };`).join('\n')}
}
`;
}
