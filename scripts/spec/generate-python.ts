/** The contract for the Python client: types of the responses, a method for each operation, and a class for each error. */
import { mediaKind } from '../../server/contract/media-type.ts';
import { methodName } from '../../server/contract/method-name.ts';
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import { isObject } from '../../server/text/object.ts';
import { callShape, type CallShape } from './client-call.ts';
import { unitOf, withoutPathLinks } from './client-parameters.ts';
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
  /** Whether it is a member of the body in JSON. */
  readonly isMember?: boolean;
  /** The unit of a flag or time that the method also takes in the types of Python. */
  readonly unit?: number | undefined;
}

/** The parameters of a method: those of the contract in path and query, and the members of its body in JSON. */
function parametersOf(document: object, placed: Placed, shape: CallShape): Described[] {
  const located = shape.parameters
    .filter((each) => each.in === 'query' || each.in === 'path')
    .map((each): Described => ({ ...each, unit: unitOf(document, each) }));
  if (shape.body === undefined) return located;
  const { content = {} } = resolve<{ content?: Record<string, { schema?: Schema }> }>(
    document,
    placed.operation.requestBody as { $ref: string },
  );
  const { properties = {} } = resolve<{ properties?: Schemas }>(document, Object.values(content)[0]?.schema ?? {});
  const { needed } = shape.body;
  const members = Object.entries(properties).map(([name, schema]) => {
    const { description } = resolve<Schema>(document, schema);
    return { name, required: needed.has(name), schema, description: textOf(description), isMember: true };
  });
  return [...located, ...members];
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Whether a member that can be left out can be null too, which means something else. */
const isNullable = (document: object, { schema, required, isMember }: Described): boolean =>
  isMember === true &&
  !required &&
  [resolve<Schema>(document, (schema ?? {}) as Schema)['type']].flat().includes('null');

/** The argument of a method for a parameter, with its type and default. */
function argument(document: object, parameter: Described): string {
  const { name, required, schema, unit } = parameter;
  const type = typeOf(schema) + (unit === undefined ? '' : unit === 1 ? ' | bool' : ' | datetime.datetime');
  if (isNullable(document, parameter)) return `${snake(name)}: ${type} | None | NotGiven = NOT_GIVEN`;
  return `${snake(name)}: ${type}${required ? '' : ' | None = None'}`;
}

/** The types and kinds of what a method returns. */
function answersOf({ successes }: CallShape): { type: string; kinds: Record<string, string> } {
  const media = successes.flatMap(({ content }) => Object.entries(content));
  const types = media.map(([name, { schema }]) => (mediaKind(name) === 'binary' ? 'bytes' : typeOf(schema)));
  const hasNothing = successes.some(({ content }) => Object.keys(content).length === 0);
  const kinds = Object.fromEntries(media.map(([name]) => [name, mediaKind(name)]));
  return { type: [...new Set([...types, ...(hasNothing ? ['None'] : [])])].join(' | ') || 'None', kinds };
}

/** Code of Python for texts by their names. */
const dictOf = (entries: readonly (readonly [name: string, code: string])[]): string =>
  `{${entries.map(([name, code]) => `${text(name)}: ${code}`).join(', ')}}`;

/** What a method passes for its parameters, in the types of the contract. */
function valuesOf(parameters: readonly Described[]): string {
  const code = ({ name, unit }: Described): string =>
    unit === undefined ? snake(name) : `${unit === 1 ? 'flag' : 'seconds'}(${snake(name)})`;
  return dictOf(parameters.map((each) => [each.name, code(each)] as const));
}

/** The lines of a method: its name, arguments, result, description and call. */
interface Method {
  readonly name: string;
  readonly arguments_: readonly string[];
  readonly result: string;
  readonly operation: Placed['operation'];
  readonly parameters: readonly Described[];
  readonly call: string;
}

function methodText({ name, arguments_, result, operation, parameters, call }: Method): string {
  const signature = ['self', ...(arguments_.length === 0 ? [] : ['*', ...arguments_])].join(', ');
  const described = parameters.flatMap(({ name: parameter, description }) =>
    description === undefined ? [] : [`:param ${snake(parameter)}: ${description.trim().replace(/\s+/g, ' ')}`],
  );
  const doc = [`${operation.summary ?? operation.operationId}.`, operation.description?.trim(), described.join('\n')]
    .filter(Boolean)
    .join('\n\n');
  return `    def ${name}(${signature}) -> ${result}:\n${docOf(doc, '        ')}        answer: ${result} = ${call}\n        return answer\n`;
}

/** The methods of an operation whose response is a stream: all its messages, and the events alone. */
function streamMethods(document: object, placed: Placed, name: string): string {
  const { operation, path } = placed;
  const shape = callShape(document, placed);
  const parameters = parametersOf(document, placed, shape);
  const arguments_ = parameters.map((each) => argument(document, each));
  const others = parameters.filter((each) => each.name !== 'cursor');
  const open = (kind: string): string =>
    `EventStream(self._client, ${text(path)}, ${valuesOf(others)}, cursor, kind=${kind})`;
  const { type } = answersOf(shape);
  const of = { arguments_, operation, parameters };
  const all = methodText({ ...of, name, result: `EventStream[${type}]`, call: open('None') });
  const events = methodText({
    ...of,
    name: 'events',
    result: 'EventStream[WsEvent]',
    operation: { ...operation, summary: `${operation.summary}, without the other messages` },
    call: open('"event"'),
  });
  return `${all}\n${events}`;
}

/** The method that returns the answer of an operation in parts, over the event stream (`ask` of the protocol). */
function askMethod(document: object, placed: Placed): string {
  const shape = callShape(document, placed);
  const parameters = parametersOf(document, placed, shape);
  return methodText({
    name: 'stream',
    arguments_: parameters.map((each) => argument(document, each)),
    result: `AnswerStream[${answersOf(shape).type}]`,
    operation: { ...placed.operation, summary: `${placed.operation.summary}; the answer comes in parts` },
    parameters,
    call: `AnswerStream(self._client, "/ws", ${valuesOf(parameters)})`,
  });
}

/** The method of an operation. */
function method(document: object, placed: Placed, template: string | undefined): string {
  const { operation } = placed;
  const shape = callShape(document, placed);
  const name = snake(methodName(placed, template).name);
  const answers = answersOf(shape);
  if (Object.values(answers.kinds).includes('event-stream')) return streamMethods(document, placed, name);
  const items = operation['x-items'];
  const parameters = parametersOf(document, placed, shape).filter(
    (each) => items === undefined || each.name !== 'cursor',
  );
  const members = parameters.filter(({ isMember }) => isMember === true);
  const nullable = members.filter((each) => isNullable(document, each));
  const isPlain = Object.keys(answers.kinds).join() === 'application/json';
  const kinds = Object.entries(answers.kinds).map(([type, kind]) => [type, text(kind)] as const);
  const options = [
    ...(shape.body === undefined ? [] : [`body=${valuesOf(members)}`]),
    ...(nullable.length === 0 ? [] : [`nullable=(${nullable.map((each) => `${text(each.name)},`).join(' ')})`]),
    ...(isPlain ? [] : [`answers=${dictOf(kinds)}`]),
    ...(operation['x-repeat'] === 'safe' ? [] : ['is_repeatable=False']),
    ...(operation['x-timeout-seconds'] === undefined ? [] : [`timeout=${operation['x-timeout-seconds']}`]),
  ];
  const arguments_ = parameters.map((each) => argument(document, each));
  const located = valuesOf(parameters.filter(({ isMember }) => isMember !== true));
  const call = [text(placed.method.toUpperCase()), text(placed.path), located];
  const of = { name, operation, parameters };
  if (items === undefined)
    return methodText({
      ...of,
      arguments_,
      result: answers.type,
      call: `self._client._request(${[...call, ...options].join(', ')})`,
    });
  const pageSize = Number((shape.parameters.find((each) => each.name === 'limit')?.schema ?? {})['maximum'] ?? 100);
  options.push(`items=${text(items)}`, `page_size=${pageSize}`, 'cursor=cursor', 'max_items=max_items');
  const [media] = Object.values(shape.successes[0]?.content ?? {}) as { schema?: Schema }[];
  const page = resolve<{ properties?: Record<string, Schema> }>(document, media?.schema ?? {});
  const item = typeOf(resolve<Schema>(document, page.properties?.[items] ?? {})['items']);
  return methodText({
    ...of,
    arguments_: [...arguments_, 'cursor: str | None = None', 'max_items: int | None = None'],
    result: `Pages[${item}, ${answers.type}]`,
    call: `self._client._pages(${[...call, ...options].join(', ')})`,
  });
}

/** The operation whose parameters a question over the event stream has, as `WsAskParams` says. */
const askedOperation = 'explainTweet';

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
  const isStream = (placed: Placed): boolean =>
    Object.values(answersOf(callShape(document, placed)).kinds).includes('event-stream');
  const streaming = [...groups.keys()].filter((group) => groups.get(group)!.some(isStream)).slice(0, 1);
  const className = (group: string): string => `${capitalised(group)}Methods`;
  const errors = errorsOf(operations);
  const explain = operations.find(({ operation }) => operation.operationId === askedOperation);
  const asked = explain && { placed: explain, group: 'assistant' };
  const names = inOrder(schemas, reachable(schemas, [responses, parameters]));
  return `# Written by \`npm run generate\` from spec/. Do not edit.
"""The types, methods and errors of the contract."""

from __future__ import annotations

import datetime
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from .runtime import NOT_GIVEN, ApiError, NotGiven, Pages, Runtime, flag, seconds
from .streams import AnswerStream, EventStream

__all__ = [
${['Client', ...names, ...errors.keys(), 'errors'].map((name) => `    ${text(name)},\n`).join('')}]


${names.map((name) => declaration(name, schemas[name]!)).join('\n\n')}

${Array.from(errors, ([name, status]) => `class ${name}(ApiError):\n    """An error response with the status ${status}."""\n`).join('\n\n')}

#: The class of each error status.
errors: dict[int, type[ApiError]] = {
${Array.from(errors, ([name, status]) => `    ${status}: ${name},\n`).join('')}}


class Methods:
    """A group of methods of a client."""

    def __init__(self, client: Runtime) -> None:
        self._client = client


${Array.from(groups, ([group, placed]) => `class ${className(group)}(Methods):\n    """The methods of \`client.${snake(group)}\`."""\n\n${[...placed.map((each) => method(document, each, template)), ...(group === asked?.group ? [askMethod(document, asked.placed)] : [])].join('\n')}`).join('\n\n')}

class Client(Runtime):
    """A client of the service. Its parameters are those of \`Runtime\`."""

    _errors = errors

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
${Array.from(groups.keys(), (group) => `        self.${snake(group)} = ${className(group)}(self)\n`).join('')}${streaming.map((group) => `        self.events = self.${snake(group)}.events\n`).join('')}`;
}
