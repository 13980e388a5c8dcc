/** What a reader can send a request with, inside the reference. `pages/operation` draws it when it is opened. */
import { resolve, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { html, type Html } from '../html.ts';
import type { Parameter, Placed, Reference, Schema } from './placed-operation.ts';
import { credentialOf, givenOf, headerOf } from './samples.ts';

/** A parameter, as the form shows it. */
export interface TryParameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  /** The values that it takes, where they are listed. */
  readonly values?: readonly string[];
  /** What the field has at first; empty for a parameter that the samples leave out. */
  readonly value: string;
}

/** What the form needs to know of an operation. */
export interface TryOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly TryParameter[];
  /** The media type of the body and an example of it. */
  readonly body?: { readonly type: string; readonly text: string };
  /** The media types of its answers. */
  readonly accepts: readonly string[];
  /** Where the key goes: a header, and what stands before the key; or a parameter of the query. */
  readonly key?: { readonly name: string; readonly in: 'header' | 'query'; readonly before: string };
}

/** The listed values of a parameter: those of an enumeration, or both of a boolean. */
function valuesOf(document: OpenApiDocument, { schema }: Parameter): readonly string[] | undefined {
  const { enum: values, type } = resolve<Schema>(document, (schema ?? {}) as unknown as Reference & Schema);
  if (Array.isArray(values)) return values.map(String);
  return type === 'boolean' ? ['true', 'false'] : undefined;
}

function keyOf(document: OpenApiDocument, { operation }: Placed): TryOperation['key'] {
  const scheme = credentialOf(document, operation);
  if (scheme === undefined) return undefined;
  const header = headerOf(scheme);
  if (header !== undefined) return { name: header[0], in: 'header', before: header[1] };
  return scheme.in === 'query' ? { name: scheme.name ?? '', in: 'query', before: '' } : undefined;
}

function tryOperation(document: OpenApiDocument, placed: Placed, accepts: readonly string[]): TryOperation {
  const given = new Map(givenOf(document, placed).map(({ name, value }) => [name, String(value)]));
  const key = keyOf(document, placed);
  const parameters = placed.parameters
    .filter((parameter) => parameter.in !== 'cookie')
    .map((parameter): TryParameter => {
      const values = valuesOf(document, parameter);
      return {
        ...{ name: parameter.name, in: parameter.in, value: given.get(parameter.name) ?? '' },
        required: parameter.in === 'path' || parameter.required === true,
        ...(values !== undefined && { values }),
      };
    });
  return {
    ...{ id: placed.operation.operationId, method: placed.method, path: placed.path, parameters, accepts },
    ...(placed.bodyType !== undefined && {
      body: { type: placed.bodyType, text: placed.body === undefined ? '' : JSON.stringify(placed.body, null, 2) },
    }),
    ...(key !== undefined && { key }),
  };
}

/** The closed form. `accepts`: the media types of the answers. */
export const tryBox = (document: OpenApiDocument, placed: Placed, accepts: readonly string[]): Html =>
  html`<details class="try-it" id="try-it" data-interactive data-operation="${JSON.stringify(tryOperation(document, placed, accepts))}">
<summary>Try it</summary>
</details>`;
