/** What the API reference says of one operation. */
import { resolve, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { deprecationWords, type Deprecatable } from '../../../../contract/deprecation.ts';
import { alternatives, typeNames } from '../../../../contract/requirement.ts';
import { schemaLimits } from '../../../../contract/schema-limits.ts';
import { html, type Html } from '../html.ts';
import { phrase, prose } from '../prose.ts';
import { memberTable } from '../members.ts';
import type { Operation, Parameter, Placed, Reference, Response, Schema } from './placed-operation.ts';
import { samplesOf, type Sampling } from './samples.ts';
import { tryBox } from './try-box.ts';
import { row, table } from '../table.ts';

const code = (text: string): Html => html`<code>${text}</code>`;

type Content = Response['content'];

/** The content of a response or a body: JSON where it has JSON, or else its first media type. */
function mainContent(content: Content): readonly [type: string, media: NonNullable<Content>[string]] | undefined {
  const all = Object.entries(content ?? {});
  return all.find(([type]) => /[/+]json\b/i.test(type)) ?? all[0];
}

/** The first example of a body. */
function exampleOf(document: OpenApiDocument, content: Content): unknown {
  const [, media] = mainContent(content) ?? [];
  const [first] = Object.values(media?.examples ?? {});
  if (first !== undefined) return resolve<{ value?: unknown }>(document, first as Reference).value;
  return (media as { example?: unknown } | undefined)?.example;
}

const isSuccess = (status: string): boolean => status.startsWith('2');

/** The responses of an operation with their statuses, references resolved. */
const responsesOf = (document: OpenApiDocument, { responses }: Operation): [status: string, response: Response][] =>
  Object.entries(responses)
    .filter(([status]) => !status.startsWith('x-'))
    .map(([status, response]) => [status, resolve<Response>(document, response as Reference)]);

/** The content of the first success that has any. */
const successContent = (document: OpenApiDocument, operation: Operation): Content =>
  responsesOf(document, operation).find(([status, { content }]) => isSuccess(status) && content !== undefined)?.[1]
    .content;

const bodyContent = (document: OpenApiDocument, { requestBody }: Operation): Content =>
  requestBody && resolve<{ content?: Content }>(document, requestBody).content;

/** The operations of a contract at their places. */
export function placedOperations(document: OpenApiDocument): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation | undefined>>).flatMap(([method, operation]) => {
      if (operation?.operationId === undefined) return [];
      return [
        {
          ...{ method, path, operation },
          parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter)),
          body: exampleOf(document, bodyContent(document, operation)),
          bodyType: mainContent(bodyContent(document, operation))?.[0],
          answer: exampleOf(document, successContent(document, operation)),
        },
      ];
    }),
  );
}

/** A name, struck through where it is deprecated. */
export const named = (content: Html | string, part: Deprecatable): Html =>
  part.deprecated === true ? html`<del>${content}</del>` : html`${content}`;

/** The days of a deprecation below a name. */
const days = (part: Deprecatable): Html | string => {
  const words = deprecationWords(part);
  return words === '' ? '' : html`<br><span class="optional">${words}</span>`;
};

/** The values that a parameter takes: its type and its limits, or the words of the contract for its values. */
function takes(document: OpenApiDocument, schema: unknown): string {
  const { type, enum: values, 'x-expected': expected } = resolve<Schema>(document, (schema ?? {}) as Reference);
  const limits = schemaLimits(schema, document);
  const kind = alternatives([type ?? []].flat().map((each) => typeNames[String(each)] ?? String(each)));
  return [values === undefined && expected === undefined ? kind : '', limits].filter((part) => part !== '').join(', ');
}

/** What a caller sends: a parameter, or a member of the body. */
interface Sent extends Deprecatable {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: unknown;
}

function sentRow(document: OpenApiDocument, sent: Sent): Html {
  const { name, in: place = 'query', required, description = '', schema } = sent;
  return row(
    [
      named(code(name), sent),
      required === true ? html` <b class="required">required</b>` : '',
      place === 'query' ? '' : html` <span class="optional">${place}</span>`,
      days(sent),
    ],
    phrase(description),
    takes(document, schema),
  );
}

