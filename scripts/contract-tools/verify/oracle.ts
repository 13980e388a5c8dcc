/**
 * The test oracle: the statuses that the contract permits for a call, with the reason. It depends only on the call and
 * not on its generator, so that it stays correct for every reduced call.
 */
import {
  follow,
  satisfies,
  syntaxExamples,
  typesOf,
  within,
  type Json,
  type Schema,
  type SchemaDocument,
  type SchemaNode,
} from '../arbitrary/schema.ts';
import type { FindViolations } from './violations.ts';
import { declaredMediaType, mediaKind } from '../../../server/contract/media-type.ts';
import { parametersOfPath } from '../../../server/contract/path-template.ts';
import { parametersOf, queryOf, type Call } from './call.ts';
import { isObject } from '../../../server/contract/values.ts';
import { anyOperation, isJsonType, type Body, type Contract, type Operation, type Parameter } from './contract.ts';
import type { KnownValues } from './known-values.ts';
import { isOddText, readValues, takes } from './parameter-form.ts';
import { parseBody } from './parse-body.ts';
import { readBody } from './request-body.ts';
import { shorten } from './report-text.ts';

/** A violation of the contract by a call. */
export interface Fault {
  readonly status: number;
  /** The JSON Pointer of the violated rule. */
  readonly pointer: string;
  /** The description for the report. */
  readonly description: string;
  /** The error message must contain one of these names. */
  readonly names: readonly string[];
}
export interface Expectation {
  /** The permitted statuses. */
  readonly statuses: readonly number[];
  readonly pointer: string;
  readonly reason: string;
  /** An error message must contain one of these names; empty means no requirement. */
  readonly names: readonly string[];
  /** The operation that declares the responses; any operation for an unknown path, because all share the error responses. */
  readonly operation: Operation;
  /** The methods that `Allow` must contain. */
  readonly allow?: readonly string[];
  /** Whether the call may succeed. */
  readonly valid: boolean;
  /** Whether the server may read the path as another one, and answer 404 as for any path that the contract does not have. */
  readonly isOtherPath?: boolean;
  /** Whether the call reaches no operation, so that no operation declares the response. */
  readonly isOutside?: boolean;
}
export interface Oracle {
  readonly contract: Contract;
  readonly known: KnownValues;
  readonly findViolations: FindViolations;
}

/** Parses the text of a parameter. `unclear`: not a JSON number, but a server may accept it as one. Undefined: invalid. */
export function parseParameter(parameter: Parameter, document: object, text: string): Json | undefined {
  const { node, list } = parameter;
  if (list !== undefined) return parseList(parameter, document, text.split(','));
  const types = typesOf(follow(document, node).schema);
  if (types.includes('string')) return satisfies(document, node, text) ? text : undefined;
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  if (text.trim() === '' || !Number.isFinite(Number(text))) return undefined;
  const value = Number(text);
  if (!satisfies(document, node, value)) return undefined;
  return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) && String(value) === text ? value : 'unclear';
}

/** Parses the items of a list. `unclear`: an item is. Undefined: invalid. */
function parseList({ node }: Parameter, document: object, texts: readonly string[]): Json | undefined {
  const list = follow(document, node);
  const { items } = list.schema;
  const item = items && follow(document, within(list, items, 'items'));
  const values = texts.map((text) =>
    item === undefined ? text : parseParameter({ ...textParameter, node: item }, document, text),
  );
  if (values.includes(undefined)) return undefined;
  if (values.includes('unclear')) return 'unclear';
  return satisfies(document, node, values as Json[]) ? (values as Json[]) : undefined;
}
const textParameter = {
  name: '',
  in: 'query',
  required: true,
  hasSyntax: false,
  example: undefined,
  pointer: '',
} as const;

/** Whether servers and proxies may read the value of a path parameter as another path. */
const isOddSegment = (text: string): boolean => /^\.{0,2}$|[/\\%\0-\x1f]/.test(text);

