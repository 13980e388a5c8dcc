/** The request that a reader of the reference sends. */
import type { TryOperation } from '../../server/http/docs/pages/api/try-box.ts';

/** What the reader has typed: the values of the parameters by name, the body, and the media type of the answer. */
export interface Typed {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly accept: string;
}

export const initialOf = ({ parameters, body, accepts }: TryOperation): Typed => ({
  values: Object.fromEntries(parameters.map(({ name, value }) => [name, value])),
  body: body?.text ?? '',
  accept: accepts[0] ?? '',
});

/** What is missing or cannot be read; undefined for a request that can be sent. */
export function faultOf({ parameters, body }: TryOperation, typed: Typed): string | undefined {
  const missing = parameters.find(({ name, required }) => required && (typed.values[name] ?? '') === '');
  if (missing !== undefined) return `${missing.name} is required.`;
  if (body === undefined || typed.body.trim() === '' || !/[/+]json\b/i.test(body.type)) return undefined;
  try {
    JSON.parse(typed.body);
    return undefined;
  } catch (error) {
    return `The body is no JSON: ${(error as Error).message}`;
  }
}

/** The address and the options for `fetch`. `root`: that of the service, with a slash at its end. */
export function requestOf(
  operation: TryOperation,
  typed: Typed,
  key: string,
  root: string,
): readonly [url: string, options: RequestInit] {
  const given = operation.parameters.filter(({ name }) => (typed.values[name] ?? '') !== '');
  const within = (place: string): readonly [string, string][] =>
    given.filter((each) => each.in === place).map(({ name }) => [name, typed.values[name] ?? '']);
  const path = within('path').reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, encodeURIComponent(value)),
    operation.path.slice(1),
  );
  const headers: Record<string, string> = Object.fromEntries(within('header'));
  const query = new URLSearchParams([...within('query')]);
  if (typed.accept !== '') headers['accept'] = typed.accept;
  if (operation.key !== undefined && key !== '') {
    if (operation.key.in === 'query') query.set(operation.key.name, key);
    else headers[operation.key.name] = operation.key.before + key;
  }
  const hasBody = operation.body !== undefined && typed.body.trim() !== '';
  if (hasBody) headers['content-type'] = operation.body.type;
  return [
    `${root}${path}${query.size === 0 ? '' : `?${query}`}`,
    { method: operation.method.toUpperCase(), headers, ...(hasBody && { body: typed.body }) },
  ];
}
