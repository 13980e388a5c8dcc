/**
 * What breaks a schema of the contract, by a validator that the server does not use (@hyperjump/json-schema, not Ajv): a fault of
 * the server's own validator cannot hide.
 */
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/formats';
import { randomUUID } from 'node:crypto';
import { keysOf } from '../../spec/pointer.ts';
import { valueAt, type Place, type Schema } from '../arbitrary/schema.ts';

export interface Breach {
  /** The keyword of the contract that is broken. */
  readonly pointer: string;
  /** The place in the value; empty for the whole. */
  readonly at: string;
  /** The names of members that are missing or unknown, or else of the one that is wrong. */
  readonly names: readonly string[];
}

/** Finds the breaches of a value against a schema of the document. */
export type FindBreaches = (place: Place, value: unknown) => Promise<Breach[]>;

interface OutputUnit {
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
}

const dialect = 'https://spec.openapis.org/oas/3.1/schema-base';

const known = new WeakMap<object, FindBreaches>();

/** The breaches against a document, which is registered once. */
export function createFindBreaches(document: object): FindBreaches {
  const there = known.get(document) ?? register(document);
  known.set(document, there);
  return there;
}

function register(document: object): FindBreaches {
  const base = `https://verify.invalid/${randomUUID()}`;
  setShouldValidateFormat(true);
  registerSchema(document as never, base, dialect);
  const validators = new Map<string, ReturnType<typeof validate>>();
  return async ({ pointer }, value) => {
    let compiled = validators.get(pointer);
    if (compiled === undefined) {
      compiled = validate(`${base}#${encodeURI(pointer)}`);
      validators.set(pointer, compiled);
    }
    const check = await compiled;
    if (check(value as never, 'FLAG').valid) return [];
    const { errors = [] } = check(value as never, 'BASIC') as { errors?: readonly OutputUnit[] };
    return errors.map((error): Breach => {
      const keyword = decodeURI(error.absoluteKeywordLocation.slice(error.absoluteKeywordLocation.indexOf('#') + 1));
      const at = decodeURI(error.instanceLocation.replace(/^#/, ''));
      return { pointer: keyword, at, names: namesOf(document, keyword, at, value) };
    });
  };
}

function namesOf(document: object, keyword: string, at: string, value: unknown): string[] {
  const last = keysOf(at).at(-1);
  if (keyword.endsWith('/required')) {
    const schema = valueAt(document, keyword.slice(0, -'/required'.length)) as Schema;
    const there = valueAt(value, at);
    return (schema.required ?? []).filter(
      (name) => typeof there !== 'object' || there === null || !Object.hasOwn(there, name),
    );
  }
  return last === undefined ? [] : [last];
}