/** The faults of the parameters, and whether a value in it is ambiguous. */
function queryFaults(
  { contract: { requests: document, isStrict } }: Oracle,
  operation: Operation,
  call: Call,
): { faults: Fault[]; unclear: boolean } {
  const faults: Fault[] = [];
  const add = (pointer: string, what: string, ...names: string[]): void =>
    void faults.push({ status: 400, pointer, description: what, names });
  let unclear = false;
  try {
    decodeURIComponent(queryOf(call));
  } catch {
    add(`${operation.pointer}/parameters`, 'the query is not valid percent-encoded UTF-8');
  }
  const provided = parametersOf(call);
  const given = new Set<string>();
  const forms = [...operation.parameters.values()].filter(({ form }) => form !== undefined);
  for (const { name, values } of formFaults(forms, document, call, add))
    if (values === 'unclear') unclear = true;
    else given.add(name);
  for (const [name, values] of provided) {
    if (forms.some((each) => each.form !== undefined && takes(each.form, name))) continue;
    if (forms.some((each) => each.in === 'path' && each.name === name)) continue;
    const named = operation.parameters.get(name);
    // The query has no parameter with the name of a header, or of an object whose members have names of their own.
    const parameter = named?.form === undefined ? named : undefined;
    if (parameter !== undefined) {
      const found = valueFaults(parameter, values, { document, isStrict });
      faults.push(...found.faults);
      unclear ||= found.unclear;
    } else if (!isStrict) unclear = true;
    else add(`${operation.pointer}/parameters`, `the contract has no parameter '${name}'`, name);
  }
  for (const { name, required, pointer, form } of operation.parameters.values()) {
    if (form !== undefined) continue;
    if (required && !provided.has(name)) add(`${pointer}/required`, `the parameter '${name}' is missing`, name);
  }
  return { faults: [...faults, ...combinationFaults(operation, new Set([...provided.keys(), ...given]))], unclear };
}

/** The faults of the values of a parameter, and whether another server may read them in another way. */
function valueFaults(
  parameter: Parameter,
  values: readonly string[],
  { document, isStrict }: { readonly document: object; readonly isStrict: boolean },
): { faults: Fault[]; unclear: boolean } {
  const { name, node, pointer } = parameter;
  // Repeated values may be a list, and in another service an empty value may be none.
  if ((!isStrict && values.includes('')) || (values.length > 1 && parameter.list !== undefined))
    return { faults: [], unclear: true };
  const faults: Fault[] = [];
  const add = (status: number, at: string, description: string, ...names: string[]): void =>
    void faults.push({ status, pointer: at, description, names });
  let unclear = false;
  if (values.length > 1) add(400, pointer, `the parameter '${name}' occurs ${values.length} times`, name);
  for (const value of values) {
    const parsed = parseParameter(parameter, document, value);
    if (parsed === 'unclear' || (parameter.in === 'path' && isOddSegment(value))) unclear = true;
    // A value of the path that the contract does not allow may name nothing.
    else if (parsed === undefined && parameter.in === 'path')
      for (const status of [400, 404]) add(status, node.pointer, `the path has another ${name}`);
    else if (parsed === undefined)
      add(400, node.pointer, `${JSON.stringify(shorten(value))} is not a valid value of '${name}'`, name);
  }
  return { faults, unclear };
}

/** The parameters in other forms that a call has, and whether a server may read them in another way. Adds their faults. */
function formFaults(
  forms: readonly Parameter[],
  document: object,
  call: Call,
  add: (pointer: string, what: string, ...names: string[]) => void,
): { name: string; values: 'unclear' | 'given' }[] {
  return forms.flatMap(({ name, form, required, node, pointer, in: place }) => {
    const values = readValues(form!, call);
    if (values === 'absent') {
      if (required)
        add(`${pointer}/required`, `the parameter '${form!.described.name}' is missing`, form!.described.name);
      return [];
    }
    if (values.some((value) => satisfies(document, node, value as Json))) {
      // A value with delimiters or spaces may be read in another way, and a segment of the path may name nothing.
      const part = call.query.find((each) => 'name' in each && each.name === name);
      const isSame =
        !isOddText(form!, call) && part !== undefined && 'value' in part && JSON.stringify(values[0]) === part.value;
      return [{ name, values: isSame && place !== 'path' ? ('given' as const) : ('unclear' as const) }];
    }
    const sent = call.query.find((each) => 'name' in each && each.name === name);
    const isOdd = place === 'path' || (sent !== undefined && 'encoded' in sent && /^[^=]*=?$/.test(sent.encoded ?? ''));
    if (isOdd) return [{ name, values: 'unclear' as const }];
    add(node.pointer, `the value of '${form!.described.name}' is not valid`, form!.described.name);
    return [{ name, values: 'given' as const }];
  });
}

