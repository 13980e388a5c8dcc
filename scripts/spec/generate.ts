/**
 * Derives everything in generated/ from spec/, pages/ and the panels of the dashboard. `npm run generate` writes what differs; `-- --check` writes nothing
 * and exits 1 when a file is stale. Output depends on these sources alone, so two runs give the same bytes.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { markOf } from '../../server/contract/checked-contract.ts';
import { generatorDocument } from '../../server/contract/generator-document.ts';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { operationTable } from '../../server/contract/operation-table.ts';
import { normaliseDocument } from '../../server/contract/plain-document.ts';
import { securitySchemes } from '../../server/contract/security-schemes.ts';
import type { Channels } from './client-channels.ts';
import { hasConventions } from './conventions.ts';
import { commandTable } from './client-commands.ts';
import { shapeModule } from './client-shapes.ts';
import { banner, placed, type Document } from './contract-document.ts';
import { clientNames, clientSurface } from './generate-client.ts';
import { mockAnswers } from './generate-mocks.ts';
import { pythonContract } from './generate-python.ts';
import { forTypes, types, type OpenAPI3 } from './generate-types.ts';
import { documentValidator, messageValidators, recordValidators, type Unions } from './generate-validators.ts';
import {
  faultReport,
  escapeKey,
  loadedSpec,
  UnreadableSpecError,
  withoutFaults,
  collectFiles,
  filesOf,
  type ReadFile,
  type SpecFiles,
} from '../contract-tools/files/index.ts';
import { lintSpec } from './lint/lint.ts';
import { cachedStep } from './result-cache.ts';
import { faultOf, SpecError } from './spec-error.ts';

const root = new URL('../../', import.meta.url);

/** The protocol of the event stream. */
type Protocol = {
  channels: { events: { 'x-scope': string; 'x-channels': Channels } };
  operations: Record<string, { 'x-scope'?: string }>;
  components?: { securitySchemes?: Record<string, { type: string; in?: string; name?: string; scheme?: string }> };
};

/** What each scope opens. */
type Scopes = Readonly<Record<string, string>>;

/** The scopes that a key may have: those of `x-scopes`, or else of the security schemes and operations. */
function scopesOf(document: Document): Scopes {
  if (document['x-scopes'] !== undefined) return document['x-scopes'];
  const inSchemes = [...securitySchemes(document).values()].flatMap((scheme) =>
    Object.values((scheme as { flows?: Record<string, { scopes?: Record<string, string> }> }).flows ?? {}).flatMap(
      ({ scopes = {} }) => Object.entries(scopes),
    ),
  );
  const named = Object.values(operationTable(document)).flatMap(({ scope }) =>
    scope === undefined ? [] : [[scope, scope] as const],
  );
  return Object.fromEntries([...named, ...inSchemes]);
}

/** Returns `scope` if the contract declares it. Throws a SpecError otherwise. */
function declared(scope: string | undefined, of: string, scopes: Scopes, pointer = '/x-scopes'): string {
  if (scope !== undefined && Object.hasOwn(scopes, scope)) return scope;
  throw new SpecError(
    `${of} needs the scope '${scope}': name one of x-scopes (${Object.keys(scopes).join(', ')})`,
    pointer,
    'name a declared scope, or declare this one under x-scopes.',
  );
}

/** The module of the scopes, and of the security schemes of the event stream if there is one. */
function scopeTable(document: Document, protocol: Protocol | undefined): string {
  const scopes = scopesOf(document);
  const text = `${banner}${protocol === undefined ? '' : "import type { SecurityScheme } from '../server/ports/authenticator.ts';\n"}
/** What a key may be made for, in the contract's order, each with what it opens. */
export const scopes = ${JSON.stringify(scopes, null, 2)} as const;
export type Scope = keyof typeof scopes;
`;
  return protocol === undefined ? text : `${text}\n${streamTables(scopes, protocol)}`;
}

