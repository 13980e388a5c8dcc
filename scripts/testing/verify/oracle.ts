/**
 * The test oracle: the statuses that the contract permits for a call, with the reason. It depends only on the call and
 * not on its generator, so that it stays correct for every reduced call.
 */
import { follow, satisfies, typesOf, type Json } from '../arbitrary/schema.ts';
import type { FindBreaches } from './breaches.ts';
import { parametersOf, queryOf, type Call } from './call.ts';
import type { Contract, Operation, Parameter } from './contract.ts';
import type { KnownValues } from './known-values.ts';
import { shorten } from './wording.ts';

/** A violation of the contract by a call. */
export interface Fault {
  readonly status: number;
  /** The JSON Pointer of the violated rule. */
  readonly pointer: string;
  /** The description for the report. */
  readonly what: string;
  /** The error message must contain one of these names. */
  readonly names: readonly string[];
}
export interface Expectation {
  /** The permitted statuses. */
  readonly statuses: readonly number[];
  readonly pointer: string;
  readonly because: string;
  /** An error message must contain one of these names; empty means no requirement. */
  readonly names: readonly string[];
  /** The operation that declares the responses; any operation for an unknown path, because all share the error responses. */
  readonly operation: Operation;
  /** The methods that `Allow` must contain. */
  readonly allow?: readonly string[];
  /** Whether the call may succeed. */
  readonly valid: boolean;
}
export interface Oracle {
  readonly contract: Contract;
  readonly known: KnownValues;
  readonly breaches: FindBreaches;
}

/** Parses the text of a parameter. `unclear`: not a JSON number, but a server may accept it as one. Undefined: invalid. */
export function read({ place }: Parameter, document: object, text: string): Json | undefined {
  const types = typesOf(follow(document, place).schema);
  if (types.includes('string')) return satisfies(document, place, text) ? text : undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (text.trim() === '' || !Number.isFinite(Number(text))) return undefined;
  const value = Number(text);
  if (!satisfies(document, place, value)) return undefined;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(value) === text ? value : 'unclear';
}

/** The faults of the query, and whether a value in it is ambiguous. */
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
  const provided = parametersOf(call);
  for (const [name, values] of provided) {
    const parameter = operation.parameters.get(name);
    if (!parameter) {
      add(`${operation.pointer}/parameters`, `there is no parameter '${name}'`, name);
      continue;
    }
    if (values.length > 1) add(parameter.pointer, `the parameter '${name}' is given ${values.length} times`, name);
    for (const value of values) {
      const parsed = read(parameter, document, value);
      if (parsed === 'unclear') unclear = true;
      else if (parsed === undefined)
        add(`${parameter.place.pointer}`, `${JSON.stringify(shorten(value))} is no value of '${name}'`, name);
    }
  }
  for (const { name, required, pointer } of operation.parameters.values()) {
    if (required && !provided.has(name)) add(`${pointer}/required`, `the parameter '${name}' is missing`, name);
  }
  const among = (names: readonly string[]): string[] => names.filter((name) => provided.has(name));
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
    const lacking = others.filter((other) => provided.has(name) && !provided.has(other));
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
  const header = (headerName: string): string[] =>
    call.headers.filter(([name]) => name.toLowerCase() === headerName).map(([, value]) => value);
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
  const breached = place ? await breaches(place, value) : [];
  const [first] = breached;
  if (!first) return faults;
  return [
    ...faults,
    {
      status: 400,
      pointer: first.pointer,
      what: `the body breaks the contract${first.at && ` at ${first.at}`}`,
      names: breached.flatMap(({ names }) => names),
    },
  ];
}

/** The methods of a path of the contract, HEAD with GET. */
const methodsOf = (operations: readonly Operation[]): string[] =>
  operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** The expected result of a call. */
export async function expectationOf(oracle: Oracle, call: Call): Promise<Expectation> {
  const { contract, known } = oracle;
  const pathOperations = contract.operations.filter(({ path }) => path === call.path);
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const operation =
    pathOperations.find((candidate) => candidate.method === method) ?? pathOperations[0] ?? contract.operations[0]!;
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
  if (pathOperations.length === 0) return only(404, '/paths', `there is no path ${shorten(call.path)}`);
  if (!pathOperations.some((candidate) => candidate.method === method)) {
    return only(405, `/paths/${call.path.replaceAll('/', '~1')}`, `the path has no ${call.method}`, {
      allow: methodsOf(pathOperations),
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

  // A valid call may reference an entity that does not exist, or violate a syntax that no schema describes.
  const provided = [...parametersOf(call)].map(([name, [value]]) => ({
    parameter: operation.parameters.get(name)!,
    value: value!,
  }));
  const pageCursor = provided.find(({ parameter }) => known.isCursor(operation, parameter.name));
  const unknown = provided.filter(
    ({ parameter, value }) =>
      known.isReference(operation, parameter.name) && !known.has(operation, parameter.name, value),
  );
  const hasUnknownBody = operation.body !== undefined && !known.hasBody(operation, call.body ?? '');
  const missing = unknown.length > 0 || hasUnknownBody ? [404] : [];
  if (pageCursor)
    return {
      ...only(400, pageCursor.parameter.pointer, `no page of this call gave this ${pageCursor.parameter.name}`),
      statuses: [400, ...missing],
    };
  // Two parameters that identify one entity may identify different entities.
  const hasConflict =
    operation.atLeastOneOf.filter((name) => provided.some(({ parameter }) => parameter.name === name)).length > 1;
  const badRequest =
    unclear ||
    hasConflict ||
    provided.some(({ parameter, value }) => parameter.ownSyntax && !known.has(operation, parameter.name, value))
      ? [400]
      : [];
  // An operation with a cost may have no quota left, and the conversation of an earlier call may have expired.
  const busy = operation.costs ? [409, 503].filter((status) => operation.responses.has(status)) : [];
  return {
    statuses: [...success, ...missing, ...badRequest, ...busy],
    pointer: `${operation.pointer}/responses`,
    because: missing.length > 0 ? 'the call is valid, but may ask for what does not exist' : 'the call is valid',
    names: [],
    operation,
    valid: true,
  };
}
