/** What a file declares for the files that import it, read from its syntax. Without types: what can matter counts. */
import type ts from 'typescript';

/** A name of the module, followed by the members that an indexed access reads from it: `components['schemas']['User']`. */
export type Mention = readonly [name: string, ...members: string[]];

/** A declaration, or a member of one, as other files see it. */
export interface Declaration {
  /** The kind of syntax: a value or a type. An import can fail when it changes. */
  readonly kind: number;
  /** Its text without what other files do not see: the body of a function with a declared result, comments before members. */
  readonly text: string;
  /** What its type can depend on. */
  readonly mentions: readonly Mention[];
  /** The members of an object type that extends nothing, by name. */
  readonly members?: ReadonlyMap<string, Declaration>;
  /** What a type alias stands for, where that is another name or one of its members. */
  readonly alias?: Mention;
}

/** A name of another module; `*` stands for all of its names. */
export interface Reference {
  /** The module as the import statement writes it. */
  readonly specifier: string;
  readonly name: string;
}

export interface ModuleSurface {
  /** By name. A name can have several declarations, such as overloads. */
  readonly declarations: ReadonlyMap<string, readonly Declaration[]>;
  /** What the module imports, by local name. */
  readonly imports: ReadonlyMap<string, Reference>;
  /** What it exports under another name or from another module, by exported name; a string is a local name. */
  readonly exports: ReadonlyMap<string, Reference | string>;
  /** The modules whose names it exports. */
  readonly stars: readonly string[];
  /** All that the file mentions, bodies included, imports not. */
  readonly mentions: readonly Mention[];
  /** The text of imports, exports and loose statements. Its change can change every declaration. */
  readonly frame: string;
}

/** What is collected while the statements of a file are read. */
interface Collected {
  readonly declarations: Map<string, Declaration[]>;
  readonly imports: Map<string, Reference>;
  readonly exports: Map<string, Reference | string>;
  readonly stars: string[];
  readonly frame: string[];
}

/** Stands for the names of all members: `keyof Name`. */
export const memberNames = '#names';

/** The name under which a mention names another module itself: `import('./names.ts').User`. */
const modulePrefix = 'import:';
/** The module of a mention of this kind. */
export const mentionedModule = (name: string): string | undefined =>
  name.startsWith(modulePrefix) ? name.slice(modulePrefix.length) : undefined;

/** Reads files with the parser of TypeScript. */
export class SurfaceReader {
  readonly #ts: typeof ts;

  constructor(typescript: typeof ts) {
    this.#ts = typescript;
  }

  /** All modules that the text names, also those of which it imports nothing. */
  specifiers(text: string): string[] {
    return this.#ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName);
  }

