/** Values made from the schemas of a document: the same seed and name give the same value on every machine. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Json, Place } from '../arbitrary/schema.ts';
import { validValues } from '../arbitrary/valid.ts';

/** What stands for a component: values of its kind by its name, or undefined where it is to be made. Keep the function. */
export type Known = (name: string) => readonly unknown[] | undefined;

/** Makes values of one document. */
export interface Values {
  /** A value of the schema; `name` tells it apart from others. Undefined where none could be made. */
  make(place: Place, name: string, known: Known): unknown;
}

const component = /^\/components\/schemas\/([^/]+)$/;

const words = fc.lorem({ maxCount: 6 });
const times = fc
  .date({ min: new Date('2024-01-01T00:00:00Z'), max: new Date('2026-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** Words and recent times, where a schema leaves them to us: they are easier to look at than any characters and centuries. */
function readable({
  schema: { type, const: only, enum: choices, pattern, format, minLength = 0, maxLength = 40 },
}: Place): fc.Arbitrary<Json> | undefined {
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

/** 31 bits that depend on every character. */
const number = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1;

/** Makes values of the document's schemas. */
export function createValues(document: object, seed: number): Values {
  const standIn = (known: Known, place: Place): fc.Arbitrary<Json> | undefined => {
    const [, name] = component.exec(place.pointer) ?? [];
    const values = name === undefined ? undefined : known(name);
    return values === undefined ? readable(place) : fc.constantFrom(...(values as Json[]));
  };
  /** By what stands in and by schema: they are dear to build. */
  const built = new Map<Known, Map<string, fc.Arbitrary<Json>>>();
  const valuesOf = (place: Place, known: Known): fc.Arbitrary<Json> => {
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
        // Nothing satisfies the schema, or nothing that can be found.
        return undefined;
      }
    },
  };
}
