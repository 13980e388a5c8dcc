/** Values made from the schemas of a document: the same seed and name give the same value on every machine. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { Json, Place } from '../arbitrary/schema.ts';
import { validValues } from '../arbitrary/valid.ts';

/** What stands for a component where it is needed: values of its kind by its name, or undefined where it is to be made. */
export type Known = (name: string) => readonly unknown[] | undefined;

export interface Values {
  /** A value of the schema; `name` tells it apart from others. Undefined where none could be made. */
  make(place: Place, name: string, known: Known): unknown;
}

const component = /^\/components\/schemas\/([^/]+)$/;

/** Words, where a schema leaves a text to us: they are easier to look at than any characters. */
function words({ schema: { type, const: only, enum: choices, pattern, format, minLength = 0, maxLength = 40 } }: Place): fc.Arbitrary<Json> | undefined {
  const isFree = type === 'string' && only === undefined && choices === undefined && pattern === undefined && format === undefined;
  if (!isFree) return undefined;
  return fc.lorem({ maxCount: 6 }).map((text) => text.slice(0, maxLength).trim().padEnd(minLength, '.'));
}

/** 31 bits that depend on every character. */
const number = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1;

/** Makes values of the document's schemas. */
export function createValues(document: object, seed: number): Values {
  const knownValues = (known: Known, place: Place): fc.Arbitrary<Json> | undefined => {
    const [, name] = component.exec(place.pointer) ?? [];
    const values = name === undefined ? undefined : known(name);
    return values === undefined ? words(place) : fc.constantFrom(...(values as Json[]));
  };
  return {
    make(place, name, known) {
      const values = fc.noBias(validValues(document, place, { known: (at) => knownValues(known, at) }));
      try {
        return fc.sample(values, { seed: number(`${seed} ${name}`), numRuns: 1 })[0];
      } catch {
        // Nothing satisfies the schema, or nothing that can be found.
        return undefined;
      }
    },
  };
}
