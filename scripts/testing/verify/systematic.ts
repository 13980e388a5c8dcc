/** The systematic calls of every operation: each rule of the contract satisfied once and violated once. */
import fc from 'fast-check';
import { boundaryValues } from '../arbitrary/boundary.ts';
import { treacherousNames, violations } from '../arbitrary/invalid.ts';
import { hostileTexts } from '../arbitrary/text.ts';
import { validValues } from '../arbitrary/valid.ts';
import type { unusedValue } from './base-call.ts';
import { baseCall, defaultValue, withBody, type Source } from './base-call.ts';
import { textOf, utf8, withParameter, type Call, type KeyUse, type QueryPart } from './call.ts';
import type { Operation, Parameter } from './contract.ts';
import { bodySlot } from './known-values.ts';
import { read } from './oracle.ts';

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
  const rivals = [operation.exactlyOneOf, operation.atLeastOneOf].filter((names) => names.includes(name)).flat();
  const cleared = rivals.filter((rival) => rival !== name).reduce(without, call);
  const companions = (operation.requires[name] ?? []).filter((other) => other !== name);
  const complete = companions.reduce(
    (at, other) => withParameter(at, other, defaultValue(source, operation, operation.parameters.get(other)!)),
    cleared,
  );
  return withParameter(complete, name, value);
}

/** Valid calls: each parameter with boundary and known values, and all parameters together. */
export function validCalls(source: Source, operation: Operation, seed: number): Call[] {
  const base = baseCall(source, operation);
  const { document } = source.contract;
  const values = [...operation.parameters.values()].map((parameter) => {
    const edges = boundaryValues(document, parameter.place).map(({ value }) => String(value));
    const invented = sample(validValues(document, parameter.place), seed).map(String);
    const hostile = hostileTexts.filter((text) => read(parameter, document, text) === text);
    const real = source.known.of(operation, parameter.name).slice(0, samplesOfEach);
    return {
      parameter,
      texts: [
        ...new Set([
          ...real,
          ...(parameter.example === undefined ? [] : [parameter.example]),
          ...edges,
          ...invented,
          ...hostile,
        ]),
      ],
    };
  });
  // Round-robin over the parameters, so that a small budget still covers each of them.
  const max = Math.max(0, ...values.map(({ texts }) => texts.length));
  const each = Array.from({ length: max }, (_, index) =>
    values.flatMap(({ parameter, texts }) =>
      index < texts.length ? [including(source, operation, base, parameter, texts[index]!)] : [],
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
  ];
}

/** Invalid queries: missing, unknown, repeated, empty and invalid parameters, and invalid bytes. */
export function queryCalls(source: Source, operation: Operation, seed: number): Call[] {
  const base = baseCall(source, operation);
  const { document } = source.contract;
  const parameters = [...operation.parameters.values()];
  const usual = (parameter: Parameter): QueryPart => ({
    name: parameter.name,
    value: defaultValue(source, operation, parameter),
  });
  const wrong = parameters.flatMap((parameter) => {
    const values = violations(document, parameter.place).flatMap((way) => sample(way.values, seed, 12));
    const texts = new Set(['', ...values.map(textOf), `${defaultValue(source, operation, parameter)} `]);
    return [...texts].map((text) => including(source, operation, base, parameter, text));
  });
  const doubled = parameters.map((parameter) =>
    addition(
      including(source, operation, base, parameter, defaultValue(source, operation, parameter)),
      usual(parameter),
    ),
  );
  const lacking = parameters.map(({ name }) => without(base, name));
  const rivals = [operation.exactlyOneOf, ...Object.entries(operation.requires).map(([name]) => [name])].map((names) =>
    names.reduce(
      (call, name) => withParameter(call, name, defaultValue(source, operation, operation.parameters.get(name)!)),
      base,
    ),
  );
  const misspelt = parameters.flatMap(({ name }) => [
    name.toUpperCase(),
    `${name}[]`,
    `${name}[a]`,
    ` ${name}`,
    `${name}\u0000`,
  ]);
  const unknown = [...treacherousNames, ...misspelt, 'x'.repeat(10_000)].map((name) =>
    addition(base, { name, value: '1' }),
  );
  const bytes = ['%', '%zz', '%ff', '%c3%28', '%00', '&', '=', '=1', '%5F%5Fproto%5F%5F=1', 'a;b=1'].map((raw) =>
    addition(base, { raw }),
  );
  return [...wrong, ...doubled, ...lacking, ...rivals, ...unknown, ...bytes];
}

/** API keys: each location, none, several locations, repeated, and invalid. */
export function keyCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const ways = source.contract.keyWays;
  const given: KeyUse[][] = [
    [],
    ...ways.flatMap((way): KeyUse[][] => [
      [{ way }],
      [{ way, instead: 'wrong' }],
      [{ way, instead: '' }],
      [{ way }, { way }],
      [{ way }, { way, instead: 'wrong' }],
      [{ way, instead: 'wrong' }, { way }],
      ...ways.filter((other) => other !== way).map((other) => [{ way }, { way: other }]),
    ]),
  ];
  return given.map((keys) => ({ ...base, keys }));
}

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The methods that the path does not support, with and without an API key. */
export function methodCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const has = source.contract.operations.filter(({ path }) => path === operation.path).map(({ method }) => method);
  const calls = everyMethod.filter((method) => !has.includes(method)).map((method) => ({ ...base, method }));
  return [...calls, ...calls.map((call) => ({ ...call, keys: [] }))];
}

