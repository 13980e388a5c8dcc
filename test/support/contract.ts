/**
 * Checks an answer against the contract with a validator that the server does not use (@hyperjump/json-schema, not Ajv), so
 * that a fault of the server's own validator cannot hide.
 */
import { readFile } from 'node:fs/promises';
import { setShouldValidateSchema } from '@hyperjump/json-schema';
import { registerSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import type { OperationId } from '../../server/contract/operations.ts';

interface Media {
  readonly schema: { readonly $ref: string };
  readonly examples?: Record<string, { readonly $ref: string }>;
}
interface Answer {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, Media>;
}
interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: OperationId;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: { readonly 'application/json': Media } };
  readonly 'x-exactly-one-of'?: readonly string[];
  readonly responses: Record<string, Answer | { readonly $ref: string }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly examples: Record<string, { readonly value: unknown }> };
}

export const contract = JSON.parse(
  await readFile(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as Document;
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

/**
 * Throws unless the answer is one that the contract declares for the operation: its status, all declared headers, its media
 * type and its body. Answers the body, parsed. The RateLimit headers are demanded unless `limited` is false.
 */
export async function expectContract(id: OperationId, response: Response, { limited = true } = {}): Promise<unknown> {
  const what = `${id} ${response.status}`;
  const declared = operationOf(id).responses[response.status];
  const text = await response.text();
  if (!declared) throw new Error(`${what} is not declared; the body was ${text}`);
  const { headers = {}, content } = follow<Answer>(declared);
  for (const name of Object.keys(headers)) {
    const demanded = limited || !name.startsWith('RateLimit');
    if (demanded && !response.headers.has(name)) throw new Error(`${what} lacks the header ${name}`);
  }
  if (!content) {
    if (text !== '') throw new Error(`${what} must not have a body; it was ${text}`);
    return undefined;
  }
  const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
  const media = content[type];
  if (!media) throw new Error(`${what} has the media type '${type}', which is not declared`);
  const body: unknown = JSON.parse(text);
  await expectValue(media.schema.$ref, body, what);
  return body;
}

function exampleOf({ examples }: Media): unknown {
  const [example] = Object.values(examples!);
  return structuredClone(follow<{ value: unknown }>(example!).value);
}

/** The example that the contract gives for the 200 answer of an operation; a fresh copy. */
export function exampleAnswer(id: OperationId): unknown {
  const { content } = follow<Answer>(operationOf(id).responses['200']!);
  return exampleOf(content!['application/json']!);
}

/** A call of an operation that has all it needs, by the examples of the contract: its query, and its body where it has one. */
export function exampleCall(id: OperationId): { query: Record<string, string>; body: unknown } {
  const { parameters = [], requestBody, 'x-exactly-one-of': oneOf = [] } = operationOf(id);
  const needed = parameters
    .map((parameter) => follow<Parameter>(parameter))
    .filter(({ name, required }) => required === true || name === oneOf[0]);
  return {
    query: Object.fromEntries(needed.map(({ name, example }) => [name, String(example)])),
    body: requestBody && exampleOf(requestBody.content['application/json']),
  };
}

/** The name of the schema of an operation's 200 answer. */
export const answerSchema = (id: OperationId): string =>
  follow<Answer>(operationOf(id).responses['200']!).content!['application/json']!.schema.$ref.split('/').at(-1)!;

/** Whether the contract lets the operation answer this status. */
export const declares = (id: OperationId, status: number): boolean => status in operationOf(id).responses;
