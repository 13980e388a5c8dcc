/** The table of the members of a schema. */
import { deprecationWords, type Deprecatable } from '../../../contract/deprecation.ts';
import { nameOf, resolve, type OpenApiDocument, type Schema as OpenApiSchema } from '../../../contract/openapi.ts';
import { html, type Content, type Html } from './html.ts';
import { phrase } from './prose.ts';
import { row, table } from './table.ts';

export interface Schema extends OpenApiSchema, Deprecatable {
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

const code = (text: string): Html => html`<code>${text}</code>`;
/** Contents in a row. */
export const list = (contents: readonly Content[], separator: string): Html =>
  html`${contents.map((content, index) => (index === 0 ? content : [separator, content]))}`;

/** Describes the type of a schema in a few words. */
function typeOf(schema: Schema, document: OpenApiDocument): Content {
  if (schema.$ref !== undefined) {
    const target: Schema = resolve(document, schema);
    return target.properties === undefined ? typeOf(target, document) : code(nameOf({ $ref: schema.$ref }));
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined)
    return list(
      schema.enum.map((value) => code(JSON.stringify(value))),
      ', ',
    );
  if (schema.anyOf !== undefined)
    return list(
      schema.anyOf.map((each) => typeOf(each, document)),
      ' or ',
    );
  if (schema.items !== undefined) return ['list of ', typeOf(schema.items, document)];
  return [schema.type ?? 'anything'].flat().join(' or ');
}

/** The table of the members of a message. */
export function memberTable(name: string, document: OpenApiDocument): Html {
  const { properties = {}, required = [] }: Schema = document.components.schemas[name] ?? {};
  const rows = Object.entries(properties).map(([member, schema]) => {
    const words = deprecationWords(schema);
    return row(
      [
        words === '' ? code(member) : html`<del>${code(member)}</del> <span class="optional">${words}</span>`,
        required.includes(member) ? '' : html` <span class="optional">optional</span>`,
      ],
      typeOf(schema, document),
      phrase(schema.description ?? ''),
    );
  });
  return table(['Member', 'Type', 'Meaning'], [html`${rows}`]);
}
