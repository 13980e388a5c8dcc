/** One revision of the contract: resolves `$ref`s and maps JSON Pointers to positions in the file. */
import { posix } from 'node:path';
import { parseDocument } from 'yaml';
import { loadedSpec, type LoadedSpec } from '../files/load.ts';
import { escapeKey, keysOf } from '../files/pointer.ts';
import { isObject } from '../../../server/contract/values.ts';

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
  /**
   * The file, line and column of a location, from 1. For a location outside the document: those of the nearest enclosing one.
   */
  position(pointer: string): Position;
};

/** A place in a file, which has the name of the revision before it. Line and column are counted from 1. */
export type Position = { readonly file: string; readonly line: number; readonly column: number };

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
  position: Revision['position'] = () => ({ file: name, line: 1, column: 1 }),
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

/** The member that stands for the target of a reference to another document, so that another reference differs from it. */
const otherDocument = 'reference to another document';

/** `isOpen`: references may lead to other documents. */
function revisionFrom(name: string, document: Json, position: Revision['position'], isOpen = false): Revision {
  const root: At = { value: document, pointer: '' };
  const fail = (at: At, message: string): never => {
    const { file, line, column } = position(at.pointer);
    throw new Error(`${file}:${line}:${column}: ${message}`);
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
      if (!$ref.startsWith('#') && isOpen) return { ...current, value: { [otherDocument]: $ref } };
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

/** The value of a spec, and the positions in it. Throws an Error with a message for the user where the spec has faults. */
function valueOf(name: string, spec: LoadedSpec): { value: unknown; position: Revision['position'] } {
  const { entry, texts } = spec.files;
  // Before the name of a file: the version that it is from.
  const prefix = name.endsWith(entry) ? name.slice(0, -entry.length) : '';
  const named = (file: string): string => (file === entry ? name : `${prefix}${file}`);
  const [fault] = spec.faults;
  if (fault?.rule === 'yaml-syntax') {
    // Parsed again, because this message of the parser ends with an excerpt of the file.
    const [error] = parseDocument(texts.get(fault.file) ?? '').errors;
    throw new Error(`${named(fault.file)}: ${(error ?? fault).message.trim()}`);
  }
  if (fault !== undefined)
    throw new Error(`${named(fault.file)}:${fault.line}:${fault.column}: ${fault.message} Fix: ${fault.fix}`);
  return {
    value: spec.value,
    position(pointer) {
      const { file, line, column } = spec.place(pointer);
      return { file: named(file), line, column };
    },
  };
}

const oneFile = (name: string, text: string, keep?: string[]): LoadedSpec =>
  loadedSpec({ entry: name, texts: new Map([[name, text]]) }, keep);

/** The revision of a loaded spec. Throws an Error with a message for the user when it is no OpenAPI 3.1 document. */
export function revisionIn(name: string, spec: LoadedSpec): Revision {
  const { value, position } = valueOf(name, spec);
  return revisionOf(name, value, position);
}

/** The protocol of a loaded spec. Throws an Error with a message for the user when it is no AsyncAPI 3 document. */
export function protocolIn(name: string, spec: LoadedSpec): Revision {
  const { value, position } = valueOf(name, spec);
  if (!isObject(value) || typeof value.asyncapi !== 'string' || !value.asyncapi.startsWith('3.'))
    throw new Error(`${name} is no AsyncAPI 3 document: it has no \`asyncapi: 3.…\``);
  return revisionFrom(name, value, position, true);
}

/** Parses a revision from one text in YAML or JSON. Throws an Error as `revisionIn` does. */
export const parseRevision = (name: string, text: string): Revision => revisionIn(name, oneFile(name, text));

/** Parses a protocol from one text in YAML or JSON. Throws an Error as `protocolIn` does. */
export const parseProtocol = (name: string, text: string): Revision =>
  protocolIn(name, oneFile(name, text, [posix.join(posix.dirname(name), 'openapi.yaml')]));