const sentTable = (document: OpenApiDocument, head: string, all: readonly Sent[]): Html =>
  html`<div class="of-parameters">${table(
    [head, 'Meaning', 'Takes'],
    [html`${all.map((each) => sentRow(document, each))}`],
  )}</div>`;

/** The schema of a parameter, which may be that of its content. */
const parameterSchema = ({ schema, content }: Parameter): unknown => schema ?? mainContent(content)?.[1].schema;

/** The parameters and the body of an operation. */
function requestTables(document: OpenApiDocument, { parameters, operation }: Placed): Html {
  const content = bodyContent(document, operation);
  const shown = parameters.map((parameter): Sent => ({ ...parameter, schema: parameterSchema(parameter) }));
  const none = parameters.length === 0 && content === undefined;
  return html`${none ? html`<p>No parameters.</p>` : ''}
${shown.length === 0 ? '' : sentTable(document, 'Parameter', shown)}
${content === undefined ? '' : bodyTable(document, content)}`;
}

function bodyTable(document: OpenApiDocument, content: NonNullable<Content>): Html {
  const types = alternatives(Object.keys(content));
  const schema = mainContent(content)?.[1].schema;
  const { properties, required = [] } = resolve<Schema>(document, (schema ?? {}) as unknown as Reference) as {
    properties?: Readonly<Record<string, unknown>>;
    required?: readonly string[];
  };
  if (properties === undefined)
    return html`<p>Body: ${[types, takes(document, schema)].filter(Boolean).join(', ')}</p>`;
  const members = Object.entries(properties).map(([name, given]): Sent => {
    const own = { ...resolve<Sent>(document, given as Reference), ...(given as object) } as Sent;
    const { description, deprecated, 'x-sunset': sunset, 'x-deprecated-since': since } = own;
    return {
      ...{ name, schema: given, required: required.includes(name) },
      ...(description !== undefined && { description }),
      ...(deprecated !== undefined && { deprecated }),
      ...(sunset !== undefined && { 'x-sunset': sunset }),
      ...(since !== undefined && { 'x-deprecated-since': since }),
    };
  });
  return html`<p>Body: ${types}</p>
${sentTable(document, 'Member', members)}`;
}

/** The name of the schema of a successful response. */
function schemaName(document: OpenApiDocument, operation: Operation): string | undefined {
  const reference = mainContent(successContent(document, operation))?.[1].schema?.['$ref'];
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}

const statusText = (responses: readonly (readonly [status: string, response: Response])[]): Html =>
  html`<ul class="statuses">${responses.map(
    ([status, { description }]) => html`<li><b>${status}</b> ${phrase(description)}</li>`,
  )}</ul>`;

const memberDetails = (document: OpenApiDocument, name: string | undefined): Html | string =>
  name === undefined
    ? ''
    : html`<details><summary>Members of <code>${name}</code></summary>
${memberTable(name, document)}
</details>`;

/** The method and the path. */
export const endpoint = ({ method, path }: Placed): Html =>
  html`<span class="endpoint"><b class="verb-${method}">${method.toUpperCase()}</b> <code>${path}</code></span>`;

/** The operation without its heading. `scope`: that of the keys that may call it. */
export function operationText(sampling: Sampling, each: Placed, scope: string | undefined): Html {
  const { document } = sampling;
  const { operation } = each;
  const responses = responsesOf(document, operation);
  const successes = responses.filter(([status]) => isSuccess(status));
  const errors = responses.filter(([status]) => !isSuccess(status));
  const words = deprecationWords(operation);
  return html`<div>
<p>${endpoint(each)} <a data-interactive class="try-link" href="#try-it">Try it</a></p>
${words === '' ? '' : html`<p class="deprecated"><b class="required">${words}</b></p>`}
${prose(operation.description ?? '')}
${requestTables(document, each)}
${scope === undefined ? '' : html`<p class="optional">Needs a key with the scope ${code(scope)}.</p>`}
${successes.every(([status]) => status === '200') ? '' : statusText(successes)}
${memberDetails(document, schemaName(document, operation))}
<details><summary>Errors</summary>
${statusText(errors)}
</details>
${tryBox(document, each, Object.keys(successContent(document, operation) ?? {}))}
</div>
<div>
${samplesOf(each, sampling)}
</div>`;
}
