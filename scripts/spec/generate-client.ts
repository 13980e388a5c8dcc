/** The client's part of generated/: which method stands for which operation, documented from the spec. */
import { methodNameOf } from '../../client/src/method-name.ts';
import type { KeyPlace } from '../../client/src/contract.ts';
import { mediaKind } from '../../server/contract/media-type.ts';
import { methodName, reservedGroups, type MethodName } from '../../server/contract/method-name.ts';
import { bySpecificity } from '../../server/contract/path-template.ts';
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import { requirementsOf, securitySchemes } from '../../server/contract/security-schemes.ts';
import type { SecurityScheme } from '../../server/ports/authenticator.ts';
import { callShape, isPlainAnswer, wireOf } from './client-call.ts';
import { channelsByOperation, type Channels } from './client-channels.ts';
import type { Placed } from './client-operation.ts';
import {
  aliases,
  deprecationTag,
  literal,
  literalOf,
  parameterTypes,
  propertyName,
  unitOf,
  withoutPathLinks,
  type Shaped,
} from './client-parameters.ts';
import { isTypeName } from './hoist-schemas.ts';
import { repeats } from './lint/extension-rules.ts';
import { escapeKey } from '../contract-tools/files/index.ts';
import { SpecError } from './spec-error.ts';

/** A value as code. A file is a Blob, and what has no example is left to the reader. */
function exampleText(value: unknown): string {
  if (value === undefined) return '…';
  return typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
    : JSON.stringify(value);
}

/** A call that works against the sample archive, as far as the examples of the spec say. */
function exampleCall({ operation, shape, body: example }: Shaped, { group, name }: MethodName): string {
  const { parameters, body } = shape;
  const wanted = parameters.filter(({ key, required }) => required || key === operation['x-exactly-one-of']?.[0]);
  const start = wanted.length === 0 && body === undefined ? parameters.slice(0, 1) : wanted;
  const given: [key: string, value: unknown][] = start.map((parameter) => [parameter.key, parameter.example]);
  if (body?.members === undefined) given.push(...(body === undefined ? [] : [['body', example] as [string, unknown]]));
  else if (typeof example === 'object' && example !== null) given.push(...Object.entries(example));
  else given.push(...[...body.needed].map((each): [string, unknown] => [each, undefined]));
  const literal = given.map(([key, value]) => `${propertyName(key)}: ${exampleText(value)}`);
  return `client.${group}.${name}(${literal.length === 0 ? '' : `{ ${literal.join(', ')} }`})`;
}

/** The line of the example that reads the response. */
function answerLine({ shape: { successes } }: Shaped, call: string): string {
  const types = successes.flatMap(({ content }) => Object.keys(content));
  if (types.length === 0) return `await ${call};`;
  const isStream = types.every((type) => ['json-lines', 'event-stream'].includes(mediaKind(type)));
  return isStream ? `for await (const item of await ${call}) console.log(item);` : `const answer = await ${call};`;
}

function documentation(placed: Shaped, name: MethodName): string {
  const { operation, method, path } = placed;
  const items = operation['x-items'];
  const call = exampleCall(placed, name);
  const deprecated = deprecationTag(operation);
  const lines = [
    `${operation.summary ?? operation.operationId}: \`${method.toUpperCase()} ${path}\`.`,
    '',
    ...(operation.description === undefined ? [] : [...withoutPathLinks(operation.description).trim().split('\n'), '']),
    '@example',
    '```ts',
    ...(items === undefined
      ? [answerLine(placed, call)]
      : [`for await (const item of ${call}) console.log(item);`, `const page = await ${call}; // page.${items}`]),
    '```',
    ...(deprecated === undefined ? [] : [deprecated]),
  ];
  return ['    /**', ...lines.map((line) => `     * ${line.replaceAll('*/', '*\\/')}`.trimEnd()), '     */'].join('\n');
}

