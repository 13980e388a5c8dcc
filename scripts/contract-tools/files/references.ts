/** The references (`$ref`) of a document to other files. */
import { posix } from 'node:path';
import { isObject } from '../../../server/contract/values.ts';
import { escapeKey } from './pointer.ts';

/** Members that hold data of the described service: what looks like a reference in them is none. */
const data = ['example', 'examples', 'default', 'const', 'enum', 'value'];
/** Objects whose keys are names, so that `default` or `value` can be one of them. */
const namesMembers = /^(?:properties|patternProperties|\$defs|dependentSchemas|responses|schemas|parameters|headers)$/;

/** Whether the member of an object holds data, as extensions do. `parent` is the name of the object itself. */
export const isDataMember = (key: string, parent: string, value: unknown): boolean =>
  (data.includes(key) || key.startsWith('x-')) &&
  !namesMembers.test(parent) &&
  !(key === 'examples' && isObject(value));

/** A `$ref`, taken apart. */
export interface Reference {
  /** The path of the file from the folder of the project; undefined for a place in the same file. */
  readonly file: string | undefined;
  /** The JSON Pointer in the file; empty for the whole file. */
  readonly pointer: string;
}

/** A reference over the network: these commands do not read it. */
export const isRemote = ($ref: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test($ref) || $ref.startsWith('//');

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text;
  }
};

/** Takes apart a `$ref` in `file`. It must not be remote. */
export function referenceIn(file: string, $ref: string): Reference {
  const [path = '', ...fragment] = $ref.split('#');
  return {
    file: path === '' ? undefined : posix.join(posix.dirname(file), decoded(path)),
    pointer: decoded(fragment.join('#')).replace(/\/$/, ''),
  };
}

/** The `$ref` of an object that has one. */
export const refOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined;

/** The values of `discriminator.mapping` that are references and not names of schemas. */
export const isMappedReference = (value: unknown): value is string =>
  typeof value === 'string' && /^#|^\.{1,2}\/|\.(?:ya?ml|json)(?:#|$)/.test(value);

/** A reference with the JSON Pointer of its object. */
interface Placed {
  readonly $ref: string;
  readonly pointer: string;
}

/** All references in a value. */
export function* referencesIn(value: unknown, pointer = '', key = ''): Generator<Placed> {
  const $ref = refOf(value);
  if ($ref !== undefined) yield { $ref, pointer };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapeKey(name)}`;
    if (key === 'mapping' && isMappedReference(inner)) yield { $ref: inner, pointer: at };
    else if (!isDataMember(name, key, inner)) yield* referencesIn(inner, at, name);
  }
}
