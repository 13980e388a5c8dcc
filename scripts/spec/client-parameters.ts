/** Named types for the parameters of the client's methods, so that editors and emitted declarations show names. */
import { resolve } from '../../server/contract/plain-document.ts';
import type { Placed } from './generate-client.ts';

type Parameter = Placed['parameters'][number];

/** A text in one line of a comment. */
const commented = (text: string): string => text.trim().replace(/\s+/g, ' ').replaceAll('*/', '*\\/');

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
  if (required) return `${comment}  ${name}: ${type};`;
  return `${comment}  ${name}?: ${type}${name === 'cursor' ? ' | null' : ''} | undefined;`;
}

const objectType = (members: readonly string[]): string => `{\n${members.join('\n')}\n}`;

/** The type of an operation without a body: a union where exactly one of several parameters must be present. */
function queryType(document: object, name: string, { operation, parameters }: Placed): string {
  const given = parameters.filter((each) => each.in !== 'header' && each.in !== 'cookie');
  const alternatives = operation['x-exactly-one-of'] ?? [];
  if (alternatives.length === 0)
    return `export interface ${name} ${objectType(given.map((each) => member(document, each)))}`;
  const variant = (chosen: string): string =>
    objectType(
      given.map((each) => {
        if (!alternatives.includes(each.name)) return member(document, each);
        return each.name === chosen ? member(document, { ...each, required: true }) : `  ${each.name}?: never;`;
      }),
    );
  return `export type ${name} =\n| ${alternatives.map(variant).join('\n| ')};`;
}

/** The name of the schema of an operation's body; undefined where it has none. */
function bodySchema(document: object, { requestBody }: Placed['operation']): string | undefined {
  if (requestBody === undefined) return undefined;
  const { content } = resolve<{ content?: Record<string, { schema?: { $ref?: string } }> }>(document, requestBody);
  return content?.['application/json']?.schema?.$ref?.split('/').at(-1);
}

/** One named type for each operation with parameters, and the interface that maps operations to them. */
export function parameterTypes(
  operations: readonly Placed[],
  document: object,
  methodName: (path: string) => { readonly group: string; readonly name: string },
): string {
  const names = new Set<string>();
  const types: string[] = [];
  const rows: string[] = [];
  for (const placed of operations) {
    const { operationId, summary = operationId } = placed.operation;
    const { group, name: method } = methodName(placed.path);
    const short = `${capitalised(method)}Params`;
    const name = names.has(short) ? `${capitalised(group)}${short}` : short;
    const body = bodySchema(document, placed.operation);
    if (body === undefined && placed.parameters.length === 0) continue;
    names.add(name);
    const type = body === undefined ? queryType(document, name, placed) : `export type ${name} = Schemas['${body}'];`;
    types.push(`/** The parameters of \`client.${group}.${method}\`: ${commented(summary)}. */\n${type}`);
    rows.push(`  ${operationId}: ${name};`);
  }
  return `${types.join('\n\n')}

/** The parameters of each operation that has any. */
export interface NamedParameters {
${rows.join('\n')}
}
`;
}
