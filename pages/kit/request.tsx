/** The request that made a view, as a command: in curl, TypeScript and Python, without the key until the reader asks for it. */
import { methodNameOf } from '../../client/src/method-name.ts';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { baseUrl } from './address.ts';
import { enteredKey } from './key.ts';
import { Choice } from './choice.tsx';
import { Code, CopyButton } from './copy.tsx';

/** A request of the contract. Parameters without a value are left out. */
export interface ApiRequest {
  readonly path: string;
  readonly parameters: Readonly<Record<string, string | number | undefined>>;
}

const given = ({ parameters }: ApiRequest): [string, string | number][] =>
  Object.entries(parameters).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

/** The path with its query, as the service receives it. */
export const targetOf = (request: ApiRequest): string => {
  const query = new URLSearchParams(given(request).map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? request.path : `${request.path}?${query}`;
};

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const writers = {
  curl: (request: ApiRequest, key: string | undefined): string =>
    [
      `curl -G ${quote(baseUrl + request.path)}`,
      `-H ${key === undefined ? '"x-api-key: $API_KEY"' : quote(`x-api-key: ${key}`)}`,
      ...given(request).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`),
    ].join(' \\\n  '),
  TypeScript: (request: ApiRequest, key: string | undefined): string =>
    `import { createClient } from '@social-data/client';

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: ${key === undefined ? 'process.env.API_KEY' : JSON.stringify(key)},
});
const answer = await client.${methodNameOf(request.path).join('.')}(${JSON.stringify(Object.fromEntries(given(request)))});
console.log(answer);`,
  Python: (request: ApiRequest, key: string | undefined): string =>
    `import os, requests

answer = requests.get(
    ${JSON.stringify(baseUrl + request.path)},
    params=${JSON.stringify(Object.fromEntries(given(request)))},
    headers={"x-api-key": ${key === undefined ? 'os.environ["API_KEY"]' : JSON.stringify(key)}},
)
print(answer.json())`,
} as const;
export type Language = keyof typeof writers;
export const languages = Object.keys(writers) as Language[];

/** The request in a language. `key`: the key in clear, or undefined for a variable. */
export const written = (language: Language, request: ApiRequest, key?: string): string =>
  writers[language](request, key);

export function RequestBox({ request }: { request: ApiRequest }): VNode {
  const [language, setLanguage] = useState<Language>('curl');
  const [isClear, setClear] = useState(false);
  const key = isClear ? enteredKey() : undefined;
  const text = written(language, request, key);
  return (
    <div class="request-box">
      <div class="row">
        <Choice name="Language" values={languages} value={language} choose={setLanguage} />
        <CopyButton text={() => text} />
      </div>
      <Code text={text} name={`The request in ${language}`} />
      {enteredKey() !== '' && (
        <label class="check">
          <input type="checkbox" checked={isClear} onChange={() => setClear(!isClear)} /> Show my key in it
        </label>
      )}
    </div>
  );
}

/** The line of a view that names its request; it opens to the commands. */
export const RequestLine = ({ request }: { request: ApiRequest }): VNode => (
  <details class="request-line">
    <summary>
      <b>GET</b> <code>{targetOf(request)}</code>
    </summary>
    <RequestBox request={request} />
  </details>
);
