/** Values made from schemas: the same seed gives the same value on every machine. */
import { createHash } from 'node:crypto';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { generateSync, type JsonSchema } from 'json-schema-faker';
import { unfold, type Known, type Schema } from './schema.ts';

/** How often a value that breaks its schema after all is made anew. */
const attempts = 50;

export interface Values {
  /** Whether a value satisfies a schema of the document; the words say where it does not. */
  check(schema: Schema, value: unknown): { readonly ok: true } | { readonly ok: false; readonly why: string };
  /**
   * A valid value; `name` tells it apart from others of the same schema, `known` gives values that stand for components.
   * Undefined where none could be made.
   */
  make(schema: Schema, name: string, known: Known): unknown;
}

/** Times between these, because those up to now would be others every day. */
const times = { minDateTime: '2025-01-01T00:00:00Z', maxDateTime: '2026-12-31T23:59:59Z' };

/** 31 bits that depend on every character. */
const number = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1;

export function createValues(document: { readonly components?: object }, seed: number): Values {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  ajvFormats.default(ajv);
  const compiled = new Map<string, ValidateFunction>();
  const validator = (schema: Schema): ValidateFunction => {
    const text = JSON.stringify(schema);
    const found = compiled.get(text) ?? ajv.compile({ ...schema, components: document.components });
    compiled.set(text, found);
    return found;
  };
  return {
    check(schema, value) {
      const accepts = validator(schema);
      return accepts(value) ? { ok: true } : { ok: false, why: ajv.errorsText(accepts.errors, { dataVar: 'it' }) };
    },
    make(schema, name, known) {
      const finite = unfold(document, schema, known);
      if (finite === false) return undefined;
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        try {
          // As deep as the schema goes: it is finite. References that are left are in keywords that do not nest.
          const options = { seed: number(`${seed} ${name} ${attempt}`), maxDepth: 100, useExamplesValue: true, ...times };
          const value = generateSync({ ...finite, components: document.components } as object as JsonSchema, options);
          if (validator(schema)(value)) return value;
        } catch {
          // A value that cannot be made with this seed may be made with the next.
        }
      }
      return undefined;
    },
  };
}