  read(file: string, text: string): ModuleSurface {
    const source = this.#ts.createSourceFile(file, text, this.#ts.ScriptTarget.Latest, true);
    const collected: Collected = {
      declarations: new Map(),
      imports: new Map(),
      exports: new Map(),
      stars: [],
      frame: [],
    };
    const loose = new Set<string>();
    for (const statement of source.statements)
      if (!this.#readStatement(source, statement, collected)) this.#collect(statement, loose);
    const all = new Set<string>();
    for (const statement of source.statements)
      if (!this.#ts.isImportDeclaration(statement)) this.#collect(statement, all);
    const { declarations, imports, exports, stars, frame } = collected;
    const isKnown = ([name]: Mention): boolean =>
      imports.has(name) || declarations.has(name) || mentionedModule(name) !== undefined;
    const known = (mentions: readonly Mention[]): Mention[] => mentions.filter(isKnown);
    // A loose statement can narrow the type of a constant, or add a member to a function.
    const more = known(mentionsOf(loose));
    const trimmed = (declaration: Declaration): Declaration => ({
      ...declaration,
      mentions: known([...declaration.mentions, ...more]),
      ...(declaration.members && {
        members: new Map([...declaration.members].map(([name, member]) => [name, trimmed(member)])),
      }),
    });
    return {
      declarations: new Map([...declarations].map(([name, several]) => [name, several.map(trimmed)])),
      imports,
      exports,
      stars,
      mentions: known(mentionsOf(all)),
      frame: frame.join('\n'),
    };
  }

  /** Notes what the statement imports, exports or declares. False for any other statement. */
  #readStatement(source: ts.SourceFile, statement: ts.Statement, collected: Collected): boolean {
    const is = this.#ts;
    if (is.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        for (const name of this.#boundNames(declaration.name))
          note(collected.declarations, name, this.#declaration(source, declaration));
      return true;
    }
    if (
      is.isFunctionDeclaration(statement) ||
      is.isClassDeclaration(statement) ||
      is.isInterfaceDeclaration(statement) ||
      is.isTypeAliasDeclaration(statement) ||
      is.isEnumDeclaration(statement)
    ) {
      const isDefault = statement.modifiers?.some(({ kind }) => kind === is.SyntaxKind.DefaultKeyword) ?? false;
      const declaration = this.#declaration(source, statement);
      if (statement.name !== undefined) note(collected.declarations, statement.name.text, declaration);
      if (isDefault) note(collected.declarations, 'default', declaration);
      return true;
    }
    collected.frame.push(statement.getText(source));
    if (is.isImportDeclaration(statement)) this.#readImport(statement, collected.imports);
    else if (is.isExportDeclaration(statement)) this.#readExport(statement, collected);
    else if (is.isExportAssignment(statement))
      note(collected.declarations, 'default', this.#declaration(source, statement));
    else return false;
    return true;
  }

  #readImport({ importClause, moduleSpecifier }: ts.ImportDeclaration, imports: Collected['imports']): void {
    if (importClause === undefined || !this.#ts.isStringLiteral(moduleSpecifier)) return;
    const specifier = moduleSpecifier.text;
    const { name, namedBindings } = importClause;
    if (name !== undefined) imports.set(name.text, { specifier, name: 'default' });
    if (namedBindings === undefined) return;
    if (this.#ts.isNamespaceImport(namedBindings)) imports.set(namedBindings.name.text, { specifier, name: '*' });
    else
      for (const element of namedBindings.elements)
        imports.set(element.name.text, { specifier, name: (element.propertyName ?? element.name).text });
  }

  #readExport({ exportClause, moduleSpecifier }: ts.ExportDeclaration, { exports, stars }: Collected): void {
    const specifier =
      moduleSpecifier !== undefined && this.#ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
    if (exportClause === undefined) {
      if (specifier !== undefined) stars.push(specifier);
    } else if (this.#ts.isNamedExports(exportClause)) {
      for (const element of exportClause.elements) {
        const name = (element.propertyName ?? element.name).text;
        exports.set(element.name.text, specifier === undefined ? name : { specifier, name });
      }
    } else if (specifier !== undefined) exports.set(exportClause.name.text, { specifier, name: '*' });
  }

  #boundNames(name: ts.BindingName): string[] {
    if (this.#ts.isIdentifier(name)) return [name.text];
    return name.elements.flatMap((element) =>
      this.#ts.isOmittedExpression(element) ? [] : this.#boundNames(element.name),
    );
  }

  #declaration(source: ts.SourceFile, node: ts.Node): Declaration {
    const mentions = new Set<string>();
    const hidden: ts.TextRange[] = [];
    this.#collect(node, mentions, hidden);
    const members = this.#members(source, node);
    const alias = this.#ts.isTypeAliasDeclaration(node) ? this.#chain(node.type) : this.#chain(node);
    return {
      kind: node.kind,
      text: withoutParts(source.text, node.getStart(source), node.end, hidden),
      mentions: mentionsOf(mentions),
      ...(members && { members }),
      ...(alias && { alias }),
    };
  }

  #members(source: ts.SourceFile, node: ts.Node): Map<string, Declaration> | undefined {
    const is = this.#ts;
    const type = is.isTypeAliasDeclaration(node) ? node.type : node;
    if (!is.isTypeLiteralNode(type) && !(is.isInterfaceDeclaration(type) && type.heritageClauses === undefined)) return;
    const members = new Map<string, Declaration>();
    for (const member of type.members) {
      // Methods and index signatures can have several declarations: readers of such a type depend on all of it.
      if (!is.isPropertySignature(member) || member.type === undefined) return undefined;
      if (!is.isIdentifier(member.name) && !is.isStringLiteral(member.name) && !is.isNumericLiteral(member.name))
        return;
      const inner = this.#declaration(source, member.type);
      // The text has the modifiers too: an optional member has another type.
      members.set(member.name.text, {
        ...inner,
        text: source.text.slice(member.getStart(source), member.type.pos) + inner.text,
      });
    }
    return members;
  }

  /** The name and members of `Name['member']['member']`; undefined for any other node. */
  #chain(node: ts.Node): Mention | undefined {
    const is = this.#ts;
    const members: string[] = [];
    let type = node;
    while (is.isIndexedAccessTypeNode(type)) {
      const { indexType } = type;
      if (!is.isLiteralTypeNode(indexType) || !is.isStringLiteral(indexType.literal)) return undefined;
      members.unshift(indexType.literal.text);
      type = type.objectType;
    }
    if (!is.isTypeReferenceNode(type) || type.typeArguments !== undefined) return undefined;
    return is.isIdentifier(type.typeName) ? [type.typeName.text, ...members] : undefined;
  }

  /** Collects the mentions of the node. With `hidden`: only of its surface; the other parts are added to `hidden`. */
  #collect(node: ts.Node, mentions: Set<string>, hidden?: ts.TextRange[]): void {
    const is = this.#ts;
    const chain = this.#readMembers(node);
    if (chain !== undefined) return void mentions.add(keyOf(chain));
    if (is.isIdentifier(node)) mentions.add(node.text);
    const module = this.#mentionedModule(node);
    if (module !== undefined) mentions.add(keyOf(module));
    // The comment before a member.
    if (is.isTypeElement(node) || is.isClassElement(node)) hidden?.push({ pos: node.pos, end: node.getStart() });
    const unseen = hidden && this.#unseenPart(node);
    if (unseen !== undefined) hidden?.push(unseen);
    is.forEachChild(node, (child) => {
      if (child !== unseen) this.#collect(child, mentions, hidden);
    });
  }

