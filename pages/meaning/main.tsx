/** What a query means: its syntax tree in words. It has the parser of the service, so a page loads it only when a reader asks. */
import { ServiceError } from '../../server/contract/service-error.ts';
import { parse } from '../../server/search/language/parse.ts';
import type { VNode } from '../kit/frame.ts';
import { readingOf, type Reading } from '../query/reading.ts';
import { QueryTree } from '../query/tree.tsx';

/** The reading of a query, or the message of its error. */
function read(query: string): Reading | string {
  try {
    return readingOf(parse(query));
  } catch (error) {
    if (error instanceof ServiceError) return error.message;
    throw error;
  }
}

/** `select` receives the place of a part in the query, when the reader chooses it. */
export function Meaning({ query, select }: { query: string; select: (at: number, end: number) => void }): VNode {
  const reading = read(query);
  if (typeof reading === 'string') return <p class="wrong">{reading}</p>;
  return (
    <QueryTree
      reading={reading}
      text={query}
      listener={{ highlight: () => {}, select: ({ at, end }) => select(at, end) }}
    />
  );
}
