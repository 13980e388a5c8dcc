/** The systematic calls of every operation: each rule of the contract satisfied once and violated once. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { unsafeNames, invalidValues } from '../arbitrary/invalid.ts';
import { adversarialTexts } from '../arbitrary/text.ts';
import { validValues } from '../arbitrary/valid.ts';
import { declaredMediaType } from '../../../server/contract/media-type.ts';
import { baseCall, defaultValue, encodedBody, parameterText, withBody, type Source } from './base-call.ts';
import { parametersOfPath, rawPathValues } from '../../../server/contract/path-template.ts';
import { parametersOf, textOf, withParameter, type Call, type KeyUse, type QueryPart } from './call.ts';
import { isJsonType, mediaTypeOf, parameterOf, type Operation, type Parameter } from './contract.ts';
import { bodySlot } from './known-values.ts';
import { parseParameter } from './oracle.ts';

/** The number of values per violation of a rule. */
const samplesOfEach = 3;

const sample = <Value>(values: fc.Arbitrary<Value>, seed: number, numRuns = samplesOfEach): Value[] =>
  fc.sample(values, { seed, numRuns });
const addition = (call: Call, ...parts: QueryPart[]): Call => ({ ...call, query: [...call.query, ...parts] });
const without = (call: Call, name: string): Call => ({
  ...call,
  query: call.query.filter((part) => !('name' in part) || part.name !== name),
});

/** The call with the parameter and the parameters it requires, without those it excludes. */
function including(source: Source, operation: Operation, call: Call, { name }: Parameter, value: string): Call {
  const alternatives = [operation.exactlyOneOf, operation.atLeastOneOf].filter((names) => names.includes(name)).flat();
  const cleared = alternatives.filter((other) => other !== name).reduce(without, call);
  const companions = (operation.requires.get(name) ?? []).filter((other) => other !== name);
  const complete = companions.reduce(
    (at, other) => withParameter(at, other, defaultValue(source, operation, parameterOf(operation, other))),
    cleared,
  );
  return withParameter(complete, name, value);
}

/** Valid calls: each parameter with boundary and known values, and all parameters together. */
export function validCalls(source: Source, operation: Operation, seed: number): Call[] {
  const base = baseCall(source, operation);
  const { requests: document } = source.contract;
  const values = [...operation.parameters.values()].map((parameter) => {
    const edges = boundaryValues(document, parameter.node).map(({ value }) => parameterText(parameter, value));
    const generated = sample(validValues(document, parameter.node), seed).map((value) =>
      parameterText(parameter, value),
    );
    const adversarial = adversarialTexts.filter(
      (text) => parameter.form === undefined && parseParameter(parameter, document, text) === text,
    );
    const real = source.known.of(operation, parameter.name).slice(0, samplesOfEach);
    return {
      parameter,
      texts: [
        ...new Set([
          ...real,
          ...(parameter.example === undefined ? [] : [parameter.example]),
          ...edges,
          ...generated,
          ...adversarial,
        ]),
      ],
    };
  });
  // Round-robin over the parameters, so that a small budget still covers each of them.
  const max = Math.max(0, ...values.map(({ texts }) => texts.length));
  const each = Array.from({ length: max }, (_, index) =>
    values.flatMap(({ parameter, texts }) =>
      texts.slice(index, index + 1).map((text) => including(source, operation, base, parameter, text)),
    ),
  ).flat();
  const optional = [...operation.parameters.values()].filter(
    ({ name, required }) =>
      !required &&
      !operation.exactlyOneOf.includes(name) &&
      !operation.atLeastOneOf.includes(name) &&
      !source.known.isCursor(operation, name),
  );
  const all = optional.reduce(
    (call, parameter) => withParameter(call, parameter.name, defaultValue(source, operation, parameter)),
    base,
  );
  return [
    base,
    all,
    ...each,
    ...(operation.body && source.write
      ? source.known.of(operation, bodySlot).map((body) => withBody(base, operation, body))
      : []),
    ...(operation.body ? validBodies(source, operation, seed).map((body) => withBody(base, operation, body)) : []),
  ];
}

