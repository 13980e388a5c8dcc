/**
 * Generates from a contract that is not this project's: types, table of operations, client, commands and mocks. What the
 * extensions of this project would say is derived from OpenAPI. Operations that a generator does not support are left out, and
 * reported with their place.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { urlsOf, type DocumentWithServers } from '../../server/contract/base-path.ts';
import { generatorDocument } from '../../server/contract/generator-document.ts';
import { operationTable, type DocumentWithOperations } from '../../server/contract/operation-table.ts';
import { normaliseDocument, openApiMethods, resolve } from '../../server/contract/plain-document.ts';
import { isObject } from '../../server/text/object.ts';
import {
  loadSpec,
  withoutFaults,
  type LoadedSpec,
  filesOf,
  faultReport,
  type Fault,
  keysOf,
} from '../contract-tools/files/index.ts';
import { commandTable } from './client-commands.ts';
import { literalOf } from './client-parameters.ts';
import { methodName, reservedGroups } from '../../server/contract/method-name.ts';
import { clientNames, clientSurface } from './generate-client.ts';
import { Answerer } from '../contract-tools/mock/index.ts';
import { mockAnswers } from './generate-mocks.ts';
import { banner, placed, type Document } from './contract-document.ts';
import { typesOf } from './generate-types.ts';
import { blockingRules, withoutConsequences } from './lint/lint.ts';
import { ownFaults } from './lint/own-rules.ts';
import { redoclyFaults } from './lint/redocly.ts';
import { faultOf, SpecError } from './spec-error.ts';

const rules = new URL('../../spec/redocly.yaml', import.meta.url).pathname;

type Json = Record<string, unknown>;

/** The JSON body of a response, in a copy that stands in the operation. */
function jsonMediaOf(document: Document, responses: Json, status: string): Json | undefined {
  const response = structuredClone(resolve<Json>(document, responses[status] as Json));
  responses[status] = response;
  const media = isObject(response.content) ? response.content['application/json'] : undefined;
  return isObject(media) ? media : undefined;
}

/**
 * A document with what the generators need: `x-repeat` by the method, errors as components, an example of each answer, and group
 * names that a client can have.
 */
