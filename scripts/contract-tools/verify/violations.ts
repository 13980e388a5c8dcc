/**
 * Finds violations of schemas with a validator that the server does not use (@hyperjump/json-schema instead of Ajv), so
 * that a fault of the server's validator does not hide a violation.
 */
import { registerSchema, setShouldValidateFormat, validate } from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/formats';
import { randomUUID } from 'node:crypto';
import { keysOf } from '../files/pointer.ts';
import { fragmentOf, satisfies, valueAt, type Json, type Schema, type SchemaNode } from '../arbitrary/schema.ts';

export interface Violation {
  /** The JSON Pointer of the violated keyword. */
  readonly pointer: string;
  /** The JSON Pointer in the value; empty for the whole value. */
  readonly at: string;
  /** The names of the missing or unknown members, or the name of the invalid member. */
  readonly names: readonly string[];
}

/** Finds the violations of a schema of the document by a value. */
export type FindViolations = (node: SchemaNode, value: unknown) => Promise<Violation[]>;

interface OutputUnit {
  readonly absoluteKeywordLocation: string;
  readonly instanceLocation: string;
}

const dialect = 'https://spec.openapis.org/oas/3.1/schema-base';

const registered = new WeakMap<object, FindViolations>();

/** The validator of a document; registers each document once. */
export function createFindViolations(document: object): FindViolations {
  const findViolations = registered.get(document) ?? register(document);
  registered.set(document, findViolations);
  return findViolations;
}

function register(document: object): FindViolations {
  const base = `https://verify.invalid/${randomUUID()}`;
  setShouldValidateFormat(true);
  registerSchema(document as never, base, dialect);
  const validators = new Map<string, ReturnType<typeof validate>>();
  return async (node, value) => {
    const { pointer } = node;
    // A body without a schema.
    if (valueAt(document, pointer) === undefined) return [];
    let compiled = validators.get(pointer);
    if (compiled === undefined) {
      compiled = validate(`${base}#${fragmentOf(pointer)}`);
      validators.set(pointer, compiled);
    }
    // It does not read schemas with members such as `#` or `%41`.
    const check = await compiled.catch(() => undefined);
    if (check === undefined) return satisfies(document, node, value as Json) ? [] : [{ pointer, at: '', names: [] }];
    if (check(value as never, 'FLAG').valid) return [];
    const { errors = [] } = check(value as never, 'BASIC') as { errors?: readonly OutputUnit[] };
    // It finds that no negative number is a multiple of a fraction.
    const isMultiple = errors.every(({ absoluteKeywordLocation: at }) => at.endsWith('/multipleOf'));
    if (isMultiple && satisfies(document, node, value as Json)) return [];
    return errors.map((error): Violation => {
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
    const object = valueAt(value, at);
    return (schema.required ?? []).filter(
      (name) => typeof object !== 'object' || object === null || !Object.hasOwn(object, name),
    );
  }
  return last === undefined ? [] : [last];
}
