/**
 * Derives everything in generated/ from spec/. `npm run generate` writes what differs; `-- --check` writes nothing and
 * exits 1 when a file is stale. Output depends on the spec alone, so two runs give the same bytes.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import ajvFormats from 'ajv-formats';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';
import { generatorDocument } from '../server/http/generator-document.ts';
import { operationTable } from '../server/http/operation-table.ts';
import { clientSurface, type ClientOperation, type Placed } from './generate-client.ts';
import { mockAnswers, referred, type Answering, type Answers, type Example } from './generate-mocks.ts';
import { faultReport } from './lint/fault.ts';
import { lintSpec } from './lint/lint.ts';
import { sampleRecords } from './sample.ts';

const root = new URL('../', import.meta.url);
const banner = '// Written by `npm run generate` from spec/. Do not edit.\n';

export type Parameter = { name: string; in: string; required?: boolean; schema: Record<string, unknown>; example?: unknown };
export type Operation = ClientOperation & Answering['operation'] & {
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { examples?: Record<string, Example | { $ref: string }> } } };
};
/** The contract as the scripts read it; the lint sees to it that it has this form. */
export type Document = {
  'x-scopes': Record<string, string>;
  paths: Record<string, Record<string, Operation>>;
  components: Answers & { parameters: Record<string, Parameter>; schemas: Record<string, Message & { oneOf?: { $ref: string }[] }> };
};
type Protocol = { channels: { events: { 'x-scope': string } }; operations: Record<string, { 'x-scope'?: string }> };
type Message = { properties?: { type?: { const?: string } }; required?: string[] };


/** Every operation, with where it stands and what its references say. */
export function placed({ paths, components }: Document): (Placed & { operation: Operation; parameters: Parameter[] })[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [example] = Object.values(operation.requestBody?.content['application/json'].examples ?? {});
      return {
        method,
        path,
        operation,
        parameters: (operation.parameters ?? []).map((parameter) => referred(components.parameters, parameter)),
        body: example === undefined ? undefined : referred(components.examples, example).value,
      };
    }),
  );
}

/** `scope`, if the contract has it; throws where it has not. */
function declared(scope: string | undefined, of: string, { 'x-scopes': scopes }: Document): string {
  if (scope !== undefined && Object.hasOwn(scopes, scope)) return scope;
  throw new Error(`${of} needs the scope '${scope}': name one of x-scopes (${Object.keys(scopes).join(', ')})`);
}

/** What a key may be made for, and what the event stream needs of it. */
function scopeTable(document: Document, { channels, operations }: Protocol): string {
  const commands = Object.entries(operations).flatMap(([name, { 'x-scope': scope }]) =>
    scope === undefined ? [] : [[name, declared(scope, name, document)]],
  );
  const stream = { connect: declared(channels.events['x-scope'], '/ws', document), ...Object.fromEntries(commands) };
  return `${banner}
/** What a key may be made for, in the contract's order, each with what it opens. */
export const scopes = ${JSON.stringify(document['x-scopes'], null, 2)} as const;
export type Scope = keyof typeof scopes;

/** What the event stream needs: to connect, and for a command beside that. */
export const streamScopes = ${JSON.stringify(stream, null, 2)} as const satisfies Record<string, Scope>;
`;
}

/** The operation table: all that the server and the client must know of an operation at run time. */
function operationModule(document: Document): string {
  const table = operationTable(document);
  for (const [id, { scope }] of Object.entries(table)) declared(scope, id, document);
  return `${banner}import type { operations as Operations } from './types.ts';

/** Every operation of the contract: where it is, what its query parameters are, and the scope that a key needs for it. */
export const operations = ${JSON.stringify(table, null, 2)} as const satisfies Record<keyof Operations, object>;
`;
}

async function types(file: string): Promise<string> {
  return banner + astToString(await openapiTS(new URL(file, root), { exportType: true }));
}

let sampleBefore: string | undefined;
/** The sample as JSON Lines: the spec has no part in it, so a process makes it once. */
const sample = (): string => (sampleBefore ??= sampleRecords().map((record) => `${JSON.stringify(record)}\n`).join(''));

/** The messages of a union, by the `type` that each one has. */
function messagesOf({ components: { schemas } }: Document, union: string): [type: string, schema: string][] {
  const names = schemas[union]!.oneOf!.map(({ $ref }) => $ref.split('/').at(-1)!);
  return names.map((name) => [schemas[name]!.properties!.type!.const!, name]);
}

