/** The examples of the spec, as the mocks of the client answer them. */
import { methodName, type Placed } from './generate-client.ts';

export interface Example {
  readonly value: unknown;
}
interface Reference {
  readonly $ref: string;
}
interface Media {
  readonly schema?: { readonly $ref?: string };
  readonly examples?: Record<string, Example | Reference>;
}
interface Response {
  readonly headers?: Record<string, Reference>;
  readonly content?: { readonly 'application/json': Media };
}

/** The parts of the document that responses refer to. */
export interface Answers {
  readonly responses: Record<string, Response>;
  readonly examples: Record<string, Example>;
  readonly headers: Record<string, { example?: unknown }>;
}

/** An operation with its responses. */
export type Answering = Placed & {
  readonly operation: { readonly responses?: Record<string, Response | Reference> };
};

const lastOf = ({ $ref }: Reference): string => $ref.split('/').at(-1)!;

/** What stands there, or the component that a reference there names. */
export const referred = <Part extends object>(parts: Record<string, Part>, part: NoInfer<Part> | Reference): Part =>
  '$ref' in part ? parts[lastOf(part)]! : part;

function exampleOf({ content }: Response, components: Answers): unknown {
  const [example] = Object.values(content?.['application/json'].examples ?? {});
  return example === undefined ? undefined : referred(components.examples, example).value;
}

/** The module with an example for every answer. Throws for an operation without one. */
export function mockAnswers(banner: string, operations: readonly Answering[], components: Answers): string {
  const answers: Record<string, unknown> = {};
  const failuresOf: string[] = [];
  for (const { path, operation } of operations) {
    const responses = Object.entries(operation.responses ?? {});
    const [, ok] = responses.find(([status]) => status === '200') ?? [];
    const example = ok === undefined ? undefined : exampleOf(referred(components.responses, ok), components);
    if (example === undefined) throw new Error(`${operation.operationId}: its answer needs an example`);
    const { group, name } = methodName(path);
    answers[`${group}.${name}`] = example;
    const names = responses
      .filter(([status]) => Number(status) >= 400)
      .map(([status, response]) => {
        if (!('$ref' in response)) throw new Error(`${operation.operationId}: its ${status} must refer to one of components/responses`);
        return `'${lastOf(response)}'`;
      });
    failuresOf.push(`  ${operation.operationId}: ${names.join(' | ')};`);
  }
  const statuses = new Map(
    operations
      .flatMap(({ operation }) => Object.entries(operation.responses ?? {}))
      .flatMap(([status, response]) => ('$ref' in response ? [[lastOf(response), Number(status)] as const] : [])),
  );
  const failures = Array.from(statuses)
    .filter(([, status]) => status >= 400)
    .map(([name, status]) => {
      const response = components.responses[name]!;
      const headers = Object.keys(response.headers ?? {}).map((header) => [header, String(components.headers[header]!.example)]);
      return [name, { status, body: exampleOf(response, components), headers: Object.fromEntries(headers) as unknown }] as const;
    });
  return `${banner}
/** What each method answers in the examples of the spec. */
export const answers: Record<string, unknown> = ${JSON.stringify(answers, null, 1)};

/** Every error of the spec by its name, as its example has it. */
export const failures = ${JSON.stringify(Object.fromEntries(failures), null, 1)} as const;

/** The query parameters that are numbers. */
export const numbers: readonly string[] = ${JSON.stringify([...new Set(operations.flatMap(({ parameters }) => parameters.filter(({ schema }) => schema['type'] === 'integer').map(({ name }) => name)))])};

/** Which errors an operation may answer. */
export interface FailuresOf {
${failuresOf.join('\n')}
}
`;
}