/** What the surface needs beside the operations. */
export interface Surroundings {
  /** The contract, for references. */
  readonly document: object;
  /** The channels of the event stream (`x-channels`). */
  readonly channels: Channels;
  /** How the methods are named by paths (`x-method-names`). */
  readonly template?: string | undefined;
}

/** What the rows of the table need. */
interface Known extends Surroundings {
  /** Where the operations take the key, but for those whose row says otherwise. */
  readonly usual: readonly KeyPlace[];
}

interface ResponseSchema {
  /** The name of the schema; undefined for an inline schema. */
  readonly name: string | undefined;
  /** The members that every response has, in the order of the contract. */
  readonly required: readonly string[];
}

/** The schema of the JSON object that is the only success response; undefined where there are others. */
function answerSchema(document: object, { shape }: Shaped): ResponseSchema | undefined {
  if (!isPlainAnswer(document, shape)) return undefined;
  const [media] = Object.values(shape.successes[0]?.content ?? {}) as { schema?: { $ref?: string } }[];
  const { schema = {} } = media ?? {};
  const { required = [] } = resolve<{ required?: readonly string[] }>(document, schema as { required?: string[] });
  return { name: schema.$ref?.split('/').at(-1), required };
}

/** A value as code. */
function codeOf(value: unknown): string {
  const json = literalOf(value);
  return /['\\]/.test(json) ? json : json.replaceAll('"', "'");
}

/** One row of the table of operations. */
function tableRow(known: Known, placed: Shaped): string {
  const { document, channels, template } = known;
  const { method, path, operation, parameters, shape } = placed;
  const { 'x-repeat': repetition, 'x-items': items, 'x-timeout-seconds': timeoutSeconds, operationId } = operation;
  const maximum = parameters.find(({ name }) => name === 'limit')?.schema?.['maximum'];
  const pageSize = maximum === 100 ? undefined : maximum;
  const has = items === undefined ? answerSchema(document, placed)?.required[0] : undefined;
  const follow = items === undefined ? undefined : channelsByOperation(channels)[operationId];
  const takesCursor = parameters.some((each) => each.in === 'header' && each.name === 'X-Event-Cursor');
  const ignoresCursor = takesCursor ? undefined : true;
  // The client knows the usual values itself, because the table is a part of its size.
  const repeat = repetition === 'refused' ? repetition : undefined;
  const { group, name } = methodName(placed, template);
  const given = methodNameOf(path).join('.') === `${group}.${name}` ? undefined : `${group}.${name}`;
  const body = operation.requestBody === undefined ? undefined : true;
  const hasMembers = shape.body?.members !== undefined;
  const query = shape.parameters.filter((each) => hasMembers && each.in === 'query').map(({ key }) => key);
  const inQuery = query.length === 0 ? undefined : query;
  const units = shape.parameters.flatMap((each) => {
    const unit = unitOf(document, each);
    return unit === undefined ? [] : [[each.key, unit] as const];
  });
  const converted = units.length === 0 ? undefined : Object.fromEntries(units);
  const keys = otherKeyPlaces(known, placed);
  const own = wireOf(document, shape);
  const wire = keys === undefined ? own : { ...own, keys };
  const list = { items, pageSize, follow };
  const row = {
    name: given,
    repeat,
    body,
    inQuery,
    ...list,
    units: converted,
    timeoutSeconds,
    has,
    ignoresCursor,
    wire,
  };
  const cells = Object.entries(row).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [`${key}: ${codeOf(value)}`],
  );
  return `  ${literal(`${method} ${path}`)}: { ${cells.join(', ')} },`;
}

/** Where a scheme has the key, as the client names it; none where the client cannot send it. */
function keyPlaceOf({ type, in: place, name = '', scheme }: SecurityScheme): KeyPlace[] {
  if (type === 'apiKey')
    return place === 'header' ? [[place, name.toLowerCase()]] : place === 'query' ? [[place, name]] : [];
  if (type === 'http') return scheme?.toLowerCase() === 'basic' ? [['basic']] : [['bearer']];
  return type === 'oauth2' || type === 'openIdConnect' ? [['bearer']] : [];
}

