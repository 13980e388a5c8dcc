/** Which files depend on which declarations, through any number of other declarations. */
import {
  memberNames,
  mentionedModule,
  type Declaration,
  type Mention,
  type ModuleSurface,
  type Reference,
} from './module-surface.ts';

/** A module and a name in it, with the members that are read from the name; the module alone stands for all of its names. */
export type Place = readonly [module: string, ...names: string[]];

/** The declarations and members that differ; only the module where anything can be different. */
export function changedPlaces(module: string, before: ModuleSurface, after: ModuleSurface): Place[] {
  if (before.frame !== after.frame) return [[module]];
  const [old, now] = [textsOf(before), textsOf(after)];
  const changed = [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key));
  return changed.length === 0
    ? []
    : [[module, everything], ...changed.map((key): Place => [module, ...key.split('\n')])];
}

/** The name of all names of a module. */
const everything = '*';
/** Behind a name: whether it exists, and as a value or a type, whatever it stands for. */
const existence = '?';

/** The texts of the declarations and their members, by name. */
function textsOf({ declarations }: ModuleSurface): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (key: string, { text, members }: Declaration): void => {
    texts.set(key, text);
    if (members !== undefined) texts.set(`${key}\n${memberNames}`, [...members.keys()].join('\n'));
    for (const [name, member] of members ?? []) add(`${key}\n${name}`, member);
  };
  for (const [name, several] of declarations) {
    const [only] = several;
    texts.set(`${name}\n${existence}`, several.map(({ kind }) => kind).join());
    if (several.length === 1 && only !== undefined) add(name, only);
    else texts.set(name, several.map(({ text }) => text).join('\n'));
  }
  return texts;
}

/** Collects the dependencies of files and answers which files a difference affects. */
export class Dependents {
  readonly #modules: ReadonlyMap<string, ModuleSurface>;
  readonly #moduleNamed: (module: string, specifier: string) => string | undefined;
  /** What depends on a key: files, and declarations whose dependents follow from theirs. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #known = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  /** `moduleNamed` returns the module of the project that a module imports with this specifier; undefined for a package. */
  constructor(
    modules: ReadonlyMap<string, ModuleSurface>,
    moduleNamed: (module: string, specifier: string) => string | undefined,
  ) {
    this.#modules = modules;
    this.#moduleNamed = moduleNamed;
  }

  /** Adds a file. It also depends on all names of the modules with these specifiers. */
  addFile(file: string, module: string, surface: ModuleSurface, specifiers: readonly string[]): void {
    const key = fileKey(file);
    for (const mention of surface.mentions) this.#mention(key, module, mention);
    for (const imported of surface.imports.values()) this.#refer(key, module, imported, [existence]);
    for (const exported of surface.exports.values())
      if (typeof exported !== 'string') this.#refer(key, module, exported, []);
    for (const specifier of [...surface.stars, ...specifiers])
      this.#refer(key, module, { specifier, name: everything }, []);
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) next();
  }

  /** The files that depend on one of these places. */
  of(places: readonly Place[]): string[] {
    const reached = new Set(places.map(placeKey));
    // The set grows while the loop runs over it.
    for (const key of reached) for (const dependent of this.#dependents.get(key) ?? []) reached.add(dependent);
    return [...reached].flatMap((key) => fileIn(key) ?? []);
  }

  /** `from` mentions a name of its own module. */
  #mention(from: string, module: string, [name, ...members]: Mention): void {
    const surface = this.#modules.get(module);
    const specifier = mentionedModule(name);
    const [imported, ...rest] = members;
    if (specifier !== undefined && imported !== undefined)
      return this.#refer(from, module, { specifier, name: imported }, rest);
    const reference = surface?.imports.get(name);
    if (reference !== undefined) return this.#refer(from, module, reference, members);
    this.#declared(from, [module, name], surface?.declarations.get(name) ?? [], members);
  }

  /** `from`, in this module, depends on a name of another module. */
  #refer(from: string, module: string, { specifier, name }: Reference, members: readonly string[]): void {
    const target = this.#moduleNamed(module, specifier);
    if (target !== undefined) this.#name(from, target, name, members);
  }

  #name(from: string, module: string, name: string, members: readonly string[]): void {
    this.#depend(from, [module]);
    const surface = this.#modules.get(module);
    if (surface === undefined) return;
    if (name === everything) return this.#everything(from, module, surface);
    const exported = surface.exports.get(name);
    if (typeof exported === 'string') return this.#mention(from, module, [exported, ...members]);
    if (exported !== undefined) return this.#refer(from, module, exported, members);
    this.#declared(from, [module, name], surface.declarations.get(name) ?? [], members);
    for (const specifier of surface.stars) this.#star(from, module, { specifier, name }, members);
  }

  /** Modules can export the names of each other, so this goes through a node of its own. */
  #star(from: string, module: string, { specifier, name }: Reference, members: readonly string[]): void {
    const key = ['star', module, specifier, name, ...members].join('\n');
    this.#add(from, key);
    this.#once(key, () => this.#refer(key, module, { specifier, name }, members));
  }

  #everything(from: string, module: string, surface: ModuleSurface): void {
    const key = declarationKey([module, everything]);
    this.#add(from, key);
    this.#once(key, () => {
      this.#depend(key, [module, everything]);
      for (const name of [...surface.declarations.keys(), ...surface.exports.keys()]) this.#name(key, module, name, []);
      for (const specifier of surface.stars) this.#refer(key, module, { specifier, name: everything }, []);
    });
  }

  #declared(from: string, place: Place, several: readonly Declaration[], members: readonly string[]): void {
    const [only] = several;
    const [module] = place;
    const [first, ...rest] = members;
    if (first === existence) return this.#depend(from, [...place, existence]);
    if (several.length === 1 && only !== undefined && first !== undefined) {
      const member = only.members?.get(first);
      if (first === memberNames && only.members !== undefined) return this.#depend(from, [...place, memberNames]);
      if (member !== undefined) return this.#declared(from, [...place, first], [member], rest);
      if (only.alias !== undefined) {
        this.#depend(from, place);
        return this.#mention(from, module, [...only.alias, ...members]);
      }
    }
    const key = declarationKey(place);
    this.#add(from, key);
    this.#once(key, () => {
      this.#depend(key, place);
      for (const { mentions } of several) for (const mention of mentions) this.#mention(key, module, mention);
    });
  }

  #depend(from: string, place: Place): void {
    this.#add(from, placeKey(place));
  }

  #add(from: string, key: string): void {
    const dependents = this.#dependents.get(key);
    if (dependents === undefined) this.#dependents.set(key, new Set([from]));
    else dependents.add(from);
  }

  /** Later, because declarations depend on each other in long chains. */
  #once(key: string, collect: () => void): void {
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#waiting.push(collect);
  }
}

const placeKey = (place: Place): string => `place\n${place.join('\n')}`;
const declarationKey = (place: Place): string => `declaration\n${place.join('\n')}`;
const fileKey = (file: string): string => `file\n${file}`;
const fileIn = (key: string): string | undefined => (key.startsWith('file\n') ? key.slice('file\n'.length) : undefined);
