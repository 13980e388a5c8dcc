/**
 * Gives the schemas in the output of openapi-typescript names of their own. Its types are members of one large type, which
 * editors and emitted declarations print in full wherever they occur; an interface they print by its name.
 */
import type { TypeElement } from 'typescript';

/** Names that the output uses itself. */
const reserved = new Set(['components', 'operations', 'paths', 'webhooks', 'Array', 'Pick', 'Record', 'WithRequired']);

/** The text with `export interface Name` for each schema that is an object, and `export type Name` for any other. */
export async function hoistSchemas(text: string): Promise<string> {
  const { default: ts } = await import('typescript');
  const file = ts.createSourceFile('types.ts', text, ts.ScriptTarget.Latest, true);
  const alias = file.statements.find(
    (statement) => ts.isTypeAliasDeclaration(statement) && statement.name.text === 'components',
  );
  if (alias === undefined || !ts.isTypeAliasDeclaration(alias) || !ts.isTypeLiteralNode(alias.type)) return text;
  const schemas = alias.type.members.find((member) => member.name?.getText() === 'schemas');
  if (schemas === undefined || !ts.isPropertySignature(schemas) || schemas.type === undefined) return text;
  if (!ts.isTypeLiteralNode(schemas.type)) return text;

  const hoisted: string[] = [];
  let inner = '';
  for (const member of schemas.type.members) {
    const name = nameOf(member);
    const type = ts.isPropertySignature(member) ? member.type : undefined;
    if (name === undefined || reserved.has(name) || type === undefined) {
      inner += member.getFullText();
      continue;
    }
    const comment = text.slice(member.getFullStart(), member.getStart()).trim();
    const isObject = ts.isTypeLiteralNode(type);
    hoisted.push(
      `${comment === '' ? '' : `${comment}\n`}export ${isObject ? `interface ${name} ${type.getText()}` : `type ${name} = ${type.getText()};`}`,
    );
    inner += `\n        ${name}: ${name};`;
  }
  const { members } = schemas.type;
  const rest = `${text.slice(0, members.pos)}${inner}${text.slice(members.end)}`;
  const names = new Set(schemas.type.members.map(nameOf));
  return `${hoisted.join('\n')}\n${rest}`.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, (access, name: string) =>
    names.has(name) && !reserved.has(name) ? name : access,
  );
}

/** The name of a member, if a declaration can have it. */
function nameOf(member: TypeElement): string | undefined {
  const name = member.name?.getText();
  return name !== undefined && /^[A-Za-z_$][\w$]*$/.test(name) ? name : undefined;
}
