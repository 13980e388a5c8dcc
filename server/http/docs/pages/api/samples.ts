/** The examples of an operation: its request in three languages, and its response. */
import { html, type Html } from '../html.ts';
import type { Placed } from './placed-operation.ts';

/** The origin in the samples. The page replaces it with the one that its reader uses. */
export const sampleOrigin = 'http://127.0.0.1:3000';

type Given = readonly (readonly [name: string, value: string | number])[];

/** Parameters with an example: the required ones, or the first that has one. */
function given({ parameters }: Placed): Given {
  const withExamples = parameters.flatMap(({ name, example, required }) =>
    typeof example === 'string' || typeof example === 'number' ? [{ name, example, required }] : [],
  );
  const required = withExamples.filter((parameter) => parameter.required === true);
  const chosen = required.length > 0 ? required : withExamples.slice(0, 1);
  return chosen.map(({ name, example }) => [name, example] as const);
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

function curl({ method, path, body }: Placed, parameters: Given): string {
  const lines = [`-H "x-api-key: $API_KEY"`];
  const usual = body === undefined ? 'get' : 'post';
  if (method !== usual) lines.unshift(`-X ${method.toUpperCase()}`);
  if (body !== undefined) lines.push(`--json ${quote(JSON.stringify(body))}`);
  for (const [name, value] of parameters) lines.push(`--data-urlencode ${quote(`${name}=${value}`)}`);
  return [`curl ${body === undefined ? '-G ' : ''}${quote(sampleOrigin + path)}`, ...lines].join(' \\\n  ');
}

/** The method of the client: `/social/user/last_tweets` is `user.lastTweets`. The image does not contain the client. */
const methodOf = (path: string): string =>
  path
    .split('/')
    .slice(2)
    .join('.')
    .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

const members = (parameters: Given): string => JSON.stringify(Object.fromEntries(parameters));

const typeScript = (
  { path, body }: Placed,
  parameters: Given,
): string => `import { createClient } from '@social-data/client';

const client = createClient({ baseUrl: '${sampleOrigin}', apiKey: process.env.API_KEY });
const answer = await client.${methodOf(path)}(${body === undefined ? (parameters.length === 0 ? '' : members(parameters)) : JSON.stringify(body)});
console.log(answer);`;

const python = ({ method, path, body }: Placed, parameters: Given): string => `import os, requests

answer = requests.${method}(
    "${sampleOrigin}${path}",
${body === undefined ? `    params=${members(parameters)},` : `    json=${JSON.stringify(body)},`}
    headers={"x-api-key": os.environ["API_KEY"]},
)
print(answer.json())`;

const writers = { curl, TypeScript: typeScript, Python: python } as const;

/** All languages are in the page; its script shows one of them, without a script they follow each other. */
export function samplesOf(placed: Placed): Html {
  const parameters = given(placed);
  const id = placed.operation.operationId;
  return html`<div class="samples">${Object.entries(writers).map(
    ([language, write]) => html`<div class="language" data-language="${language}">
<p class="about">${language}</p>
<pre class="sample" id="${id}-${language}" tabindex="0"><code>${write(placed, parameters)}</code></pre>
</div>`,
  )}</div>
${
  placed.answer === undefined
    ? ''
    : html`<p class="about">Response</p>
<pre class="sample answer-sample" id="${id}-response" tabindex="0"><code>${JSON.stringify(placed.answer, null, 2)}</code></pre>`
}`;
}