function adapted(document: Document): Document {
  const copy = structuredClone(normaliseDocument(document));
  const components = (copy.components ?? {}) as unknown as Json;
  copy.components = components as Document['components'];
  const errors = (components.responses ??= {}) as Json;
  // It reads all examples, and most documents have an example of each answer.
  let answerer: Answerer | undefined;
  for (const { operation, method } of placed(copy)) {
    const changed = operation as unknown as Json;
    changed['x-repeat'] ??= method === 'get' || method === 'head' ? 'safe' : 'refused';
    const { group } = methodName({ path: '', operation });
    if (reservedGroups.includes(group)) changed.tags = [`${group} api`];
    const responses = isObject(changed.responses) ? changed.responses : {};
    const success = Object.keys(responses).find((status) => status.startsWith('2'));
    const media = success === undefined ? undefined : jsonMediaOf(copy, responses, success);
    if (media !== undefined && media.example === undefined && media.examples === undefined) {
      answerer ??= new Answerer(copy as unknown as DocumentWithOperations, { seed: 1, items: undefined });
      media.example = exampleOf(answerer, operation.operationId);
    }
    for (const [status, response] of Object.entries(responses)) {
      if (!/^[45]\d\d$/.test(status) || !isObject(response) || '$ref' in response) continue;
      const name = `${operation.operationId}${status}`.replaceAll(/[^\w.-]/g, '_');
      errors[name] = response;
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  return copy;
}

/** A generated body of an operation; undefined where its schema has no value that can be found. */
function exampleOf(answerer: Answerer, id: string): unknown {
  try {
    return answerer.answer(id, {}, { code: undefined, example: undefined, dynamic: false }).body;
  } catch {
    return undefined;
  }
}

/** The document without one operation. */
function without(document: Document, pointer: string): Document {
  const [, path = '', method = ''] = keysOf(pointer);
  const { [method]: _, ...others } = document.paths[path] ?? {};
  return { ...document, paths: { ...document.paths, [path]: others } };
}

/** The generated files by name, and the operations that they lack. */
interface ForeignFiles {
  readonly files: Readonly<Record<string, string>>;
  readonly unsupported: readonly SpecError[];
}

/** Generates from a contract. Throws a SpecError for a part outside of the operations that is not supported. */
export async function deriveForeign(document: Document): Promise<ForeignFiles> {
  const { files, unsupported } = clientFiles(document);
  const all = {
    'openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'openapi.generators.json': `${JSON.stringify(generatorDocument(document), null, 1)}\n`,
    'types.ts': await typesOf(document),
    ...files,
  };
  return { files: all, unsupported };
}

/** What the client needs, without the operations that it cannot have. `runtime` is the module of its runtime. */
export function clientFiles(document: Document, runtime = '@social-data/client/runtime'): ForeignFiles {
  const unsupported: SpecError[] = [];
  for (let left = adapted(document); ;) {
    try {
      const operations = placed(left);
      const surface = clientSurface(banner, operations, { document: left, channels: {}, template: undefined });
      const files = {
        'operations.ts': operationText(left),
        'client.ts': surface,
        'names.ts': clientNames(banner, surface, left),
        'commands.ts': commandTable(banner, operations, left, undefined),
        'index.ts': clientIndex(left, runtime),
        'mocks.ts': mockAnswers(banner, operations, left, undefined, runtime),
      };
      return { files, unsupported };
    } catch (error) {
      const isOperation = error instanceof SpecError && /^\/paths\/[^/]+\/[^/]+/.test(error.pointer);
      if (!isOperation) throw error;
      unsupported.push(error);
      left = without(left, error.pointer);
    }
  }
}

/** The address of the first server, with the defaults of its variables; undefined for a relative one, and without any. */
function serverOf({ servers = [] }: DocumentWithServers): string | undefined {
  const [first] = servers;
  if (first === undefined) return undefined;
  const { url: template, variables = {} } = first;
  const defaults = Object.entries(variables).map(([name, { default: value = '' }]) => [name, { default: value }]);
  const [url] = urlsOf({ url: template, variables: Object.fromEntries(defaults) as typeof variables });
  return url !== undefined && /^https?:\/\//.test(url) ? url.replace(/\/+$/, '') : undefined;
}

/** The module with `createClient`. */
function clientIndex(document: Document, runtime: string): string {
  const { components, security } = document as { components?: { securitySchemes?: object }; security?: unknown };
  const isOpen = security === undefined && Object.keys(components?.securitySchemes ?? {}).length === 0;
  const server = serverOf(document as DocumentWithServers);
  const defaults = [
    ...(server === undefined ? [] : [`baseUrl: ${JSON.stringify(server)}`]),
    ...(isOpen ? ['apiKey: null'] : []),
  ];
  return `${banner}import {
  createRuntimeClient,
  type Answered,
  type Call,
  type CallOptions,
  type ClientOptions,
  type FetchClientOf,
  type KeyIn,
  type ListOptions,
  type MethodOf,
  type Result,
  type Success,
} from '${runtime}';
import { keyNames, table, type Methods, type NamedAnswers, type NamedParameters } from './client.ts';
import type { operations, paths } from './types.ts';

export type { Answered, Call, CallOptions, ClientOptions, KeyIn, ListOptions, Result };
export type * from './names.ts';
export type { operations, paths };

type ParametersOf<Id> = Id extends keyof NamedParameters ? NamedParameters[Id] : Record<string, never>;
type AnswerOf<Id extends keyof operations> = Id extends keyof NamedAnswers
  ? NamedAnswers[Id]
  : Success<operations[Id]['responses']>;

/** A method for each operation, and the verbs of openapi-fetch. */
export type Client = FetchClientOf<paths> &
  Methods<{ [Id in keyof operations]: MethodOf<ParametersOf<Id>, AnswerOf<Id>> }>;

/** A client of the contract. Throws a UsageError for options that are missing or make no sense. */
export const createClient = (options: ClientOptions = {}): Client =>
  createRuntimeClient({ table, keyNames }, { ${[...defaults, '...options'].join(', ')} }) as Client;
`;
}

function operationText(document: Document): string {
  const table = operationTable(document as unknown as DocumentWithOperations);
  return `${banner}import type { operations as Operations } from './types.ts';

/** The operations of the contract: where each is, and what its query parameters are. */
export const operations = ${literalOf(table, 2)} as const satisfies Partial<Record<keyof Operations, object>>;
`;
}

const laterKeywords = new Set([
  ...['examples', 'const', '$comment', '$defs', 'if', 'then', 'else', 'prefixItems', 'contains', 'minContains'],
  ...['maxContains', 'patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'contentEncoding'],
  ...['contentMediaType', 'contentSchema', 'unevaluatedItems', 'unevaluatedProperties'],
]);
/** Whether a finding is about a keyword that a schema has only since 3.1, as which all documents are read. */
const isLaterKeyword = ({ rule, message }: Fault): boolean =>
  rule === 'struct' && laterKeywords.has(/^Property `(.+)` is not expected here/.exec(message)?.[1] ?? '');

/** The faults of a contract that keep the tools from working with it, and all others. */
async function lintForeign(spec: LoadedSpec): Promise<{ faults: Fault[]; warnings: Fault[] }> {
  const found = withoutConsequences([
    ...(await redoclyFaults(process.cwd(), [spec.files.entry], rules)),
    ...ownFaults(spec, []),
  ]);
  const blocks = (fault: Fault): boolean => blockingRules.includes(fault.rule) && !isLaterKeyword(fault);
  return { faults: found.filter(blocks), warnings: found.filter((fault) => !blocks(fault)) };
}

/** Whether a document has the form that all later steps expect. */
const hasOperations = (document: unknown): document is Document =>
  isObject(document) &&
  isObject(document.paths) &&
  Object.values(document.paths).some((item) => isObject(item) && openApiMethods.some((method) => method in item));

/**
 * Lints a contract, generates from it, and writes the files to `out` if given. Prints findings with their places. Returns whether
 * it has no faults. Throws an UnreadableSpecError for a file that is no contract.
 */
export async function generateForeign(file: string, out: string | undefined): Promise<boolean> {
  const spec = await loadSpec(relative('', file) || file, filesOf(process.cwd()));
  const document = withoutFaults(spec, 'nothing was generated');
  const { faults, warnings } = await lintForeign(spec);
  const { texts } = spec.files;
  if (warnings.length > 0)
    console.error(faultReport(warnings, texts, { outcome: 'they can stay', noun: 'warning', most: 20 }));
  if (faults.length > 0 || !hasOperations(document)) {
    console.error(faults.length > 0 ? faultReport(faults, texts) : `${spec.files.entry} has no operations`);
    return false;
  }
  let derived: ForeignFiles;
  try {
    derived = await deriveForeign(document);
  } catch (error) {
    console.error(faultReport([faultOf(error, spec.place)], texts));
    return false;
  }
  const unsupported = derived.unsupported.map((error) => ({ ...faultOf(error, spec.place), rule: 'not-supported' }));
  if (unsupported.length > 0)
    console.error(
      faultReport(unsupported, texts, { outcome: 'the client and its mocks lack these operations', noun: 'operation' }),
    );
  if (out === undefined) {
    console.log(`${spec.files.entry}: no faults`);
    return true;
  }
  await mkdir(out, { recursive: true });
  for (const [name, text] of Object.entries(derived.files)) await writeFile(join(out, name), text);
  console.log(`wrote ${Object.keys(derived.files).join(', ')} to ${out}`);
  return true;
}
