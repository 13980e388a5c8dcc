/**
 * How far the version of the client has to move: by its public types, and by its changelog. The contract gate judges what the contract
 * gives, so both versions of the sources are compared with the same generated files.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { default as TypeScript, Signature, Symbol as TypeScriptSymbol, Type } from 'typescript';
import { largerBump, type Bump } from '../../contract-tools/diff/index.ts';
import { gitIn } from '../../contract-tools/git.ts';
import { changelogs, parseChangelog } from './changelog.ts';
import { releaseCommit } from './released.ts';

/** A difference of the client from its last release. */
export interface ClientFinding {
  readonly step: Bump;
  readonly message: string;
}

/** What a caller passes: it may take more than before. What a caller gets may have more than before. */
const isInput = (name: string): boolean =>
  /(?:Options?|Params|Parameters|Selection|Cache|Logger|KeyIn|LogLevel)$/.test(name);

/** The files of packages, but not those of the language. */
const foreign = /\/node_modules\/(?!typescript)/;

/** Whether two types have the name of something that a caller gets. */
function isMade(one: Type, other: Type): boolean {
  const [name, same] = [one, other].map((each) => (each.aliasSymbol ?? each.getSymbol())?.name);
  return name !== undefined && name === same && !name.startsWith('__') && !isInput(name);
}

type Exports = ReadonlyMap<string, TypeScriptSymbol>;

/** Compares the exports of two modules in one program. */
class ModuleComparison {
  readonly #ts: typeof TypeScript;
  readonly #checker: TypeScript.TypeChecker;
  readonly #program: TypeScript.Program;

