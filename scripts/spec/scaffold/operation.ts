/** The metadata of an operation for the skeletons. */
import { isFrameRequestHeader } from '../../../server/contract/frame-headers.ts';
import { mediaKind } from '../../../server/contract/media-type.ts';
import { operationTable } from '../../../server/contract/operation-table.ts';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { resolve } from '../../../server/contract/plain-document.ts';
import { ExampleCalls, type CallValues } from '../../contract-tools/example-call.ts';
import { placed, type Document } from '../contract-document.ts';
import type { CallTypes } from './call-types.ts';

/** A parameter as a handler gets it. */
export interface CallParameter {
  readonly name: string;
  /** Its type in TypeScript, as the generated types have it. */
  readonly type: string;
  /** Whether a handler always finds it: it is required, or has a default. */
  readonly always: boolean;
}

/** The members of a call that have parameters. */
export type Place = 'path' | 'query' | 'headers' | 'cookies';

/** An operation of the contract. */
export interface Operation {
  readonly id: string;
  /** `GET /social/user/followings`. */
  readonly route: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<Place, readonly CallParameter[]>>;
  /** Of these parameters a call has exactly one; empty where there is no such rule. */
  readonly exactlyOneOf: readonly string[];
  /** A call that has all it needs. */
  readonly call: CallValues;
  /** The member of its pages that holds the items; undefined where it does not answer pages that `paged` makes. */
  readonly items: string | undefined;
  /** The types of its body by media type; undefined where it has none. */
  readonly body: ReadonlyMap<string, string> | undefined;
  /** The status that its test expects: the first success, or a range of statuses such as `2XX`. */
  readonly status: number | '2XX';
  /** Whether its handler returns a reply instead of the body of its only success. */
  readonly replies: boolean;
  /** Whether this success has a JSON body of which the contract has an example, as of the body of the call if it has one. */
  readonly hasExample: boolean;
  /** Whether the contract lets it answer 501. */
  readonly may501: boolean;
}

const page = ['next_cursor', 'has_next_page'];

/** A text as a literal of TypeScript. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

type Answered = { readonly required?: readonly string[] };
type Media = { readonly schema?: object; readonly example?: unknown; readonly examples?: object };
type Answer = { readonly content?: Readonly<Record<string, Media>> };

/** What the test of an operation expects: its first success, else its first redirection. */
function successOf(
  document: Document,
  { responses = {} }: { readonly responses?: object },
): Pick<Operation, 'status' | 'hasExample'> {
  const keys = Object.keys(responses).toSorted();
  const key = ['2', '3'].flatMap((digit) => keys.find((each) => each.startsWith(digit) && each !== '304') ?? [])[0];
  const described = responses[(key ?? 'default') as keyof typeof responses] ?? {};
  const { content = {} } = resolve<Answer>(document, described as Answer);
  const json = Object.entries(content).find(([type]) => mediaKind(type) === 'json')?.[1];
  const hasExample = json !== undefined && (json.example !== undefined || json.examples !== undefined);
  return { status: key === undefined || key === '2XX' ? '2XX' : Number(key.replace('XX', '00')), hasExample };
}

const isAlways = ({ required, schema }: { required?: boolean; schema?: object }): boolean =>
  required === true || (typeof schema === 'object' && 'default' in schema);

/** The member that holds the items of the pages that `paged` makes; undefined for any other answer. */
function itemsOf(document: Document, { operation, parameters }: ReturnType<typeof placed>[number]): string | undefined {
  const { 'x-items': items } = operation;
  const answer = operation.responses?.['200'];
  const schema = answer && resolve<Answer>(document, answer).content?.['application/json']?.schema;
  const members = schema === undefined ? [] : (resolve<Answered>(document, schema).required ?? []);
  const isPage = members.length === 3 && [items, ...page].every((name) => members.includes(name!));
  const inQuery = parameters.filter(({ in: place }) => place === 'query');
  const takesPage =
    inQuery.some(({ name }) => name === 'cursor') && inQuery.some((each) => each.name === 'limit' && isAlways(each));
  return isPage && takesPage ? items : undefined;
}

/** The operations of the contract, in its order. `types` are those of the generated module. */
export function operationsOf(document: Document, types: ReadonlyMap<string, CallTypes> = new Map()): Operation[] {
  const table = operationTable(document as Parameters<typeof operationTable>[0]);
  const calls = new ExampleCalls(document as unknown as OpenApiDocument);
  return placed(document).map((each) => {
    const { method, path, operation, parameters, body } = each;
    const success = successOf(document, operation);
    const { operationId: id, summary = id, 'x-exactly-one-of': exactlyOneOf = [] } = operation;
    const known = types.get(id);
    const at = (place: 'path' | 'query' | 'header' | 'cookie'): CallParameter[] =>
      parameters
        .filter(({ name, in: where }) => where === place && !(place === 'header' && isFrameRequestHeader(name)))
        .map((parameter) => ({
          name: parameter.name,
          type: known?.[place].get(parameter.name) ?? 'unknown',
          always: isAlways(parameter),
        }));
    const replies = table[id]?.success === undefined;
    return {
      id,
      route: `${method.toUpperCase()} ${path}`,
      summary,
      parameters: { path: at('path'), query: at('query'), headers: at('header'), cookies: at('cookie') },
      exactlyOneOf,
      call: calls.of(id),
      items: replies ? undefined : itemsOf(document, each),
      body: operation.requestBody === undefined ? undefined : (known?.body ?? new Map()),
      replies,
      ...success,
      hasExample: success.hasExample && (operation.requestBody === undefined || body !== undefined),
      may501: ['501', '5XX', 'default'].some((key) => operation.responses?.[key] !== undefined),
    };
  });
}