/** Bodies with valid values that are not JSON objects of an own test: forms, texts and bytes. */
function validBodies(source: Source, operation: Operation, seed: number): string[] {
  const { requests: document } = source.contract;
  const values = validValues(document, mediaTypeOf(operation).node);
  return sample(values, seed).map((value) => encodedBody(source, operation, value));
}

/** Invalid queries: missing, unknown, repeated, empty and invalid parameters, and invalid bytes. */
export function queryCalls(source: Source, operation: Operation, seed: number): Call[] {
  const base = baseCall(source, operation);
  const { requests: document } = source.contract;
  const parameters = [...operation.parameters.values()];
  const defaultPart = (parameter: Parameter): QueryPart => ({
    name: parameter.name,
    value: defaultValue(source, operation, parameter),
  });
  const invalid = parameters.flatMap((parameter) => {
    const values = invalidValues(document, parameter.node).flatMap(({ values: invalid }) => sample(invalid, seed, 12));
    const texts = new Set([
      '',
      ...values.map(parameter.form === undefined ? textOf : (value) => JSON.stringify(value)),
      `${defaultValue(source, operation, parameter)} `,
    ]);
    return [...texts].map((text) => including(source, operation, base, parameter, text));
  });
  const repeated = parameters
    .filter(({ form }) => form === undefined)
    .map((parameter) =>
      addition(
        including(source, operation, base, parameter, defaultValue(source, operation, parameter)),
        defaultPart(parameter),
      ),
    );
  const missing = parameters.map(({ name }) => without(base, name));
  const conflicting = [operation.exactlyOneOf, ...Array.from(operation.requires.keys(), (name) => [name])].map(
    (names) =>
      names.reduce(
        (call, name) => withParameter(call, name, defaultValue(source, operation, parameterOf(operation, name))),
        base,
      ),
  );
  const misspelled = parameters.flatMap(({ name }) => [
    name.toUpperCase(),
    `${name}[]`,
    `${name}[a]`,
    ` ${name}`,
    `${name}\u0000`,
  ]);
  const unknown = [...unsafeNames, ...misspelled, 'x'.repeat(10_000)].map((name) =>
    addition(base, { name, value: '1' }),
  );
  const bytes = ['%', '%zz', '%ff', '%c3%28', '%00', '&', '=', '=1', '%5F%5Fproto%5F%5F=1', 'a;b=1'].map((raw) =>
    addition(base, { raw }),
  );
  const all = [...invalid, ...repeated, ...missing, ...conflicting, ...unknown, ...bytes];
  // Without a value, the path is another one.
  const inPath = parametersOfPath(operation.path);
  return all.filter((call) => inPath.every((name) => parametersOf(call).get(name)?.[0] !== ''));
}

/** API keys: each location, none, several locations, repeated, and invalid. */
export function keyCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const { keyLocations } = operation;
  const variants: KeyUse[][] = [
    [],
    ...keyLocations.flatMap((location): KeyUse[][] => [
      [{ location }],
      [{ location, replacement: 'wrong' }],
      [{ location, replacement: '' }],
      [{ location }, { location }],
      [{ location }, { location, replacement: 'wrong' }],
      [{ location, replacement: 'wrong' }, { location }],
      ...keyLocations.filter((other) => other !== location).map((other) => [{ location }, { location: other }]),
    ]),
  ];
  // What several credentials in one request mean, OpenAPI does not say; the contract of this project does.
  const clear = source.contract.isStrict ? variants : variants.filter((keys) => keys.length < 2);
  return clear.map((keys) => ({ ...base, keys }));
}

const allMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods that the path does not support, with and without an API key. */
export function methodCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const supported = source.contract.operations
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method);
  const calls = allMethods.filter((method) => !supported.includes(method)).map((method) => ({ ...base, method }));
  return [...calls, ...calls.map((call) => ({ ...call, keys: [] }))];
}

