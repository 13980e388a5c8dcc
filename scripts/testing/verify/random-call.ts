/** Random valid and invalid calls of an operation; the oracle decides which are valid. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { treacherousNames, violations } from '../arbitrary/invalid.ts';
import { character, hostileTexts } from '../arbitrary/text.ts';
import { validValues } from '../arbitrary/valid.ts';
import { baseCall, needed, withBody, type Source } from './base-call.ts';
import { textOf, utf8, type Call, type QueryPart } from './call.ts';
import type { Operation, Parameter } from './contract.ts';

function valuesOf(
  source: Source,
  operation: Operation,
  parameter: Parameter,
): { good: fc.Arbitrary<string>; bad: fc.Arbitrary<string> } {
  const { document } = source.contract;
  const real = [
    ...source.known.of(operation, parameter.name),
    ...boundaryValues(document, parameter.place).map(({ value }) => String(value)),
  ];
  const valid = validValues(document, parameter.place).map(String);
  const ways = violations(document, parameter.place).map(({ values }) => values.map(textOf));
  return {
    good:
      real.length === 0
        ? valid
        : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...real) }, { weight: 1, arbitrary: valid }),
    bad: fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: character, maxLength: 20 }), ...ways.slice(0, 8)),
  };
}

/** Calls with random subsets of the parameters; about half are valid. */
export function randomCalls(source: Source, operation: Operation): fc.Arbitrary<Call> {
  const base = baseCall(source, operation);
  const parameters = [...operation.parameters.values()].filter(({ name }) => !source.known.isCursor(operation, name));
  const must = new Set(needed(operation, source.known));
  const chosen = parameters.map((parameter): fc.Arbitrary<QueryPart[]> => {
    const { name } = parameter;
    const { good, bad } = valuesOf(source, operation, parameter);
    const part = (values: fc.Arbitrary<string>): fc.Arbitrary<QueryPart[]> => values.map((value) => [{ name, value }]);
    const rival = operation.exactlyOneOf.includes(name) && !must.has(name);
    return fc.oneof(
      { weight: must.has(name) ? 30 : rival ? 1 : 12, arbitrary: part(good) },
      { weight: 2, arbitrary: part(bad) },
      { weight: must.has(name) ? 1 : 20, arbitrary: fc.constant<QueryPart[]>([]) },
      { weight: 1, arbitrary: fc.tuple(part(good), part(good)).map((parts) => parts.flat()) },
    );
  });
  const strange = fc.oneof(
    { weight: 12, arbitrary: fc.constant<QueryPart[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(fc.constantFrom(...treacherousNames), fc.string({ maxLength: 12 })), fc.constantFrom('', '1'))
        .map(([name, value]): QueryPart[] => [{ name, value }]),
    },
  );
  const query = fc
    .tuple(fc.tuple(...chosen), strange)
    .chain(([parts, extra]) =>
      fc.shuffledSubarray([...parts.flat(), ...extra], { minLength: parts.flat().length + extra.length }),
    );
  const calls = query.map((parts): Call => ({ ...base, query: parts }));
  return operation.body
    ? fc.tuple(calls, bodies(source, operation)).map(([call, body]) => withBody(call, operation, body))
    : calls;
}

function bodies(source: Source, operation: Operation): fc.Arbitrary<string> {
  const { document } = source.contract;
  const [place] = operation.body!.content.values();
  const ways = violations(document, place!).map(({ values }) => values);
  return fc
    .oneof(
      { weight: 2, arbitrary: validValues(document, place!).map((value) => JSON.stringify(value)) },
      { weight: 3, arbitrary: fc.oneof(...ways).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.string({ unit: character, minLength: 1, maxLength: 40 }) },
    )
    .map(utf8);
}
