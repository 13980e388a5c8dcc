/** Named types for the arguments of the client's methods, so that editors and emitted declarations show names. */
import { resolve } from '../../server/contract/plain-document.ts';
import { schemaLimits } from '../../server/contract/schema-limits.ts';
import type { CallBody, CallParameter, CallShape } from './client-call.ts';
import type { MethodName } from '../../server/contract/method-name.ts';
import type { Placed } from './client-operation.ts';

/** A description without links to paths of the service, which neither an editor nor a terminal can open. */
export const withoutPathLinks = (text: string): string =>
  text.replaceAll(/\[([^\]]+)\]\((\/[^)]*)\)/g, (_, label: string, path: string) =>
    label.replaceAll('`', '') === path ? `\`${path}\` of the service` : `${label} (\`${path}\` of the service)`,
  );

/** A text in one line of a comment. */
const commented = (text: string): string => withoutPathLinks(text).trim().replace(/\s+/g, ' ').replaceAll('*/', '*\\/');

/** The name of a property in TypeScript. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
/** A value as a literal; in one, `__proto__` is the prototype unless it is computed. */
export const literalOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll('"__proto__":', '["__proto__"]:');
/** A name as a string literal. */
export const literal = (name: string): string => `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Something that may be deprecated, with its last day. */
interface Deprecatable {
  readonly deprecated?: boolean | undefined;
  readonly 'x-sunset'?: string | undefined;
}

/** The tag of a deprecation in a doc comment; undefined for what is not deprecated. */
export const deprecationTag = ({ deprecated, 'x-sunset': sunset }: Deprecatable): string | undefined =>
  deprecated === true ? `@deprecated${sunset === undefined ? '' : ` Its last day is ${sunset}.`}` : undefined;

/** The aliases for the parts of a request in generated/types.ts. */
export const aliases: Readonly<Record<string, string>> = {
  Path: "NonNullable<Operations[Id]['parameters']['path']>",
  Query: "NonNullable<Operations[Id]['parameters']['query']>",
  Header: "NonNullable<Operations[Id]['parameters']['header']>",
  Cookie: "NonNullable<Operations[Id]['parameters']['cookie']>",
  Content: "NonNullable<Operations[Id]['requestBody']>['content']",
};

/** The type of a parameter, as generated/types.ts has it. */
function typeOf(document: object, operationId: string, parameter: CallParameter): string {
  const { in: place, name, schema } = parameter;
  const type = `${capitalised(place)}<${literal(operationId)}>[${literal(name)}]`;
  const { type: kind } = resolve<Record<string, unknown>>(document, schema ?? {});
  if (kind === 'array') return `Readonly<${type}>`;
  const unit = unitOf(document, parameter);
  return unit === undefined ? type : `${type} | ${unit === 1 ? 'boolean' : 'Date'}`;
}

/**
 * The unit of a parameter of the query for which the method takes something else beside the value of the contract: 1 for a boolean, where the
 * contract has a flag of `0` and `1`, and the ms of a unit of time for a Date (`x-unit`). Undefined for any other parameter.
 */
export function unitOf(document: object, { in: place, form, schema }: CallParameter): number | undefined {
  if (place !== 'query' || form !== undefined) return undefined;
  const { enum: values, 'x-unit': unit } = resolve<Record<string, unknown>>(document, schema ?? {});
  if (Array.isArray(values) && values.toSorted().join() === '0,1') return 1;
  return unit === 'unix-seconds' ? 1000 : undefined;
}

/** The description of a parameter or member with its limits, in one line: `The number of items. 1 to 100, default 20.` */
export function parameterText(document: object, description: string | undefined, schema: unknown): string {
  const text = commented(description ?? '');
  const limits = schemaLimits(schema, document);
  if (limits === '' || text.includes(limits)) return text;
  const sentence = `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  return text === '' ? sentence : `${/[.!?:)`]$/.test(text) ? text : `${text}.`} ${sentence.replaceAll('*/', '*\\/')}`;
}

/** A member of the type. An optional one may also be undefined, and a cursor null, as `next_cursor` of the last page is. */
function member(document: object, operationId: string, parameter: CallParameter): string {
  const { key, required, description } = parameter;
  const text = [parameterText(document, description, parameter.schema), deprecationTag(parameter)]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const comment = text === '' ? '' : `  /** ${text} */\n`;
  const type = typeOf(document, operationId, parameter);
  if (required) return `${comment}  ${propertyName(key)}: ${type};`;
  return `${comment}  ${propertyName(key)}?: ${type}${key === 'cursor' ? ' | null' : ''} | undefined;`;
}

/** The member of an optional parameter that must be present. */
const chosenMember = (typed: (parameter: CallParameter) => string, parameter: CallParameter): string =>
  typed({ ...parameter, required: true }).replace(/: (\w+<.*);$/, ': Exclude<$1, undefined>;');

const objectType = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`;

