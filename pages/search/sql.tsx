/** For operators: the SQL of the query on the tables of PostgreSQL, with the plan of the database, while the part is open. */
import { enteredKey, root, useEffect, useState, type VNode } from '../kit/index.ts';
import type { SearchRequest } from './request.ts';

interface Explained {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly plan: readonly string[];
}

function described({ sql, parameters, plan }: Explained): string {
  const values = parameters.map((value, index) => `$${index + 1} = ${JSON.stringify(value)}`);
  return [sql, ...values, ...plan].join('\n');
}

/** The SQL of a request, or why there is none. */
async function explain({ query, query_type }: SearchRequest, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${root}operate/api/search/explain`, {
    ...{ method: 'POST', signal, body: JSON.stringify({ query, query_type }) },
    headers: { 'x-api-key': enteredKey(), 'content-type': 'application/json' },
  });
  const body = (await response.json()) as Explained | { readonly error: string };
  return 'error' in body ? body.error : described(body);
}

/** `round`: another one explains the same request again. */
export function SqlDetails({ request, round }: { request: SearchRequest; round: number }): VNode {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  useEffect(() => {
    setText('');
    if (!isOpen || request.query === '') return undefined;
    const aborting = new AbortController();
    explain(request, aborting.signal).then(
      (shown) => setText(shown),
      (error: Error) => void (aborting.signal.aborted || setText(`The server could not be reached: ${error.message}`)),
    );
    return () => aborting.abort();
  }, [isOpen, round]);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>The SQL of the query, with a key of an operator</summary>
      <pre id="sql" tabIndex={0} aria-live="polite">
        {text}
      </pre>
    </details>
  );
}
