/** The commands of the command-line client: one for each operation. */
import { resolve } from '../../server/contract/plain-document.ts';
import { itemColumns as columnsOfItems, memberSchemas } from '../../server/contract/item-columns.ts';
import { callShape } from './client-call.ts';
import type { Placed } from './client-operation.ts';
import { parameterText, withoutPathLinks } from './client-parameters.ts';
import { methodName } from '../../server/contract/method-name.ts';

type Schema = Readonly<Record<string, unknown>>;

interface Option {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly values?: readonly string[];
}

const oneLine = (text = ''): string => withoutPathLinks(text).trim().replace(/\s+/g, ' ');
/** The first sentence of a description. */
const firstSentence = (text?: string): string => /^.*?[.:](?= |$)/.exec(oneLine(text))?.[0] ?? oneLine(text);

/** What a command line gives as the value of a schema: a text, a number, true or false, a list of texts or numbers, or JSON. */
function optionType(document: object, schema: Schema): string {
  const { type, items, properties } = resolve<Schema>(document, schema);
  const [only, ...others] = [type].flat().filter((each) => each !== 'null');
  if (others.length > 0) return 'string';
  if (only === 'integer' || only === 'number' || only === 'boolean') return only;
  if (only === 'object' || properties !== undefined) return 'json';
  if (only !== 'array') return 'string';
  const item = optionType(document, (items ?? {}) as Schema);
  return item === 'integer' || item === 'number' ? 'numbers' : item === 'string' ? 'strings' : 'json';
}

interface Described {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly 'x-sunset'?: string | undefined;
}

function optionOf(document: object, described: Described): Option {
  const { name, schema, required, description } = described;
  const { enum: values, format, contentMediaType } = resolve<Schema>(document, schema);
  const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const known = Array.isArray(values) ? { values: values.map(written) } : {};
  const isFile = format === 'binary' || contentMediaType !== undefined;
  const limits = Array.isArray(values) ? '' : parameterText(document, undefined, schema);
  const sunset = described['x-sunset'];
  const deprecation =
    described.deprecated === true ? `Deprecated${sunset === undefined ? '' : ` until ${sunset}`}.` : '';
  return {
    name,
    type: isFile ? 'file' : optionType(document, schema),
    required,
    description: [firstSentence(description), limits, deprecation].filter((part) => part !== '').join(' '),
    ...known,
  };
}

type Member = Schema & { readonly description?: string; readonly deprecated?: boolean; readonly 'x-sunset'?: string };

/** The options of an operation: its parameters, and the members of its body, or the whole body. */
function optionsOf(document: object, placed: Placed): Option[] {
  const { parameters, body } = callShape(document, placed);
  const own = parameters.map((each) => optionOf(document, { ...each, name: each.key, schema: each.schema ?? {} }));
  if (body === undefined) return own;
  const { content = {} } = resolve<{ content?: Record<string, { schema?: Schema }> }>(
    document,
    placed.operation.requestBody as { $ref: string },
  );
  const [media] = Object.values(content);
  if (body.members === undefined) {
    const isJson = Object.values(body.kinds).every(
      (kind) => kind === 'json' || kind === 'form' || kind === 'multipart',
    );
    const description = isJson ? 'The body in JSON, or @FILE.' : 'The body, or @FILE.';
    const type = isJson ? 'json' : 'file';
    return [...own, { name: 'body', type, required: body.required, description }];
  }
  const found = memberSchemas(document, media?.schema ?? {});
  const members = [...body.members].map((name) => {
    const schema = found.get(name) ?? {};
    const required = body.needed.has(name);
    const { description, deprecated, 'x-sunset': sunset } = resolve<Member>(document, schema as { $ref: string });
    return optionOf(document, { name, schema, required, description, deprecated, 'x-sunset': sunset });
  });
  return [...own, ...members];
}

/** The member of a page with the items, and their columns; nothing for an operation without pages. */
function listOf(document: object, placed: Placed): object {
  const { 'x-items': items } = placed.operation;
  return items === undefined ? {} : { items, columns: itemColumns(document, placed, items) };
}

/** The columns of the items of a list. */
function itemColumns(document: object, placed: Placed, items: string): string[] {
  const [media] = Object.values(callShape(document, placed).successes[0]?.content ?? {}) as { schema?: Schema }[];
  return columnsOfItems(document, media?.schema ?? {}, items);
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
    ...listOf(document, placed),
    options: optionsOf(document, placed),
  }));
  return `${banner}
/** An option of a command: a parameter of its operation. */
export interface CommandOption {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'numbers' | 'json' | 'file';
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
  /** The columns of the items in CSV. */
  readonly columns?: readonly string[];
  readonly options: readonly CommandOption[];
}

export const commands: readonly Command[] = ${JSON.stringify(commands, null, 1)};
`;
}