/** The type of an argument: a union where exactly one of several parameters must be present. */
function givenType(document: object, { operation }: Placed, given: readonly CallParameter[], body: string[]): string {
  const alternatives = operation['x-exactly-one-of'] ?? [];
  const { operationId } = operation;
  const typed = (parameter: CallParameter): string => member(document, operationId, parameter);
  if (alternatives.length === 0) return objectType([...given.map(typed), ...body]);
  const variant = (chosen: string): string =>
    objectType([
      ...given.map((each) => {
        if (!alternatives.includes(each.key)) return typed(each);
        return each.key === chosen ? chosenMember(typed, each) : `  ${propertyName(each.key)}?: never;`;
      }),
      ...body,
    ]);
  return `\n| ${alternatives.map(variant).join('\n| ')}`;
}

/** The type of the body of an operation, as generated/types.ts has it: of several media types, any of them. */
function bodyType(operationId: string, { kinds }: CallBody): string {
  const content = `Content<${literal(operationId)}>`;
  const types = Object.keys(kinds);
  return types.length === 1 ? `${content}[${literal(types[0]!)}]` : `${content}[keyof ${content}]`;
}

/** The declaration of the type of an argument; undefined where the method has none. */
function declaration(document: object, name: string, placed: Placed, shape: CallShape): string | undefined {
  const { parameters, body } = shape;
  const type = body && bodyType(placed.operation.operationId, body);
  const whole = body !== undefined && body.members === undefined ? body : undefined;
  const wholeMember =
    whole === undefined ? [] : [`  body${whole.required ? '' : '?'}: ${type}${whole.required ? '' : ' | undefined'};`];
  if (parameters.length === 0 && body === undefined) return undefined;
  const given = givenType(document, placed, parameters, wholeMember);
  if (body === undefined || whole !== undefined)
    return given.startsWith('{') ? `export interface ${name} ${given}` : `export type ${name} =${given};`;
  // Without its members, an optional body is not sent.
  const members = body.required ? type : `(${type} | { [Name in keyof ${type}]?: never })`;
  return parameters.length === 0
    ? `export type ${name} = ${members};`
    : `export type ${name} = ${members} & (${given});`;
}

/** An operation with the shape of its call. */
export type Shaped = Placed & { readonly shape: CallShape };

/**
 * One named type for each operation whose method has an argument, and the interface that maps operations to them. Where methods
 * of several groups have the same name, the names of their types start with the group.
 */
export function parameterTypes(
  operations: readonly Shaped[],
  document: object,
  methodName: (placed: Placed) => MethodName,
): string {
  const methods = operations.map((placed) => methodName(placed).name);
  const types: string[] = [];
  const rows: string[] = [];
  for (const placed of operations) {
    const { operationId, summary = operationId } = placed.operation;
    const { group, name: method } = methodName(placed);
    const short = `${capitalised(method)}Params`;
    const isShared = methods.filter((other) => other === method).length > 1;
    const name = isShared ? `${capitalised(group)}${short}` : short;
    const declared = declaration(document, name, placed, placed.shape);
    if (declared === undefined) continue;
    types.push(`/** The parameters of \`client.${group}.${method}\`: ${commented(summary)}. */\n${declared}`);
    rows.push(`  ${propertyName(operationId)}: ${name};`);
  }
  return `${types.join('\n\n')}

/** The parameters of each operation that has any. */
export interface NamedParameters {
${rows.join('\n')}
}
`;
}
