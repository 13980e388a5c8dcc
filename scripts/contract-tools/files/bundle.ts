/**
 * Makes one document of the files of a spec. What a component of the document takes from another file stands in its
 * place, and references to that file become references to the component, so that a spec gives the same document in one file
 * and in several. Other parts that files refer to become components too, or stand in the place of the reference.
 *
 * The bundlers of packages do not keep the places in the files, and rename components: that of @redocly/openapi-core makes two
 * components of one that is referred to by its file and by its name.
 */
import { posix } from 'node:path';
import { isObject, nearest } from '../../../server/contract/values.ts';
import type { Fault } from './fault.ts';
import { escapeKey, keysOf } from './pointer.ts';
import { placeInText, sharedValue } from './yaml.ts';
import { isDataMember, isMappedReference, isRemote, referenceIn, refOf } from './references.ts';
import { sectionOf } from './section.ts';
import type { SpecFiles } from './spec-files.ts';

/** A place in a file. Line and column are counted from 1. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A spec as one document. */
export interface Bundle {
  /** The document; incomplete where there are faults. */
  readonly value: unknown;
  /** References that lead nowhere, or in a circle. */
  readonly faults: readonly Fault[];
  /** Where a JSON Pointer of the document stands; where nothing stands there, the nearest place around it. */
  place(pointer: string): FilePlace;
}

/** A value of a file. */
interface Target {
  readonly file: string;
  readonly pointer: string;
  readonly value: unknown;
}

const idOf = ({ file, pointer }: Pick<Target, 'file' | 'pointer'>): string => `${file}#${pointer}`;
/** An object that has only a reference. */
const isSoleReference = (value: unknown): boolean =>
  refOf(value) !== undefined && Object.keys(value as object).length === 1;

/** The value of a member; undefined where there is none. */
const memberAt = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;

/**
 * Makes one document of the files. References to the files of `keep` stay references to files: they are documents of their
 * own. A file that is missing or has syntax errors is a fault at the references to it.
 */
export function bundleOf(files: SpecFiles, keep: readonly string[] = []): Bundle {
  const bundler = new Bundler(files, keep);
  const value = bundler.bundle();
  return { value, faults: bundler.faults, place: (pointer) => bundler.place(pointer) };
}