/** The places where an operation takes the key, or by default all do, in the order of the alternatives; none for a public one. */
function keyPlaces(document: object, operation?: object): KeyPlace[] {
  const schemes = securitySchemes(document);
  const named = new Set(requirementsOf(document, operation).flatMap((each) => Object.keys(each)));
  return [...named].flatMap((name) => {
    const scheme = schemes.get(name);
    return scheme === undefined ? [] : keyPlaceOf(scheme);
  });
}

/** The places of most operations; none where no operation takes a key. */
function usualKeyPlaces(document: object, operations: readonly Placed[]): KeyPlace[] {
  const each = [undefined, ...operations.map(({ operation }) => operation)];
  const all = each.map((operation) => keyPlaces(document, operation)).filter((places) => places.length > 0);
  const alike = [...Map.groupBy(all, (places) => JSON.stringify(places)).values()];
  const [most] = alike.toSorted((one, other) => other.length - one.length);
  return most?.[0] ?? [];
}

/** The header and the query parameter with the key, and where the client sends it by default: as most operations, else as the schemes say. */
function keyNames({ document, usual }: Known): { header: string; query: string; in: string } {
  const all = [...usual, ...[...securitySchemes(document).values()].flatMap(keyPlaceOf)];
  return {
    header: all.find(([place]) => place === 'header')?.[1] ?? 'x-api-key',
    query: all.find(([place]) => place === 'query')?.[1] ?? 'api_key',
    in: all[0]?.[0] ?? 'header',
  };
}

/** The places of an operation that does not take the key at each of the usual ones; none for a public operation. */
function otherKeyPlaces({ document, usual }: Known, placed: Placed): readonly KeyPlace[] | undefined {
  if (usual.length === 0) return undefined;
  if (requirementsOf(document, placed.operation).length === 0) return [];
  const own = keyPlaces(document, placed.operation);
  const texts = new Set(own.map((place) => JSON.stringify(place)));
  return own.length === 0 || usual.every((place) => texts.has(JSON.stringify(place))) ? undefined : own;
}

/** The methods of each group. Throws as `clientSurface` does. */
function groupsOf(operations: readonly Shaped[], template: string | undefined): Map<string, Map<string, Shaped>> {
  const groups = new Map<string, Map<string, Shaped>>();
  for (const placed of operations) {
    const { group, name } = methodName(placed, template);
    const { operationId, 'x-repeat': repeat } = placed.operation;
    const pointer = `/paths/${escapeKey(placed.path)}/${placed.method}`;
    const refuse = (message: string, fix: string): never => {
      throw new SpecError(`${operationId}: ${message}`, pointer, fix);
    };
    if (repeat === undefined || !repeats.includes(repeat))
      refuse(`x-repeat must be one of ${repeats.join(', ')}`, 'write one of them.');
    const rename = 'give the operation another tag or operationId, or another path that x-method-names matches.';
    if (reservedGroups.includes(group) || group in {}) refuse(`a client has the member '${group}' already`, rename);
    const methods = groups.get(group) ?? new Map<string, Shaped>();
    if (methods.has(name)) refuse(`the client has a method ${group}.${name} already`, rename);
    groups.set(group, methods.set(name, placed));
  }
  return groups;
}

/** The members of the interface of the response bodies with their own schema. */
const namedAnswers = (document: object, operations: readonly Shaped[]): string =>
  operations
    .flatMap((each) => {
      const name = answerSchema(document, each)?.name;
      return name === undefined ? [] : [`  ${propertyName(each.operation.operationId)}: Schemas['${name}'];`];
    })
    .join('\n');