/** The scopes and the security schemes of the event stream. */
function streamTables(scopes: Scopes, { channels, operations, components }: Protocol): string {
  const commands = Object.entries(operations).flatMap(([name, { 'x-scope': scope }]) =>
    scope === undefined ? [] : [[name, declared(scope, name, scopes)]],
  );
  const stream = { connect: declared(channels.events['x-scope'], '/ws', scopes), ...Object.fromEntries(commands) };
  const schemes = Object.values(components?.securitySchemes ?? {}).map(({ type, in: place, name, scheme }) =>
    type === 'httpApiKey' ? { type: 'apiKey', in: place, name } : { type, scheme },
  );
  return `/** What the event stream needs: to connect, and for a command beside that. */
export const streamScopes = ${JSON.stringify(stream, null, 2)} as const satisfies Record<string, Scope>;

/** Where the event stream takes the key, as security schemes of OpenAPI. The order is that in errors. */
export const streamSchemes: readonly SecurityScheme[] = ${JSON.stringify(schemes, null, 2)};
`;
}

/** The module of the operation metadata that server and client need at run time. */
function operationModule(document: Document): string {
  const table = operationTable(document);
  const scopes = scopesOf(document);
  for (const [id, { scope, path, method }] of Object.entries(table))
    // The lint finds an operation that lacks one.
    if (scope !== undefined) declared(scope, id, scopes, `/paths/${escapeKey(path)}/${method}`);
  return `${banner}import type { operations as Operations } from './types.ts';

/** Every operation of the contract: where it is, what its query parameters are, and the scope that a key needs for it. */
export const operations = ${JSON.stringify(table, null, 2)} as const satisfies Record<keyof Operations, object>;
`;
}

const sampleModule = new URL('scripts/sample/main.ts', root);

/** The sample as JSON Lines, where the project has one. It does not depend on the spec. */
async function sample(): Promise<Record<string, string>> {
  if (!existsSync(sampleModule)) return {};
  const text = await cachedStep('sample', null, async () => {
    // Not a literal: a project without a sample compiles, too.
    const { sampleRecords } = (await import(sampleModule.href)) as { sampleRecords: () => readonly object[] };
    return sampleRecords()
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('');
  });
  return { 'generated/sample.jsonl.gz': text };
}

/** The document that the files of a spec make. The parser of YAML takes several times as long as that of JSON. */
async function documentOf(files: SpecFiles, keep: readonly string[] = []): Promise<unknown> {
  const text = await cachedStep('document', [files.entry, [...files.texts], keep], () =>
    JSON.stringify(withoutFaults(loadedSpec(files, keep), 'nothing was generated')),
  );
  return JSON.parse(text) as unknown;
}

const contractFile = 'spec/openapi.yaml';

/** The contract of spec/. Throws an UnreadableSpecError where it has faults. */
export const readContract = async (): Promise<Document> =>
  (await documentOf(await collectFiles(contractFile, filesOf(root.pathname)))) as Document;

/** The texts of the files of spec/. */
export type Sources = Readonly<Record<'openapi' | 'asyncapi' | 'archive', string>>;

/** The content of every generated file from a spec of three files, as `deriveFromFiles` returns it. */
export function deriveFrom(sources: Sources): Promise<Record<string, string>> {
  const texts = new Map(Object.entries(sources).map(([name, text]) => [`spec/${name}.yaml`, text]));
  return deriveFromFiles((path) => Promise.resolve(texts.get(path)));
}

/** The documents of spec/. */
interface Documents {
  readonly contract: Document;
  /** The protocol of the event stream, where there is one. */
  readonly protocol: Protocol | undefined;
  /** The records of an archive, where there is one: as references to the contract, and with what they refer to. */
  readonly archive: { readonly records: Unions; readonly whole: OpenAPI3 } | undefined;
}

async function readDocuments(read: ReadFile): Promise<Documents> {
  const collect = (file: string): Promise<SpecFiles> => collectFiles(file, read);
  const ofFile = async (file: string, keep: readonly string[]): Promise<unknown> => {
    const files = await collect(file);
    return files.texts.size === 0 ? undefined : documentOf(files, keep);
  };
  const archiveFile = 'spec/archive.yaml';
  const [contract, protocol, records, whole] = await Promise.all([
    documentOf(await collect(contractFile)),
    ofFile('spec/asyncapi.yaml', [contractFile]),
    ofFile(archiveFile, [contractFile]),
    ofFile(archiveFile, []),
  ]);
  return {
    contract: contract as Document,
    protocol: protocol as Protocol | undefined,
    archive:
      records === undefined || whole === undefined
        ? undefined
        : { records: records as Unions, whole: whole as OpenAPI3 },
  };
}

