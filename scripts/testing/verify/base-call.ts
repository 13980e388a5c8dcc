/** The smallest valid call of an operation, and calls that a link leads to. */
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
  /** Whether calls may change something: if not, no body of a write names anything real. */
  readonly write: boolean;
}

/** The edges of the schema by length, or any value of it. */
function edgesOf({ contract: { document } }: Source, place: Place): [Json, ...Json[]] {
  const edges = boundaryValues(document, place).map(({ value }) => value);
  const [first = fc.sample(validValues(document, place), { seed: 1, numRuns: 1 })[0]!, ...others] = edges.toSorted(
    (a, b) => String(a).length - String(b).length,
  );
  return [first, ...others];
}

/** A value of the schema that means nothing: the longest edge, so that it is most likely nobody's. */
export const nobodys = (source: Source, place: Place): Json => edgesOf(source, place).at(-1)!;

/** The value that a parameter is given unless there is a reason for another: a real one, where one is known. */
export function usualValue(source: Source, operation: Operation, parameter: Parameter): string {
  const { known } = source;
  const invented = (): Json =>
    known.isReference(operation, parameter.name)
      ? nobodys(source, parameter.place)
      : edgesOf(source, parameter.place)[0];
  return known.of(operation, parameter.name)[0] ?? parameter.example ?? String(invented());
}

/** The names of the parameters that the operation cannot do without. */
export function needed(operation: Operation, known: KnownValues): string[] {
  const { parameters, exactlyOneOf, atLeastOneOf } = operation;
  const required = [...parameters.values()].filter((parameter) => parameter.required).map(({ name }) => name);
  const best = (names: readonly string[]): string[] => {
    const first = names.find((name) => known.of(operation, name).length > 0) ?? names[0];
    return first === undefined ? [] : [first];
  };
  return [...required, ...best(exactlyOneOf), ...best(atLeastOneOf)];
}

/** The call without anything that it does not need. */
export function bareCall({ contract }: Source, { method, path }: Operation): Call {
  const [way] = contract.keyWays;
  return { method, path, query: [], headers: [], keys: way === undefined ? [] : [{ way }] };
}

/** A valid call with no more than the operation needs. */
export function baseCall(source: Source, operation: Operation): Call {
  const names = needed(operation, source.known);
  const query = names.map((name) => ({ name, value: usualValue(source, operation, operation.parameters.get(name)!) }));
  const call = { ...bareCall(source, operation), query };
  return operation.body?.required ? withBody(call, operation, baseBody(source, operation)) : call;
}

function baseBody(source: Source, operation: Operation): string {
  const [real] = source.write ? source.known.of(operation, bodySlot) : [];
  if (real !== undefined) return real;
  const [place] = operation.body!.content.values();
  const idle = validValues(source.contract.document, place!, {
    known: (at) =>
      at.schema.$ref !== undefined && at.pointer !== place!.pointer && typeof nobodys(source, at) === 'string'
        ? fc.constant(nobodys(source, at))
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

/** The calls that a link leads to from an answer: one for each item that it can start from, at most `most`. */
export function linkedCalls(source: Source, link: Link, call: Call, answer: unknown, most: number): Call[] {
  const target = source.contract.operations.find(({ id }) => id === link.target)!;
  if (link.requestBody !== undefined) {
    return linkedBodies(link.requestBody, call, answer)
      .slice(0, most)
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
  return (lead ?? []).slice(0, most).map((part) => {
    const query = [...fixed, part, ...others.flatMap((values) => values.slice(0, 1))];
    const wanted = query
      .flatMap(({ name }) => target.requires[name] ?? [])
      .filter((name) => !query.some((each) => each.name === name));
    const rest = wanted.map((name) => ({ name, value: usualValue(source, target, target.parameters.get(name)!) }));
    return { ...bareCall(source, target), query: [...query, ...rest] };
  });
}