/** The faults of the combination of parameters. */
function combinationFaults(
  { exactlyOneOf, atLeastOneOf, requires, pointer }: Operation,
  provided: Set<string>,
): Fault[] {
  const faults: Fault[] = [];
  const add = (keyword: string, description: string, names: readonly string[]): void =>
    void faults.push({ status: 400, pointer: `${pointer}/${keyword}`, description, names });
  const count = (names: readonly string[]): number => names.filter((name) => provided.has(name)).length;
  if (exactlyOneOf.length > 0 && count(exactlyOneOf) !== 1) {
    const description = `the call has ${count(exactlyOneOf)} of ${exactlyOneOf.join(', ')} instead of one`;
    add('x-exactly-one-of', description, exactlyOneOf);
  }
  if (atLeastOneOf.length > 0 && count(atLeastOneOf) === 0)
    add('x-at-least-one-of', `the call has none of ${atLeastOneOf.join(', ')}`, atLeastOneOf);
  for (const [name, others] of requires) {
    const missing = others.filter((other) => provided.has(name) && !provided.has(other));
    if (missing.length > 0)
      add(`x-requires/${name}`, `the call has '${name}' without '${missing.join("' and '")}'`, missing);
  }
  return faults;
}

const headerValues = ({ headers }: Call, headerName: string): string[] =>
  headers.filter(([name]) => name.toLowerCase() === headerName).map(([, value]) => value);

/** The faults of the headers and the size of a body, and its schema by the media type. */
function transferFaults(body: Body, call: Call): { faults: Fault[]; node: SchemaNode | undefined; isOpaque?: true } {
  const faults: Fault[] = [];
  const add = (status: number, keyword: string, description: string): void =>
    void faults.push({ status, pointer: `${body.pointer}/${keyword}`, description, names: [] });
  const [contentType = ''] = headerValues(call, 'content-type');
  const [type = '', ...options] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const declared = declaredMediaType(body.content.keys(), type);
  const node = declared === undefined ? undefined : body.content.get(declared);
  const [encoding] = headerValues(call, 'content-encoding');
  if (encoding !== undefined) add(415, 'content', `the body has the content encoding '${encoding}'`);
  if (node !== undefined && !isJsonType(type)) return { faults, node, isOpaque: true };
  const charset = options
    .find((option) => option.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (!node || (charset !== undefined && charset !== 'utf-8'))
    add(415, 'content', `the body has the media type '${type}${charset === undefined ? '' : `; charset=${charset}`}'`);
  const length = call.body?.length ?? 0;
  if (body.maxBytes !== undefined && length > body.maxBytes) add(413, 'x-max-bytes', `the body has ${length} bytes`);
  return { faults, node };
}

/** The faults of a body that is no JSON. */
async function otherBodyFaults(
  { contract: { requests: document }, findViolations }: Oracle,
  node: SchemaNode,
  call: Call,
): Promise<Fault[]> {
  const [contentType = ''] = headerValues(call, 'content-type');
  const body = await readBody(document, { contentType, node }, Buffer.from(call.body ?? '', 'latin1'));
  const fault = (pointer: string, description: string): Fault => ({ status: 400, pointer, description, names: [] });
  if (body === 'opaque') return [];
  if (body === undefined) return [fault(node.pointer, `the body is no ${contentType.split(';', 1)[0]}`)];
  const [first] = await findViolations(node, body.value);
  return first === undefined
    ? []
    : [fault(first.pointer, `the body violates the contract${first.at && ` at ${first.at}`}`)];
}

/** Whether no bytes are a body of the media type of a call: an empty text or file. */
function takesEmptyBody({ content }: Body, call: Call): boolean {
  const [contentType = ''] = headerValues(call, 'content-type');
  return (
    declaredMediaType(content.keys(), contentType) !== undefined && ['text', 'binary'].includes(mediaKind(contentType))
  );
}

/** The faults of the body. */
async function bodyFaults(oracle: Oracle, { body }: Operation, call: Call): Promise<Fault[]> {
  const { findViolations } = oracle;
  if (!body) return [];
  const fault = (pointer: string, description: string, names: readonly string[] = []): Fault => ({
    status: 400,
    pointer,
    description,
    names,
  });
  if ((call.body === undefined || call.body === '') && !takesEmptyBody(body, call))
    return body.required ? [fault(`${body.pointer}/required`, 'the body is missing')] : [];
  const { faults, node, isOpaque } = transferFaults(body, call);
  if (isOpaque && node !== undefined) return [...faults, ...(await otherBodyFaults(oracle, node, call))];
  const parsed = parseBody(Buffer.from(call.body ?? '', 'latin1'), { ignoreBOM: true });
  if ('fault' in parsed) return [...faults, fault(`${body.pointer}/content`, `the body is ${parsed.fault}`)];
  const found = node ? await findViolations(node, parsed.value) : [];
  const [first] = found;
  if (!first) return faults;
  const description = `the body violates the contract${first.at && ` at ${first.at}`}`;
  const names = found.flatMap((violation) => violation.names);
  return [...faults, fault(first.pointer, description, names)];
}

/**
 * Whether a server may reject a value for a syntax that its schema does not describe. The examples of the schema are in the syntax; where `null`
 * is permitted too, the server can do without the value, and its operator may not permit any.
 */
function mayBeOutOfSyntax(document: SchemaDocument, given: SchemaNode, value: unknown, depth = 0): boolean {
  const node = follow(document, given);
  const { schema } = node;
  // A schema can be its own part.
  if (value === null || value === undefined || depth > 64) return false;
  const inner = (part: Schema, member: unknown): boolean =>
    mayBeOutOfSyntax(document, within(node, part), member, depth + 1);
  if (schema['x-syntax'] !== undefined) {
    const isExample = syntaxExamples(schema)?.some((each) => JSON.stringify(each) === JSON.stringify(value)) ?? false;
    if (!isExample || typesOf(schema).includes('null')) return true;
  }
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (parts.some((part) => inner(part, value))) return true;
  if (Array.isArray(value)) {
    const { items } = schema;
    return items !== undefined && value.some((each) => inner(items, each));
  }
  return Object.entries(schema.properties ?? {}).some(
    ([name, member]) => isObject(value) && Object.hasOwn(value, name) && inner(member, value[name]),
  );
}

/** Whether the body of a call may be out of a syntax. */
function hasOddBody({ requests }: Contract, { body }: Operation, call: Call): boolean {
  if (body === undefined || call.body === undefined) return false;
  const [contentType = ''] = headerValues(call, 'content-type');
  const declared = declaredMediaType(body.content.keys(), contentType.split(';')[0]!.trim().toLowerCase());
  const node = declared === undefined ? undefined : body.content.get(declared);
  const parsed = parseBody(Buffer.from(call.body, 'latin1'), { ignoreBOM: true });
  return node !== undefined && 'value' in parsed && mayBeOutOfSyntax(requests, node, parsed.value);
}

/** The methods of a path of the contract, HEAD with GET. */
const methodsOf = (operations: readonly Operation[]): string[] =>
  operations.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));