/** A copy of a JSON value. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]));
}

class Bundler {
  readonly faults: Fault[] = [];
  readonly #files: SpecFiles;
  readonly #keep: ReadonlySet<string>;
  readonly #values = new Map<string, unknown>();
  /** The places in the document of parts of other files, by file and pointer. */
  readonly #homes = new Map<string, string>();
  /** From which part of which file the value at a pointer of the document is. */
  readonly #origins = new Map<string, Pick<Target, 'file' | 'pointer'>>();
  /** Components that references need, in the order of the references. */
  readonly #added: { readonly section: string; readonly name: string; readonly target: Target }[] = [];

  constructor(files: SpecFiles, keep: readonly string[]) {
    this.#files = files;
    this.#keep = new Set(keep.filter((file) => file !== files.entry));
  }

  bundle(): unknown {
    const { entry } = this.#files;
    const root = this.#valueOf(entry);
    this.#origins.set('', { file: entry, pointer: '' });
    this.#findHomes(root);
    const value = this.#emit({ file: entry, pointer: '', value: root }, '', '', []);
    if (!isObject(value)) return value;
    for (let index = 0; index < this.#added.length; index++) {
      const { section, name, target } = this.#added[index]!;
      const components = (value.components ??= {}) as Record<string, Record<string, unknown>>;
      const at = `/components/${section}/${escapeKey(name)}`;
      this.#origins.set(at, target);
      (components[section] ??= {})[name] = this.#emit(target, at, section, []);
    }
    return value;
  }

  place(pointer: string): FilePlace {
    let from = pointer;
    while (from !== '' && !this.#origins.has(from)) from = from.slice(0, from.lastIndexOf('/'));
    const origin = this.#origins.get(from) ?? { file: this.#files.entry, pointer: '' };
    return this.#placeIn(origin.file, origin.pointer + pointer.slice(from.length));
  }

  #placeIn(file: string, pointer: string): FilePlace {
    return { file, ...placeInText(this.#files.texts.get(file) ?? '', pointer) };
  }

  #valueOf(file: string): unknown {
    if (!this.#values.has(file)) this.#values.set(file, sharedValue(this.#files.texts.get(file) ?? ''));
    return this.#values.get(file);
  }

  /** Finds the components and paths of the document that are parts of other files. */
  #findHomes(root: unknown): void {
    for (const [member, depth] of [
      ['components', 2],
      ['paths', 1],
    ] as const)
      this.#findHomesBelow(
        { file: this.#files.entry, pointer: `/${member}`, value: memberAt(root, member) },
        `/${member}`,
        depth,
      );
  }

  #findHomesBelow(start: Target, at: string, depth: number): void {
    let part: Target | undefined = start;
    const seen = new Set<string>();
    while (part !== undefined && isSoleReference(part.value) && !seen.has(idOf(part))) {
      seen.add(idOf(part));
      part = this.#targetOf(part.file, refOf(part.value) ?? '');
      if (part === undefined || this.#isOwn(part.file) || this.#homeOf(part) !== undefined) return;
      this.#homes.set(idOf(part), at);
    }
    if (part === undefined || depth === 0 || !isObject(part.value)) return;
    for (const [name, value] of Object.entries(part.value)) {
      const step = `/${escapeKey(name)}`;
      this.#findHomesBelow({ file: part.file, pointer: part.pointer + step, value }, at + step, depth - 1);
    }
  }

  #isOwn(file: string): boolean {
    return file === this.#files.entry || this.#keep.has(file);
  }

  /** The place in the document of a part of another file; undefined where it has none. */
  #homeOf({ file, pointer }: Target): string | undefined {
    for (let from = pointer; ; from = from.slice(0, from.lastIndexOf('/'))) {
      const home = this.#homes.get(idOf({ file, pointer: from }));
      if (home !== undefined) return home + pointer.slice(from.length);
      if (from === '') return undefined;
    }
  }

  /** The value that a reference leads to; references on the way to it are followed. Undefined where it leads nowhere. */
  #targetOf(from: string, $ref: string, depth = 0): Target | undefined {
    if (isRemote($ref) || depth > 100) return undefined;
    const { file = from, pointer } = referenceIn(from, $ref);
    if (!this.#files.texts.has(file)) return undefined;
    let at: Target = { file, pointer: '', value: this.#valueOf(file) };
    for (const key of keysOf(pointer)) {
      const inner = refOf(at.value);
      if (inner !== undefined && memberAt(at.value, key) === undefined) {
        const next = this.#targetOf(at.file, inner, depth + 1);
        if (next === undefined) return undefined;
        at = next;
      }
      at = { file: at.file, pointer: `${at.pointer}/${escapeKey(key)}`, value: memberAt(at.value, key) };
    }
    return at.value === undefined ? undefined : at;
  }

  /**
   * The value of a part of a file as it is in the document at `at`. `key` is the name of the member that holds it; `around` are
   * the parts that stand in the place of a reference around it.
   */
  #emit({ file, pointer, value }: Target, at: string, key: string, around: readonly string[]): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (refOf(value) !== undefined) return this.#emitReference({ file, pointer, value }, at, key, around);
    const inner = (name: string, part: unknown): unknown => {
      const step = `/${escapeKey(name)}`;
      if (key === 'mapping' && isMappedReference(part)) return this.#mapped(file, pointer + step, part);
      if (isDataMember(name, key, part)) return copyOf(part);
      return this.#emit({ file, pointer: pointer + step, value: part }, at + step, name, around);
    };
    if (Array.isArray(value)) return value.map((part, index) => inner(String(index), part));
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner(name, part)]));
  }

  #emitReference({ file, pointer, value }: Target, at: string, key: string, around: readonly string[]): unknown {
    const order = value as { $ref: string };
    const { $ref, ...siblings } = order;
    const written = this.#emit({ file, pointer, value: siblings }, at, key, around) as object;
    const refer = (to: string): unknown => ({ ...order, ...written, $ref: to.replaceAll('%', '%25') });
    if (this.#staysAsItIs(file, $ref)) return { ...order, ...written };
    const kept = isRemote($ref) ? undefined : referenceIn(file, $ref);
    if (kept?.file !== undefined && this.#keep.has(kept.file))
      return refer(`${this.#pathTo(kept.file)}#${kept.pointer}`);
    const target = this.#targetOf(file, $ref);
    if (target === undefined) return this.#unresolved(file, pointer, $ref);
    if (target.file === this.#files.entry) return refer(`#${target.pointer}`);
    const home = this.#homeOf(target);
    if (home !== undefined && home !== at) return refer(`#${home}`);
    if (around.includes(idOf(target))) return this.#circular(file, pointer, $ref);
    const within = [...around, idOf(target)];
    // A part of a file that refers to another part is not worth a component.
    const section = home === undefined && !isSoleReference(target.value) ? sectionOf(at) : undefined;
    if (section !== undefined) return refer(`#${this.#add(section, target)}`);
    this.#origins.set(at, target);
    const placed = this.#emit(target, at, key, within);
    return isObject(placed) ? { ...placed, ...written } : placed;
  }

  /** Whether a reference needs no change: it leads to the document itself, or is written in it and leads to a kept file. */
  #staysAsItIs(file: string, $ref: string): boolean {
    if (file !== this.#files.entry || isRemote($ref)) return false;
    const { file: other = file } = referenceIn(file, $ref);
    return this.#isOwn(other) && (other !== file || $ref.startsWith('#'));
  }

  /** The reference in the document for a value of `discriminator.mapping`. */
  #mapped(file: string, pointer: string, $ref: string): string {
    const { $ref: to } = this.#emitReference({ file, pointer, value: { $ref } }, '/allOf/0', '', []) as {
      $ref?: string;
    };
    return to ?? $ref;
  }

  /** Makes a component of a part of a file. Returns its pointer. */
  #add(section: string, target: Target): string {
    const wanted = (keysOf(target.pointer).at(-1) ?? posix.parse(target.file).name).replaceAll(/[^\w.-]/g, '_');
    const taken = new Set([
      ...this.#namesIn(section),
      ...this.#added.filter((each) => each.section === section).map(({ name }) => name),
    ]);
    let name = wanted;
    for (let number = 2; taken.has(name); number++) name = `${wanted}_${number}`;
    this.#added.push({ section, name, target });
    const home = `/components/${section}/${name}`;
    this.#homes.set(idOf(target), home);
    return home;
  }

  /** The names of the components that the document has itself. */
  #namesIn(section: string): string[] {
    const { entry } = this.#files;
    const value = this.#targetOf(entry, `#/components/${section}`)?.value;
    const target = isSoleReference(value) ? this.#targetOf(entry, refOf(value) ?? '')?.value : value;
    return isObject(target) ? Object.keys(target) : [];
  }

  #pathTo(file: string): string {
    const path = posix.relative(posix.dirname(this.#files.entry), file);
    return path.startsWith('.') ? path : `./${path}`;
  }

  #circular(file: string, pointer: string, $ref: string): object {
    this.#fault(file, pointer, `'${$ref}' leads back to itself.`, 'make a component of the part that repeats.');
    return {};
  }

  #unresolved(from: string, pointer: string, $ref: string): object {
    if (isRemote($ref)) {
      this.#fault(
        from,
        pointer,
        `'${$ref}' is not read over the network.`,
        'store the document beside this one, and refer to the file.',
      );
      return {};
    }
    const { file = from, pointer: part } = referenceIn(from, $ref);
    if (this.#files.texts.has(file)) this.#missingPart(from, pointer, file, part);
    else this.#missingFile(from, pointer, file);
    return {};
  }

  #missingFile(from: string, pointer: string, file: string): void {
    const similar = nearest(
      file,
      [...this.#files.texts.keys()].filter((other) => other !== from),
    );
    const path = similar === undefined ? undefined : posix.relative(posix.dirname(from), similar);
    const fix =
      path === undefined
        ? 'add the file, or correct the path: it starts at the folder of this file.'
        : `did you mean '${path}'?`;
    this.#fault(from, pointer, `There is no file ${file}.`, fix);
  }

  #missingPart(from: string, pointer: string, file: string, part: string): void {
    const keys = keysOf(part);
    let parent: unknown = this.#valueOf(file);
    let found = '';
    for (const key of keys) {
      const inner = memberAt(parent, key);
      if (inner === undefined) break;
      parent = inner;
      found += `/${escapeKey(key)}`;
    }
    const missing = keys[keysOf(found).length] ?? '';
    const similar = isObject(parent) ? nearest(missing, Object.keys(parent)) : undefined;
    const fix =
      similar === undefined
        ? 'correct the name, or add it to that file.'
        : `did you mean '#${found}/${escapeKey(similar)}'?`;
    this.#fault(from, pointer, `${file} has no '${part}'.`, fix);
  }

  #fault(file: string, pointer: string, message: string, fix: string): void {
    const { line, column } = this.#placeIn(file, `${pointer}/$ref`);
    this.faults.push({ file, line, column, rule: 'no-unresolved-refs', message, fix });
  }
}
