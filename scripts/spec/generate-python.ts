/** The contract for the Python client: types of the responses, a method for each operation, and a class for each error. */
import { methodName } from '../../server/contract/method-name.ts';
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import { isObject } from '../../server/text/object.ts';
import { callShape, type CallShape } from './client-call.ts';
import { withoutPathLinks } from './client-parameters.ts';
import type { Placed } from './client-operation.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

const keywords = new Set(
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False'.split(
    ' ',
  ),
);
const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name);
/** A name in snake case that is no keyword. */
const snake = (name: string): string => {
  const text = name.replace(/\W/g, '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return isName(text) ? text : `${text}_`;
};
const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const text = (value: unknown): string => JSON.stringify(value);

/** A comment of Python with these lines. */
function docOf(description: unknown, indent: string): string {
  if (typeof description !== 'string' || description.trim() === '') return '';
  const lines = withoutPathLinks(description).trim().replaceAll('\\', '\\\\').replaceAll('"""', "'''").split('\n');
  return `${indent}"""${lines.join(`\n${indent}`).replace(/"$/, '" ')}"""\n`.replaceAll(/ +$/gm, '');
}

/** A JSON value as a literal type. */
const literalOf = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : text(value);

/** The type of the values of a schema. */
function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'Any';
  const { $ref, type, enum: values, items, anyOf, oneOf, allOf } = schema as Schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1)!;
  if (Array.isArray(values)) return `Literal[${values.map(literalOf).join(', ')}]`;
  if ('const' in schema) return `Literal[${literalOf(schema.const)}]`;
  const parts = [anyOf, oneOf].find((each) => Array.isArray(each)) as unknown[] | undefined;
  if (parts !== undefined) return [...new Set(parts.map(typeOf))].join(' | ');
  if (Array.isArray(allOf) && allOf.length === 1) return typeOf(allOf[0]);
  const types: Readonly<Record<string, string>> = {
    string: 'str',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    null: 'None',
    array: `list[${typeOf(items)}]`,
    object: 'dict[str, Any]',
  };
  const known = [type].flat().flatMap((each) => types[String(each)] ?? []);
  return known.length === 0 ? 'Any' : known.join(' | ');
}

/** Whether a schema is a class in Python. */
const isClass = ({ properties }: Schema): boolean => isObject(properties) && Object.keys(properties).every(isName);

/** The names of schemas, so that Python knows what it evaluates: the classes, whose members it does not, and then the others after what they name. */
function inOrder(schemas: Schemas, names: readonly string[]): string[] {
  const ordered = new Set(names.filter((name) => isClass(schemas[name]!)));
  const add = (name: string): void => {
    if (ordered.has(name)) return;
    for (const other of reachable(schemas, schemas[name])) if (other !== name && !isClass(schemas[other]!)) add(other);
    ordered.add(name);
  };
  names.forEach(add);
  return [...ordered];
}

/** The declaration of a schema: a class for an object with members, else an alias. */
function declaration(name: string, schema: Schema): string {
  const { properties, required = [], description } = schema;
  if (!isObject(properties) || !Object.keys(properties).every(isName))
    return `${name}: TypeAlias = ${typeOf(schema)}\n`;
  const needed = new Set(required as string[]);
  const members = Object.entries(properties).map(([member, each]) => {
    const type = typeOf(each);
    return `    ${member}: ${needed.has(member) ? type : `NotRequired[${type}]`}\n`;
  });
  return `class ${name}(TypedDict):\n${docOf(description, '    ')}${members.join('') || '    pass\n'}`;
}

/** The names of the schemas that a value leads to, in the order of the contract. */
function reachable(schemas: Schemas, start: unknown): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      visit(schemas[name] ?? {});
    }
  };
  visit(start);
  return Object.keys(schemas).filter((name) => found.has(name));
}

interface Described {
  readonly name: string;
  readonly required: boolean;
  readonly schema?: unknown;
  readonly description?: string | undefined;
}

/** The parameters of a method: those of the contract, or the members of its body in JSON. */
function parametersOf(document: object, placed: Placed, shape: CallShape): Described[] {
  if (shape.body === undefined) return shape.parameters.filter((each) => each.in === 'query' || each.in === 'path');
  const { content = {} } = resolve<{ content?: Record<string, { schema?: Schema }> }>(
    document,
    placed.operation.requestBody as { $ref: string },
  );
  const { properties = {} } = resolve<{ properties?: Schemas }>(document, Object.values(content)[0]?.schema ?? {});
  return Object.entries(properties).map(([name, schema]) => ({ name, required: shape.body!.needed.has(name), schema }));
}