/** The fault of the API keys of a call; undefined for one valid key. */
function keyFault({ isStrict }: Contract, { keyLocations, isPublic }: Operation, { keys }: Call): string | undefined {
  if (keyLocations.length === 0) return undefined;
  const [key, ...others] = keys;
  if (!key) return isPublic ? undefined : 'the API key is missing';
  if (!isStrict && keys.some(({ replacement }) => replacement === undefined)) return undefined;
  if (others.length > 0) return `the call has ${keys.length} API keys`;
  return key.replacement === undefined ? undefined : 'the API key is wrong';
}

/** The expected result of a call. */
export async function expectationOf(oracle: Oracle, call: Call): Promise<Expectation> {
  const { contract } = oracle;
  const pathOperations = contract.operations.filter(({ path }) => path === call.path);
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const supported = pathOperations.find((candidate) => candidate.method === method);
  const operation = supported ?? pathOperations[0] ?? anyOperation(contract);
  const only = (status: number, pointer: string, reason: string): Expectation => ({
    statuses: [status],
    pointer,
    reason,
    names: [],
    operation,
    valid: false,
  });

  const wrongKey = keyFault(contract, operation, call);
  // Another service may demand a key before it looks for the operation, and may accept or reject several of them.
  const denial = !contract.isStrict && mayBeDenied(contract, call) ? [401] : [];
  const allowing = (expectation: Expectation, ...more: number[]): Expectation => ({
    ...expectation,
    statuses: [...new Set([...expectation.statuses, ...more, ...denial])],
  });
  // The service checks the key first; other services may not.
  const isOtherPath = !contract.isStrict && hasOddPath(call);
  const isOutside = pathOperations.length === 0 || supported === undefined;
  const elsewhere = (expectation: Expectation): Expectation =>
    contract.isStrict
      ? expectation
      : {
          ...expectation,
          statuses: [...expectation.statuses, ...(isOtherPath ? [404] : [])],
          ...(isOtherPath && { isOtherPath }),
          ...(isOutside && { isOutside }),
        };
  if (wrongKey !== undefined && (contract.isStrict || pathOperations.length > 0))
    return elsewhere(only(401, '/security', wrongKey));
  if (pathOperations.length === 0)
    return elsewhere(allowing(only(404, '/paths', `the contract has no path ${shorten(call.path)}`)));
  if (supported === undefined) {
    const pointer = `/paths/${call.path.replaceAll('/', '~1')}`;
    const expectation = allowing(only(405, pointer, `the path has no ${call.method}`));
    return { ...elsewhere(expectation), allow: methodsOf(pathOperations) };
  }

  const expectation = await operationExpectation(oracle, operation, call);
  if (hasOddPath(call)) return { ...allowing(expectation, 404), isOtherPath: true };
  return call.keys.length > 1 ? allowing(expectation) : expectation;
}

