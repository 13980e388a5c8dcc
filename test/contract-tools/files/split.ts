/** Splits a contract into several files, as teams do. */
import { stringify } from 'yaml';

type Json = Record<string, unknown>;
type Contract = Json & { paths: Record<string, Json>; components: Record<string, Record<string, unknown>> };

/** The text of a part, in which references to components lead to the contract. */
const partOf = (value: unknown, root: string): string =>
  stringify(value, { aliasDuplicateObjects: false }).replaceAll(/(\$ref: )"#\//g, `$1"${root}openapi.yaml#/`);

/**
 * The files of `spec/` for a contract: each path in a file, the schemas in separate files or in one file, the parameters as a
 * whole section, and the responses in a file that refers to its own parts.
 */
export function split(contract: unknown): Map<string, string> {
  const { paths, components, ...rest } = structuredClone(contract) as Contract;
  const files = new Map<string, string>();
  const root: Json = {};
  for (const [path, item] of Object.entries(paths)) {
    const name = `paths${path.replaceAll(/[{}]/g, '')}.yaml`;
    files.set(`spec/${name}`, partOf(item, '../'.repeat(name.split('/').length - 1)));
    root[path] = { $ref: `./${name}` };
  }
  const { schemas = {}, parameters, responses = {}, ...others } = components;
  const schemaReferences = Object.entries(schemas).map(([name, schema], index) => {
    // Some alone, some together, some by way of another file.
    if (index % 3 === 0) {
      files.set(`spec/schemas/${name}.yaml`, partOf(schema, '../'));
      return [name, { $ref: `schemas/${name}.yaml` }] as const;
    }
    return [name, { $ref: `./schemas/index.yaml#/${index % 3 === 1 ? 'one' : 'two'}/${name}` }] as const;
  });
  const group = (remainder: number): Json =>
    Object.fromEntries(Object.entries(schemas).filter((_, index) => index % 3 === remainder));
  files.set('spec/schemas/two.yaml', partOf(group(2), '../'));
  const two = Object.keys(group(2)).map((name) => [name, { $ref: `two.yaml#/${name}` }]);
  files.set('spec/schemas/index.yaml', partOf({ one: group(1), two: Object.fromEntries(two) as Json }, '../'));
  files.set('spec/parameters.yaml', partOf(parameters, './'));
  files.set('spec/responses.yaml', partOf(responses, './'));
  files.set(
    'spec/openapi.yaml',
    stringify(
      inOrder(contract as Json, {
        ...rest,
        paths: root,
        components: inOrder(components, {
          ...others,
          schemas: Object.fromEntries(schemaReferences),
          parameters: { $ref: './parameters.yaml' },
          responses: Object.fromEntries(
            Object.keys(responses).map((name) => [name, { $ref: `responses.yaml#/${name}` }]),
          ),
        }),
      }),
      { aliasDuplicateObjects: false },
    ),
  );
  return files;
}

/** The members of an object in the order of another. */
const inOrder = (order: Json, value: Json): Json =>
  Object.fromEntries(Object.keys(order).flatMap((name) => (name in value ? [[name, value[name]]] : [])));
