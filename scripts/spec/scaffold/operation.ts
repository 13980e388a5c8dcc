/** The metadata of an operation for the skeletons. */
import { mediaKind } from '../../../server/contract/media-type.ts';
import { operationTable } from '../../../server/contract/operation-table.ts';
import { resolve } from '../../../server/contract/plain-document.ts';
import { placed, type Document, type Parameter } from '../contract-document.ts';

/** A parameter of the path or the query. */
export interface CallParameter {
  readonly name: string;
  /** Its type in TypeScript. */
  readonly type: string;
  /** Whether a handler always finds it: it is required, or has a default. */
  readonly always: boolean;
}

/** An operation of the contract. */
export interface Operation {
  readonly id: string;
  /** `GET /social/user/followings`. */
  readonly route: string;
  readonly summary: string;
  /** Its parameters in the path. */
  readonly path: readonly CallParameter[];
  readonly query: readonly CallParameter[];
  /** Of these parameters a call has exactly one; empty where there is no such rule. */
  readonly exactlyOneOf: readonly string[];
  /** A call that has all it needs, by the examples of the spec: its path parameters, and its query or body. */
  readonly call: Readonly<Record<string, unknown>>;
  /** The member of its pages that holds the items; undefined where it does not answer pages that `paged` makes. */
  readonly items: string | undefined;
  readonly body: boolean;
  /** The status that its test expects: the first success. */
  readonly status: number;
  /** Whether its handler returns a reply instead of the body of its only success. */
  readonly replies: boolean;
  /** Whether this success has a JSON body. */
  readonly answersJson: boolean;
  /** Whether the contract lets it answer 501. */
  readonly may501: boolean;
}

const page = ['next_cursor', 'has_next_page'];

/** A schema of a query parameter as TypeScript has it; what it does not know is a string, as it comes. */
function typeOf({ type, enum: values, items }: Record<string, unknown> = {}): string {
  if (Array.isArray(values))
    return values.map((value) => (typeof value === 'string' ? quoted(value) : String(value))).join(' | ');
  if (type === 'array') return `(${typeOf((items ?? {}) as Record<string, unknown>)})[]`;
  return type === 'integer' || type === 'number' ? 'number' : type === 'boolean' ? 'boolean' : 'string';
}

/** A text as a literal of TypeScript. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

type Answered = { readonly required?: readonly string[] };
type Answer = { readonly content?: Readonly<Record<string, { readonly schema?: object }>> };

/** What the test of an operation expects. */
function successOf(
  document: Document,
  { responses = {} }: { readonly responses?: object },
  replies: boolean,
): Pick<Operation, 'status' | 'replies' | 'answersJson'> {
  const [key = '200', described = {}] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
  const { content = {} } = resolve<Answer>(document, described as Answer);
  const answersJson = Object.keys(content).some((type) => mediaKind(type) === 'json');
  return { status: Number(key.replace('XX', '00')), replies, answersJson };
}

/** The operations of the contract, in its order. */
export function operationsOf(document: Document): Operation[] {
  const table = operationTable(document as Parameters<typeof operationTable>[0]);
  return placed(document).map(({ method, path, operation, parameters, body }) => {
    const { operationId: id, summary = id, 'x-items': items, 'x-exactly-one-of': exactlyOneOf = [] } = operation;
    const isAlways = ({ required, schema }: Pick<Parameter, 'required' | 'schema'>): boolean =>
      required === true || (typeof schema === 'object' && 'default' in schema);
    const always = parameters.filter(isAlways).map(({ name }) => name);
    const answer = operation.responses?.['200'];
    const schema = answer && resolve<Answer>(document, answer).content?.['application/json']?.schema;
    const members = schema === undefined ? [] : (resolve<Answered>(document, schema).required ?? []);
    const isPage = members.length === 3 && [items, ...page].every((name) => members.includes(name!));
    const takesPage = parameters.some(({ name }) => name === 'cursor') && always.includes('limit');
    const needed = parameters.filter(
      ({ name, required, in: place }) =>
        place === 'path' || (body === undefined && (required || name === exactlyOneOf[0])),
    );
    const at = (place: string): CallParameter[] =>
      parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => ({
          name: parameter.name,
          type: typeOf(parameter.schema),
          always: isAlways(parameter),
        }));
    return {
      id,
      route: `${method.toUpperCase()} ${path}`,
      summary,
      path: at('path'),
      query: at('query'),
      exactlyOneOf,
      call: {
        ...Object.fromEntries(needed.map(({ name, example }) => [name, example])),
        ...(body as Record<string, unknown>),
      },
      items: isPage && takesPage ? items : undefined,
      body: operation.requestBody !== undefined,
      ...successOf(document, operation, table[id]?.success === undefined),
      may501: operation.responses?.['501'] !== undefined,
    };
  });
}