/** Whether servers may read the path of a call as another one. */
const hasOddPath = (call: Call): boolean =>
  parametersOfPath(call.path).some((name) => {
    const part = call.query.find((each) => 'name' in each && each.name === name);
    if (part === undefined || !('value' in part)) return true;
    return isOddSegment(part.encoded === undefined ? part.value : decodeLeniently(part.encoded));
  });

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a service that demands a key for any call may reject the keys of this one: there is none, a wrong one, or several. */
function mayBeDenied({ document }: Contract, { keys }: Call): boolean {
  const [key, ...others] = keys;
  const isRight = key !== undefined && key.replacement === undefined && others.length === 0;
  const { components } = document as { components?: { securitySchemes?: object } };
  return !isRight && Object.keys(components?.securitySchemes ?? {}).length > 0;
}

/** The expected result of a call that reaches its operation. */
async function operationExpectation(oracle: Oracle, operation: Operation, call: Call): Promise<Expectation> {
  const { faults, unclear } = queryFaults(oracle, operation, call);
  const all = [...faults, ...(await bodyFaults(oracle, operation, call))];
  const [first] = all;
  if (first === undefined) return validExpectation(oracle, operation, call, unclear);
  return {
    statuses: [...new Set([...all.map(({ status }) => status), ...(unclear ? [400] : [])])],
    pointer: first.pointer,
    reason: [...new Set(all.map(({ description }) => description))].join('; '),
    names: !unclear && all.every(({ names }) => names.length > 0) ? all.flatMap(({ names }) => names) : [],
    operation,
    valid: false,
  };
}

/** The expected result of a call without faults. */
function validExpectation(
  { contract, known }: Oracle,
  operation: Operation,
  call: Call,
  unclear: boolean,
): Expectation {
  // A valid call may reference an entity that does not exist, or violate a syntax that no schema describes.
  const provided = [...parametersOf(call)].flatMap(([name, [value = '']]) => {
    const parameter = operation.parameters.get(name);
    return parameter === undefined ? [] : [{ parameter, value }];
  });
  const isUnknownReference = provided.some(
    ({ parameter, value }) =>
      known.isReference(operation, parameter.name) && !known.has(operation, parameter.name, value),
  );
  const hasUnknownBody = operation.body !== undefined && !known.hasBody(operation, call.body ?? '');
  const hasOtherPath = [...operation.parameters.values()].some((each) => each.in === 'path' && each.form !== undefined);
  const notFound = isUnknownReference || hasUnknownBody || hasOtherPath ? [404] : [];
  const pageCursor = provided.find(({ parameter }) => known.isCursor(operation, parameter.name));
  if (pageCursor) {
    const { name, pointer } = pageCursor.parameter;
    const reason = `no page of this call returned this ${name}`;
    return { statuses: [400, ...notFound], pointer, reason, names: [], operation, valid: false };
  }
  // Two parameters that identify one entity may identify different entities.
  const hasConflict =
    operation.atLeastOneOf.filter((name) => provided.some(({ parameter }) => parameter.name === name)).length > 1;
  const hasUnknownSyntax = provided.some(
    ({ parameter, value }) => parameter.hasSyntax && !known.has(operation, parameter.name, value),
  );
  const hasOddSyntax = hasUnknownSyntax || hasOddBody(contract, operation, call);
  const badRequest = unclear || hasConflict || hasOddSyntax ? [400] : [];
  // An operation with a cost may have no quota left, the conversation of an earlier call may have expired, and the state of what a call changes is not known.
  const busy = (operation.costs ? [409, 503] : operation.writes ? [409] : []).filter((status) =>
    operation.responses.has(status),
  );
  const success = operation.responses.statuses().filter((status) => status >= 200 && status < 300);
  return {
    statuses: [...success, ...notFound, ...badRequest, ...busy],
    pointer: `${operation.pointer}/responses`,
    reason: notFound.length > 0 ? 'the call is valid, but its entity may not exist' : 'the call is valid',
    names: [],
    operation,
    valid: true,
  };
}
