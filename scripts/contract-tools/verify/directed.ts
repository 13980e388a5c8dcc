/** The contract as requests and as responses have it. Schemas keep their places, so that a pointer means the same in both. */
import { DirectedSchemas, hasDirections, type Direction } from '../../../server/contract/direction.ts';
import { isObject } from '../../../server/contract/values.ts';

/** A document whose schemas forbid the members that are `readOnly` (of requests) or `writeOnly` (of responses). */
export function directedDocument(document: object, direction: Direction): object {
  if (!hasDirections(document)) return document;
  const schemas = new DirectedSchemas(document, direction, 'forbid');
  const convert = (value: unknown, key: string): unknown => {
    if (key === 'schema') return schemas.convert(value);
    if (key === 'schemas' && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, schemas.convert(schema)]));
    if (key === 'example' || key === 'examples' || !isObject(value))
      return Array.isArray(value) && key !== 'example' ? value.map((each) => convert(each, '')) : value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each, name)]));
  };
  return convert(document, '') as object;
}