/** The method of an operation. */
function method(document: object, placed: Placed, template: string | undefined): string {
  const { operation } = placed;
  const shape = callShape(document, placed);
  const items = operation['x-items'];
  const parameters = parametersOf(document, placed, shape).filter(
    ({ name }) => items === undefined || name !== 'cursor',
  );
  const arguments_ = parameters.map(({ name, required, schema }) => {
    const type = typeOf(schema);
    return required ? `${snake(name)}: ${type}` : `${snake(name)}: ${type} | None = None`;
  });
  if (items !== undefined) arguments_.push('cursor: str | None = None', 'max_items: int | None = None');
  const [media] = Object.values(shape.successes[0]?.content ?? {}) as { schema?: Schema }[];
  const answer = typeOf(media?.schema);
  const list = resolve<{ properties?: Record<string, Schema> }>(document, media?.schema ?? {}).properties?.[
    items ?? ''
  ];
  const item = typeOf(resolve<Schema>(document, list ?? {})['items']);
  const result = items === undefined ? answer : `Pages[${item}, ${answer}]`;
  const given = parameters.map(({ name }) => `${text(name)}: ${snake(name)}`);
  const call = [text(placed.method.toUpperCase()), text(placed.path), `{${given.join(', ')}}`];
  const options = [
    ...(shape.body === undefined ? [] : ['has_body=True']),
    ...(operation['x-repeat'] === 'safe' ? [] : ['is_repeatable=False']),
    ...(operation['x-timeout-seconds'] === undefined ? [] : [`timeout=${operation['x-timeout-seconds']}`]),
  ];
  const pageSize = Number((shape.parameters.find(({ name }) => name === 'limit')?.schema ?? {})['maximum'] ?? 100);
  const send = items === undefined ? 'request' : 'pages';
  if (items !== undefined)
    options.push(`items=${text(items)}`, `page_size=${pageSize}`, 'cursor=cursor', 'max_items=max_items');
  const signature = ['self', ...(arguments_.length === 0 ? [] : ['*', ...arguments_])].join(', ');
  const described = parameters.flatMap(({ name, description }) =>
    description === undefined ? [] : [`:param ${snake(name)}: ${description.trim().replace(/\s+/g, ' ')}`],
  );
  const doc = [`${operation.summary ?? operation.operationId}.`, operation.description?.trim(), described.join('\n')]
    .filter(Boolean)
    .join('\n\n');
  return `    def ${snake(methodName(placed, template).name)}(${signature}) -> ${result}:
${docOf(doc, '        ')}        return self._client._${send}(${[...call, ...options].join(', ')})
`;
}

/** The errors of the contract: the name of the response and its status. */
function errorsOf(operations: readonly Placed[]): Map<string, number> {
  const errors = new Map<string, number>();
  for (const { operation } of operations)
    for (const [status, response] of Object.entries(operation.responses ?? {}))
      if (Number(status) >= 400 && '$ref' in response) {
        const name = response.$ref.split('/').at(-1)!;
        errors.set(name.endsWith('Error') ? name : `${name}Error`, Number(status));
      }
  return errors;
}

/** The module `contract` of the Python client. */
export function pythonContract(operations: readonly Placed[], source: object, template: string | undefined): string {
  const document = normaliseDocument(source) as { components?: { schemas?: Schemas } };
  const schemas = document.components?.schemas ?? {};
  const responses = operations.map((placed) => callShape(document, placed).successes.map(({ content }) => content));
  const parameters = operations.map((placed) => parametersOf(document, placed, callShape(document, placed)));
  const groups = Map.groupBy(operations, (placed) => methodName(placed, template).group);
  const className = (group: string): string => `${capitalised(group)}Methods`;
  const errors = errorsOf(operations);
  return `# Written by \`npm run generate\` from spec/. Do not edit.
"""The types, methods and errors of the contract."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .runtime import ApiError, Pages, Runtime

${inOrder(schemas, reachable(schemas, [responses, parameters]))
  .map((name) => declaration(name, schemas[name]!))
  .join('\n\n')}

${Array.from(errors, ([name, status]) => `class ${name}(ApiError):\n    """An error response with the status ${status}."""\n`).join('\n\n')}

#: The class of each error status.
errors: dict[int, type[ApiError]] = {
${Array.from(errors, ([name, status]) => `    ${status}: ${name},\n`).join('')}}


class Methods:
    """A group of methods of a client."""

    def __init__(self, client: Runtime) -> None:
        self._client = client


${Array.from(groups, ([group, placed]) => `class ${className(group)}(Methods):\n    """The methods of \`client.${snake(group)}\`."""\n\n${placed.map((each) => method(document, each, template)).join('\n')}`).join('\n\n')}

class Client(Runtime):
    """A client of the service. Its parameters are those of \`Runtime\`."""

    _errors = errors

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
${Array.from(groups.keys(), (group) => `        self.${snake(group)} = ${className(group)}(self)\n`).join('')}`;
}
