/**
 * What the contract says of a call before it is made: the statuses that may answer it, and why. It judges the call as it is, not
 * how it came about, so that a call can be made smaller as one likes and is still judged rightly.
 */
import { follow, satisfies, typesOf, type Json } from '../arbitrary/schema.ts';
import type { FindBreaches } from './breaches.ts';
import { parametersOf, queryOf, type Call } from './call.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import type { KnownValues } from './known-values.ts';
import { shorten } from './wording.ts';

/** Something about a call that the contract does not allow. */
export interface Fault {
  readonly status: number;
  /** The rule that is broken. */
  readonly pointer: string;
  /** What is wrong, in words. */
  readonly what: string;
  /** The error must name one of these. */
  readonly names: readonly string[];
}
export interface Expectation {
  /** What may answer. */
  readonly statuses: readonly number[];
  readonly pointer: string;
  readonly because: string;
  /** The error, if one comes, must name one of these; empty where it need not. */
  readonly names: readonly string[];
  /** Whose answers are declared; for a path that does not exist, any operation's: errors are the same everywhere. */
  readonly operation: Operation;
  /** The methods that `Allow` must tell. */
  readonly allow?: readonly string[];
  /** Whether it may succeed. */
  readonly valid: boolean;
}
export interface Oracle {
  readonly contract: Contract;
  readonly known: KnownValues;
  readonly breaches: FindBreaches;
}

/** The value that the text of a parameter stands for; `unclear` where the text is no number in JSON, and yet might be read as one. */
export function read({ place }: Parameter, document: object, text: string): Json | 'unclear' | undefined {
  const types = typesOf(follow(document, place).schema);
  if (types.includes('string')) return satisfies(document, place, text) ? text : undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (text.trim() === '' || !Number.isFinite(Number(text))) return undefined;
  const value = Number(text);
  if (!satisfies(document, place, value)) return undefined;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(value) === text ? value : 'unclear';
}

/** The faults of the query, and whether something in it might be taken either way. */
function queryFaults(
  { contract: { document } }: Oracle,
  operation: Operation,
  call: Call,
): { faults: Fault[]; unclear: boolean } {
  const faults: Fault[] = [];
  const add = (pointer: string, what: string, ...names: string[]): void =>
    void faults.push({ status: 400, pointer, what, names });
  let unclear = false;
  try {
    decodeURIComponent(queryOf(call));
  } catch {
    add(`${operation.pointer}/parameters`, 'the query is not valid percent-encoded UTF-8');
  }
  const given = parametersOf(call);
  for (const [name, values] of given) {
    const parameter = operation.parameters.get(name);
    if (!parameter) {
      add(`${operation.pointer}/parameters`, `there is no parameter '${name}'`, name);
      continue;
    }
    if (values.length > 1) add(parameter.pointer, `the parameter '${name}' is given ${values.length} times`, name);
    for (const value of values) {
      const known = read(parameter, document, value);
      if (known === 'unclear') unclear = true;
      else if (known === undefined)
        add(`${parameter.place.pointer}`, `${JSON.stringify(shorten(value))} is no value of '${name}'`, name);
    }
  }
  for (const { name, required, pointer } of operation.parameters.values()) {
    if (required && !given.has(name)) add(`${pointer}/required`, `the parameter '${name}' is missing`, name);
  }
  const among = (names: readonly string[]): string[] => names.filter((name) => given.has(name));
  const { exactlyOneOf, atLeastOneOf, requires } = operation;
  if (exactlyOneOf.length > 0 && among(exactlyOneOf).length !== 1) {
    add(
      `${operation.pointer}/x-exactly-one-of`,
      `${among(exactlyOneOf).length} of ${exactlyOneOf.join(', ')} are given, not one`,
      ...exactlyOneOf,
    );
  }
  if (atLeastOneOf.length > 0 && among(atLeastOneOf).length === 0) {
    add(`${operation.pointer}/x-at-least-one-of`, `none of ${atLeastOneOf.join(', ')} is given`, ...atLeastOneOf);
  }
  for (const [name, others] of Object.entries(requires)) {
    const lacking = others.filter((other) => given.has(name) && !given.has(other));
    if (lacking.length > 0)
      add(
        `${operation.pointer}/x-requires/${name}`,
        `'${name}' is given without '${lacking.join("' and '")}'`,
        ...lacking,
      );
  }
  return { faults, unclear };
}