/** Unknown paths that are similar to the path of the operation. */
export function pathCalls(source: Source, operation: Operation): Call[] {
  const base = baseCall(source, operation);
  const { path } = operation;
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
  return paths.flatMap((other) => [
    { ...base, path: other },
    { ...base, path: other, keys: [] },
  ]);
}

/** Invalid bodies: missing, malformed, other media types, too large, too deep, and one invalid member each. */
export function bodyCalls(source: Source, operation: Operation, seed: number): Call[] {
  const { body } = operation;
  if (!body) return [];
  const base = baseCall(source, operation);
  const [[type, place]] = [...body.content] as [[string, Parameters<typeof unusedValue>[1]]];
  const { body: text = '{}', ...bodiless } = base;
  const known = (value: string): Call => withBody(base, operation, value);
  const typed = (header: string): Call => ({ ...base, headers: [['content-type', header]] });
  const withExtra = (name: string, value: string): string => text.replace(/\}$/, `,${JSON.stringify(name)}:${value}}`);
  const broken = violations(source.contract.document, place)
    .flatMap((way) => sample(way.values, seed))
    .map((value) => known(utf8(JSON.stringify(value))));
  const depth = 3000;
  const filler = (bytes: number): string => withExtra('extra', JSON.stringify('a'.repeat(bytes)));
  const bytes = [
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
    'tweet_id=1',
    '\xff',
    '\xfe\xff',
    text.replace(/"([^"]*)"\}$/, '"$1\xff"}'),
    text.replace(/\}$/, ',"\xc3\x28":1}'),
    withExtra('a', '['.repeat(depth) + ']'.repeat(depth)),
    withExtra('__proto__', '{"admin":true}'),
    withExtra('constructor', '{"prototype":{"admin":true}}'),
    withExtra('a', '1e999'),
    withExtra('a', 'NaN'),
  ];
  const sized =
    body.maxBytes === undefined
      ? []
      : [filler(body.maxBytes - text.length - ',"extra":""'.length), filler(body.maxBytes), filler(body.maxBytes * 20)];
  const types = [
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
    ...types.map(typed),
    { ...base, headers: [...base.headers, ['content-encoding', 'verify']] },
    ...[...bytes, ...sized].map(known),
    ...broken,
    ...['application/JSON', `${type};charset=UTF-8`, `${type}; charset="utf-8"`].map(typed),
  ];
}

/** Removes duplicate calls. */
export function distinct(calls: readonly Call[]): Call[] {
  return [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()];
}
