/** The client's part of generated/: which method stands for which operation, documented from the spec. */
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import { channelsByOperation, type Channels } from './client-channels.ts';
import { parameterTypes } from './client-parameters.ts';
import { repeats } from './lint/extension-rules.ts';
import { escapeKey } from './pointer.ts';
import { SpecError } from './spec-error.ts';

interface Example {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Record<string, unknown>;
  readonly example?: unknown;
}
type Content = Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
interface Answering {
  readonly content?: Content;
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
  readonly responses?: Readonly<Record<string, Answering | { readonly $ref: string }>>;
  readonly requestBody?: Answering | { readonly $ref: string };
}

/** An operation where it stands in the document, with its parameters and the example of its body. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: ClientOperation;
  readonly parameters: readonly Example[];
  readonly body: unknown;
}

/** `/social/user/last_tweets` is `user.lastTweets`, as the client itself names it at run time. Throws for a path that makes no such name. */
export function methodName(path: string): { group: string; name: string } {
  const [, group, name] = /^\/social\/([a-z]+)\/([a-z_]+)$/.exec(path) ?? [];
  if (group === undefined || name === undefined)
    throw new SpecError(
      path.includes('{')
        ? `${path}: the generated client does not support parameters in the path`
        : `${path}: the client names its methods by paths of the form /social/GROUP/NAME`,
      `/paths/${escapeKey(path)}`,
      'write the path as /social/GROUP/NAME, with its parameters in the query.',
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

/** What the surface needs beside the operations. */
export interface Surroundings {
  /** The contract, for references. */
  readonly document: object;
  /** The channels of the event stream (`x-channels`). */
  readonly channels: Channels;
}

interface ResponseSchema {
  /** The name of the schema; undefined for an inline schema. */
  readonly name: string | undefined;
  /** The members that every response has, in the order of the contract. */
  readonly required: readonly string[];
}

/** The schema of the JSON body of a success response; undefined where there is no such body. */
function answerSchema(document: object, { responses = {} }: ClientOperation): ResponseSchema | undefined {
  const status = Object.keys(responses).find((each) => each.startsWith('2'));
  const response = status === undefined ? undefined : responses[status];
  if (response === undefined) return undefined;
  const schema = resolve<Answering>(document, response).content?.['application/json']?.schema;
  if (schema === undefined) return undefined;
  const { required = [] } = resolve<{ required?: readonly string[] }>(document, schema as { required?: string[] });
  return { name: schema.$ref?.split('/').at(-1), required };
}

/** One row of the table of operations. */
function tableRow({ document, channels }: Surroundings, { method, path, operation, parameters }: Placed): string {
  const { 'x-repeat': repeat, 'x-items': items, 'x-timeout-seconds': timeoutSeconds, operationId } = operation;
  const pageSize = parameters.find(({ name }) => name === 'limit')?.schema?.['maximum'];
  const has = items ?? answerSchema(document, operation)?.required[0];
  const follow = items === undefined ? undefined : channelsByOperation(channels)[operationId];
  const sendsCursor = parameters.some((each) => each.in === 'header' && each.name === 'X-Event-Cursor') || undefined;
  const row = { method, repeat, items, timeoutSeconds, pageSize, has, follow, sendsCursor };
  const cells = Object.entries(row).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}: ${JSON.stringify(value).replaceAll('"', "'")}`],
  );
  return `  '${path}': { ${cells.join(', ')} },`;
}

/** The methods of each group. Throws as `clientSurface` does. */
function groupsOf(operations: readonly Placed[]): Map<string, Map<string, Placed>> {
  const groups = new Map<string, Map<string, Placed>>();
  for (const placed of operations) {
    const { group, name } = methodName(placed.path);
    const { operationId, 'x-repeat': repeat } = placed.operation;
    const pointer = `/paths/${escapeKey(placed.path)}/${placed.method}`;
    if (repeat === undefined || !repeats.includes(repeat))
      throw new SpecError(
        `${operationId}: x-repeat must be one of ${repeats.join(', ')}`,
        pointer,
        'write one of them.',
      );
    const methods = groups.get(group) ?? new Map<string, Placed>();
    if (methods.has(name))
      throw new SpecError(
        `${operationId}: the client has a method ${group}.${name} already`,
        pointer,
        'give the operation another path.',
      );
    groups.set(group, methods.set(name, placed));
  }
  return groups;
}

/**
 * The module that names the methods and their parameters. Throws for an operation that does not say when it may be repeated, or
 * whose name another one has.
 */
export function clientSurface(banner: string, operations: readonly Placed[], surroundings: Surroundings): string {
  const groups = groupsOf(operations);
  const document = normaliseDocument(surroundings.document);
  const known = { ...surroundings, document };
  const methodsOf = (methods: ReadonlyMap<string, Placed>): string =>
    Array.from(
      methods,
      ([name, placed]) => `${documentation(placed)}\n    ${name}: Of['${placed.operation.operationId}'];\n`,
    ).join('');
  const answers = operations.flatMap(({ operation }) => {
    const name = answerSchema(document, operation)?.name;
    return name === undefined ? [] : [`  ${operation.operationId}: Schemas['${name}'];`];
  });
  return `${banner}import type { components } from './types.ts';

type Schemas = components['schemas'];

/**
 * Every operation by its path: when it may be repeated, which member of a page holds the items, how many items a page may
 * have, a member that every response has, and which channel (with which parameters) follows the list.
 */
export const table = {
${operations.map((placed) => tableRow(known, placed)).join('\n')}
} as const;

/** Which member of an operation's pages holds the items. */
export interface ItemNames {
${operations.flatMap(({ operation: { operationId, 'x-items': items } }) => (items === undefined ? [] : [`  ${operationId}: '${items}';`])).join('\n')}
}

/** The channel with the events of an operation's list. */
export interface FollowedChannels {
${Object.entries(channelsByOperation(known.channels))
  .filter(([id]) =>
    operations.some(({ operation }) => operation.operationId === id && operation['x-items'] !== undefined),
  )
  .map(([id, [channel]]) => `  ${id}: '${channel}';`)
  .join('\n')}
}

/** The response bodies with a schema of their own. */
export interface NamedAnswers {
${answers.join('\n')}
}

${parameterTypes(operations, document, methodName)}
/** The methods of the client, whose types are given by operationId. */
export interface Methods<Of extends Record<string, unknown>> {
${Array.from(groups, ([group, methods]) => `  ${group}: {\n${methodsOf(methods)}  };`).join('\n')}
}
`;
}

/** The module with the names of all schemas and parameter types, which the package exports. */
export function clientNames(banner: string, surface: string, document: { components: { schemas?: object } }): string {
  const parameters = Array.from(
    surface.matchAll(/^export (?:type|interface) (\w+Params)\b/gm),
    ([, name]) => `  ${name},`,
  );
  // The name of a global keeps its meaning in the modules of apps.
  const schemas = Object.keys(document.components.schemas ?? {}).map((name) =>
    name === 'Error' ? '  Error as ErrorBody,' : `  ${name},`,
  );
  return `${banner}export type {\n${schemas.join('\n')}\n} from './types.ts';
export type {\n${parameters.join('\n')}\n} from './client.ts';
`;
}
