/** The rules that Redocly lacks: references between the files of the spec, scopes, patterns and default values. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { nearest, suggestion } from '../../../server/text/nearest-name.ts';
import { type Bundle, isDataMember, escapeKey, type Fault } from '../../contract-tools/files/index.ts';
import { unsupportedFaults } from './unsupported-rules.ts';
import { deprecationFaults } from './deprecation-rules.ts';
import { extensionFaults, linkFaults, mediaTypeFaults, type PointedFault } from './extension-rules.ts';
import { isObject } from '../../../server/text/object.ts';

type Json = Record<string, unknown>;

const componentsOf = (document: Json): Readonly<Record<string, Json | undefined>> =>
  (document.components ?? {}) as Record<string, Json>;

/** Every object of a document with its pointer, without the data in examples and constants. */
function* objectsOf(value: unknown, pointer = '', parent = ''): Generator<[Json, string]> {
  if (isObject(value)) yield [value, pointer];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value))
    if (!isDataMember(key, parent, inner)) yield* objectsOf(inner, `${pointer}/${escapeKey(key)}`, key);
}

/** The unions of the messages on /ws, where there is one. Nothing in the document references them. */
const entryPoints = ['schemas/WsClientMessage', 'schemas/WsServerMessage'];

/** The components that the document or another file references, directly or indirectly. */
function usedComponents(document: Json, others: readonly string[]): Set<string> {
  const components = componentsOf(document);
  const namedIn = (value: unknown): string[] =>
    [...objectsOf(value)].flatMap(([{ $ref }]) =>
      typeof $ref === 'string' && $ref.startsWith('#/components/') ? [$ref.slice('#/components/'.length)] : [],
    );
  const { components: _, ...rest } = document;
  const referencedByOthers = others.flatMap((text) =>
    [...text.matchAll(/openapi\.yaml#\/components\/([\w./-]+)/g)].map(([, name = '']) => name),
  );
  const secured = [...objectsOf(rest)].flatMap(([{ security }]) =>
    Array.isArray(security) ? security.filter(isObject).flatMap((requirement) => Object.keys(requirement)) : [],
  );
  const queue = [
    ...entryPoints,
    ...namedIn(rest),
    ...referencedByOthers,
    ...secured.map((name) => `securitySchemes/${name}`),
  ];
  const used = new Set<string>();
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    const [section = '', key = ''] = name.split('/');
    if (used.has(`${section}/${key}`)) continue;
    used.add(`${section}/${key}`);
    queue.push(...namedIn(components[section]?.[key]));
  }
  return used;
}

/** The fault of the scope of one operation that is not public, if any. Every security scheme must require the same scope of `x-scopes`. */
function scopeFault(
  { operationId }: Json,
  security: unknown,
  scopes: readonly string[],
  example: string,
): Pick<PointedFault, 'message' | 'fix'> | undefined {
  // Without any, the operation is public; an empty one only permits calls without a credential.
  const requirements = (Array.isArray(security) ? security.filter(isObject) : []).filter(
    (schemes) => Object.keys(schemes).length > 0,
  );
  if (requirements.length === 0) return undefined;
  const [scope = '', ...others] = new Set(requirements.map((schemes) => Object.values(schemes).flat().join(', ')));
  if (others.length > 0)
    return { message: 'The security schemes demand different scopes.', fix: 'demand the same one in each.' };
  if (scope === '')
    return { message: `${String(operationId)} demands no scope.`, fix: `name one of x-scopes, as by \`${example}\`.` };
  if (scopes.includes(scope)) return undefined;
  return { message: `There is no scope '${scope}'.`, fix: `take one of x-scopes${suggestion(scope, scopes)}` };
}

/** The faults of the scopes of all operations. Checks only documents that declare `x-scopes`. */
function scopeFaults(document: Json): PointedFault[] {
  const { 'x-scopes': declared, paths, components, security } = document;
  if (!isObject(declared) || !isObject(paths)) return [];
  const scopes = Object.keys(declared);
  const schemes =
    isObject(components) && isObject(components.securitySchemes) ? Object.keys(components.securitySchemes) : [];
  const example = `security: [${schemes.map((scheme) => `{ ${scheme}: [${scopes[0]}] }`).join(', ')}]`;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) => {
      if (!isObject(operation) || operation.operationId === undefined) return [];
      const fault = scopeFault(operation, operation.security ?? security, scopes, example);
      const pointer = `/paths/${escapeKey(path)}/${method}${operation.security === undefined ? '' : '/security'}`;
      return fault === undefined ? [] : [{ pointer, rule: 'operation-scope', ...fault }];
    }),
  );
}

