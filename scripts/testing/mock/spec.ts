/** Reads the document of the mock. A document that is not servable gives an error with its position. */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { normaliseDocument } from '../../../server/contract/plain-document.ts';
import type { Protocol } from '../../../server/http/docs/pages/events/protocol.ts';
import { faultReport, type Fault } from '../../spec/lint/fault.ts';
import { withoutConsequences } from '../../spec/lint/lint.ts';
import { ownFaults } from '../../spec/lint/own-rules.ts';
import { redoclyFaults } from '../../spec/lint/redocly.ts';
import { syntaxFaults } from '../../spec/lint/syntax.ts';
import { cachedStep } from '../../spec/result-cache.ts';
import { yamlValue } from '../../spec/yaml.ts';

/** A contract with its source text. */
export interface Spec {
  readonly document: OpenApiDocument;
  readonly text: string;
}

/** The document is not servable; the message has the position and the reason. */
export class SpecFault extends Error {
  override readonly name = 'SpecFault';
}

const rules = new URL('../../../spec/redocly.yaml', import.meta.url).pathname;

/** The lint rules that a servable document must satisfy; `npm run generate` checks the others. */
const blocking = [
  'struct',
  'no-unresolved-refs',
  'invalid-pattern',
  'operation-operationId',
  'operation-operationId-unique',
];

const refuse = (file: string, text: string, faults: readonly Fault[]): never => {
  throw new SpecFault(faultReport(faults, new Map([[file, text]]), { outcome: 'it cannot be mocked' }));
};

/** An error of the service's modules for a valid document; it has no position. */
const unusable = (file: string, { message }: Error): Fault => ({ file, line: 1, column: 1, rule: 'unusable', message });

/** The result of `serve`. Throws a SpecFault when the document is not servable. */
export async function serving<Served>(path: string, { text }: Spec, serve: () => Promise<Served>): Promise<Served> {
  const file = relative('', path) || path;
  return serve().catch((error: Error) => refuse(file, text, [unusable(file, error)]));
}

/**
 * The protocol of the event stream, from the file next to the contract; undefined when the file is missing or has another
 * structure. Throws a SpecFault for invalid YAML.
 */
export async function readProtocolBeside(path: string): Promise<Protocol | undefined> {
  const file = join(dirname(path), 'asyncapi.yaml');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const syntax = syntaxFaults(file, text);
  if (syntax.length > 0) refuse(file, text, syntax);
  const protocol = yamlValue(text) as {
    channels?: Partial<Protocol['channels']>;
    components?: Partial<Protocol['components']>;
  } | null;
  const isOurs =
    protocol?.channels?.events?.['x-channels'] !== undefined && protocol.components?.messages?.['event'] !== undefined;
  return isOurs ? (protocol as Protocol) : undefined;
}

/** The faults that Redocly's rules find, from the cache where the document refers to no other file. */
async function formFaults(file: string, text: string): Promise<Fault[]> {
  const find = (): Promise<Fault[]> => redoclyFaults(process.cwd(), [file], rules);
  if (/\$ref['"]?:\s*['"]?[^#'"\s]/.test(text)) return find();
  const found = await cachedStep('mock', [file, text, await readFile(rules, 'utf8')], async () =>
    JSON.stringify(await find()),
  );
  return JSON.parse(found) as Fault[];
}

/** Reads the file. Throws a SpecFault when it is unreadable or not servable. */
export async function readSpec(path: string): Promise<Spec> {
  const file = relative('', path) || path;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SpecFault(
      error.code === 'ENOENT' ? `there is no file ${file}` : `${file} cannot be read: ${error.message}`,
    );
  });
  const syntax = syntaxFaults(file, text);
  if (syntax.length > 0) refuse(file, text, syntax);
  const document = yamlValue(text) as unknown;
  if (typeof document !== 'object' || document === null || !('openapi' in document))
    throw new SpecFault(`${file} is no OpenAPI document`);
  const found = withoutConsequences([...(await formFaults(file, text)), ...ownFaults(file, text, [])]);
  const faults = found.filter(({ rule }) => blocking.includes(rule));
  if (faults.length > 0) refuse(file, text, faults);
  const { paths = {}, components } = document as Partial<OpenApiDocument>;
  if (Object.keys(paths).length === 0) throw new SpecFault(`${file} has no operations`);
  if (components?.schemas?.['Error'] === undefined)
    throw new SpecFault(`${file} has no schema 'Error', which is the body of every error`);
  try {
    return { document: normaliseDocument(document as OpenApiDocument), text };
  } catch (error) {
    return refuse(file, text, [unusable(file, error as Error)]);
  }
}