/** Validators of the WebSocket messages, compiled ahead: a module, and its types. */
function messageValidators(document: Document): Record<string, string> {
  // Sent messages may be many a second: their validators stop at the first fault.
  // Not strict: JSON Schema allows keywords and formats that Ajv does not know, and the lint finds misspelt ones.
  const ajv = new Ajv2020({ strict: false, logger: false, code: { source: true, esm: true } });
  ajvFormats.default(ajv);
  ajv.addSchema({ components: { schemas: document.components.schemas } }, 'contract');
  const unions = { received: messagesOf(document, 'WsClientMessage'), sent: messagesOf(document, 'WsServerMessage') };
  const names = Object.values(unions).flat().map(([, name]) => name);
  for (const name of names) ajv.addSchema({ $ref: `contract#/components/schemas/${name}` }, name);
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  const tables = Object.entries(unions).map(
    ([union, messages]) => `export const ${union} = { ${messages.map(([type, name]) => `${type}: ${name}`).join(', ')} };\n`,
  );
  return {
    // The compiled code calls for parts of ajv by `require`.
    'generated/messages.js': `${banner}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${code}\n${tables.join('')}`,
    'generated/messages.d.ts': `${banner}import type { ValidateFunction } from 'ajv';
import type { components } from './types.ts';

type Validators<Message extends { type: string }> = { readonly [Type in Message['type']]: ValidateFunction<Extract<Message, { type: Type }>> };
/** Validators of the messages that a client may send, by type. */
export const received: Validators<components['schemas']['WsClientMessage']>;
/** Validators of the messages that the server sends, by type. */
export const sent: Validators<components['schemas']['WsServerMessage']>;
`,
  };
}

/** The contract as it lies in spec/. */
export const readContract = async (): Promise<Document> => parse(await readFile(new URL('spec/openapi.yaml', root), 'utf8')) as Document;

/** Every generated file and its content; a file of the name `….gz` is kept compressed. */
export async function derive(): Promise<Record<string, string>> {
  const read = (name: string): Promise<string> => readFile(new URL(`spec/${name}.yaml`, root), 'utf8');
  const [openapi, asyncapi, archive] = await Promise.all([read('openapi'), read('asyncapi'), read('archive')]);
  const document = parse(openapi) as Document;
  return {
    'generated/openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'generated/openapi.generators.json': `${JSON.stringify(generatorDocument(document), null, 1)}\n`,
    'generated/asyncapi.json': `${JSON.stringify(parse(asyncapi), null, 1)}\n`,
    'generated/archive.json': `${JSON.stringify(parse(archive), null, 1)}\n`,
    'generated/types.ts': await types('spec/openapi.yaml'),
    'generated/archive.ts': await types('spec/archive.yaml'),
    'generated/operations.ts': operationModule(document),
    'generated/scopes.ts': scopeTable(document, parse(asyncapi) as Protocol),
    'generated/client.ts': clientSurface(banner, placed(document)),
    'generated/mocks.ts': mockAnswers(banner, placed(document), document.components),
    ...messageValidators(document),
    'generated/sample.jsonl.gz': sample(),
  };
}

/** The generated files that differ from what the spec says now. */
export async function stale(derived: Record<string, string>): Promise<string[]> {
  const differs = await Promise.all(
    Object.entries(derived).map(async ([file, content]) => {
      // The text counts, not its compressed bytes: those differ between versions of zlib.
      const present = await readFile(new URL(file, root)).catch(() => undefined);
      const text = present === undefined || !file.endsWith('.gz') ? present : gunzipSync(present);
      return text?.toString() === content ? [] : [file];
    }),
  );
  return differs.flat();
}

/** Lints the spec; prints the faults with their places, and returns whether there are none. */
export async function lint(): Promise<boolean> {
  const { faults, texts } = await lintSpec(root.pathname);
  if (faults.length > 0) console.error(faultReport(faults, texts));
  return faults.length === 0;
}

/**
 * Writes the generated files that differ from what the spec says now, none with `check`; answers which. The spec must have passed
 * the lint.
 */
export async function generate(check = false): Promise<string[]> {
  const derived = await derive();
  const files = await stale(derived);
  if (check) return files;
  await mkdir(new URL('generated/', root), { recursive: true });
  for (const file of files) await writeFile(new URL(file, root), file.endsWith('.gz') ? gzipSync(derived[file]!, { level: 9 }) : derived[file]!);
  return files;
}

/** What a run that wrote these files says. */
export const generated = (files: readonly string[]): string =>
  files.length === 0 ? 'generated/ is up to date' : `wrote ${files.join(', ')}`;

if (import.meta.main) {
  const check = process.argv.includes('--check');
  if (!(await lint())) process.exit(1);
  const files = await generate(check);
  if (check && files.length > 0) {
    console.error(`stale: ${files.join(', ')}\nrun \`npm run generate\` and commit the result`);
    process.exit(1);
  }
  console.log(generated(files));
}