  constructor(ts: typeof TypeScript, files: readonly string[]) {
    this.#ts = ts;
    this.#program = ts.createProgram([...files], {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      allowImportingTsExtensions: true,
      noEmit: true,
      skipLibCheck: true,
    });
    this.#checker = this.#program.getTypeChecker();
  }

  #exportsOf(file: string): Exports {
    const source = this.#program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    const symbols = module === undefined ? [] : this.#checker.getExportsOfModule(module);
    const { Alias } = this.#ts.SymbolFlags;
    return new Map(
      symbols.map((symbol) => [symbol.name, symbol.flags & Alias ? this.#checker.getAliasedSymbol(symbol) : symbol]),
    );
  }

  /** The text of a declaration without comments. */
  #printed(node: TypeScript.Node): string {
    const printer = this.#ts.createPrinter({ removeComments: true });
    return printer.printNode(this.#ts.EmitHint.Unspecified, node, node.getSourceFile());
  }

  #textOf({ declarations = [] }: TypeScriptSymbol): string {
    return declarations.map((each) => this.#printed(each)).join('\n');
  }

  #isGeneric({ declarations = [] }: TypeScriptSymbol): boolean {
    return declarations.some((each) => 'typeParameters' in each && each.typeParameters !== undefined);
  }

  /**
   * Whether a value of one type can stand for the other, as the compiler says. It cannot compare generic functions of two modules, and
   * the symbols by which libraries mark types: of those only the number of parameters counts, and these are left out.
   */
  #fits(source: Type, target: Type, compared = new Map<Type, Set<Type>>()): boolean {
    const checker = this.#checker;
    if (checker.isTypeAssignableTo(source, target) || compared.get(source)?.has(target)) return true;
    compared.set(source, (compared.get(source) ?? new Set()).add(target));
    const [symbol, own] = [source, target].map((each) => each.aliasSymbol ?? each.getSymbol());
    // A type of a package compares its arguments in ways that no caller sees.
    const isForeign = symbol?.declarations?.every((each) => foreign.test(each.getSourceFile().fileName));
    if (symbol !== undefined && symbol === own && isForeign) return true;
    const fits = (one: Type, other: Type): boolean => this.#fits(one, other, compared);
    if (source.isUnion()) return source.types.every((each) => fits(each, target));
    if (target.isUnion()) return target.types.some((each) => fits(source, each));
    const { Object: objectFlag, Intersection } = this.#ts.TypeFlags;
    if (!(source.flags & (objectFlag | Intersection))) return false;
    const [one, other] = [source.getCallSignatures()[0], target.getCallSignatures()[0]];
    if (other !== undefined && (one === undefined || !this.#fitsCall(one, other, fits))) return false;
    const members = checker.getPropertiesOfType(target);
    const { Optional } = this.#ts.SymbolFlags;
    return (
      (members.length > 0 || other !== undefined) &&
      members.every((member) => {
        if (member.name.startsWith('__@')) return true;
        const own = checker.getPropertyOfType(source, member.name);
        const isOptional = (member.flags & Optional) !== 0;
        if (own === undefined) return isOptional;
        if (own.flags & Optional && !isOptional) return false;
        return fits(checker.getTypeOfSymbol(own), checker.getTypeOfSymbol(member));
      })
    );
  }

  /** Whether a function can stand for another one. */
  #fitsCall(one: Signature, other: Signature, fits: (one: Type, other: Type) => boolean): boolean {
    const checker = this.#checker;
    const isGeneric = (one.typeParameters ?? other.typeParameters) !== undefined;
    const parameters = one.parameters.every((parameter, index) => {
      const given = other.parameters[index];
      if (given !== undefined) {
        const [type, next] = [checker.getTypeOfSymbol(given), checker.getTypeOfSymbol(parameter)];
        // What the package itself makes, such as a client, is of the new version.
        return isGeneric || fits(type, next) || (isMade(type, next) && fits(next, type));
      }
      const { valueDeclaration: declaration } = parameter;
      return declaration !== undefined && this.#ts.isParameter(declaration) && checker.isOptionalParameter(declaration);
    });
    return parameters && (isGeneric || fits(one.getReturnType(), other.getReturnType()));
  }

  /** The findings for a name that both modules have. */
  *#changes(what: string, before: TypeScriptSymbol, after: TypeScriptSymbol): Generator<ClientFinding> {
    const checker = this.#checker;
    const { Value, Type: TypeFlag } = this.#ts.SymbolFlags;
    const judge = (old: Type, next: Type, isTaken: boolean): ClientFinding | undefined => {
      const [accepts, gives] = [this.#fits(old, next), this.#fits(next, old)];
      if (!(isTaken ? accepts : gives))
        return { step: 'major', message: `${what} has changed: code for it may not compile` };
      const isSame = accepts && gives && this.#textOf(before) === this.#textOf(after);
      return isSame ? undefined : { step: 'minor', message: `${what} has more than before, or another text` };
    };
    const hasType = (before.flags & after.flags & TypeFlag) !== 0;
    if (hasType && (this.#isGeneric(before) || this.#isGeneric(after))) {
      if (this.#textOf(before) !== this.#textOf(after))
        yield { step: 'minor', message: `${what} has changed: check that code for it compiles` };
    } else if (hasType) {
      const [old, next] = [checker.getDeclaredTypeOfSymbol(before), checker.getDeclaredTypeOfSymbol(after)];
      const found = judge(old, next, isInput(before.name));
      if (found) yield found;
    } else if (before.flags & TypeFlag) yield { step: 'major', message: `${what} is no type any more` };
    if (!(before.flags & Value)) return;
    if (!(after.flags & Value)) return yield { step: 'major', message: `${what} is no value any more` };
    const found = judge(checker.getTypeOfSymbol(before), checker.getTypeOfSymbol(after), false);
    if (found) yield found;
  }

  /** The differences of the exports of two modules. */
  *compare(entry: string, before: string, after: string): Generator<ClientFinding> {
    const [old, next] = [this.#exportsOf(before), this.#exportsOf(after)];
    for (const [name, symbol] of old) {
      const found = next.get(name);
      if (found === undefined) yield { step: 'major', message: `${name} of ${entry} is missing` };
      else yield* this.#changes(`${name} of ${entry}`, symbol, found);
    }
    for (const name of next.keys()) if (!old.has(name)) yield { step: 'minor', message: `${name} of ${entry} is new` };
  }
}

/** The differences of the exports of modules: the name of each entry, its file before and its file now. */
export async function compareModules(
  entries: readonly (readonly [entry: string, before: string, after: string])[],
): Promise<ClientFinding[]> {
  const { default: ts } = await import('typescript');
  const comparison = new ModuleComparison(
    ts,
    entries.flatMap(([, before, after]) => [before, after]),
  );
  const findings = entries.flatMap(([entry, before, after]) => [...comparison.compare(entry, before, after)]);
  return findings.filter(
    ({ message, step }, index) =>
      findings.findIndex((each) => each.message === message && each.step === step) === index,
  );
}

/** The sources of the entries of a package: the file `src/NAME.ts` builds the entry `./NAME`. */
function entriesOf(manifest: string): string[] {
  const { exports = {} } = JSON.parse(manifest) as { exports?: Record<string, unknown> };
  return Object.keys(exports)
    .filter((name) => !name.endsWith('.json'))
    .map((name) => (name === '.' ? 'index' : basename(name)));
}

/** The differences of the public types of the client from the commit of the last release. */
async function typeFindings(folder: string, commit: string): Promise<ClientFinding[]> {
  const git = gitIn(folder);
  const changed = (await git('diff', '--name-only', commit, '--', 'client/src', 'client/package.json')).trim();
  if (changed === '') return [];
  const place = await mkdtemp(join(tmpdir(), 'client-types-'));
  try {
    const files = (await git('ls-tree', '-r', '--name-only', commit, 'client/src')).trim().split('\n');
    for (const file of files) {
      await mkdir(dirname(join(place, file)), { recursive: true });
      await writeFile(join(place, file), await git('show', `${commit}:${file}`));
    }
    for (const name of ['generated', 'server', 'node_modules']) await symlink(join(folder, name), join(place, name));
    const before = entriesOf(await git('show', `${commit}:client/package.json`));
    const now = entriesOf(await readFile(join(folder, 'client/package.json'), 'utf8'));
    const nameOf = (entry: string): string => (entry === 'index' ? 'the package' : `the entry ${entry}`);
    const fileIn = (base: string, entry: string): string => join(base, `client/src/${entry}.ts`);
    const missing = before.filter((entry) => !now.includes(entry));
    if (missing.length > 0)
      return missing.map((entry): ClientFinding => ({ step: 'major', message: `${nameOf(entry)} is missing` }));
    return await compareModules(
      before.map((entry) => [nameOf(entry), fileIn(place, entry), fileIn(folder, entry)] as const),
    );
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** What the changelog of the client says: what is removed, or begins with `Breaking:`, breaks callers. */
async function changelogFindings(folder: string): Promise<ClientFinding[]> {
  const changelog = parseChangelog(changelogs.client, await readFile(join(folder, changelogs.client), 'utf8'));
  const changes = changelog.findRelease()?.changes ?? new Map<string, { readonly title: string }[]>();
  return Array.from(changes, ([kind, entries]) =>
    entries
      .filter(({ title }) => kind === 'removed' || /^\**breaking:/i.test(title))
      .map(({ title }): ClientFinding => ({ step: 'major', message: `${changelogs.client}: ${title.split('\n')[0]}` })),
  ).flat();
}

/** How far the version of the client has to move since the last release, and why. Without the commit of the last release, only the changelog counts. */
export async function clientStep(
  folder: string,
): Promise<{ required: Bump | null; findings: readonly ClientFinding[] }> {
  const commit = await releaseCommit(folder);
  const findings = [
    ...(commit === undefined ? [] : await typeFindings(folder, commit)),
    ...(await changelogFindings(folder)),
  ];
  const required = findings.reduce<Bump | null>(
    (step, finding) => (step === null ? finding.step : largerBump(step, finding.step)),
    null,
  );
  return { required, findings };
}
