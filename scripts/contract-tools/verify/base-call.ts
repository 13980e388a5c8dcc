/** The smallest valid call of an operation, and the calls of a link. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { type Json, type SchemaNode } from '../arbitrary/schema.ts';
import { validValues } from '../arbitrary/valid.ts';
import { utf8, type Call, type QueryPart } from './call.ts';
import { writtenValue } from '../../../server/contract/written-value.ts';
import {
  mediaTypeOf,
  operationOf,
  parameterOf,
  type Contract,
  type Link,
  type Operation,
  type Parameter,
} from './contract.ts';
import { contentTypeOf, writtenBody } from './request-body.ts';
import { bodySlot, evaluate, responseExpressions, linkedBodies, type KnownValues } from './known-values.ts';

export interface Source {
  readonly contract: Contract;
  readonly known: KnownValues;
  /** Permits calls that change data. Otherwise no body of a write references an existing entity. */
  readonly write: boolean;
}

const sampleOf = (values: fc.Arbitrary<Json>): Json => fc.sample(values, { seed: 1, numRuns: 1 })[0] ?? null;

/** The boundary values of the schema in order of length, or one arbitrary value. */
function boundaryOrSample({ contract: { requests: document } }: Source, node: SchemaNode): [Json, ...Json[]] {
  const edges = boundaryValues(document, node).map(({ value }) => value);
  const [first, ...others] = edges.toSorted((a, b) => String(a).length - String(b).length);
  return first === undefined ? [sampleOf(validValues(document, node))] : [first, ...others];
}

/** A valid value that probably references no entity: the longest boundary value. */
export const unusedValue = (source: Source, node: SchemaNode): Json => boundaryOrSample(source, node).at(-1) ?? null;

/** The default value of a parameter: a known value, an example, or a boundary value. */
export function defaultValue(source: Source, operation: Operation, parameter: Parameter): string {
  const { known } = source;
  const generated = (): Json =>
    known.isReference(operation, parameter.name)
      ? unusedValue(source, parameter.node)
      : boundaryOrSample(source, parameter.node)[0];
  if (parameter.form !== undefined)
    return parameterText(parameter, sampleOf(validValues(source.contract.requests, parameter.node)));
  return known.of(operation, parameter.name)[0] ?? parameter.example ?? valueText(generated());
}

/** A value as the text of a part of a call: JSON where the parameter is no single value. */
export const parameterText = ({ form }: Parameter, value: Json): string =>
  form === undefined ? valueText(value) : JSON.stringify(value);

/** The call whose parameters that are no single values are written as the contract says. */
export function formed(operation: Operation | undefined, call: Call): Call {
  const query = call.query.map((part): QueryPart => {
    if ('raw' in part || part.encoded !== undefined) return part;
    const { form } = operation?.parameters.get(part.name) ?? {};
    if (form === undefined) return part;
    let value: Json = part.value;
    try {
      value = JSON.parse(part.value) as Json;
    } catch {
      // The text itself is sent.
    }
    const { in: place, name } = form.described;
    return { ...part, place: place as 'path', header: name, encoded: writtenValue(form.described, value) };
  });
  return { ...call, query };
}

/** A value as a parameter has it: a list with commas. */
export const valueText = (value: Json): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value);

/** The names of the required parameters, with one of each group of alternatives. */
export function requiredNames(operation: Operation, known: KnownValues): string[] {
  const { parameters, exactlyOneOf, atLeastOneOf } = operation;
  const required = [...parameters.values()].filter((parameter) => parameter.required).map(({ name }) => name);
  const best = (names: readonly string[]): string[] => {
    const first = names.find((name) => known.of(operation, name).length > 0) ?? names[0];
    return first === undefined ? [] : [first];
  };
  return [...required, ...best(exactlyOneOf), ...best(atLeastOneOf)];
}

/** A call of the operation without parameters and body. */
export function bareCall(_source: Source, { method, path, keyLocations }: Operation): Call {
  const keys = keyLocations.slice(0, 1).map((location) => ({ location }));
  return { method, path, query: [], headers: [], keys };
}

/** The smallest valid call of the operation. */
export function baseCall(source: Source, operation: Operation): Call {
  const names = requiredNames(operation, source.known);
  const query = names.map((name) => ({
    name,
    value: defaultValue(source, operation, parameterOf(operation, name)),
  }));
  const call = { ...bareCall(source, operation), query };
  return operation.body?.required ? withBody(call, operation, baseBody(source, operation)) : call;
}

function baseBody(source: Source, operation: Operation): string {
  const [known] = source.write ? source.known.of(operation, bodySlot) : [];
  if (known !== undefined) return known;
  const { node } = mediaTypeOf(operation);
  const unused = validValues(source.contract.requests, node, {
    known: (at) =>
      at.schema.$ref !== undefined && at.pointer !== node.pointer && typeof unusedValue(source, at) === 'string'
        ? fc.constant(unusedValue(source, at))
        : undefined,
  });
  return encodedBody(source, operation, sampleOf(unused));
}

/** The bytes of a body with this value, in the media type of the operation. */
export const encodedBody = ({ contract: { requests: document } }: Source, operation: Operation, value: Json): string =>
  writtenBody(document, mediaTypeOf(operation), value);

/** The call with this body, in the media type of the operation. */
export function withBody(call: Call, operation: Operation, body: string): Call {
  const { type } = mediaTypeOf(operation);
  return {
    ...call,
    headers: [...call.headers.filter(([name]) => name !== 'content-type'), ['content-type', contentTypeOf(type)]],
    body,
  };
}

/** The calls that a link derives from a response: one per item, at most `max`. */
export function linkedCalls(source: Source, link: Link, call: Call, answer: unknown, max: number): Call[] {
  const target = operationOf(source.contract, link.target);
  if (link.requestBody !== undefined) {
    return linkedBodies(link.requestBody, call, answer)
      .slice(0, max)
      .map((body) => withBody(bareCall(source, target), target, utf8(body)));
  }
  const expressions = responseExpressions(link);
  const constants = Object.entries(link.parameters).filter(([name]) => !expressions.some(([other]) => other === name));
  const fixed = constants.flatMap(([name, expression]) =>
    evaluate(expression, call, answer)
      .slice(0, 1)
      .map((value) => ({ name, value: String(value) })),
  );
  const [lead, ...others] = expressions.map(([name, expression]) =>
    evaluate(expression, call, answer).map((value) => ({ name, value: String(value) })),
  );
  return (lead ?? []).slice(0, max).map((part) => {
    const query = [...fixed, part, ...others.flatMap((values) => values.slice(0, 1))];
    const missing = query
      .flatMap(({ name }) => target.requires.get(name) ?? [])
      .filter((name) => !query.some((each) => each.name === name));
    const rest = missing.map((name) => ({ name, value: defaultValue(source, target, parameterOf(target, name)) }));
    return { ...bareCall(source, target), query: [...query, ...rest] };
  });
}