/** The faults of the body. */
async function bodyFaults({ breaches }: Oracle, { body }: Operation, call: Call): Promise<Fault[]> {
  if (!body) return [];
  if (call.body === undefined || call.body === '') {
    return body.required
      ? [{ status: 400, pointer: `${body.pointer}/required`, what: 'there is no body', names: [] }]
      : [];
  }
  const header = (wanted: string): string[] =>
    call.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const [type = '', ...options] = (header('content-type')[0] ?? '').split(';').map((part) => part.trim().toLowerCase());
  const faults: Fault[] = [];
  const place = body.content.get(type);
  const charset = options
    .find((option) => option.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (!place || (charset !== undefined && charset !== 'utf-8')) {
    faults.push({
      status: 415,
      pointer: `${body.pointer}/content`,
      what: `the body is declared as '${type}${charset === undefined ? '' : `; charset=${charset}`}'`,
      names: [],
    });
  }
  if (header('content-encoding').length > 0) {
    faults.push({
      status: 415,
      pointer: `${body.pointer}/content`,
      what: `the body is declared as encoded in '${header('content-encoding')[0]!}'`,
      names: [],
    });
  }
  if (body.maxBytes !== undefined && call.body.length > body.maxBytes) {
    faults.push({
      status: 413,
      pointer: `${body.pointer}/x-max-bytes`,
      what: `the body has ${call.body.length} bytes`,
      names: [],
    });
  }
  const malformed = (what: string): Fault[] => [
    ...faults,
    { status: 400, pointer: `${body.pointer}/content`, what, names: [] },
  ];
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(call.body, 'latin1'));
    value = JSON.parse(text);
  } catch (error) {
    return malformed(error instanceof SyntaxError ? 'the body is no JSON' : 'the body is no UTF-8');
  }
  const found = place ? await breaches(place, value) : [];
  const [first] = found;
  if (!first) return faults;
  return [
    ...faults,
    {
      status: 400,
      pointer: first.pointer,
      what: `the body breaks the contract${first.at && ` at ${first.at}`}`,
      names: found.flatMap(({ names }) => names),
    },
  ];
}

/** The methods of a path of the contract, HEAD with GET. */
const methodsOf = (operations: readonly Operation[]): string[] =>
  operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** What may answer the call. */
export async function expectationOf(oracle: Oracle, call: Call): Promise<Expectation> {
  const { contract, known } = oracle;
  const there = contract.operations.filter(({ path }) => path === call.path);
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const operation = there.find((each) => each.method === method) ?? there[0] ?? contract.operations[0]!;
  const only = (status: number, pointer: string, because: string, more: Partial<Expectation> = {}): Expectation => ({
    statuses: [status],
    pointer,
    because,
    names: [],
    operation,
    valid: false,
    ...more,
  });

  const [key, ...more] = call.keys;
  if (contract.keyWays.length > 0 && (!key || more.length > 0 || key.instead !== undefined)) {
    const what = !key
      ? 'no key is given'
      : more.length > 0
        ? `a key is given ${call.keys.length} times`
        : 'the key is wrong';
    return only(401, '/security', what);
  }
  if (there.length === 0) return only(404, '/paths', `there is no path ${shorten(call.path)}`);
  if (!there.some((each) => each.method === method)) {
    return only(405, `/paths/${call.path.replaceAll('/', '~1')}`, `the path has no ${call.method}`, {
      allow: methodsOf(there),
    });
  }

  const { faults, unclear } = queryFaults(oracle, operation, call);
  const all = [...faults, ...(await bodyFaults(oracle, operation, call))];
  const [first, ...others] = all;
  const success = [...operation.responses.keys()].filter((status) => status >= 200 && status < 300);
  if (first) {
    const statuses = [...new Set(all.map(({ status }) => status))];
    const names = all.every((fault) => fault.names.length > 0) ? all.flatMap((fault) => fault.names) : [];
    const because = [first, ...others].map(({ what }) => what).join('; ');
    return { statuses, pointer: first.pointer, because, names, operation, valid: false };
  }

  // A valid call may still ask for what does not exist, or break a syntax that no schema describes.
  const given = [...parametersOf(call)].map(([name, [value]]) => ({
    parameter: operation.parameters.get(name)!,
    value: value!,
  }));
  const pageCursor = given.find(({ parameter }) => known.isCursor(operation, parameter.name));
  const unknown = given.filter(
    ({ parameter, value }) =>
      known.isReference(operation, parameter.name) && !known.has(operation, parameter.name, value),
  );
  const stranger = operation.body !== undefined && !known.hasBody(operation, call.body ?? '');
  const missing = unknown.length > 0 || stranger ? [404] : [];
  if (pageCursor)
    return {
      ...only(400, pageCursor.parameter.pointer, `no page of this call gave this ${pageCursor.parameter.name}`),
      statuses: [400, ...missing],
    };
  // Two names of one thing may turn out to name different things.
  const rivals =
    operation.atLeastOneOf.filter((name) => given.some(({ parameter }) => parameter.name === name)).length > 1;
  const refused =
    unclear ||
    rivals ||
    given.some(({ parameter, value }) => parameter.ownSyntax && !known.has(operation, parameter.name, value))
      ? [400]
      : [];
  // Where a call costs something there may be none left, and what earlier calls began may have expired.
  const busy = operation.costs ? [409, 503].filter((status) => operation.responses.has(status)) : [];
  return {
    statuses: [...success, ...missing, ...refused, ...busy],
    pointer: `${operation.pointer}/responses`,
    because: missing.length > 0 ? 'the call is valid, but may ask for what does not exist' : 'the call is valid',
    names: [],
    operation,
    valid: true,
  };
}