/** The imports of types, and the short names of these. A project may refuse what it does not use. */
function typeImports(used: readonly (readonly [name: string, type: string])[], text: string): string {
  const usesSchemas = /\bSchemas\[/.test(text + used.map(([, type]) => type).join());
  const imported = [...(usesSchemas ? ['components'] : []), ...(used.length > 0 ? ['operations as Operations'] : [])];
  const line = imported.length === 0 ? '' : `import type { ${imported.join(', ')} } from './types.ts';\n`;
  const names = used.map(([name, type]) => `type ${name}<Id extends keyof Operations> = ${type};\n`).join('');
  return `${line}\n${usesSchemas ? "type Schemas = components['schemas'];\n" : ''}${names}`;
}

/**
 * The module that names the methods and their parameters. Throws a SpecError for an operation that does not say when it may be
 * repeated, whose name another one has, or whose parameters the client cannot send.
 */
export function clientSurface(banner: string, placed: readonly Placed[], surroundings: Surroundings): string {
  const { template } = surroundings;
  const document = normaliseDocument(surroundings.document);
  const operations = placed.map((each): Shaped => ({ ...each, shape: callShape(document, each) }));
  const groups = groupsOf(operations, template);
  const known: Known = { ...surroundings, document, usual: usualKeyPlaces(document, placed) };
  // The mocks take the first route that matches.
  const rows = operations.toSorted((one, other) => bySpecificity(one.path, other.path));
  const methodsOf = (group: string, methods: ReadonlyMap<string, Shaped>): string =>
    Array.from(
      methods,
      ([name, each]) =>
        `${documentation(each, { group, name })}\n    ${name}: Of[${literal(each.operation.operationId)}];\n`,
    ).join('');
  const parameters = parameterTypes(operations, document, (each) => methodName(each, template));
  const used = Object.entries(aliases).filter(([name]) => new RegExp(`\\b${name}<'`).test(parameters));
  const answers = namedAnswers(document, operations);
  return `${banner}${typeImports(used, answers + parameters)}
/**
 * Every operation by its method and path: its name, whether a retry is refused, which parameters beside a body are in the query,
 * which take a boolean or a Date, which member of a page holds the items, how many items a page may have, a member that every response has, which channel
 * (with which parameters) follows the list, whether it ignores the header X-Event-Cursor, and what differs on the wire from single
 * values, JSON objects, and the usual place of the key.
 */
export const table = {
${rows.map((each) => tableRow(known, each)).join('\n')}
} as const;

/** The header and the query parameter with the key, and where the client sends it by default. */
export const keyNames = ${codeOf(keyNames(known))} as const;

/** Which member of an operation's pages holds the items. */
export interface ItemNames {
${operations.flatMap(({ operation: { operationId, 'x-items': items } }) => (items === undefined ? [] : [`  ${propertyName(operationId)}: '${items}';`])).join('\n')}
}

/** The operations that may be sent again after a failure: \`x-repeat\` is \`safe\`. */
export type RepeatableOperation = ${
    operations
      .filter(({ operation }) => operation['x-repeat'] === 'safe')
      .map(({ operation }) => JSON.stringify(operation.operationId))
      .join(' | ') || 'never'
  };

/** The channel with the events of an operation's list. */
export interface FollowedChannels {
${Object.entries(channelsByOperation(known.channels))
  .filter(([id]) =>
    operations.some(({ operation }) => operation.operationId === id && operation['x-items'] !== undefined),
  )
  .map(([id, [channel]]) => `  ${propertyName(id)}: '${channel}';`)
  .join('\n')}
}

/** The response bodies with their own schema. */
export interface NamedAnswers {
${answers}
}

${parameters}
/** The methods of the client, whose types are given by operationId. */
export interface Methods<Of extends Record<string, unknown>> {
${Array.from(groups, ([group, methods]) => `  ${group}: {\n${methodsOf(group, methods)}  };`).join('\n')}
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
  const schemas = Object.keys(document.components.schemas ?? {})
    .filter(isTypeName)
    .map((name) => (name === 'Error' ? '  Error as ErrorBody,' : `  ${name},`));
  return `${banner}export type {\n${schemas.join('\n')}\n} from './types.ts';
export type {\n${parameters.join('\n')}\n} from './client.ts';
`;
}