/** The modules of this project's client. */
function ownClient(document: Document, protocol: Protocol | undefined): Record<string, string> {
  const template = document['x-method-names'];
  const operations = placed(document);
  const channels = protocol?.channels.events['x-channels'] ?? {};
  const surface = clientSurface(banner, operations, { document, channels, template });
  return {
    'generated/client.ts': surface,
    'generated/commands.ts': commandTable(banner, operations, normaliseDocument(document), template),
    'generated/client.py': pythonContract(operations, document, template),
    'generated/names.ts': clientNames(banner, surface, document),
    'generated/shapes.ts': shapeModule(banner, operations, normaliseDocument(document)),
    'generated/mocks.ts': mockAnswers(banner, operations, document, template),
  };
}

/** The modules of a client of any contract, where the project has no client of its own. Throws a SpecError for an operation that it cannot have. */
async function plainClient(document: Document): Promise<Record<string, string>> {
  const { clientFiles } = await import('./generate-foreign.ts');
  const { files, unsupported } = clientFiles(document, '../client/src/runtime.ts');
  if (unsupported[0] !== undefined) throw unsupported[0];
  const { 'operations.ts': _, ...modules } = files;
  return Object.fromEntries(Object.entries(modules).map(([name, text]) => [`generated/${name}`, text]));
}

/** What the archive gives. */
const archiveFiles = async (
  { records, whole }: NonNullable<Documents['archive']>,
  document: Document,
): Promise<Record<string, string>> => ({
  'generated/archive.json': `${JSON.stringify(records, null, 1)}\n`,
  'generated/archive.ts': await cachedStep('named-archive-types', whole, () => types(whole)),
  ...(await recordValidators(records, document)),
});

/**
 * The content of every generated file by its path; files named `….gz` are stored compressed. Throws a SpecError with the
 * position of a valid part of the spec that the generators do not support.
 */
export async function deriveFromFiles(read: ReadFile): Promise<Record<string, string>> {
  const { contract: document, protocol, archive } = await readDocuments(read);
  const typed = forTypes(document);
  return {
    'generated/openapi.json': `${JSON.stringify(document, null, 1)}\n`,
    'generated/openapi.generators.json': `${JSON.stringify(generatorDocument(document), null, 1)}\n`,
    'generated/types.ts': await cachedStep('named-types', typed, () => types(typed)),
    'generated/operations.ts': operationModule(document),
    'generated/scopes.ts': scopeTable(document, protocol),
    ...(hasConventions ? ownClient(document, protocol) : await plainClient(document)),
    ...(await documentValidator()),
    ...(protocol === undefined ? {} : { 'generated/asyncapi.json': `${JSON.stringify(protocol, null, 1)}\n` }),
    ...(protocol === undefined ? {} : await messageValidators(document)),
    ...(archive === undefined ? {} : await archiveFiles(archive, document)),
    ...(await sample()),
  };
}

const dashboardPanels = new URL('server/deploy/grafana/dashboard.yaml', root);
const dashboardModule = new URL('scripts/spec/generate-dashboard.ts', root);

/** The dashboard for Grafana, where the project has one. */
async function dashboard(): Promise<Record<string, string>> {
  if (!existsSync(dashboardPanels)) return {};
  // Not a literal, as that of the sample.
  const { dashboardOf } = (await import(dashboardModule.href)) as { dashboardOf: (text: string) => string };
  return { 'generated/dashboard.json': dashboardOf(await readFile(dashboardPanels, 'utf8')) };
}

/** The content of every generated file, from spec/, pages/ and the panels of the dashboard. */
export async function derive(): Promise<Record<string, string>> {
  const derived = await deriveFromFiles(filesOf(root.pathname));
  // esbuild is loaded here only, so that tests of the spec do not need it.
  const { bundlePages } = await import('./generate-pages.ts');
  return { ...derived, ...(await dashboard()), ...(await bundlePages(derived)) };
}

