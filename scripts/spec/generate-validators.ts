/** Precompiled validators: of the messages of the event stream, the records of an archive, and OpenAPI documents. */
import { readFile } from 'node:fs/promises';
import type { Ajv2020, Options } from 'ajv/dist/2020.js';
import { banner, type Document, type Message } from './contract-document.ts';
import { cachedStep } from './result-cache.ts';
import { SpecError } from './spec-error.ts';

/** A document with unions of schemas. */
export type Unions = { components: { schemas?: Record<string, Message> } };

/**
 * The members of a union: the constant of the discriminant and the name of the schema. Throws a SpecError for a member
 * without a discriminant.
 */
function unionMembers(
  { components: { schemas = {} } }: Unions,
  union: string,
  by: 'type' | 'kind',
): [constant: string, schema: string][] {
  const pointer = `/components/schemas/${union}`;
  const members = schemas[union]?.oneOf;
  if (members === undefined)
    throw new SpecError(`${union} must list its members in oneOf`, pointer, 'write the members as `oneOf`.');
  return members.map((member, index) => {
    const name = '$ref' in member && member.$ref !== undefined ? member.$ref.split('/').at(-1)! : '';
    const constant = schemas[name]?.properties?.[by]?.const;
    if (typeof constant === 'string') return [constant, name];
    throw new SpecError(
      `each member of ${union} must be a component whose \`${by}\` is a constant`,
      `${pointer}/oneOf/${index}`,
      `move it to components/schemas, with a \`const\` for \`${by}\`, and refer to it.`,
    );
  });
}

/** A document with schemas by name. */
type SchemaSource = { components: { schemas?: Record<string, unknown> } };

/**
 * The code of a module with a validator per named schema. Compilation at each start of the server would take 0.1 s. A
 * validator stops at the first error. Ajv is not strict, because JSON Schema permits unknown keywords and formats; the lint
 * finds misspelled ones.
 */
async function standaloneValidators(
  sources: Readonly<Record<string, SchemaSource>>,
  of: string,
  names: readonly string[],
  options: Options = {},
): Promise<string> {
  const ajv = await createAjv(options);
  // Only these keywords need to know what each part has evaluated. Without them, an `anyOf` ends at the first part that matches.
  ajv.opts.unevaluated = JSON.stringify(sources).includes('"unevaluated');
  for (const [name, { components }] of Object.entries(sources))
    ajv.addSchema({ components: { schemas: components.schemas } }, name);
  for (const name of names) ajv.addSchema({ $ref: `${of}#/components/schemas/${name}` }, name);
  return validatorModule(ajv, names);
}

/**
 * An Ajv instance that produces code. Ajv takes a tenth of a second to load, and cached results do not need it. It does not
 * check the schemas themselves: the lint has done so, and the check takes longer than the code.
 */
async function createAjv(options: Options): Promise<Ajv2020> {
  const [{ Ajv2020: Ajv }, { default: formats }] = await Promise.all([
    import('ajv/dist/2020.js'),
    import('ajv-formats'),
  ]);
  const code = { source: true, esm: true };
  const ajv = new Ajv({ strict: false, logger: false, meta: false, validateSchema: false, code, ...options });
  formats.default(ajv);
  return ajv;
}

/** A module with a validator per named schema of the Ajv instance. */
async function validatorModule(ajv: Ajv2020, names: readonly string[]): Promise<string> {
  const { default: standalone } = await import('ajv/dist/standalone/index.js');
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  // The compiled code loads parts of Ajv with `require`.
  return `${banner}import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n${code}\n`;
}

/** The validator of OpenAPI documents, from the schema of express-openapi-validator: a module and its types. */
export async function documentValidator(): Promise<Record<string, string>> {
  const { documentSchemaFile } = await import('../../server/http/express/validator-library.ts');
  const schema = await readFile(documentSchemaFile(), 'utf8');
  return {
    'generated/openapi-schema.js': await cachedStep('openapi-schema', schema, () => openApiValidator(schema)),
    'generated/openapi-schema.d.ts': `${banner}import type { ValidateFunction } from 'ajv';

/** Whether a value has the form of an OpenAPI 3.1 document. */
export const isOpenApi: ValidateFunction;
`,
  };
}

async function openApiValidator(schema: string): Promise<string> {
  const ajv = await createAjv({});
  // The specification names this format without a definition.
  ajv.addFormat('media-range', true).addSchema(JSON.parse(schema) as object, 'isOpenApi');
  return validatorModule(ajv, ['isOpenApi']);
}

/**
 * A module of validators with the format `date-time` of this project: a record or an event has two times or more, and the format of
 * Ajv needs several regular expressions for each of them.
 */
function withFastDateTime(validators: string): string {
  const fast = validators.replaceAll('require("ajv-formats/dist/formats").fullFormats["date-time"]', 'dateTime');
  const dateTime = "import { dateTime } from '../server/contract/date-time.ts';\n";
  return fast.includes('dateTime') ? `${banner}${dateTime}${fast.slice(banner.length)}` : fast;
}

/** Precompiled validators of the WebSocket messages: a module and its types. */
export async function messageValidators(document: Document): Promise<Record<string, string>> {
  const unions = {
    received: unionMembers(document, 'WsClientMessage', 'type'),
    sent: unionMembers(document, 'WsServerMessage', 'type'),
  };
  const names = Object.values(unions)
    .flat()
    .map(([, name]) => name);
  const tables = Object.entries(unions).map(
    ([union, messages]) =>
      `export const ${union} = { ${messages.map(([type, name]) => `${type}: ${name}`).join(', ')} };\n`,
  );
  const validators = await cachedStep('messages', [document.components.schemas, names], () =>
    standaloneValidators({ contract: document }, 'contract', names),
  );
  return {
    'generated/messages.js': `${withFastDateTime(validators)}${tables.join('')}`,
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

/** Precompiled validators of the archive records: a module and its types. */
export async function recordValidators(archive: Unions, openapi: SchemaSource): Promise<Record<string, string>> {
  const records = unionMembers(archive, 'ArchiveRecord', 'kind');
  const names = records.map(([, name]) => name);
  const table = `export const records = { ${records.map(([kind, name]) => `${kind}: ${name}`).join(', ')} };\n`;
  const validators = await cachedStep('records', [archive.components.schemas, openapi.components.schemas, names], () =>
    standaloneValidators({ 'archive.yaml': archive, 'openapi.yaml': openapi }, 'archive.yaml', names, {
      verbose: true,
    }),
  );
  return {
    'generated/records.js': `${withFastDateTime(validators)}${table}`,
    'generated/records.d.ts': `${banner}import type { ValidateFunction } from 'ajv';
import type { components } from './archive.ts';

type ArchiveRecord = components['schemas']['ArchiveRecord'];
/** Validators of the records of an archive, by kind: a reason speaks of that kind alone. */
export const records: { readonly [Kind in ArchiveRecord['kind']]: ValidateFunction<Extract<ArchiveRecord, { kind: Kind }>> };
`,
  };
}
