/** Named types for the parameters of the client's methods, so that editors and emitted declarations show names. */
import { resolve } from '../../server/contract/plain-document.ts';
import type { MethodName, Placed } from './client-operation.ts';
import { escapeKey } from './pointer.ts';
import { SpecError } from './spec-error.ts';

type Parameter = Placed['parameters'][number];

/** A text in one line of a comment. */
const commented = (text: string): string => text.trim().replace(/\s+/g, ' ').replaceAll('*/', '*\\/');

/** The name of a property in TypeScript. */
export const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The TypeScript type of a parameter. */
function typeOf(document: object, schema: Record<string, unknown> = {}): string {
  const { type, enum: values, items } = resolve<Record<string, unknown>>(document, schema);
  if (Array.isArray(values)) return values.map((value) => `'${String(value)}'`).join(' | ');
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return `readonly (${typeOf(document, items as Record<string, unknown>)})[]`;
  return 'string';
}

/** A member of the type. An optional one may also be undefined, and a cursor null, as `next_cursor` of the last page is. */
function member(document: object, { name, required, description, schema }: Parameter): string {
  const comment = description === undefined ? '' : `  /** ${commented(description)} */\n`;
  const type = typeOf(document, schema);
  if (required) return `${comment}  ${propertyName(name)}: ${type};`;
  return `${comment}  ${propertyName(name)}?: ${type}${name === 'cursor' ? ' | null' : ''} | undefined;`;
}

const objectType = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`;

/** The type of parameters: a union where exactly one of several must be present. */
function givenType(document: object, { operation }: Placed, given: readonly Parameter[]): string {
  const alternatives = operation['x-exactly-one-of'] ?? [];
  if (alternatives.length === 0) return objectType(given.map((each) => member(document, each)));
  const variant = (chosen: string): string =>
    objectType(
      given.map((each) => {
        if (!alternatives.includes(each.name)) return member(document, each);
        return each.name === chosen
          ? member(document, { ...each, required: true })
          : `  ${propertyName(each.name)}?: never;`;
      }),
    );
  return `\n| ${alternatives.map(variant).join('\n| ')}`;
}

interface BodySchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, unknown>>;
}

/**
 * The type of the body of an operation; undefined where it has none. Throws a SpecError for a body that the client cannot send: it
 * is no JSON object, or has a member with the name of a parameter, because a method takes both in one object.
 */
function bodyType(
  document: object,
  { path, method, operation }: Placed,
  given: readonly Parameter[],
): string | undefined {
  const { operationId, requestBody } = operation;
  if (requestBody === undefined) return undefined;
  const refuse = (message: string, fix: string): never => {
    throw new SpecError(`${operationId}: ${message}`, `/paths/${escapeKey(path)}/${method}/requestBody`, fix);
  };
  const { content } = resolve<{ content?: Record<string, { schema?: BodySchema }> }>(document, requestBody);
  const schema = content?.['application/json']?.schema;
  if (schema === undefined)
    return refuse('the client sends JSON bodies only', 'give the body the media type application/json and a schema.');
  const { type = 'object', properties = {} } = resolve<BodySchema>(document, schema);
  if (![type].flat().includes('object'))
    refuse('the client sends objects only', 'describe the body as an object with members.');
  const names = given.map(({ name }) => name);
  const twice = [...Object.keys(properties), ...names].find((name, at, all) => all.indexOf(name) < at);
  if (twice !== undefined)
    refuse(
      `'${twice}' is the name of two parameters, or of a parameter and a member of the body`,
      'rename one of them.',
    );
  return schema.$ref === undefined
    ? `NonNullable<Operations['${operationId}']['requestBody']>['content']['application/json']`
    : `Schemas['${schema.$ref.split('/').at(-1)}']`;
}

/** The declaration of the type of an operation's parameters; undefined where it has none. */
function declaration(document: object, name: string, placed: Placed): string | undefined {
  const given = placed.parameters.filter((each) => each.in !== 'header' && each.in !== 'cookie');
  const body = bodyType(document, placed, given);
  if (body !== undefined && given.length === 0) return `export type ${name} = ${body};`;
  if (given.length === 0) return undefined;
  const type = givenType(document, placed, given);
  if (body !== undefined) return `export type ${name} = ${body} & (${type});`;
  return type.startsWith('{') ? `export interface ${name} ${type}` : `export type ${name} =${type};`;
}

/**
 * One named type for each operation with parameters, and the interface that maps operations to them. Where methods of several
 * groups have the same name, the names of their types start with the group.
 */
export function parameterTypes(
  operations: readonly Placed[],
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
    const declared = declaration(document, name, placed);
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
