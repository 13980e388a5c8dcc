/** Random valid and invalid calls of an operation; the oracle decides which are valid. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { unsafeNames, invalidValues } from '../arbitrary/invalid.ts';
import { character, adversarialTexts } from '../arbitrary/text.ts';
import { validValues } from '../arbitrary/valid.ts';
import type { Json } from '../arbitrary/schema.ts';
import { baseCall, encodedBody, parameterText, requiredNames, withBody, type Source } from './base-call.ts';
import { textOf, utf8, type Call, type QueryPart } from './call.ts';
import { isJsonType, mediaTypeOf, type Operation, type Parameter } from './contract.ts';

function valuesOf(
  source: Source,
  operation: Operation,
  parameter: Parameter,
): { valid: fc.Arbitrary<string>; invalid: fc.Arbitrary<string> } {
  const { requests: document } = source.contract;
  const known = [
    ...source.known.of(operation, parameter.name),
    ...boundaryValues(document, parameter.node).map(({ value }) => parameterText(parameter, value)),
  ];
  const generated = validValues(document, parameter.node).map((value) => parameterText(parameter, value));
  const violations = invalidValues(document, parameter.node).map(({ values }) =>
    values.map(parameter.form === undefined ? textOf : (value) => JSON.stringify(value)),
  );
  return {
    valid:
      known.length === 0
        ? generated
        : fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: generated }),
    invalid: fc.oneof(
      fc.constantFrom(...adversarialTexts),
      fc.string({ unit: character, maxLength: 20 }),
      ...violations.slice(0, 8),
    ),
  };
}

/** Calls with random subsets of the parameters; about half are valid. */
export function randomCalls(source: Source, operation: Operation): fc.Arbitrary<Call> {
  const base = baseCall(source, operation);
  const parameters = [...operation.parameters.values()].filter(({ name }) => !source.known.isCursor(operation, name));
  const required = new Set(requiredNames(operation, source.known));
  const chosen = parameters.map((parameter): fc.Arbitrary<QueryPart[]> => {
    const { name } = parameter;
    const { valid, invalid } = valuesOf(source, operation, parameter);
    const part = (values: fc.Arbitrary<string>): fc.Arbitrary<QueryPart[]> => values.map((value) => [{ name, value }]);
    const isExcluded = operation.exactlyOneOf.includes(name) && !required.has(name);
    return fc.oneof(
      { weight: required.has(name) ? 30 : isExcluded ? 1 : 12, arbitrary: part(valid) },
      { weight: 2, arbitrary: part(invalid) },
      { weight: required.has(name) ? 1 : 20, arbitrary: fc.constant<QueryPart[]>([]) },
      { weight: 1, arbitrary: fc.tuple(part(valid), part(valid)).map((parts) => parts.flat()) },
    );
  });
  const unknown = fc.oneof(
    { weight: 12, arbitrary: fc.constant<QueryPart[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.oneof(fc.constantFrom(...unsafeNames), fc.string({ maxLength: 12 })), fc.constantFrom('', '1'))
        .map(([name, value]): QueryPart[] => [{ name, value }]),
    },
  );
  const query = fc
    .tuple(fc.tuple(...chosen), unknown)
    .chain(([parts, extra]) =>
      fc.shuffledSubarray([...parts.flat(), ...extra], { minLength: parts.flat().length + extra.length }),
    );
  const calls = query.map((parts): Call => ({ ...base, query: parts }));
  return operation.body
    ? fc.tuple(calls, bodies(source, operation)).map(([call, body]) => withBody(call, operation, body))
    : calls;
}

function bodies(source: Source, operation: Operation): fc.Arbitrary<string> {
  const { requests: document } = source.contract;
  const { node, type } = mediaTypeOf(operation);
  const written = (values: fc.Arbitrary<Json>): fc.Arbitrary<string> =>
    values.map((value) => encodedBody(source, operation, value));
  const invalid = invalidValues(document, node).map(({ values }) => values);
  const some = { weight: 2, arbitrary: written(validValues(document, node)) };
  const violating = invalid.length === 0 ? [] : [{ weight: 3, arbitrary: written(fc.oneof(...invalid)) }];
  if (!isJsonType(type)) return fc.oneof(some, ...violating);
  return fc.oneof(
    some,
    ...violating,
    { weight: 1, arbitrary: fc.json().map(utf8) },
    { weight: 1, arbitrary: fc.string({ unit: character, minLength: 1, maxLength: 40 }).map(utf8) },
  );
}
