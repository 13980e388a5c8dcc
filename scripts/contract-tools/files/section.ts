/** Which kind of component stands at a place of an OpenAPI document. */
import { keysOf } from './pointer.ts';

const schemaMaps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const schemaLists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const schemaMembers = [
  'schema',
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
];
/** Sections of `components` whose name is also that of the member that holds such objects elsewhere. */
const namedSections = ['parameters', 'responses', 'headers', 'examples', 'links', 'callbacks', 'schemas'];

/** The section of `components` for an object at a place; undefined where components cannot replace it. */
export function sectionOf(pointer: string): string | undefined {
  const keys = keysOf(pointer);
  const [last = '', parent = ''] = keys.toReversed();
  if (schemaMaps.includes(parent) || schemaLists.includes(parent)) return 'schemas';
  if (namedSections.includes(parent)) return parent;
  if (schemaMembers.includes(last)) return 'schemas';
  if (last === 'requestBody' || parent === 'requestBodies') return 'requestBodies';
  return undefined;
}
