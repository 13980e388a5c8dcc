/**
 * Gives the schemas in the output of openapi-typescript names of their own. Its types are members of one large type, which
 * editors and emitted declarations print in full wherever they occur; an interface they print by its name.
 */
import type { Node, PropertySignature, Statement, TypeAliasDeclaration, TypeElement, TypeNode } from 'typescript';

type TypeScript = typeof import('typescript');

/** Names that the output uses itself, and those that TypeScript gives no declaration of a type. */
const reserved = new Set([
  ...[
    'components',
    'operations',
    'paths',
    'webhooks',
    'Array',
    'Blob',
    'Omit',
    'Pick',
    'Record',
    'WithRequired',
    '$defs',
  ],
  ...'any bigint boolean never null number object string symbol undefined unknown void'.split(' '),
  ...'break case catch class const continue debugger default delete do else enum export extends false finally'.split(
    ' ',
  ),
  ...'for function if import in instanceof new return super switch this throw true try typeof var while with'.split(
    ' ',
  ),
  ...'await implements interface let package private protected public static yield'.split(' '),
]);

/** Whether a declaration of a type can have the name of a component. */
export const isTypeName = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name) && !reserved.has(name);

/** The names that get a separate declaration, and the other declarations. */
interface Hoisted {
  readonly nodes: Node[];
  readonly names: ReadonlySet<string>;
}

/** The declarations with `export interface Name` for each schema that is an object, and `export type Name` for any other. */
export function hoistSchemas(ts: TypeScript, nodes: readonly Node[]): Hoisted {
  const components = nodes.find(
    (node): node is TypeAliasDeclaration => ts.isTypeAliasDeclaration(node) && node.name.text === 'components',
  );
  if (components === undefined || !ts.isTypeLiteralNode(components.type))
    return { nodes: [...nodes], names: new Set() };
  const hoisted: Statement[] = [];
  const names = new Set<string>();
  const inner = (member: TypeElement): TypeElement => {
    const [name, type] = [nameOf(ts, member), typeOf(ts, member)];
    if (name === undefined || type === undefined) return member;
    names.add(name);
    hoisted.push(declaration(ts, member, name, type));
    return signature(ts, member as PropertySignature, ts.factory.createTypeReferenceNode(name));
  };
  const members = components.type.members.map((section) => {
    const type = typeOf(ts, section);
    if (nameOf(ts, section) !== 'schemas' || type === undefined || !ts.isTypeLiteralNode(type)) return section;
    return signature(ts, section as PropertySignature, ts.factory.createTypeLiteralNode(type.members.map(inner)));
  });
  const { modifiers, name, typeParameters } = components;
  const rest = ts.factory.createTypeAliasDeclaration(
    modifiers,
    name,
    typeParameters,
    ts.factory.createTypeLiteralNode(members),
  );
  return { nodes: [...hoisted, ...nodes.map((node) => (node === components ? rest : node))], names };
}

/** The text with the names instead of the accesses to the large type. */
export const withNames = (text: string, names: ReadonlySet<string>): string =>
  text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (access, name: string) => (names.has(name) ? name : access));

/** The declaration of a schema, with the comments of the member. */
function declaration(ts: TypeScript, member: TypeElement, name: string, type: TypeNode): Statement {
  const modifiers = [ts.factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  const statement = ts.isTypeLiteralNode(type)
    ? ts.factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : ts.factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
  return ts.setSyntheticLeadingComments(statement, ts.getSyntheticLeadingComments(member));
}

/** The member with another type and without its comments. */
const signature = (
  ts: TypeScript,
  { modifiers, name, questionToken }: PropertySignature,
  type: TypeNode,
): TypeElement => ts.factory.createPropertySignature(modifiers, name, questionToken, type);

const typeOf = (ts: TypeScript, member: TypeElement): TypeNode | undefined =>
  ts.isPropertySignature(member) ? member.type : undefined;

/** The name of a member, if a declaration can have it. */
function nameOf(ts: TypeScript, { name }: TypeElement): string | undefined {
  if (name === undefined || !(ts.isIdentifier(name) || ts.isStringLiteral(name))) return undefined;
  return isTypeName(name.text) ? name.text : undefined;
}
