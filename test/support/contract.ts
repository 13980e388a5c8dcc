/**
 * Checks an answer against the contract with a validator that the server does not use (@hyperjump/json-schema, not Ajv), so
 * that a fault of the server's own validator cannot hide.
 */
import { readFile } from 'node:fs/promises';
import { setShouldValidateSchema } from '@hyperjump/json-schema';
import { registerSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { Answerer } from '../../scripts/contract-tools/mock/answer.ts';
import { ExampleCalls, type CallValues } from '../../scripts/contract-tools/example-call.ts';
import { lazy } from '../../server/collections/lazy.ts';
import { isStream } from '../../server/http/mcp/tools.ts';
import { isFrameHeader } from '../../server/contract/frame-headers.ts';
import { declaredMediaType, mediaKind } from '../../server/contract/media-type.ts';
import { operationMetadata, responseFor, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { operationIds, type OperationId } from '../../server/contract/operations.ts';
import { normaliseDocument } from '../../server/contract/plain-document.ts';
import { responseKeys } from '../../server/contract/statuses.ts';

interface Media {
  readonly schema?: { readonly $ref?: string };
}
interface Answer {
  readonly headers?: Record<string, { readonly required?: boolean }>;
  readonly content?: Record<string, Media>;
}
interface Operation {
  readonly operationId: OperationId;
  readonly responses: Record<string, Answer | { readonly $ref: string }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly examples: Record<string, { readonly value: unknown }> };
}

/** The contract; its paths have nothing but operations. */
export const contract = normaliseDocument(
  JSON.parse(await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8')) as Document,
);
const base = 'https://contract.test/openapi';
registerSchema(contract as never, base, 'https://spec.openapis.org/oas/3.1/schema-base');
// test/contract/schema.test.ts validates the schemas of the contract themselves, once for all tests.
setShouldValidateSchema(false);

const every = Object.values(contract.paths).flatMap((methods) => Object.values(methods));
const operations = new Map(every.map((operation) => [operation.operationId, operation]));

function follow<T>(value: T | { readonly $ref: string }): T {
  if (!(typeof value === 'object' && value !== null && '$ref' in value)) return value;
  return value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], contract) as T;
}

function operationOf(id: OperationId): Operation {
  const operation = operations.get(id);
  if (!operation) throw new Error(`the contract has no operation ${id}`);
  return operation;
}

const validators = new Map<string, ReturnType<typeof validate>>();
function validator(ref: string): ReturnType<typeof validate> {
  const known = validators.get(ref) ?? validate(`${base}${ref}`);
  validators.set(ref, known);
  return known;
}

/** Throws unless the value satisfies the schema of this name in the contract; the message says where it does not. */
export async function expectSchema(name: string, value: unknown): Promise<void> {
  await expectValue(`#/components/schemas/${name}`, value, name);
}

async function expectValue(ref: string, value: unknown, what: string): Promise<void> {
  const output = (await validator(ref))(value as never, 'BASIC');
  if (output.valid) return;
  const findings = (output.errors ?? []).map(
    (error) => `${error.instanceLocation} against ${error.absoluteKeywordLocation}`,
  );
  throw new Error(`${what}: the body breaks the contract\n${findings.join('\n')}\n${JSON.stringify(value)}`);
}

/** The place of a declared response as a reference, and the response. */
function declaredOf(id: OperationId, status: number): { $ref: string; response: Answer } | undefined {
  const { responses } = operationOf(id);
  const name = responseKeys(status).find((each) => each in responses);
  if (name === undefined) return undefined;
  const described = responses[name]!;
  const { path, method } = metadata()[id].entry;
  const at = `#/paths/${encodeURI(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}/responses/${name}`;
  return { $ref: '$ref' in described ? described.$ref : at, response: follow<Answer>(described) };
}

/** The values in a body of a media type that have the schema of the contract; none in bytes and in a text. */
function valuesIn(type: string, text: string): unknown[] {
  const kind = mediaKind(type);
  if (kind === 'json') return [JSON.parse(text)];
  const lines = text.split('\n').filter((line) => line !== '');
  if (kind === 'json-lines') return lines.map((line) => JSON.parse(line) as unknown);
  const data = lines.filter((line) => line.startsWith('data:'));
  return kind === 'event-stream' ? data.map((line) => JSON.parse(line.slice('data:'.length)) as unknown) : [];
}

/**
 * Throws unless the answer is one that the contract declares for the operation: its status, all required headers and those that the
 * server sets, its media type and its body. Answers the body: JSON is parsed, of a stream it is the list of the items. The RateLimit
 * headers are demanded unless `limited` is false.
 */
