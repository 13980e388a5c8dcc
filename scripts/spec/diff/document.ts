/** One revision of the contract: resolves `$ref`s and maps JSON Pointers to positions in the file. */
import { LineCounter, parseDocument } from 'yaml';
import { escapeKey, keysOf, positionOf } from '../pointer.ts';

/** A place in a revision: the value, and its JSON Pointer. A variant is a reading of that value, not the value itself. */
export type At = { readonly value: unknown; readonly pointer: string; readonly variant?: string };
export type Json = Record<string, unknown>;

export type Revision = {
  /** What the caller named it: a tag, a file, `working tree`. */
  readonly name: string;
  readonly root: At;
  /** The place that a `$ref` leads to; the place itself where there is none. Throws an Error for a dangling or endless one. */
  follow(at: At): At;
  /** Line and column of a place, counted from 1; those of the nearest one around it that stands in the file. */
  position(pointer: string): { readonly line: number; readonly column: number };
};

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The place of a member or an item; its value is undefined where there is none. */
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

/** The members of an object with their places; none for anything else. */
export const children = (at: At): [string, At][] =>
  isObject(at.value) ? Object.keys(at.value).map((key) => [key, child(at, key)]) : [];
/** The items of a list with their places; none for anything else. */
export const items = (at: At): At[] => (Array.isArray(at.value) ? at.value.map((_, index) => child(at, index)) : []);
/** Whether something stands at the place. */
export const known = (at: At): boolean => at.value !== undefined;
/** The pointer and the variant: names a place. */
export const address = ({ pointer, variant }: Omit<At, 'value'>): string =>
  `#${pointer}${variant ? ` (${variant})` : ''}`;

/** A revision of a parsed document. Throws an Error with a message for the user when it is no OpenAPI document. */
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
  const root: At = { value: document, pointer: '' };
  const fail = (at: At, says: string): never => {
    const { line, column } = position(at.pointer);
    throw new Error(`${name}:${line}:${column}: ${says}`);
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
    let here = at;
    while (isObject(here.value) && typeof here.value.$ref === 'string') {
      const { $ref } = here.value;
      if (seen.has(here.pointer)) return fail(child(at, '$ref'), `$ref '${$ref}' leads back to itself`);
      seen.add(here.pointer);
      if (!$ref.startsWith('#'))
        return fail(child(here, '$ref'), `$ref '${$ref}' leads out of the document, where this command does not look`);
      let pointer = $ref.slice(1);
      try {
        pointer = decodeURIComponent(pointer);
      } catch {
        // A lone % is taken as it is.
      }
      const found = child(root, ...keysOf(pointer));
      if (!known(found)) return fail(child(here, '$ref'), `$ref '${$ref}' leads nowhere`);
      here = found;
    }
    return here;
  };
  return { name, root, follow, position };
}

/** Parses a revision from YAML or JSON. Throws an Error for the user when the text is neither, or no OpenAPI document. */
export function parseRevision(name: string, text: string): Revision {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [error] = document.errors;
  // The message of the parser ends with an excerpt of the file.
  if (error) throw new Error(`${name}: ${error.message.trim()}`);
  return revisionOf(name, document.toJS() as unknown, (pointer) => positionOf(document, lines, pointer));
}
