/** Existing values of parameters: collected from responses by the links of the contract, or provided by the user. */
import { valueAt } from '../arbitrary/schema.ts';
import { type Contract, type Link, type Operation } from './contract.ts';
import { parametersOf, type Call } from './call.ts';

/** The maximum number of stored values per parameter. */
const maxValues = 12;

/** The name of the link from a page to the one after it. */
export const nextLink = 'next';

export interface KnownValues {
  /** Stores an existing value. Returns whether it was new. */
  learn(operation: Operation, parameter: string, value: string): boolean;
  /** The values of a parameter, in insertion order. */
  of(operation: Operation, parameter: string): readonly string[];
  has(operation: Operation, parameter: string, value: string): boolean;
  hasBody(operation: Operation, body: string): boolean;
  /** Whether the parameter references an entity, which may not exist. */
  isReference(operation: Operation, parameter: string): boolean;
  /** Whether the parameter takes the cursor of a page. */
  isCursor(operation: Operation, parameter: string): boolean;
}

/** The values of a runtime expression for a call and its response body; an index matches every item. */
export function evaluate(expression: unknown, call: Call, body: unknown): unknown[] {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return [expression];
  const query = /^\$request\.(?:query|path)\.(.+)$/.exec(expression)?.[1];
  if (query !== undefined) return parametersOf(call).get(query) ?? [];
  const pointer = /^\$response\.body#(\/.*|)$/.exec(expression)?.[1];
  if (pointer === undefined) return [];
  const index = /\/\d+(?=\/|$)/.exec(pointer);
  if (!index) return [valueAt(body, pointer)].filter((value) => value !== undefined && value !== null);
  const list = valueAt(body, pointer.slice(0, index.index));
  const rest = pointer.slice(index.index + index[0].length);
  if (!Array.isArray(list)) return [];
  return [...new Set(list.flatMap((item) => evaluate(`$response.body#${rest}`, call, item)))];
}

/** Embedded runtime expressions in braces (OpenAPI 3.1, 4.8.20.4). */
const embedded = /\{(\$[^{}]+)\}/g;

/**
 * The JSON bodies of the `requestBody` of a link. A runtime expression gives its values. A text with embedded expressions
 * gives one JSON text for each value of the first expression. Any other value is the body itself.
 */
export function linkedBodies(requestBody: unknown, call: Call, answer: unknown): string[] {
  const expressions =
    typeof requestBody === 'string' ? Array.from(requestBody.matchAll(embedded), ([, expression]) => expression) : [];
  if (typeof requestBody !== 'string' || expressions.length === 0)
    return evaluate(requestBody, call, answer).map((value) => JSON.stringify(value));
  const [lead, ...others] = expressions.map((expression) => evaluate(expression, call, answer));
  if (lead === undefined || others.some(([value]) => value === undefined)) return [];
  const rest = others.map(([value]) => value);
  return lead.map((first) => {
    const values = [first, ...rest];
    return requestBody.replace(embedded, () => JSON.stringify(String(values.shift())).slice(1, -1));
  });
}

/** The parameters of a link whose expressions read the response. */
export const responseExpressions = ({ parameters }: Link): [string, string][] =>
  Object.entries(parameters).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1].startsWith('$response'),
  );

/** Creates the store of known values. `provided` holds the values of the user by parameter name. */
export function createKnownValues(
  { operations }: Contract,
  provided: ReadonlyMap<string, readonly string[]>,
): KnownValues {
  const values = new Map<string, Set<string>>();
  // Operations that share a parameter of the contract share its values, because it references the same kind of entity.
  const valuesOf = ({ id, parameters }: Operation, parameter: string): Set<string> => {
    const name = parameters.get(parameter)?.pointer ?? `${id} ${parameter}`;
    const stored = values.get(name) ?? new Set();
    values.set(name, stored);
    return stored;
  };
  const links = operations.flatMap((from) => from.links.map((link) => ({ from, link })));
  const isLinkTarget = (operation: Operation, parameter: string, next: boolean): boolean =>
    links.some(
      ({ from, link }) =>
        link.target === operation.id &&
        (link.name === nextLink && from.id === operation.id) === next &&
        responseExpressions(link).some(([name]) => name === parameter),
    );
  for (const operation of operations) {
    for (const { name, hasSyntax, example } of operation.parameters.values()) {
      for (const value of provided.get(name) ?? []) valuesOf(operation, name).add(value);
      // The example of a parameter with a syntax is valid.
      if (hasSyntax && example !== undefined) valuesOf(operation, name).add(example);
    }
  }
  return {
    learn(operation, parameter, value) {
      const stored = valuesOf(operation, parameter);
      if (stored.has(value) || stored.size >= maxValues) return false;
      stored.add(value);
      return true;
    },
    of: (operation, parameter) => [...valuesOf(operation, parameter)],
    has: (operation, parameter, value) => valuesOf(operation, parameter).has(value),
    hasBody: (operation, body) => valuesOf(operation, bodySlot).has(body),
    isCursor: (operation, parameter) => isLinkTarget(operation, parameter, true),
    isReference(operation, parameter) {
      const { required, hasSyntax, node, form } = operation.parameters.get(parameter) ?? {};
      if (node === undefined || form !== undefined) return false;
      if (isLinkTarget(operation, parameter, true) || hasSyntax || node.schema.enum !== undefined) return false;
      return (
        required === true ||
        operation.exactlyOneOf.includes(parameter) ||
        operation.atLeastOneOf.includes(parameter) ||
        isLinkTarget(operation, parameter, false)
      );
    },
  };
}

/** The name under which request bodies are stored. */
export const bodySlot = '(body)';
