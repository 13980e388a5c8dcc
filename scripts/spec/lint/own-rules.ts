/** What Redocly's rules leave out: references in all files of the spec, and values that break the schema they stand in. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { LineCounter, parseDocument } from 'yaml';
import { nearest, suggestion } from '../../../server/text/nearest-name.ts';
import { escapeKey, positionOf } from '../pointer.ts';
import type { Fault } from './fault.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every object of a document with its pointer; not those inside of examples and constants, which are data. */
function* objectsOf(value: unknown, pointer = ''): Generator<[Json, string]> {
  if (isObject(value)) yield [value, pointer];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const isData =
      ['example', 'examples', 'default', 'const', 'enum', 'value'].includes(key) && !pointer.endsWith('/properties');
    // The examples of a media type are objects of the document: they may be references.
    if (!isData || (key === 'examples' && isObject(inner))) yield* objectsOf(inner, `${pointer}/${escapeKey(key)}`);
  }
}

/** The unions of the messages on /ws: nothing in the document refers to them. */
const entrances = ['schemas/WsClientMessage', 'schemas/WsServerMessage'];

/** The components that a document refers to, itself or from another file, and those that these refer to. */
function usedComponents(document: Json, others: readonly string[]): Set<string> {
  const components = (document.components ?? {}) as Record<string, Json>;
  const namedIn = (value: unknown): string[] =>
    [...objectsOf(value)].flatMap(([{ $ref }]) =>
      typeof $ref === 'string' && $ref.startsWith('#/components/') ? [$ref.slice('#/components/'.length)] : [],
    );
  const { components: _, ...rest } = document;
  const elsewhere = others.flatMap((text) =>
    [...text.matchAll(/openapi\.yaml#\/components\/([\w./-]+)/g)].map(([, name]) => name!),
  );
  const secured = [...objectsOf(rest)].flatMap(([{ security }]) =>
    Array.isArray(security) ? security.flatMap((way) => Object.keys(way as Json)) : [],
  );
  const queue = [...entrances, ...namedIn(rest), ...elsewhere, ...secured.map((name) => `securitySchemes/${name}`)];
  const used = new Set<string>();
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const [section, key] = name.split('/') as [string, string];
    if (used.has(`${section}/${key}`)) continue;
    used.add(`${section}/${key}`);
    queue.push(...namedIn(components[section]?.[key]));
  }
  return used;
}

interface ScopeFault {
  readonly pointer: string;
  readonly message: string;
  readonly mend: string;
}

/**
 * Operations whose scope is missing, unknown, or not the same for every security scheme: a key may be sent by any of them. Only where
 * the document says in `x-scopes` which scopes there are.
 */
function scopeFaults(document: Json): ScopeFault[] {
  const { 'x-scopes': declared, paths, components } = document;
  if (!isObject(declared) || !isObject(paths)) return [];
  const scopes = Object.keys(declared);
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? Object.keys(components.securitySchemes) : [];
  const form = `security: [${schemes.map((scheme) => `{ ${scheme}: [${scopes[0]}] }`).join(', ')}]`;
  const judge = ({ operationId, security }: Json): Omit<ScopeFault, 'pointer'> | undefined => {
    const ways = Array.isArray(security) ? security.filter(isObject) : [];
    const [scope = '', ...others] = new Set(ways.map((way) => Object.values(way).flat().join(', ')));
    if (others.length > 0)
      return { message: 'The security schemes demand different scopes.', mend: 'demand the same one in each.' };
    if (scope === '')
      return { message: `${String(operationId)} demands no scope.`, mend: `name one of x-scopes, as by \`${form}\`.` };
    if (scopes.includes(scope)) return undefined;
    return { message: `There is no scope '${scope}'.`, mend: `take one of x-scopes${suggestion(scope, scopes)}` };
  };
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isObject(operation) || operation.operationId === undefined) return [];
      const fault = judge(operation);
      const pointer = `/paths/${escapeKey(path)}/${method}${operation.security === undefined ? '' : '/security'}`;
      return fault === undefined ? [] : [{ pointer, ...fault }];
    }),
  );
}

/** The faults of one document; `others` are the texts of the other files of the spec, which may refer to it. */
export function ownFaults(file: string, text: string, others: readonly string[]): Fault[] {
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines });
  const document = parsed.toJS() as unknown;
  if (!isObject(document)) return [];
  const faults: Fault[] = [];
  const note = (pointer: string, rule: string, message: string, mend: string): void =>
    void faults.push({ file, ...positionOf(parsed, lines, pointer), rule, message, mend });

  const used = usedComponents(document, others);
  for (const [section, parts] of Object.entries((document.components ?? {}) as Record<string, Json>)) {
    for (const name of Object.keys(parts ?? {})) {
      if (used.has(`${section}/${name}`)) continue;
      note(
        `/components/${section}/${escapeKey(name)}`,
        'unused-component',
        `Nothing uses ${section}/${name}.`,
        'refer to it, or delete it.',
      );
    }
  }

  for (const { pointer, message, mend } of scopeFaults(document)) note(pointer, 'operation-scope', message, mend);

  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  for (const [schema, pointer] of objectsOf(document)) {
    const { $ref, pattern } = schema;
    if (typeof $ref === 'string' && $ref.startsWith('#/components/')) {
      const [section = '', name = ''] = $ref.split('/').slice(2);
      const parts = (document.components as Record<string, Json> | undefined)?.[section];
      const meant = parts && !Object.hasOwn(parts, name) ? nearest(name, Object.keys(parts)) : undefined;
      if (meant !== undefined) {
        note(
          `${pointer}/$ref`,
          'no-unresolved-refs',
          `There is no ${section}/${name}.`,
          `did you mean '#/components/${section}/${meant}'?`,
        );
      }
    }
    if (typeof pattern === 'string') {
      try {
        new RegExp(pattern, 'u');
      } catch (error) {
        note(
          `${pointer}/pattern`,
          'invalid-pattern',
          (error as Error).message,
          'correct it as a JavaScript expression with the flag u.',
        );
        continue;
      }
    }
    if ('default' in schema && 'type' in schema) {
      try {
        // `components` is what references in the schema lead to.
        const accepts = ajv.compile({ ...schema, components: document.components });
        if (!accepts(schema.default)) {
          const why = ajv.errorsText(accepts.errors, { dataVar: 'it' });
          note(
            `${pointer}/default`,
            'default-breaks-schema',
            `The default breaks its own schema: ${why}.`,
            'correct the default, or the schema.',
          );
        }
      } catch {
        // A schema that cannot be compiled has a fault of its own.
      }
    }
  }
  return faults;
}
