/** One revision of the contract: resolves `$ref`s and maps JSON Pointers to positions in the file. */
import { parseDocument } from 'yaml';
import { duplicateName } from '../../../server/text/duplicate-json-names.ts';
import { escapeKey, keysOf, positionOf } from '../pointer.ts';
import { parseYaml } from '../yaml.ts';
import { isObject } from '../../../server/text/object.ts';

export { isObject };

/** A location in a revision: a value and its JSON Pointer. `variant` names a derived form of the value, such as a merged `allOf`. */
export type At = { readonly value: unknown; readonly pointer: string; readonly variant?: string };
export type Json = Record<string, unknown>;

export type Revision = {
  /** The name for reports: a tag, a file, or `working tree`. */
  readonly name: string;
  readonly root: At;
  /** Resolves a `$ref`. Returns the location itself when it has none. Throws an Error for a missing target or a cycle of references. */
  follow(at: At): At;
  /** Line and column of a location, from 1. For a location outside the file: those of the nearest enclosing one. */
  position(pointer: string): { readonly line: number; readonly column: number };
};

/** The location of a property or an item; its value is undefined when it does not exist. */
export function child(at: At, ...keys: readonly (string | number)[]): At {
  let { value, pointer } = at;
  for (const key of keys) {
    value = Array.isArray(value)
      ? value[Number(key)]
      : isObject(value) && Object.hasOwn(value, key)
        ? value[key]
        : undefined;
    pointer += `/${escapeKey(String(key))}`;
  }
  return { value, pointer };
}

/** The properties of an object with their locations; empty for other values. */
export const children = (at: At): [string, At][] =>
  isObject(at.value) ? Object.keys(at.value).map((key) => [key, child(at, key)]) : [];
/** The items of a list with their locations; empty for other values. */
export const items = (at: At): At[] => (Array.isArray(at.value) ? at.value.map((_, index) => child(at, index)) : []);
/** Whether the location has a value. */
export const exists = (at: At): boolean => at.value !== undefined;
/** A text that identifies a location: the pointer and the variant. */
export const address = ({ pointer, variant }: Omit<At, 'value'>): string =>
  `#${pointer}${variant ? ` (${variant})` : ''}`;

/** Creates a revision from a parsed document. Throws an Error with a message for the user when it is no OpenAPI 3.1 document. */
export function revisionOf(
  name: string,
  document: unknown,
  position: Revision['position'] = () => ({ line: 1, column: 1 }),
): Revision {
  if (
    !isObject(document) ||
    typeof document.openapi !== 'string' ||
    !/^3\.[1-9]/.test(document.openapi) ||
    !isObject(document.info)
  ) {
    throw new Error(`${name} is no OpenAPI 3.1 document: it has no \`openapi: 3.1.…\` with \`info\``);
  }
  return revisionFrom(name, document, position);
}

function revisionFrom(name: string, document: Json, position: Revision['position']): Revision {
  const root: At = { value: document, pointer: '' };
  const fail = (at: At, message: string): never => {
    const { line, column } = position(at.pointer);
    throw new Error(`${name}:${line}:${column}: ${message}`);
  };
  const targets = new Map<string, At>();
  const follow = (at: At): At => {
    if (!isObject(at.value) || typeof at.value.$ref !== 'string') return at;
    const { $ref } = at.value;
    const target = targets.get($ref) ?? targetOf(at);
    targets.set($ref, target);
    return target;
  };
  const targetOf = (at: At): At => {
    const seen = new Set<string>();
    let current = at;
    while (isObject(current.value) && typeof current.value.$ref === 'string') {
      const { $ref } = current.value;
      if (seen.has(current.pointer)) return fail(child(at, '$ref'), `$ref '${$ref}' is part of a cycle of references`);
      seen.add(current.pointer);
      if (!$ref.startsWith('#'))
        return fail(
          child(current, '$ref'),
          `$ref '${$ref}' refers to another document, which this command does not support`,
        );
      let pointer = $ref.slice(1);
      try {
        pointer = decodeURIComponent(pointer);
      } catch {
        // An invalid percent-encoding stays unchanged.
      }
      const target = child(root, ...keysOf(pointer));
      if (!exists(target)) return fail(child(current, '$ref'), `$ref '${$ref}' has no target`);
      current = target;
    }
    return current;
  };
  return { name, root, follow, position };
}

/** The value of a text in YAML or JSON, and the positions in it. Throws an Error with a message for the user. */
function parsed(name: string, text: string): { value: unknown; position: Revision['position'] } {
  const position = (pointer: string): { line: number; column: number } => {
    const { document, lines } = parseYaml(text);
    return positionOf(document, lines, pointer);
  };
  const json = jsonValue(text);
  if (json !== undefined) return { value: json, position };
  const { document } = parseYaml(text);
  // Parsed again, because this message of the parser ends with an excerpt of the file.
  const [error] = document.errors.length === 0 ? [] : parseDocument(text).errors;
  if (error) throw new Error(`${name}: ${error.message.trim()}`);
  return { value: document.toJS(), position };
}

/** Parses a revision from YAML or JSON. Throws an Error with a message for the user when the text is no OpenAPI 3.1 document. */
export function parseRevision(name: string, text: string): Revision {
  const { value, position } = parsed(name, text);
  return revisionOf(name, value, position);
}

/** Parses a protocol from YAML or JSON. Throws an Error with a message for the user when the text is no AsyncAPI 3 document. */
export function parseProtocol(name: string, text: string): Revision {
  const { value, position } = parsed(name, text);
  if (!isObject(value) || typeof value.asyncapi !== 'string' || !value.asyncapi.startsWith('3.'))
    throw new Error(`${name} is no AsyncAPI 3 document: it has no \`asyncapi: 3.…\``);
  return revisionFrom(name, value, position);
}

/** The value of a JSON text without duplicate names; undefined for another text. Its parser is many times as fast as that of YAML. */
function jsonValue(text: string): unknown {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return duplicateName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}
