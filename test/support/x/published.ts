/** Validates requests and answers against the document that the vendor of X publishes, where it is beside the repository. */
import { existsSync, readFileSync } from 'node:fs';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { compilerWithin } from '../../../server/contract/schema-compiler.ts';

const file = new URL('../../../../shared/upstream/x-api-v2/openapi-2.166-tweet-dialect.json', import.meta.url);

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: { readonly type?: string; readonly $ref?: string };
}
type Ref<Value> = Value | { readonly $ref: string };
interface Operation {
  readonly parameters?: readonly Ref<Parameter>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}
interface PublishedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

/** One exchange with the stand-in. */
export interface Exchange {
  readonly method: string;
  /** As in the document: `/2/users/{id}/tweets`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

export class PublishedContract {
  readonly #document: PublishedDocument;
  readonly #compile: (schema: object) => ValidateFunction;
  readonly #compiled = new Map<string, ValidateFunction>();

  /** Undefined where the document is absent. */
  static open(): PublishedContract | undefined {
    return existsSync(file) ? new PublishedContract() : undefined;
  }

  private constructor() {
    this.#document = JSON.parse(readFileSync(file, 'utf8')) as PublishedDocument;
    this.#compile = compilerWithin(this.#document);
  }

  /** What is wrong with a request. */
  requestErrors({ method, path, query, body }: Exchange): string[] {
    const operation = this.#operation(method, path);
    if (operation === undefined) return [`${method} ${path} is not published`];
    const parameters = (operation.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? this.#document.components.parameters[parameter.$ref.split('/').at(-1)!]! : parameter,
    );
    const errors = [...query].flatMap(([name, value]) => {
      const parameter = parameters.find((each) => each.name === name && each.in === 'query');
      if (parameter === undefined) return [`${path}: parameter ${name} is not published`];
      return this.#errors(`${path} ${name}`, parameter.schema, valueOf(parameter, value));
    });
    for (const { name, required, in: place } of parameters)
      if (required === true && place === 'query' && !query.has(name)) errors.push(`${path}: ${name} is missing`);
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema !== undefined) errors.push(...this.#errors(`${path} body`, schema, body));
    return errors;
  }

  /** What is wrong with an answer with status 200. */
  answerErrors({ method, path }: Exchange, answer: unknown): string[] {
    const schema = this.#operation(method, path)?.responses['200']?.content?.['application/json']?.schema;
    return schema === undefined ? [`${path} has no published answer`] : this.#errors(`${path} answer`, schema, answer);
  }

  #operation(method: string, path: string): Operation | undefined {
    return this.#document.paths[path]?.[method.toLowerCase()];
  }

  #errors(name: string, schema: object, value: unknown): string[] {
    const key = JSON.stringify(schema);
    const validate = this.#compiled.get(key) ?? this.#compile(schema);
    this.#compiled.set(key, validate);
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${name}${error.instancePath} ${error.message}`);
  }
}

function valueOf({ schema }: Parameter, text: string): unknown {
  if (schema.type === 'array') return text.split(',');
  if (schema.type === 'integer') return Number(text);
  if (schema.type === 'boolean') return text === 'true';
  return text;
}
