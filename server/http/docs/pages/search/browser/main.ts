/** The script of /docs/search: parses the query at each input, runs it, and stores the query in the URL. */
import { box, read } from './box.ts';
import { offerCopy } from '../../browser/copy.ts';
import { part } from '../../browser/element.ts';
import type { SearchRequest } from './request.ts';
import { hasResults, prepare, run } from './run.ts';
import { explain, onOpen } from './sql.ts';

const form = part<HTMLFormElement>('try');
const command = part('command');
const copy = part<HTMLButtonElement>('copy');
const top = part<HTMLInputElement>('top');
const latest = part<HTMLInputElement>('latest');

const currentRequest = (): SearchRequest => ({ query: box.value, query_type: top.checked ? 'Top' : 'Latest' });

/**
 * Handles a change of the query: parses it, and stores it in the fragment of the URL, which can be linked and which
 * browsers never send to a server.
 */
function onQueryChange(): void {
  read(fill);
  prepare(currentRequest());
  history.replaceState(
    null,
    '',
    box.value === '' ? location.pathname : `#${new URLSearchParams({ ...currentRequest() })}`,
  );
}

function fill(text: string): void {
  box.value = text;
  onQueryChange();
  box.focus();
}

/** Restores the query from the URL, if it contains one. */
function restoreQuery(): void {
  const parameters = new URLSearchParams(location.hash.slice(1));
  box.value = parameters.get('query') ?? box.value;
  if (parameters.has('query_type')) (parameters.get('query_type') === 'Top' ? top : latest).checked = true;
  read(fill);
  prepare(currentRequest());
}

box.addEventListener('input', onQueryChange);
// A query has one line, so Enter runs it, unless it confirms the choice of an input method.
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(currentRequest());
  void explain(currentRequest());
});
onOpen(() => void explain(currentRequest()));
for (const order of [latest, top]) {
  order.addEventListener('change', () => {
    onQueryChange();
    if (hasResults()) void run(currentRequest());
  });
}

offerCopy(copy, () => command.textContent ?? '');

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a.example');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  fill(new URLSearchParams(link.hash.slice(1)).get('query') ?? '');
  form.scrollIntoView({ block: 'start' });
});
addEventListener('hashchange', restoreQuery);

restoreQuery();
