/** The examples of the spec, as the mocks of the client answer them. */
import type { MockedInput, MockedReply, TextType } from '../../client/src/received.ts';
import { mediaKind } from '../../server/contract/media-type.ts';
import { resolve } from '../../server/contract/plain-document.ts';
import { isObject } from '../../server/text/object.ts';
import { callShape, type CallShape } from './client-call.ts';
import { literalOf, propertyName } from './client-parameters.ts';
import type { Placed } from './client-operation.ts';
import { methodName } from '../../server/contract/method-name.ts';
import { escapeKey } from '../contract-tools/files/index.ts';
import { SpecError } from './spec-error.ts';

export interface Example {
  readonly value?: unknown;
}
interface Reference {
  readonly $ref: string;
}
interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly example?: unknown;
  readonly examples?: Record<string, Example | Reference>;
}
interface Header {
  readonly example?: unknown;
  readonly schema?: Header | Reference;
}
type Json = Record<string, unknown>;
interface Response {
  readonly headers?: Record<string, Header | Reference>;
  readonly content?: Record<string, Media>;
}

/** The parts of the document that responses refer to. */
export interface Answers {
  readonly responses?: Record<string, Response>;
  readonly examples?: Record<string, Example>;
  readonly headers?: Record<string, Header>;
}

/** An operation with its responses. */
export type Answering = Placed & {
  readonly operation: { readonly responses?: Record<string, Response | Reference> };
};

/** The name of an error: that of its component, else by the operation and the status. */
const nameOf = (id: string, status: string, response: Response | Reference): string =>
  '$ref' in response ? response.$ref.split('/').at(-1)! : `${id}${status}`.replaceAll(/[^\w.-]/g, '_');

/** The first example of a media type; undefined where there is none. */
function firstExample(document: object, media: Media | undefined): unknown {
  const [first] = Object.values(media?.examples ?? {});
  return first === undefined ? media?.example : resolve<Example>(document, first).value;
}

/** The first example of a body, which JSON has before other media types; undefined where there is none. */
export function exampleOf(document: object, content: Record<string, Media> | undefined): unknown {
  const all = Object.entries(content ?? {});
  const [, media] = all.find(([type]) => mediaKind(type) === 'json') ?? all[0] ?? [];
  return firstExample(document, media);
}

/** The examples of headers, by name; a header without one is left out. */
const headersOf = (document: object, { headers = {} }: Response): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, header]) => {
      const { example, schema } = resolve<Header>(document, header);
      const value = example ?? (schema && resolve<Header>(document, schema).example);
      return value === undefined ? [] : [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
    }),
  );

/** The lowest status of a range such as `2XX`; 200 for `default`. */
const statusOf = (status: string): number => Number(status.replaceAll(/x/gi, '0')) || 200;

/** The success responses of an operation; none if it only has a 200 in JSON. */
function repliesOf(
  document: object,
  { operation: { responses = {} } }: Answering,
  { successes }: CallShape,
): MockedReply[] {
  const replies = successes.map(({ status, content }): MockedReply => {
    const [type] = Object.keys(content);
    const headers = headersOf(document, resolve<Response>(document, responses[status]!));
    return {
      status: statusOf(status),
      ...(type === undefined ? {} : { type, kind: mediaKind(type) }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
    };
  });
  const [first, ...others] = replies;
  const isUsual = others.length === 0 && first?.status === 200 && first.type === 'application/json';
  return isUsual ? [] : replies;
}

/** The example of the answer that a call which succeeds gets; null where that has no body. Throws a SpecError where it has none. */
function answerOf(document: object, { path, method, operation }: Answering, { successes }: CallShape): unknown {
  const pointer = `/paths/${escapeKey(path)}/${method}/responses`;
  const [first] = successes;
  if (first === undefined)
    throw new SpecError(`${operation.operationId}: it needs a response for calls that succeed`, pointer, 'add a 200.');
  const [only] = Object.entries(first.content as Record<string, Media>);
  if (only === undefined) return null;
  const [type, media] = only;
  const example = firstExample(document, media);
  switch (mediaKind(type)) {
    case 'json':
      if (example !== undefined) return example;
      throw new SpecError(
        `${operation.operationId}: its response needs an example`,
        `${pointer}/${first.status}`,
        'add an example.',
      );
    case 'json-lines':
    case 'event-stream':
      return example === undefined ? [] : Array.isArray(example) ? example : [example];
    case 'text':
      return typeof example === 'string' ? example : '';
    default:
      return null;
  }
}

function textTypeOf(document: object, schema: unknown, depth = 0): TextType {
  if (typeof schema !== 'object' || schema === null || depth > 3) return 'string';
  const resolved = resolve<Json>(document, schema as Json);
  const { type, items, properties, anyOf, oneOf, allOf, enum: values } = resolved;
  const inner = (each: unknown): TextType => textTypeOf(document, each, depth + 1);
  const types = [type].flat().filter((each) => each !== 'null');
  if (types.length > 1) return types.includes('string') ? 'string' : types.includes('boolean') ? 'scalar' : 'number';
  const [only] = types;
  if (only === 'array') return [inner(items)];
  if (only === 'object' || isObject(properties))
    return Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [name, inner(each)]),
    );
  if (only === 'integer' || only === 'number') return 'number';
  if (only !== undefined) return only === 'boolean' ? 'boolean' : 'string';
  const [known] = Array.isArray(values) ? (values as unknown[]) : 'const' in resolved ? [resolved['const']] : [];
  if (known !== undefined) return typeof known === 'number' || typeof known === 'boolean' ? typeof known : 'string';
  const [part] = [anyOf, oneOf, allOf].flatMap((parts) => (Array.isArray(parts) ? (parts as unknown[]) : []));
  return part === undefined ? 'string' : inner(part);
}

