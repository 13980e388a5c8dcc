/** The examples of the spec, as the mocks of the client answer them. */
import { resolve } from '../../server/contract/plain-document.ts';
import { propertyName } from './client-parameters.ts';
import type { Placed } from './client-operation.ts';
import { methodName } from './generate-client.ts';
import { escapeKey } from './pointer.ts';
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
}
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

const lastOf = ({ $ref }: Reference): string => $ref.split('/').at(-1)!;

/** The first example of a body in JSON; undefined where there is none. */
export function exampleOf(document: object, content: Record<string, Media> | undefined): unknown {
  const media = content?.['application/json'];
  const [first] = Object.values(media?.examples ?? {});
  return first === undefined ? media?.example : resolve<Example>(document, first).value;
}

/** The example of the answer that a call which succeeds gets; null where that has no body. Throws a SpecError where it has none. */
function answerOf(document: object, { path, method, operation }: Answering): unknown {
  const responses = operation.responses ?? {};
  const status = Object.keys(responses).find((each) => each.startsWith('2'));
  const pointer = `/paths/${escapeKey(path)}/${method}/responses${status === undefined ? '' : `/${status}`}`;
  if (status === undefined)
    throw new SpecError(`${operation.operationId}: it needs an answer for calls that succeed`, pointer, 'add a 200.');
  const { content } = resolve<Response>(document, responses[status]!);
  if (content === undefined || Object.keys(content).length === 0) return null;
  const example = exampleOf(document, content);
  if (example === undefined && content['application/json'] === undefined) return null;
  if (example === undefined)
    throw new SpecError(`${operation.operationId}: its answer needs an example`, pointer, 'add an example.');
  return example;
}

/** The names of an operation's parameters, and of the members of its request body. */
function inputOf(document: object, { operation, parameters }: Answering): object {
  const exactlyOneOf = operation['x-exactly-one-of'] ?? [];
  const { requestBody = {} } = operation;
  const { content = {} } = resolve<{ content?: Record<string, Media> }>(document, requestBody as Reference);
  const schema = resolve<{ properties?: object; required?: string[] }>(
    document,
    (content['application/json']?.schema ?? {}) as Reference,
  );
  const given = parameters.filter((each) => each.in !== 'header' && each.in !== 'cookie');
  const required = given.filter((each) => each.required).map(({ name }) => name);
  return {
    names: [...given.map(({ name }) => name), ...Object.keys(schema.properties ?? {})],
    required: [...required, ...(schema.required ?? [])],
    exactlyOneOf,
  };
}

/**
 * The module with an example for every answer; `template` is `x-method-names` of the document. Throws for an operation without
 * an example.
 */
export function mockAnswers(
  banner: string,
  operations: readonly Answering[],
  document: object,
  template: string | undefined,
): string {
  const answers: Record<string, unknown> = {};
  const failuresOf: string[] = [];
  /** The errors by name, each with the response and its status. */
  const errors = new Map<string, { response: Response; status: number }>();
  for (const placed of operations) {
    const { path, method, operation } = placed;
    const { group, name } = methodName(placed, template);
    answers[`${group}.${name}`] = answerOf(document, placed);
    const names = Object.entries(operation.responses ?? {})
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        const pointer = `/paths/${escapeKey(path)}/${method}/responses/${status}`;
        if (!('$ref' in response))
          throw new SpecError(
            `${operation.operationId}: its ${status} must refer to one of components/responses`,
            pointer,
            'move it to components/responses, and refer to it.',
          );
        errors.set(lastOf(response), { response: resolve<Response>(document, response), status: Number(status) });
        return JSON.stringify(lastOf(response)).replaceAll('"', "'");
      });
    failuresOf.push(`  ${propertyName(operation.operationId)}: ${names.join(' | ') || 'never'};`);
  }
  const failures = Array.from(errors, ([name, { response, status }]) => {
    const headers = Object.entries(response.headers ?? {}).map(([header, value]) => [
      header,
      String(resolve<Header>(document, value).example),
    ]);
    return [
      name,
      { status, body: exampleOf(document, response.content), headers: Object.fromEntries(headers) as unknown },
    ] as const;
  });
  return `${banner}
/** What each method answers in the examples of the spec; null where it answers without a body. */
export const answers: Record<string, object | null> = ${JSON.stringify(answers, null, 1)};

/** Every error of the spec by its name, as its example has it. */
export const failures = ${JSON.stringify(Object.fromEntries(failures), null, 1)} as const;

/** The parameters of paths and queries that are numbers. */
export const numbers: readonly string[] = ${JSON.stringify([...new Set(operations.flatMap(({ parameters }) => parameters.filter(({ schema }) => schema?.['type'] === 'integer').map(({ name }) => name)))])};

/** By method and path: the names of the parameters and of the members of the request body. */
export const inputs: Readonly<Record<string, Input>> = ${JSON.stringify(Object.fromEntries(operations.map((each) => [`${each.method} ${each.path}`, inputOf(document, each)])))};
interface Input {
  readonly names: readonly string[];
  readonly required: readonly string[];
  readonly exactlyOneOf: readonly string[];
}

/** Which errors an operation may answer. */
export interface FailuresOf {
${failuresOf.join('\n')}
}
`;
}
