/** The commands of the command-line client: one for each operation. */
import { resolve } from '../../server/contract/plain-document.ts';
import type { Placed } from './client-operation.ts';
import { methodName } from './generate-client.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Option {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly values?: readonly unknown[];
}

const oneLine = (text = ''): string => text.trim().replace(/\s+/g, ' ');
/** The first sentence of a description. */
const firstSentence = (text?: string): string => /^.*?[.:](?= |$)/.exec(oneLine(text))?.[0] ?? oneLine(text);

function optionOf(document: object, name: string, schema: Schema, required: boolean, description?: string): Option {
  const { type, enum: values } = resolve<Schema>(document, schema);
  const known = Array.isArray(values) ? { values: values as unknown[] } : {};
  return {
    name,
    type: type === 'integer' ? 'number' : 'string',
    required,
    description: firstSentence(description),
    ...known,
  };
}

/** The query parameters of an operation, or the members of its body. */
function optionsOf(document: object, { operation, parameters }: Placed): Option[] {
  const { requestBody } = operation;
  if (requestBody === undefined)
    return parameters
      .filter((each) => each.in !== 'header')
      .map(({ name, schema = {}, required = false, description }) =>
        optionOf(document, name, schema, required, description),
      );
  const { content } = resolve<{ content?: Record<string, { schema?: object }> }>(
    document,
    requestBody as { $ref: string },
  );
  const body = resolve<{ properties?: Record<string, Schema>; required?: string[] }>(
    document,
    (content?.['application/json']?.schema ?? {}) as { $ref: string },
  );
  return Object.entries(body.properties ?? {}).map(([name, schema]) =>
    optionOf(
      document,
      name,
      schema,
      body.required?.includes(name) ?? false,
      schema['description'] as string | undefined,
    ),
  );
}

/** The module with the commands. */
export function commandTable(
  banner: string,
  operations: readonly Placed[],
  document: object,
  template: string | undefined,
): string {
  const commands = operations.map((placed) => ({
    ...methodName(placed, template),
    summary: placed.operation.summary ?? placed.operation.operationId,
    description: oneLine(placed.operation.description?.split('\n\n')[0]),
    ...(placed.operation['x-items'] === undefined ? {} : { items: placed.operation['x-items'] }),
    options: optionsOf(document, placed),
  }));
  return `${banner}
/** An option of a command: a parameter of its operation. */
export interface CommandOption {
  readonly name: string;
  readonly type: 'string' | 'number';
  readonly required: boolean;
  readonly description: string;
  readonly values?: readonly string[];
}
/** A command of the command-line client: an operation. */
export interface Command {
  /** The method of the client: \`client[group][name]\`. */
  readonly group: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** The member of a page that holds the items. */
  readonly items?: string;
  readonly options: readonly CommandOption[];
}

export const commands: readonly Command[] = ${JSON.stringify(commands, null, 1)};
`;
}
