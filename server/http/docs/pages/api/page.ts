/** The API reference at /docs/: every operation of the contract, with examples for the host of the request. */
import { resolve, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { operationTable } from '../../../../contract/operation-table.ts';
import { alternatives, typeNames } from '../../../../contract/requirement.ts';
import { schemaLimits } from '../../../../contract/schema-limits.ts';
import { html, type Html } from '../html.ts';
import { phrase, prose } from '../prose.ts';
import { memberTable } from '../events/tables.ts';
import type { Operation, Parameter, Placed, Reference, Response, Schema } from './placed-operation.ts';
import { samplesOf } from './samples.ts';
import { row, table } from '../table.ts';

const code = (text: string): Html => html`<code>${text}</code>`;

/** The first example of a body. */
function exampleOf(document: OpenApiDocument, content: Response['content']): unknown {
  const media = content?.['application/json'];
  const [first] = Object.values(media?.examples ?? {});
  if (first !== undefined) return resolve<{ value?: unknown }>(document, first as Reference).value;
  return (media as { example?: unknown } | undefined)?.example;
}

function placed(document: OpenApiDocument): Placed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Readonly<Record<string, Operation | undefined>>).flatMap(([method, operation]) => {
      if (operation?.operationId === undefined) return [];
      const body = operation.requestBody && resolve<{ content?: Response['content'] }>(document, operation.requestBody);
      const success = resolve<Response>(document, operation.responses['200'] as Response);
      return [
        {
          ...{ method, path, operation },
          parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter)),
          body: exampleOf(document, body?.content),
          answer: exampleOf(document, success?.content),
        },
      ];
    }),
  );
}

/** The values that a parameter takes: its type and its limits, or the words of the contract for its values. */
function takes(document: OpenApiDocument, schema: unknown): string {
  const { type, enum: values, 'x-expected': expected } = resolve<Schema>(document, (schema ?? {}) as Reference);
  const limits = schemaLimits(schema, document);
  const kind = alternatives([type ?? []].flat().map((each) => typeNames[String(each)] ?? String(each)));
  return [values === undefined && expected === undefined ? kind : '', limits].filter((part) => part !== '').join(', ');
}

const parameterRow = (document: OpenApiDocument, { name, required, description = '', schema }: Parameter): Html =>
  row(
    [code(name), required === true ? html` <b class="required">required</b>` : ''],
    phrase(description),
    takes(document, schema),
  );

const parameterTable = (document: OpenApiDocument, parameters: readonly Parameter[]): Html =>
  parameters.length === 0
    ? html`<p>No parameters.</p>`
    : html`<div class="of-parameters">${table(
        ['Parameter', 'Meaning', 'Takes'],
        [html`${parameters.map((parameter) => parameterRow(document, parameter))}`],
      )}</div>`;

/** The name of the schema of a successful response. */
function schemaName({ responses }: Operation): string | undefined {
  const [content] = Object.values((responses['200'] as Response | undefined)?.content ?? {});
  const reference = content?.schema?.['$ref'];
  return typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
}

const statusText = (document: OpenApiDocument, { responses }: Operation): Html =>
  html`<ul class="statuses">${Object.entries(responses)
    .filter(([status]) => status !== '200')
    .map(
      ([status, response]) =>
        html`<li><b>${status}</b> ${phrase(resolve<Response>(document, response as Reference).description)}</li>`,
    )}</ul>`;

const memberDetails = (document: OpenApiDocument, name: string | undefined): Html | string =>
  name === undefined
    ? ''
    : html`<details><summary>Members of <code>${name}</code></summary>
${memberTable(name, document)}
</details>`;

const article = (
  document: OpenApiDocument,
  each: Placed,
  scope: string | undefined,
): Html => html`<article id="${each.operation.operationId}">
<div>
<h3>${each.operation.summary ?? each.operation.operationId}</h3>
<p class="endpoint"><b class="verb-${each.method}">${each.method.toUpperCase()}</b> <code>${each.path}</code></p>
${prose(each.operation.description ?? '')}
${parameterTable(document, each.parameters)}
${scope === undefined ? '' : html`<p class="optional">Needs a key with the scope ${code(scope)}. <a href="try#/${each.operation.tags?.[0] ?? 'default'}/${each.operation.operationId}">Try it</a></p>`}
${memberDetails(document, schemaName(each.operation))}
<details><summary>Errors</summary>
${statusText(document, each.operation)}
</details>
</div>
<div>
${samplesOf(each)}
</div>
</article>`;

const tagsOf = (document: OpenApiDocument): readonly { name: string; description?: string }[] =>
  (document as unknown as { tags?: readonly { name: string; description?: string }[] }).tags ?? [];

const slug = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/\W+/g, '-')}`;

/** The text of the contract about itself; its headings become sections of the page. */
const introduction = (document: OpenApiDocument): Html => html`<section id="introduction" class="prose">
${prose((document.info as { description?: string }).description ?? '')}
<p>The contract: <a href="../openapi.yaml">openapi.yaml</a>, <a href="../openapi.json">openapi.json</a>, and
<a href="../openapi.generators.json">for code generators</a>. <a href="try">Try operations</a> with Swagger UI.</p>
</section>`;

/** The contents and the main part of the page. */
export function apiReference(document: OpenApiDocument): Html {
  const all = placed(document);
  const operations: Readonly<Record<string, { readonly scope?: string } | undefined>> = operationTable(document);
  const groups = tagsOf(document)
    .map((tag) => ({ ...tag, operations: all.filter(({ operation }) => operation.tags?.[0] === tag.name) }))
    .filter(({ operations }) => operations.length > 0);
  return html`<nav class="contents" aria-label="On this page">
<a href="#introduction">Introduction</a>
${groups.map(
  ({ name, operations }) => html`<b>${name}</b>
${operations.map(
  ({ operation }) => html`<a href="#${operation.operationId}">${operation.summary ?? operation.operationId}</a>
`,
)}`,
)}</nav>
${introduction(document)}
${groups.map(
  ({ name, description, operations: own }) => html`<section class="operations">
<h2 id="${slug(name)}">${name}</h2>
${description === undefined ? '' : html`<p>${phrase(description)}</p>`}
${own.map((each) => article(document, each, operations[each.operation.operationId]?.scope))}
</section>`,
)}`;
}