/** What the mocks need to know of the input of an operation. */
function inputOf(document: object, { operation }: Answering, { parameters, body }: CallShape): MockedInput {
  const { content = {} } = resolve<{ content?: Record<string, Media> }>(
    document,
    (operation.requestBody ?? {}) as Reference,
  );
  const [media] = Object.values(content);
  const members = body?.members === undefined ? [] : [...body.members];
  const whole = body !== undefined && body.members === undefined ? ['body'] : [];
  const types = parameters.flatMap(({ key, schema: each }) => {
    const type = textTypeOf(document, each);
    return type === 'string' ? [] : [[key, type] as const];
  });
  const isForm = Object.values(body?.kinds ?? {}).some((kind) => kind === 'form' || kind === 'multipart');
  return {
    names: [...parameters.map(({ key }) => key), ...members, ...whole],
    required: [
      ...parameters.filter((each) => each.required).map(({ key }) => key),
      ...(body?.required === true ? (body.members === undefined ? whole : body.needed) : []),
    ],
    exactlyOneOf: operation['x-exactly-one-of'] ?? [],
    ...(types.length === 0 ? {} : { types: Object.fromEntries(types) }),
    ...(isForm ? { form: textTypeOf(document, media?.schema) } : {}),
  };
}

/**
 * The module with an example for every answer; `template` is `x-method-names` of the document, `runtime` the module with its types. Throws for an operation without
 * an example.
 */
export function mockAnswers(
  banner: string,
  operations: readonly Answering[],
  document: object,
  template: string | undefined,
  runtime = '../client/src/received.ts',
): string {
  const answers: Record<string, unknown> = {};
  const failuresOf: string[] = [];
  /** The errors by name, each with the response and its status. */
  const errors = new Map<string, { response: Response; status: number }>();
  const replies: Record<string, readonly MockedReply[]> = {};
  const inputs: Record<string, MockedInput> = {};
  for (const placed of operations) {
    const { path, method, operation } = placed;
    const { group, name } = methodName(placed, template);
    const shape = callShape(document, placed);
    answers[`${group}.${name}`] = answerOf(document, placed, shape);
    inputs[`${method} ${path}`] = inputOf(document, placed, shape);
    replies[`${group}.${name}`] = repliesOf(document, placed, shape);
    const names = Object.entries(operation.responses ?? {})
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const error = nameOf(operation.operationId, status, response);
        errors.set(error, { response: resolve<Response>(document, response), status: Number(status) });
        return `'${error}'`;
      });
    failuresOf.push(`  ${propertyName(operation.operationId)}: ${names.join(' | ') || 'never'};`);
  }
  const failures = Array.from(errors, ([name, { response, status }]) => [
    name,
    { status, body: exampleOf(document, response.content), headers: headersOf(document, response) },
  ]) as [string, object][];
  const json = JSON.stringify(inputs);
  // Below a name that every object has, TypeScript takes no type from the index signature.
  const isUsual = Object.getOwnPropertyNames(Object.prototype).every((name) => !json.includes(`"${name}":`));
  const inputText = isUsual ? json : `JSON.parse(${JSON.stringify(json)})`;
  return `${banner}import type { MockedInput, MockedReply } from '${runtime}';

/** What each method answers in the examples of the spec; null where it answers without a body, or with bytes. */
export const answers: Record<string, unknown> = ${literalOf(answers, 1)};

/** The success responses of the methods that have other ones than a 200 in JSON. */
export const replies: Readonly<Record<string, readonly MockedReply[]>> = ${literalOf(Object.fromEntries(Object.entries(replies).filter(([, each]) => each.length > 0)), 1)};
/** Every error of the spec by its name, as its example has it. */
export const failures = ${literalOf(Object.fromEntries(failures), 1)} as const;

/** By method and path: the names of the members of its argument, and the types of those that are no texts. */
export const inputs: Readonly<Record<string, MockedInput>> = ${inputText};

/** Which errors an operation may answer. */
export interface FailuresOf {
${failuresOf.join('\n')}
}
`;
}
