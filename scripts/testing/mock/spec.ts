/** Reads the document of the mock. A document that is not servable gives an error with its position. */
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { stringify } from 'yaml';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { normaliseDocument } from '../../../server/contract/plain-document.ts';
import {
  collectFiles,
  faultReport,
  filesOf,
  loadedSpec,
  loadSpec,
  UnreadableSpecError,
  type Fault,
  type SpecFiles,
} from '../../contract-tools/files/index.ts';
import type { Spec } from '../../contract-tools/mock/index.ts';
import { blockingRules, withoutConsequences } from '../../spec/lint/lint.ts';
import { ownFaults } from '../../spec/lint/own-rules.ts';
import { redoclyFaults } from '../../spec/lint/redocly.ts';
import { cachedStep } from '../../spec/result-cache.ts';
import { isObject } from '../../../server/text/object.ts';

/** The document is not servable; the message has the position and the reason. */
export class SpecFault extends Error {
  override readonly name = 'SpecFault';
}

const rules = new URL('../../../spec/redocly.yaml', import.meta.url).pathname;

const refuse = ({ texts }: SpecFiles, faults: readonly Fault[]): never => {
  throw new SpecFault(faultReport(faults, texts, { outcome: 'it cannot be mocked' }));
};

/** An error of the service's modules for a valid document; it has no position. */
const unusable = (file: string, { message }: Error): Fault => ({ file, line: 1, column: 1, rule: 'unusable', message });

/** The result of `serve`. Throws a SpecFault when the document is not servable. */
export const serving = <Served>({ files }: Spec, serve: () => Promise<Served>): Promise<Served> =>
  serve().catch((error: Error) => refuse(files, [unusable(files.entry, error)]));

/**
 * The protocol of the event stream, from the file next to the contract; undefined when the file is missing or has another
 * structure. Throws a SpecFault for invalid YAML.
 */
export async function readProtocolBeside(path: string): Promise<object | undefined> {
  const file = pathOf(join(dirname(path), 'asyncapi.yaml'));
  const files = await collectFiles(file, filesOf(process.cwd()));
  if (!files.texts.has(file)) return undefined;
  const { value, faults } = loadedSpec(files, [pathOf(path)]);
  if (faults.length > 0) refuse(files, faults);
  const protocol = value as {
    channels?: { events?: { 'x-channels'?: unknown } };
    components?: { messages?: { event?: unknown } };
  } | null;
  const isOurs =
    protocol?.channels?.events?.['x-channels'] !== undefined && protocol.components?.messages?.event !== undefined;
  return isOurs ? protocol : undefined;
}

/** The faults that Redocly's rules find, from the cache. */
async function formFaults({ entry, texts }: SpecFiles): Promise<Fault[]> {
  const inputs = [entry, [...texts], await readFile(rules, 'utf8')];
  const found = await cachedStep('mock', inputs, async () =>
    JSON.stringify(await redoclyFaults(process.cwd(), [entry], rules)),
  );
  return JSON.parse(found) as Fault[];
}

/** A path from the current folder, as messages show it. */
const pathOf = (path: string): string => relative('', path) || path;

/** Reads the file and those that it refers to. Throws a SpecFault when they are unreadable or not servable. */
export async function readSpec(path: string): Promise<Spec> {
  const file = pathOf(path);
  const spec = await loadSpec(file, filesOf(process.cwd())).catch((error: unknown) => {
    throw error instanceof UnreadableSpecError ? new SpecFault(error.message) : error;
  });
  const { files, value: document } = spec;
  if (spec.faults.length > 0) refuse(files, spec.faults);
  if (!isObject(document) || !('openapi' in document)) throw new SpecFault(`${file} is no OpenAPI document`);
  const found = withoutConsequences([...(await formFaults(files)), ...ownFaults(spec, [])]);
  const faults = found.filter(({ rule }) => blockingRules.includes(rule));
  if (faults.length > 0) refuse(files, faults);
  const { paths = {} } = document as Partial<OpenApiDocument>;
  if (Object.keys(paths).length === 0) throw new SpecFault(`${file} has no operations`);
  const text = files.texts.size === 1 ? (files.texts.get(file) ?? '') : stringify(document);
  try {
    return { document: normaliseDocument(document as unknown as OpenApiDocument), text, files };
  } catch (error) {
    return refuse(files, [unusable(file, error as Error)]);
  }
}