  /** `Name['member']` and `keyof Name`; undefined for any other node. */
  #readMembers(node: ts.Node): Mention | undefined {
    const is = this.#ts;
    if (is.isIndexedAccessTypeNode(node)) return this.#chain(node);
    if (!is.isTypeOperatorNode(node) || node.operator !== is.SyntaxKind.KeyOfKeyword) return undefined;
    const chain = this.#chain(node.type);
    return chain && [...chain, memberNames];
  }

  /** `import('./module.ts')` as a type or a call, with the name that a type reads from it. */
  #mentionedModule(node: ts.Node): Mention | undefined {
    const is = this.#ts;
    if (is.isImportTypeNode(node) && is.isLiteralTypeNode(node.argument) && is.isStringLiteral(node.argument.literal)) {
      const { qualifier } = node;
      const name = qualifier !== undefined && is.isIdentifier(qualifier) ? qualifier.text : '*';
      return [`${modulePrefix}${node.argument.literal.text}`, name];
    }
    if (!is.isCallExpression(node) || node.expression.kind !== is.SyntaxKind.ImportKeyword) return undefined;
    const [specifier] = node.arguments;
    return specifier !== undefined && is.isStringLiteralLike(specifier)
      ? [`${modulePrefix}${specifier.text}`, '*']
      : undefined;
  }

  /** The part of the node that decides nothing about its type: a body behind a declared result, a value behind a declared type. */
  #unseenPart(node: ts.Node): ts.Node | undefined {
    const is = this.#ts;
    if (is.isConstructorDeclaration(node) || is.isClassStaticBlockDeclaration(node))
      return node.parent.members.some(this.#isInferred) ? undefined : node.body;
    if (is.isFunctionLike(node) && 'body' in node && node.type !== undefined) return node.body;
    if (is.isVariableDeclaration(node) || is.isPropertyDeclaration(node))
      return node.type === undefined ? undefined : node.initializer;
    return undefined;
  }

  /** Whether the type of the member comes from what the class assigns to it. */
  readonly #isInferred = (member: ts.ClassElement): boolean =>
    this.#ts.isPropertyDeclaration(member) && member.type === undefined && member.initializer === undefined;
}

const keyOf = (mention: Mention): string => mention.join('\n');
const mentionsOf = (keys: Iterable<string>): Mention[] =>
  [...keys].map((key) => {
    const [name = '', ...members] = key.split('\n');
    return [name, ...members];
  });

function note<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  const values = map.get(name);
  if (values === undefined) map.set(name, [value]);
  else values.push(value);
}

/** The text between two positions without these parts, which stand in their order. */
function withoutParts(text: string, from: number, to: number, parts: readonly ts.TextRange[]): string {
  const kept: string[] = [];
  let at = from;
  for (const { pos, end } of parts) {
    kept.push(text.slice(at, pos));
    at = end;
  }
  return [...kept, text.slice(at, to)].join('…');
}
