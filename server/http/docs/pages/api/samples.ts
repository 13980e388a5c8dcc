/** The examples of an operation: its request in three languages, and its response. */
import { plainMethodName } from '../../../../contract/method-name.ts';
import { resolve, type OpenApiDocument } from '../../../../contract/openapi.ts';
import { securitySchemes } from '../../../../contract/security-schemes.ts';
import type { SecurityScheme } from '../../../../ports/authenticator.ts';
import { html, type Html } from '../html.ts';
import type { Operation, Parameter, Placed, Reference, Schema } from './placed-operation.ts';

/** The origin in the samples. The page replaces it with the one that its reader uses. */
export const sampleOrigin = 'http://127.0.0.1:3000';

/** What the samples of a contract have in common. */
export interface Sampling {
  readonly document: OpenApiDocument;
  /** The module with `createClient`. */
  readonly client: string;
}

interface Given {
  readonly name: string;
  readonly in: string;
  readonly value: string | number | boolean;
}

/** A request as the samples show it. */
interface Request extends Pick<Placed, 'method' | 'path' | 'body' | 'answer' | 'operation'> {
  readonly sampling: Sampling;
  readonly given: readonly Given[];
  /** How it proves who sends it; undefined for a public operation. */
  readonly credential: SecurityScheme | undefined;
}

const isScalar = (value: unknown): value is Given['value'] => ['string', 'number', 'boolean'].includes(typeof value);

/** A value of a parameter, by its examples or its schema. */
function valueOf(document: OpenApiDocument, { example, examples, schema }: Parameter): Given['value'] | undefined {
  const [first] = Object.values(examples ?? {});
  const described = resolve<Schema>(document, (schema ?? {}) as unknown as Reference & Schema);
  const { examples: ofSchema, enum: values } = described;
  const all = [
    example,
    first === undefined ? undefined : resolve<{ value?: unknown }>(document, first as Reference).value,
    described['example'],
    ...(Array.isArray(ofSchema) ? ofSchema : []),
    described['default'],
    ...(Array.isArray(values) ? values : []),
  ];
  return all.find(isScalar);
}

/** Parameters of a request: the required ones, or the first that has an example. A path needs a value for each of its names. */
export function givenOf(document: OpenApiDocument, { parameters }: Placed): Given[] {
  const required = parameters.flatMap((parameter): Given[] => {
    const { name, in: place } = parameter;
    if (place !== 'path' && parameter.required !== true) return [];
    const value = valueOf(document, parameter) ?? (place === 'path' ? name : undefined);
    return value === undefined ? [] : [{ name, in: place, value }];
  });
  if (required.length > 0) return required;
  return parameters
    .flatMap(({ name, in: place, example }): Given[] =>
      isScalar(example) && place === 'query' ? [{ name, in: place, value: example }] : [],
    )
    .slice(0, 1);
}

/** The first security scheme that an operation names; undefined where it needs none. */
export function credentialOf(document: OpenApiDocument, { security }: Operation): SecurityScheme | undefined {
  const all = security ?? (document as { security?: Operation['security'] }).security ?? [];
  const [name] = Object.keys(all[0] ?? {});
  const scheme = name === undefined ? undefined : securitySchemes(document).get(name);
  return scheme?.type === 'mutualTLS' ? undefined : scheme;
}

const isBasic = ({ type, scheme }: SecurityScheme): boolean => type === 'http' && scheme?.toLowerCase() === 'basic';

