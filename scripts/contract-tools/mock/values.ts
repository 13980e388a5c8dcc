/** Generates values from the schemas of a document. Equal seed and name give the same value on every machine. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Json, SchemaNode } from '../arbitrary/schema.ts';
import { validValues } from '../arbitrary/valid.ts';

/** Existing values of a component by its name; undefined: generate one. The cache uses the function as its key. */
export type Known = (name: string) => readonly unknown[] | undefined;

/** Generates values for one document. */
export interface Values {
  /** A value of the schema; `name` identifies it. Undefined when the generator finds no valid value. */
  make(place: SchemaNode, name: string, known: Known): unknown;
}

const component = /^\/components\/schemas\/([^/]+)$/;

const words = fc.lorem({ maxCount: 6 });
const times = fc
  .date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2026-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Words and recent times for unconstrained strings and dates, because they are more readable. */
function readable({
  schema: { type, const: only, enum: choices, pattern, format, minLength = 0, maxLength = 40 },
}: SchemaNode): fc.Arbitrary<Json> | undefined {
  const isText =
    only === undefined &&
    choices === undefined &&
    pattern === undefined &&
    (type === 'string' || (Array.isArray(type) && type.includes('string')));
  if (!isText) return undefined;
  const orNull = (text: fc.Arbitrary<string>): fc.Arbitrary<Json> =>
    type === 'string' ? text : fc.oneof(text, fc.constant(null));
  if (format === 'date-time') return orNull(times);
  if (format !== undefined) return undefined;
  return orNull(words.map((text) => text.slice(0, maxLength).trim().padEnd(minLength, '.')));
}

/** A 31-bit hash of the text. */
const number = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1;

/** Creates the generator for a document. */
export function createValues(document: object, seed: number): Values {
  const standIn = (known: Known, place: SchemaNode): fc.Arbitrary<Json> | undefined => {
    const [, name] = component.exec(place.pointer) ?? [];
    const values = name === undefined ? undefined : known(name);
    return values === undefined ? readable(place) : fc.constantFrom(...(values as Json[]));
  };
  /** Cached arbitraries by source of values and schema, because their construction is expensive. */
  const built = new Map<Known, Map<string, fc.Arbitrary<Json>>>();
  const valuesOf = (place: SchemaNode, known: Known): fc.Arbitrary<Json> => {
    const bySchema = built.get(known) ?? new Map<string, fc.Arbitrary<Json>>();
    built.set(known, bySchema);
    const values =
      bySchema.get(place.pointer) ?? fc.noBias(validValues(document, place, { known: (at) => standIn(known, at) }));
    bySchema.set(place.pointer, values);
    return values;
  };
  return {
    make(place, name, known) {
      try {
        return fc.sample(valuesOf(place, known), { seed: number(`${seed} ${name}`), numRuns: 1 })[0];
      } catch {
        // The generator found no value that satisfies the schema.
        return undefined;
      }
    },
  };
}
