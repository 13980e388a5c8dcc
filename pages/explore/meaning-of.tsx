/** What the query means, by the parser of the service, whose script is loaded when the reader asks. */
import { Fault, Loading, root, useLoaded, type VNode } from '../kit/index.ts';

/** The script beside this one, by an address that the bundler leaves alone. */
const script = './meaning.js';

/** Puts a part of the query into the selection of the search box in the header. */
function select(at: number, end: number): void {
  const box = document.querySelector<HTMLInputElement>('#site-search');
  if (box === null) return;
  box.focus();
  box.setSelectionRange(at, end);
}

/** `isTyped`: whether the query is that of the search box. */
export function MeaningOf({ query, isTyped }: { query: string; isTyped: boolean }): VNode {
  const loaded = useLoaded('meaning', () => import(script) as Promise<typeof import('../meaning/main.tsx')>);
  return (
    <>
      {loaded.is === 'loading' && <Loading rows={1} name="Loading the meaning" />}
      {loaded.is === 'failed' && <Fault error={loaded.error} retry={loaded.retry} />}
      {loaded.is === 'ready' && <loaded.data.Meaning query={query} select={isTyped ? select : () => {}} />}
      <p class="hint">
        <a href={`${root}docs/search`}>The query language</a> has all operators, with examples.
      </p>
    </>
  );
}
