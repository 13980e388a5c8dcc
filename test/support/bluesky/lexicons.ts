/** Checks values against the published lexicons of Bluesky, where they lie beside the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Json } from './world.ts';

const folder = fileURLToPath(new URL('../../../../shared/upstream/bluesky/', import.meta.url));

/** Whether the lexicons are there. */
export const hasLexicons = existsSync(folder);

const documents = new Map<string, Json | undefined>();

function documentOf(nsid: string): Json | undefined {
  if (!documents.has(nsid)) {
    const file = `${folder}${nsid.replaceAll('.', '/')}.json`;
    documents.set(nsid, existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Json) : undefined);
  }
  return documents.get(nsid);
}

/** A definition by its reference; undefined where its lexicon is not there, as those of com.atproto. */
function definitionOf(reference: string, within: string): { readonly schema: Json; readonly nsid: string } | undefined {
  const [name = '', part = 'main'] = reference.split('#');
  const nsid = name === '' ? within : name;
  const schema = ((documentOf(nsid)?.defs ?? {}) as Record<string, Json | undefined>)[part];
  return schema === undefined ? undefined : { schema, nsid };
}

const formats: Readonly<Record<string, RegExp>> = {
  did: /^did:[a-z]+:[A-Za-z0-9._:%-]*[A-Za-z0-9._-]$/,
  handle: /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/i,
  'at-uri': /^at:\/\/[^/]+(\/[^/]+(\/[^/]+)?)?$/,
  cid: /^[A-Za-z0-9]{8,}$/,
  datetime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  uri: /^\w+:\S+$/,
  language: /^[a-z]{2,3}(-[A-Za-z0-9-]+)?$/i,
};

function stringFaults(schema: Json, value: string, path: string): string[] {
  const faults: string[] = [];
  const format = formats[String(schema.format)];
  if (format !== undefined && !format.test(value)) faults.push(`${path}: '${value}' is no ${String(schema.format)}`);
  if (Buffer.byteLength(value) > Number(schema.maxLength ?? Infinity)) faults.push(`${path}: too long`);
  if (schema.const !== undefined && value !== schema.const) faults.push(`${path}: expected ${String(schema.const)}`);
  return faults;
}

/** The faults of a value by a schema of a lexicon. */
function faultsBy(schema: Json, value: unknown, nsid: string, path: string): string[] {
  switch (schema.type) {
    case 'ref': {
      const found = definitionOf(String(schema.ref), nsid);
      return found === undefined ? [] : faultsBy(found.schema, value, found.nsid, path);
    }
    case 'union':
      return unionFaults(schema, value, nsid, path);
    case 'record':
      return faultsBy(schema.record as Json, value, nsid, path);
    case 'object':
      return objectFaults(schema, value, nsid, path);
    case 'array': {
      if (!Array.isArray(value)) return [`${path}: expected an array`];
      const tooMany = value.length > Number(schema.maxLength ?? Infinity) ? [`${path}: too many items`] : [];
      return [
        ...tooMany,
        ...value.flatMap((item, index) => faultsBy(schema.items as Json, item, nsid, `${path}[${index}]`)),
      ];
    }
    case 'string':
      return typeof value === 'string' ? stringFaults(schema, value, path) : [`${path}: expected a string`];
    case 'integer':
      return Number.isInteger(value) ? [] : [`${path}: expected an integer`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path}: expected a boolean`];
    default:
      return [];
  }
}

function unionFaults(schema: Json, value: unknown, nsid: string, path: string): string[] {
  const type = (value as Json | undefined)?.$type;
  if (typeof type !== 'string') return [`${path}: expected a $type`];
  const isKnown = (schema.refs as string[]).some((reference) => {
    const whole = reference.startsWith('#') ? `${nsid}${reference}` : reference;
    return whole === type || whole === `${type}#main`;
  });
  if (!isKnown) return [`${path}: ${type} is not in the union`];
  const found = definitionOf(type, nsid);
  return found === undefined ? [] : faultsBy(found.schema, value, found.nsid, path);
}

function objectFaults(schema: Json, value: unknown, nsid: string, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: expected an object`];
  const members = value as Json;
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const missing = ((schema.required ?? []) as string[]).filter((name) => members[name] === undefined);
  return [
    ...missing.map((name) => `${path}.${name}: is missing`),
    ...Object.entries(properties).flatMap(([name, property]) =>
      members[name] === undefined ? [] : faultsBy(property, members[name], nsid, `${path}.${name}`),
    ),
  ];
}

/** The faults of the answer of a query; none where its lexicon is not there. */
export function outputFaults(method: string, answer: unknown): string[] {
  const main = definitionOf(method, method)?.schema;
  const schema = (main?.output as Json | undefined)?.schema as Json | undefined;
  return schema === undefined ? [] : faultsBy(schema, answer, method, method);
}

/** The faults of a record of a repository. */
export function recordFaults(record: Json): string[] {
  const found = definitionOf(String(record.$type), '');
  return found === undefined ? [] : faultsBy(found.schema, record, found.nsid, String(record.$type));
}
