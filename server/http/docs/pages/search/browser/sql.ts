/** For operators: the SQL of the query on the tables of PostgreSQL, with the plan of the database, while the part is open. */
import { part } from '../../browser/element.ts';
import { enteredKey } from '../../browser/key.ts';
import type { SearchRequest } from './request.ts';

interface Explained {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly plan: readonly string[];
}

const details = part<HTMLDetailsElement>('as-sql');
const output = part('sql');
let running: AbortController | undefined;

/** Shows the SQL of a request, or why there is none; nothing where the part is closed. */
export async function explain({ query, query_type }: SearchRequest): Promise<void> {
  running?.abort();
  output.textContent = '';
  if (!details.open || query === '') return;
  const { signal } = (running = new AbortController());
  const url = new URL('../operate/api/search/explain', location.href.replace(/[?#].*$/, ''));
  try {
    const response = await fetch(url, {
      ...{ method: 'POST', signal, body: JSON.stringify({ query, query_type }) },
      headers: { 'x-api-key': enteredKey(), 'content-type': 'application/json' },
    });
    const body = (await response.json()) as Explained | { readonly error: string };
    output.textContent = 'error' in body ? body.error : described(body);
  } catch (error) {
    if (!signal.aborted) output.textContent = `The server could not be reached: ${(error as Error).message}`;
  }
}

function described({ sql, parameters, plan }: Explained): string {
  const values = parameters.map((value, index) => `$${index + 1} = ${JSON.stringify(value)}`);
  return [sql, ...values, ...plan].join('\n');
}

/** Calls `listener` when the part is opened. */
export const onOpen = (listener: () => void): void => details.addEventListener('toggle', listener);
