/** Model servers with the API of OpenAI on this machine, at their default ports. */
import { memberOf } from '../text/object.ts';
import { knownEndpoints } from './known-endpoints.ts';

/** A server that answered. */
export interface LocalServer {
  readonly name: string;
  readonly base_url: string;
  /** The models that it serves, at most 50. */
  readonly models: readonly string[];
}

const usual = Object.values(knownEndpoints)
  .filter(({ needsKey }) => !needsKey)
  .map(({ title, base_url: url }) => [title, Number(new URL(url).port)] as const);

/** Time limit of a server in milliseconds, size limit of its answer in UTF-16 units, and maximum number of models. */
const answerMs = 3000;
const maxLength = 500_000;
const maxModels = 50;

/**
 * Asks each usual port of this machine for its list of models (`GET /v1/models`). Nothing else is sent: no question, no post and no key.
 * `ports` replaces the usual ones.
 */
export async function localServers(
  ports: readonly (readonly [name: string, port: number])[] = usual,
): Promise<LocalServer[]> {
  const found = await Promise.all(ports.map(([name, port]) => serverAt(name, `http://127.0.0.1:${port}/v1`)));
  return found.filter((server) => server !== undefined);
}

async function serverAt(name: string, baseUrl: string): Promise<LocalServer | undefined> {
  try {
    const response = await fetch(`${baseUrl}/models`, { redirect: 'error', signal: AbortSignal.timeout(answerMs) });
    const list = response.ok ? memberOf(JSON.parse(await textOf(response)), 'data') : undefined;
    if (!Array.isArray(list)) return undefined;
    const ids = list.map((each) => memberOf(each, 'id')).filter((id) => typeof id === 'string' && id !== '');
    return ids.length === 0 ? undefined : { name, base_url: baseUrl, models: (ids as string[]).slice(0, maxModels) };
  } catch {
    // No server, or another one than a model server.
    return undefined;
  }
}

async function textOf(response: Response): Promise<string> {
  let text = '';
  for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.length > maxLength) throw new Error('the list of models is too long');
  }
  return text;
}