/** Unknown paths that are similar to the path of the operation. */
export function pathCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const { path } = operation;
  // Any other form of the path may be that of another value.
  if (!source.contract.isStrict) return [{ ...base, path: '/verify-no-such-path' }];
  if (path.includes('{')) return [{ ...base, path: `${path}/verify-no-such-path` }];
  const cut = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, cut), path.slice(cut + 1)];
  const paths = [
    `${path}/`,
    `/${path}`,
    `${path}s`,
    `${path}/x`,
    path.toUpperCase(),
    folder,
    `${folder}//${name}`,
    `${folder}/./${name}`,
    `${folder}/x/../${name}`,
    `${folder}/%2e%2e/${name}`,
    `${folder}%2F${name}`,
    `${folder}/${name}%00`,
    `${path};v=1`,
    `${folder}/..%2f..%2f..%2fetc%2fpasswd`,
    `${folder}/__proto__`,
    `${folder}/%ff`,
    `${folder}/%`,
  ];
  // Another operation may have it.
  const isKnown = (other: string): boolean =>
    source.contract.operations.some((each) => each.path === other || rawPathValues(each.path, other).size > 0);
  const unknown = paths.filter((other) => !isKnown(other));
  return unknown.flatMap((other) => [
    { ...base, path: other },
    { ...base, path: other, keys: [] },
  ]);
}

/** The text of a JSON object with an additional member. */
const withMember = (text: string, name: string, value: string): string =>
  text.replace(/\}$/, `,${JSON.stringify(name)}:${value}}`);

/** Malformed and misleading variants of a valid JSON body, as latin1 strings of bytes. */
function malformedBodies(text: string): string[] {
  const depth = 3000;
  return [
    '',
    ' ',
    '{',
    '}',
    'null',
    'true',
    '1',
    '"a"',
    '[]',
    `[${text}]`,
    text.slice(0, -1),
    `${text}${text}`,
    `${text},`,
    `'${text}'`,
    'name=1',
    '\xff',
    '\xfe\xff',
    text.replace(/"([^"]*)"\}$/, '"$1\xff"}'),
    text.replace(/\}$/, ',"\xc3\x28":1}'),
    withMember(text, 'a', '['.repeat(depth) + ']'.repeat(depth)),
    withMember(text, '__proto__', '{"admin":true}'),
    withMember(text, 'constructor', '{"prototype":{"admin":true}}'),
    withMember(text, 'a', '1e999'),
    withMember(text, 'a', 'NaN'),
  ];
}

/** Bodies at the size limit and above it. */
function sizedBodies(text: string, maxBytes: number): string[] {
  const sizes = [maxBytes - text.length - ',"extra":""'.length, maxBytes, maxBytes * 20];
  return sizes.map((bytes) => withMember(text, 'extra', JSON.stringify('a'.repeat(bytes))));
}

/** Invalid bodies: missing, malformed, other media types, too large, too deep, and one invalid member each. */
export function bodyCalls(source: Source, operation: Operation, seed: number): Call[] {
  const { body } = operation;
  if (!body) return [];
  const base = baseCall(source, operation);
  const { type, node } = mediaTypeOf(operation);
  const { body: text = '{}', ...bodiless } = base;
  const isJson = isJsonType(type);
  const withText = (value: string): Call => withBody(base, operation, value);
  const withType = (header: string): Call => ({ ...base, headers: [['content-type', header]] });
  const invalid = invalidValues(source.contract.requests, node)
    .flatMap(({ values }) => sample(values, seed))
    .map((value) => withText(encodedBody(source, operation, value)));
  const declared = [...body.content.keys()];
  const otherTypes = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json-patch+json',
    '',
    `${type}; charset=utf-16`,
    `${type}; charset=latin1`,
    'a',
  ];
  return [
    { ...bodiless, headers: [] },
    bodiless,
    { ...base, headers: [] },
    ...otherTypes
      .filter((each) => each === '' || declaredMediaType(declared, each) === undefined || each.includes('charset'))
      .filter((each) => isJson || !each.includes('charset'))
      .map(withType),
    { ...base, headers: [...base.headers, ['content-encoding', 'verify']] },
    ...(isJson ? malformedBodies(text) : ['']).map(withText),
    ...(body.maxBytes === undefined || !isJson ? [] : sizedBodies(text, body.maxBytes)).map(withText),
    ...invalid,
    ...(isJson ? ['application/JSON', `${type};charset=UTF-8`, `${type}; charset="utf-8"`] : []).map(withType),
  ];
}

/** Removes duplicate calls. */
export function distinct(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