/** The generated files that differ from the derived content. */
export async function stale(derived: Record<string, string>): Promise<string[]> {
  const stalePaths = await Promise.all(
    Object.entries(derived).map(async ([file, content]) => {
      // Compares the text, because compressed bytes differ between versions of zlib.
      const present = await readFile(new URL(file, root)).catch(() => undefined);
      const text = present === undefined || !file.endsWith('.gz') ? present : gunzipSync(present);
      return text?.toString() === content ? [] : [file];
    }),
  );
  return stalePaths.flat();
}

/** Lints the spec and prints the faults with their positions. Returns whether there are none. */
export async function lint(): Promise<boolean> {
  const { faults, warnings, texts } = await lintSpec(root.pathname);
  if (warnings.length > 0) console.error(faultReport(warnings, texts, { outcome: 'they can stay', noun: 'warning' }));
  if (faults.length > 0) console.error(faultReport(faults, texts));
  return faults.length === 0;
}

/** The mark of a contract that passes the checks of a start, which then leaves them out; empty for another one, which no start accepts. */
async function checkedMark(text: string): Promise<string> {
  const { checkContract } = await import('../../server/http/express/validation-check.ts');
  const passes = await checkContract(JSON.parse(text) as OpenApiDocument).then(
    () => true,
    () => false,
  );
  return passes ? `${markOf(text)}\n` : '';
}

async function write(files: readonly string[], contents: Readonly<Record<string, string>>): Promise<void> {
  for (const file of files) {
    const content = contents[file]!;
    await writeFile(new URL(file, root), file.endsWith('.gz') ? gzipSync(content, { level: 9 }) : content);
  }
}

/**
 * Writes the stale generated files, or none with `check`. Returns their paths. The spec must have passed the lint.
 */
export async function generate(check = false): Promise<string[]> {
  const derived = await derive();
  const files = await stale(derived);
  if (check && files.length > 0) return files;
  await mkdir(new URL('generated/pages/', root), { recursive: true });
  await write(files, derived);
  // Only now, because the server that checks the contract imports generated modules.
  const mark = { 'generated/openapi.checked': await checkedMark(derived['generated/openapi.json']!) };
  const marks = await stale(mark);
  if (!check) await write(marks, mark);
  return [...files, ...marks];
}

/** Formats an error of `generate` with its position in the spec. */
export async function generateFault(error: unknown): Promise<string> {
  const { texts, contract } = await lintSpec(root.pathname);
  return faultReport([faultOf(error, loadedSpec(contract).place)], texts);
}

/** What a run that wrote these files says. */
export const generated = (files: readonly string[]): string =>
  files.length === 0 ? 'generated/ is up to date' : `wrote ${files.join(', ')}`;

const usage = `Usage: npm run generate [-- --check]
       npm run generate -- --spec FILE [--out DIR]

Lints spec/ and writes what is derived from it into generated/: types, validators, operation table, client, mocks. Bundles
the browser code of pages/ into generated/pages/, and writes the Grafana dashboard.

  --check  writes nothing; exit code 1 when a file is not what the spec says now
  --spec   lints any other OpenAPI 3.0 or 3.1 document, and with --out writes its types, operation table, a client (createClient
           of index.ts; its runtime is the package @social-data/client), commands and mocks to a folder; operations that the client cannot have are reported with their place and left out
  --help   shows this

Exit code: 0 when generated/ is up to date, 1 when the spec has a fault or, with --check, a file is stale, 2 for a wrong call.`;

/** Runs the command; returns the exit code. Throws what parseArgs throws for an unknown option. */
async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      check: { type: 'boolean' },
      spec: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.spec !== undefined) {
    const { generateForeign } = await import('./generate-foreign.ts');
    return (await generateForeign(values.spec, values.out)) ? 0 : 1;
  }
  if (!(await lint())) return 1;
  let files: string[];
  try {
    files = await generate(values.check);
  } catch (error) {
    console.error(await generateFault(error));
    return 1;
  }
  if (values.check && files.length > 0) {
    console.error(`stale: ${files.join(', ')}\nrun \`npm run generate\` and commit the result`);
    return 1;
  }
  console.log(generated(files));
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const isWrongCall =
      error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    if (error instanceof UnreadableSpecError) console.error(`generate: ${error.message}`);
    else if (isWrongCall) console.error(`generate: ${error.message}\n\n${usage}`);
    else throw error;
    process.exitCode = 2;
  }
}