/** The header of a credential with a placeholder; undefined for one in another place, and for Basic. */
export function headerOf({
  type,
  in: place,
  name,
  scheme,
}: SecurityScheme): readonly [name: string, before: string] | undefined {
  if (type === 'apiKey') return place === 'header' ? [name ?? '', ''] : undefined;
  if (type === 'http' && scheme?.toLowerCase() === 'basic') return undefined;
  return ['Authorization', type === 'http' && scheme?.toLowerCase() !== 'bearer' ? `${scheme} ` : 'Bearer '];
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
const inPlace = ({ given }: Request, place: string): readonly Given[] => given.filter((each) => each.in === place);

/** The address, with values in the path. */
const addressOf = (request: Request): string =>
  inPlace(request, 'path').reduce(
    (path, { name, value }) => path.replaceAll(`{${name}}`, encodeURIComponent(value)),
    sampleOrigin + request.path,
  );

function curlCredential(scheme: SecurityScheme): string {
  const header = headerOf(scheme);
  if (header !== undefined) return `-H "${header[0]}: ${header[1]}$API_KEY"`;
  if (isBasic(scheme)) return '-u "$API_KEY"';
  return scheme.in === 'cookie' ? `-b "${scheme.name}=$API_KEY"` : `--url-query "${scheme.name}=$API_KEY"`;
}

function curl(request: Request): string {
  const { method, body, credential } = request;
  const lines = credential === undefined ? [] : [curlCredential(credential)];
  const usual = body === undefined ? 'get' : 'post';
  if (method !== usual) lines.unshift(`-X ${method.toUpperCase()}`);
  if (body !== undefined) lines.push(`--json ${quote(JSON.stringify(body))}`);
  for (const { name, value } of inPlace(request, 'query'))
    lines.push(`${body === undefined ? '--data-urlencode' : '--url-query'} ${quote(`${name}=${value}`)}`);
  for (const { name, value } of inPlace(request, 'header')) lines.push(`-H ${quote(`${name}: ${value}`)}`);
  for (const { name, value } of inPlace(request, 'cookie')) lines.push(`-b ${quote(`${name}=${value}`)}`);
  return [`curl ${body === undefined ? '-G ' : ''}${quote(addressOf(request))}`, ...lines].join(' \\\n  ');
}

const objectOf = (given: readonly Given[]): Record<string, Given['value']> =>
  Object.fromEntries(given.map(({ name, value }) => [name, value]));

function typeScript({
  sampling: { document, client },
  path,
  operation,
  body,
  given,
  credential,
  answer,
}: Request): string {
  const { group, name } = plainMethodName(
    { path, operation },
    (document as { 'x-method-names'?: string })['x-method-names'],
  );
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const members = { ...objectOf(given), ...(isObject ? body : body === undefined ? {} : { body }) };
  const argument = Object.keys(members).length === 0 ? '' : JSON.stringify(members);
  const key = credential === undefined ? '' : ', apiKey: process.env.API_KEY';
  const call = `await client.${group}.${name}(${argument});`;
  return `import { createClient } from '${client}';

const client = createClient({ baseUrl: '${sampleOrigin}'${key} });
${answer === undefined ? call : `const answer = ${call}\nconsole.log(answer);`}`;
}

/** A value of JSON as Python writes it. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${pythonOf(inner)}`)
    .join(', ')}}`;
}

function python(request: Request): string {
  const { method, body, credential, answer } = request;
  const secret = 'os.environ["API_KEY"]';
  const header = credential && headerOf(credential);
  const headers = [
    ...(header === undefined
      ? []
      : [`${JSON.stringify(header[0])}: ${header[1] === '' ? '' : `${JSON.stringify(header[1])} + `}${secret}`]),
    ...inPlace(request, 'header').map(({ name, value }) => `${JSON.stringify(name)}: ${JSON.stringify(String(value))}`),
  ];
  const inOther = credential !== undefined && header === undefined && !isBasic(credential) ? credential : undefined;
  const pairs = (place: string): string => {
    const own = inPlace(request, place).map(({ name, value }) => `${JSON.stringify(name)}: ${pythonOf(value)}`);
    return [...own, ...(inOther?.in === place ? [`${JSON.stringify(inOther.name)}: ${secret}`] : [])].join(', ');
  };
  const isSecret = credential !== undefined;
  const lines = [
    JSON.stringify(addressOf(request)),
    ...(pairs('query') === '' ? [] : [`params={${pairs('query')}}`]),
    ...(body === undefined ? [] : [`json=${pythonOf(body)}`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    ...(pairs('cookie') === '' ? [] : [`cookies={${pairs('cookie')}}`]),
    ...(isSecret && isBasic(credential) ? [`auth=tuple(${secret}.split(":", 1))`] : []),
  ];
  return `import ${isSecret ? 'os, ' : ''}requests

answer = requests.${method}(
${lines.map((line) => `    ${line},\n`).join('')})
print(answer.${answer === undefined ? 'status_code' : 'json()'})`;
}

const writers = { curl, TypeScript: typeScript, Python: python } as const;

/** All languages are in the page; its script shows one of them, without a script they follow each other. */
export function samplesOf(placed: Placed, sampling: Sampling): Html {
  const { document } = sampling;
  const request: Request = {
    ...placed,
    sampling,
    given: givenOf(document, placed),
    credential: credentialOf(document, placed.operation),
  };
  const id = placed.operation.operationId;
  return html`<div class="samples">${Object.entries(writers).map(
    ([language, write]) => html`<div class="language" data-language="${language}">
<p class="about">${language}</p>
<pre class="sample" id="${id}-${language}" tabindex="0"><code>${write(request)}</code></pre>
</div>`,
  )}</div>
${
  placed.answer === undefined
    ? ''
    : html`<p class="about">Response</p>
<pre class="sample answer-sample" id="${id}-response" tabindex="0"><code>${JSON.stringify(placed.answer, null, 2)}</code></pre>`
}`;
}
