/** The table of handlers in server/operations/index.ts, read and extended as text: whatever else stands there stays byte for byte. */
import ts from 'typescript';
import { handlerName } from './handler.ts';
import { quoted } from './operation.ts';

/** Where the table stands. */
export const tableFile = 'server/operations/index.ts';

/** One place of the file that names a handler. */
export interface Mention {
  readonly id: string;
  /** Where its text begins and ends. */
  readonly start: number;
  readonly end: number;
}

/** The file, as far as it has the shape that it was written in. */
export interface HandlerTable {
  readonly text: string;
  /** The imports of handlers, by the names of these: one of the file's own name. */
  readonly imports: readonly Mention[];
  readonly entries: readonly Mention[];
  /** Where the last import begins, and the object of the entries. */
  readonly lastImport: number;
  readonly object: { readonly start: number; readonly end: number };
  /** The name of what every handler is made from. */
  readonly parts: string;
}

const importLine = (id: string): string => `import { ${handlerName(id)} } from './${handlerName(id)}.ts';`;
const entryLine = (id: string, parts: string): string =>
  `${handlerName(id) === id ? id : quoted(id)}: ${handlerName(id)}(${parts}),`;

/** What to add by hand where the file has another shape. */
export const handLines = (id: string): string[] => [importLine(id), entryLine(id, 'parts')];

/** The line that a place is on, counted from 1, and its text. */
export function lineAt(text: string, offset: number): { line: number; text: string } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, text: text.split('\n')[before.length - 1]!.trim() };
}

/** Reads the table: an arrow function `createHandlers` that is an object. undefined where it has another shape. */
export function readTable(text: string): HandlerTable | undefined {
  const file = ts.createSourceFile(tableFile, text, ts.ScriptTarget.Latest);
  const at = (id: string, node: ts.Node): Mention => ({ id, start: node.getStart(file), end: node.end });
  const imports = file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const id = /^\.\/(\w+)\.ts$/.exec(statement.moduleSpecifier.text)?.[1];
    const names = statement.importClause?.namedBindings;
    const imported = names && ts.isNamedImports(names) ? names.elements.map(({ name }) => name.text) : [];
    return id !== undefined && imported.includes(id) ? [at(id, statement)] : [];
  });
  const made = file.statements
    .flatMap((statement) => (ts.isVariableStatement(statement) ? statement.declarationList.declarations : []))
    .find(({ name }) => ts.isIdentifier(name) && name.text === 'createHandlers')?.initializer;
  if (!made || !ts.isArrowFunction(made)) return undefined;
  const parts = made.parameters[0]?.name;
  const body = ts.isParenthesizedExpression(made.body) ? made.body.expression : made.body;
  if (!parts || !ts.isIdentifier(parts) || !ts.isObjectLiteralExpression(body)) return undefined;
  const entries = body.properties.flatMap((property) =>
    property.name && (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name))
      ? [at(property.name.text, property)]
      : [],
  );
  const lastImport = file.statements.findLast((statement) => ts.isImportDeclaration(statement))?.getStart(file) ?? 0;
  return {
    text,
    imports,
    entries,
    lastImport,
    object: { start: body.getStart(file), end: body.end },
    parts: parts.text,
  };
}

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Puts a line below the one that `after` ends on; undefined where more than a comma and a comment follow it there. */
function insertAfter(text: string, after: Mention, line: string): string | undefined {
  const [rest] = /^[^\r\n]*/.exec(text.slice(after.end))!;
  if (!/^\s*[,;]?\s*(\/\/.*|\/\*.*\*\/\s*)?$/.test(rest)) return undefined;
  const indent = /[ \t]*$/.exec(text.slice(0, after.start))![0];
  const comma = line.endsWith(',') && !rest.trimStart().startsWith(',') ? ',' : '';
  return `${text.slice(0, after.end)}${comma}${rest}${lineEndOf(text)}${indent}${line}${text.slice(after.end + rest.length)}`;
}

/** Puts a line above the one that `before` begins on. */
function insertBefore(text: string, before: Mention, line: string): string {
  const start = text.lastIndexOf('\n', before.start) + 1;
  const indent = /^[ \t]*/.exec(text.slice(start))![0];
  return `${text.slice(0, start)}${indent}${line}${lineEndOf(text)}${text.slice(start)}`;
}

/** Whether the text is TypeScript that can be parsed. */
const parses = (text: string): boolean =>
  ts.transpileModule(text, { reportDiagnostics: true, compilerOptions: { target: ts.ScriptTarget.Latest } }).diagnostics
    ?.length === 0;

/**
 * The file with a handler named in it: its import among those of the other handlers, by name; its entry behind the operation that the
 * contract has before it (`order` is that of the contract). undefined where the file has another shape than expected.
 */
export function withHandler(text: string, id: string, order: readonly string[]): string | undefined {
  const table = readTable(text);
  if (!table) return undefined;
  const { object, lastImport } = table;
  const [first] = table.entries;
  if (!first) {
    // A new project has an empty table.
    if (table.imports.length > 0 || text.slice(object.start, object.end) !== '{}') return undefined;
    const end = lineEndOf(text);
    const entries = `{${end}  ${entryLine(id, table.parts)}${end}}`;
    const filled = text.slice(0, object.start) + entries + text.slice(object.end);
    const imported = `${filled.slice(0, lastImport)}${importLine(id)}${end}${filled.slice(lastImport)}`;
    return parses(imported) ? imported : undefined;
  }
  let extended: string | undefined = text;
  // The entry stands below the imports, so that their places still hold when it is in.
  if (!table.entries.some((entry) => entry.id === id)) {
    const before = order
      .slice(0, Math.max(0, order.indexOf(id)))
      .findLast((other) => table.entries.some((entry) => entry.id === other));
    const previous = table.entries.find((entry) => entry.id === before);
    const line = entryLine(id, table.parts);
    extended = previous ? insertAfter(text, previous, line) : insertBefore(text, first, line);
  }
  if (extended !== undefined && !table.imports.some((one) => one.id === handlerName(id))) {
    const [firstImport] = table.imports;
    if (!firstImport) return undefined;
    const previous = table.imports.findLast((other) => other.id.localeCompare(handlerName(id), 'en') < 0);
    extended = previous
      ? insertAfter(extended, previous, importLine(id))
      : insertBefore(extended, firstImport, importLine(id));
  }
  if (extended === undefined || !parses(extended)) return undefined;
  const result = readTable(extended);
  const isThere = (mentions: readonly Mention[] | undefined, name: string): boolean =>
    mentions?.filter((one) => one.id === name).length === 1;
  return isThere(result?.imports, handlerName(id)) && isThere(result?.entries, id) ? extended : undefined;
}