export async function expectContract(id: OperationId, response: Response, { limited = true } = {}): Promise<unknown> {
  const what = `${id} ${response.status}`;
  const declared = declaredOf(id, response.status);
  const text = await response.text();
  if (!declared) throw new Error(`${what} is not declared; the body was ${text}`);
  const { headers = {}, content } = declared.response;
  for (const [name, header] of Object.entries(headers)) {
    const demanded = follow(header).required === true || isFrameHeader(name, true);
    if (demanded && (limited || !name.startsWith('RateLimit')) && !response.headers.has(name))
      throw new Error(`${what} lacks the header ${name}`);
  }
  if (!content) {
    if (text !== '') throw new Error(`${what} must not have a body; it was ${text}`);
    return undefined;
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
  const name = declaredMediaType(Object.keys(content), type);
  if (name === undefined) throw new Error(`${what} has the media type '${type}', which is not declared`);
  const values = valuesIn(type, text);
  const ref = schemaRef(declared.$ref, name, content[name]!);
  if (content[name]!.schema !== undefined) for (const value of values) await expectValue(ref, value, what);
  const kind = mediaKind(type);
  return kind === 'json' ? values[0] : kind === 'json-lines' || kind === 'event-stream' ? values : text;
}

const document = contract as unknown as OpenApiDocument;
const calls = lazy(() => new ExampleCalls(document));
const answerer = lazy(() => new Answerer(document as never, { seed: 1, items: undefined }));
const metadata = lazy(() => operationMetadata(document));
const noPreference = { code: undefined, example: undefined, dynamic: false };

/** The response of an operation for success, by the example of the contract, or else a value of its schema. */
const exampleReply = (id: OperationId) => structuredClone(answerer().answer(id, {}, noPreference));

/** The body of the response of an operation for success, as a caller gets it; a fresh copy. */
export const exampleAnswer = (id: OperationId): unknown => exampleReply(id).body;

/** What a handler of the operation returns for its example: the body, or a reply. */
export function exampleResult(id: OperationId): unknown {
  const { status, headers, mediaType, body } = exampleReply(id);
  const { entry, conditional } = metadata()[id];
  if (entry.success !== undefined) return body;
  const declared = responseFor(metadata()[id], status)?.headers;
  const own = Object.entries(headers)
    .filter(([name]) => !isFrameHeader(name, conditional))
    .map(([name, text]): [string, unknown] => {
      const isText = [declared?.get(name.toLowerCase())?.schema.type].flat().includes('string');
      return [name, isText ? text : JSON.parse(text)];
    });
  const kind = mediaType === undefined ? undefined : mediaKind(mediaType);
  const isStream = kind === 'json-lines' || kind === 'event-stream';
  return {
    status,
    headers: Object.fromEntries(own),
    ...(mediaType !== undefined && {
      contentType: mediaType,
      body: isStream ? [body] : kind === 'binary' ? new Blob([String(body)]) : body,
    }),
  };
}

/** The status of the response of an operation for success. */
export const exampleStatus = (id: OperationId): number => exampleReply(id).status;

/** The operations that answer 200 with a JSON object alone. */
export const plainIds = operationIds.filter((id) => metadata()[id].entry.success === 200);

/** The operations whose successful response is a stream without an end. */
export const endlessIds = operationIds.filter((id) => isStream(metadata()[id]));

/** A call of an operation that has all it needs, by the examples of the contract. */
export const exampleCall = (id: OperationId): CallValues => calls().of(id);

/** The request of a call of an operation, without a key. */
export const requestOf = (id: OperationId, call: CallValues): ReturnType<ExampleCalls['requestOf']> =>
  calls().requestOf(id, call);

/** The reference of the schema of a media type of a response. */
const schemaRef = ($ref: string, name: string, { schema }: Media): string =>
  schema?.$ref ?? `${$ref}/content/${encodeURI(name.replaceAll('/', '~1'))}/schema`;

/** Throws unless the value is the JSON body of an operation's 200 response. */
export async function expectAnswer(id: OperationId, value: unknown): Promise<void> {
  const { $ref, response } = declaredOf(id, 200)!;
  const [[name, media]] = Object.entries(response.content!) as [[string, Media]];
  await expectValue(schemaRef($ref, name, media), value, id);
}

/** Whether the contract lets the operation answer this status. */
export const declares = (id: OperationId, status: number): boolean =>
  responseKeys(status).some((name) => name in operationOf(id).responses);
