/** The smallest valid call of an operation, and the calls of a link. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { type Json, type Place } from '../arbitrary/schema.ts';
import { validValues } from '../arbitrary/valid.ts';
import { utf8, type Call } from './call.ts';
import type { Contract, Link, Operation, Parameter } from './contract.ts';
import { bodySlot, evaluate, fromAnswer, linkedBodies, type KnownValues } from './known-values.ts';

export interface Source {
  readonly contract: Contract;
  readonly known: KnownValues;
  /** Permits calls that change data. Otherwise no body of a write references an existing entity. */
  readonly write: boolean;
}

/** The boundary values of the schema in order of length, or one arbitrary value. */
function edgesOf({ contract: { document } }: Source, place: Place): [Json, ...Json[]] {
  const edges = boundaryValues(document, place).map(({ value }) => value);
  const [first = fc.sample(validValues(document, place), { seed: 1, numRuns: 1 })[0]!, ...others] = edges.toSorted(
    (a, b) => String(a).length - String(b).length,
  );
  return [first, ...others];
}

/** A valid value that probably references no entity: the longest boundary value. */
export const unusedValue = (source: Source, place: Place): Json => edgesOf(source, place).at(-1)!;

/** The default value of a parameter: a known value, an example, or a boundary value. */
export function defaultValue(source: Source, operation: Operation, parameter: Parameter): string {
  const { known } = source;
  const invented = (): Json =>
    known.isReference(operation, parameter.name)
      ? unusedValue(source, parameter.place)
      : edgesOf(source, parameter.place)[0];
  return known.of(operation, parameter.name)[0] ?? parameter.example ?? String(invented());
}

/** The names of the required parameters, with one of each group of alternatives. */
export function needed(operation: Operation, known: KnownValues): string[] {
  const { parameters, exactlyOneOf, atLeastOneOf } = operation;
  const required = [...parameters.values()].filter((parameter) => parameter.required).map(({ name }) => name);
  const best = (names: readonly string[]): string[] => {
    const first = names.find((name) => known.of(operation, name).length > 0) ?? names[0];
    return first === undefined ? [] : [first];
  };
  return [...required, ...best(exactlyOneOf), ...best(atLeastOneOf)];
}

/** A call of the operation without parameters and body. */
export function bareCall({ contract }: Source, { method, path }: Operation): Call {
  const [way] = contract.keyWays;
  return { method, path, query: [], headers: [], keys: way === undefined ? [] : [{ way }] };
}

/** The smallest valid call of the operation. */
export function baseCall(source: Source, operation: Operation): Call {
  const names = needed(operation, source.known);
  const query = names.map((name) => ({
    name,
    value: defaultValue(source, operation, operation.parameters.get(name)!),
  }));
  const call = { ...bareCall(source, operation), query };
  return operation.body?.required ? withBody(call, operation, baseBody(source, operation)) : call;
}

function baseBody(source: Source, operation: Operation): string {
  const [real] = source.write ? source.known.of(operation, bodySlot) : [];
  if (real !== undefined) return real;
  const [place] = operation.body!.content.values();
  const idle = validValues(source.contract.document, place!, {
    known: (at) =>
      at.schema.$ref !== undefined && at.pointer !== place!.pointer && typeof unusedValue(source, at) === 'string'
        ? fc.constant(unusedValue(source, at))
        : undefined,
  });
  return utf8(JSON.stringify(fc.sample(idle, { seed: 1, numRuns: 1 })[0]));
}

/** The call with this body, in the media type of the operation. */
export function withBody(call: Call, operation: Operation, body: string): Call {
  const [type = 'application/json'] = operation.body!.content.keys();
  return {
    ...call,
    headers: [...call.headers.filter(([name]) => name !== 'content-type'), ['content-type', type]],
    body,
  };
}

/** The calls that a link derives from a response: one per item, at max `max`. */
export function linkedCalls(source: Source, link: Link, call: Call, answer: unknown, max: number): Call[] {
  const target = source.contract.operations.find(({ id }) => id === link.target)!;
  if (link.requestBody !== undefined) {
    return linkedBodies(link.requestBody, call, answer)
      .slice(0, max)
      .map((body) => withBody(bareCall(source, target), target, utf8(body)));
  }
  const taken = fromAnswer(link);
  const constant = Object.entries(link.parameters).filter(([name]) => !taken.some(([other]) => other === name));
  const fixed = constant.flatMap(([name, expression]) =>
    evaluate(expression, call, answer)
      .slice(0, 1)
      .map((value) => ({ name, value: String(value) })),
  );
  const [lead, ...others] = taken.map(([name, expression]) =>
    evaluate(expression, call, answer).map((value) => ({ name, value: String(value) })),
  );
  return (lead ?? []).slice(0, max).map((part) => {
    const query = [...fixed, part, ...others.flatMap((values) => values.slice(0, 1))];
    const wanted = query
      .flatMap(({ name }) => target.requires[name] ?? [])
      .filter((name) => !query.some((each) => each.name === name));
    const rest = wanted.map((name) => ({ name, value: defaultValue(source, target, target.parameters.get(name)!) }));
    return { ...bareCall(source, target), query: [...query, ...rest] };
  });
}