function componentFaults(document: Json, others: readonly string[]): PointedFault[] {
  const used = usedComponents(document, others);
  return Object.entries(componentsOf(document)).flatMap(([section, parts]) =>
    Object.keys(parts ?? {})
      .filter((name) => !used.has(`${section}/${name}`))
      .map((name) => ({
        pointer: `/components/${section}/${escapeKey(name)}`,
        rule: 'unused-component',
        message: `Nothing uses ${section}/${name}.`,
        fix: 'refer to it, or delete it.',
      })),
  );
}

/** The fault of a reference to a component that another one resembles; Redocly reports the other references. */
function referenceFault(document: Json, { $ref }: Json, pointer: string): PointedFault | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#/components/')) return undefined;
  const [section = '', name = ''] = $ref.split('/').slice(2);
  const parts = componentsOf(document)[section];
  const similar = parts && !Object.hasOwn(parts, name) ? nearest(name, Object.keys(parts)) : undefined;
  if (similar === undefined) return undefined;
  return {
    pointer: `${pointer}/$ref`,
    rule: 'no-unresolved-refs',
    message: `There is no ${section}/${name}.`,
    fix: `did you mean '#/components/${section}/${similar}'?`,
  };
}

function patternFault({ pattern }: Json, pointer: string): PointedFault | undefined {
  if (typeof pattern !== 'string') return undefined;
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return {
      pointer: `${pointer}/pattern`,
      rule: 'invalid-pattern',
      message: error instanceof Error ? error.message : String(error),
      fix: 'correct it as a JavaScript expression with the flag u.',
    };
  }
}

function defaultFault(ajv: Ajv2020, document: Json, schema: Json, pointer: string): PointedFault | undefined {
  if (!('default' in schema && 'type' in schema)) return undefined;
  try {
    // References in the schema lead to `components`.
    const validate = ajv.compile({ ...schema, components: document.components });
    if (validate(schema.default)) return undefined;
    const reason = ajv.errorsText(validate.errors, { dataVar: 'it' });
    return {
      pointer: `${pointer}/default`,
      rule: 'default-breaks-schema',
      message: `The default breaks its own schema: ${reason}.`,
      fix: 'correct the default, or the schema.',
    };
  } catch {
    // Another rule reports a schema that cannot be compiled.
    return undefined;
  }
}

function schemaFaults(document: Json): PointedFault[] {
  // Other rules report schemas that are none.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false, logger: false });
  ajvFormats.default(ajv);
  return [...objectsOf(document)].flatMap(([schema, pointer]) => {
    const faults = [referenceFault(document, schema, pointer), patternFault(schema, pointer)];
    const [, invalidPattern] = faults;
    if (invalidPattern === undefined) faults.push(defaultFault(ajv, document, schema, pointer));
    return faults.filter((fault) => fault !== undefined);
  });
}

/** The faults of one document; `others` are the texts of the other files of the spec, which may reference it. */
export function ownFaults({ value: document, place }: Bundle, others: readonly string[]): Fault[] {
  if (!isObject(document)) return [];
  const faults = [
    ...componentFaults(document, others),
    ...scopeFaults(document),
    ...extensionFaults(document),
    ...linkFaults(document),
    ...unsupportedFaults(document),
    ...[...objectsOf(document)].flatMap(([part, pointer]) => [
      ...deprecationFaults(part, pointer),
      ...mediaTypeFaults(part, pointer),
    ]),
    ...schemaFaults(document),
  ];
  return faults.map(({ pointer, ...fault }) => ({
    ...place(pointer),
    ...fault,
    // The removal of an operation leaves such components and links behind.
    ...(['unused-component', 'link-target'].includes(fault.rule) && { isWarning: true }),
  }));
}
