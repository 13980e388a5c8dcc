/** The types of what a call brings, as `generated/types.ts` has them. */
import ts from 'typescript';

/** The types of the parameters of an operation by place and name, and of its body by media type. */
export interface CallTypes {
  readonly path: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
  readonly header: ReadonlyMap<string, string>;
  readonly cookie: ReadonlyMap<string, string>;
  readonly body: ReadonlyMap<string, string>;
}

const printer = ts.createPrinter({ removeComments: true });

/** The members of a type that is written as an object, by name. */
function membersOf(type: ts.Node | undefined): Map<string, ts.TypeNode> {
  const isObject = type !== undefined && (ts.isTypeLiteralNode(type) || ts.isInterfaceDeclaration(type));
  const members = isObject ? type.members : [];
  return new Map(
    [...members].flatMap((member): [string, ts.TypeNode][] => {
      if (!ts.isPropertySignature(member) || member.type === undefined) return [];
      const { name } = member;
      return ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name)
        ? [[name.text, member.type]]
        : [];
    }),
  );
}

/** The names of a type such as `components["parameters"]["id"]`; undefined for another type. */
function indexesOf(type: ts.Node | undefined): [section: string, name: string] | undefined {
  if (type === undefined || !ts.isIndexedAccessTypeNode(type) || !ts.isIndexedAccessTypeNode(type.objectType))
    return undefined;
  const indexes = [type.objectType.indexType, type.indexType].map((index) =>
    ts.isLiteralTypeNode(index) && ts.isStringLiteral(index.literal) ? index.literal.text : '',
  );
  return indexes as [string, string];
}

/** Reads the module of the types of a contract: the types of each operation by its name. */
export function callTypes(module: string): Map<string, CallTypes> {
  const file = ts.createSourceFile('types.ts', module, ts.ScriptTarget.Latest);
  const declared = (name: string): ts.Node | undefined => {
    for (const each of file.statements) {
      if (ts.isInterfaceDeclaration(each) && each.name.text === name) return each;
      if (ts.isTypeAliasDeclaration(each) && each.name.text === name) return each.type;
    }
    return undefined;
  };
  const components = membersOf(declared('components'));
  /** The members of a type, or of the component that it names. */
  const members = (type: ts.Node | undefined): Map<string, ts.TypeNode> => {
    const [section = '', name = ''] = indexesOf(type) ?? [];
    return membersOf(section === '' ? type : membersOf(components.get(section)).get(name));
  };
  const written = (type: ts.TypeNode): string => {
    const [section, name = ''] = indexesOf(type) ?? [];
    const parameter = section === 'parameters' ? membersOf(components.get(section)).get(name) : undefined;
    if (parameter !== undefined) return written(parameter);
    const text = printer.printNode(ts.EmitHint.Unspecified, type, file).replaceAll(/\s+/g, ' ');
    return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, '$1');
  };
  const all = (type: ts.TypeNode | undefined): Map<string, string> =>
    new Map(Array.from(members(type), ([name, each]) => [name, written(each)]));
  return new Map(
    Array.from(membersOf(declared('operations')), ([id, operation]) => {
      const parts = membersOf(operation);
      const places = membersOf(parts.get('parameters'));
      return [
        id,
        {
          path: all(places.get('path')),
          query: all(places.get('query')),
          header: all(places.get('header')),
          cookie: all(places.get('cookie')),
          body: all(members(parts.get('requestBody')).get('content')),
        },
      ];
    }),
  );
}
