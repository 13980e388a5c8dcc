/** Brings the query box of /docs/search to life: what is typed is read, what is run is shown, and the address keeps both. */
import { box, read } from './box.ts';
import { offerCopy } from '../../browser/copy.ts';
import { part } from '../../browser/element.ts';
import type { SearchRequest } from './request.ts';
import { hasResults, prepare, run } from './run.ts';

const form = part<HTMLFormElement>('try');
const command = part('command');
const copy = part<HTMLButtonElement>('copy');
const top = part<HTMLInputElement>('top');
const latest = part<HTMLInputElement>('latest');

const asked = (): SearchRequest => ({ query: box.value, query_type: top.checked ? 'Top' : 'Latest' });

/** The query has changed: it is read, and stands behind `#` in the address, where it can be linked to and no server sees it. */
function changed(): void {
  read(fill);
  prepare(asked());
  history.replaceState(null, '', box.value === '' ? location.pathname : `#${new URLSearchParams({ ...asked() })}`);
}

function fill(text: string): void {
  box.value = text;
  changed();
  box.focus();
}

/** Takes the query from the address, where it has one. */
function recall(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  box.value = given.get('query') ?? box.value;
  if (given.has('query_type')) (given.get('query_type') === 'Top' ? top : latest).checked = true;
  read(fill);
  prepare(asked());
}

box.addEventListener('input', changed);
// A query is one line: Enter runs it, unless it ends a choice of an input method.
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void run(asked());
});
for (const order of [latest, top]) {
  order.addEventListener('change', () => {
    changed();
    if (hasResults()) void run(asked());
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
addEventListener('hashchange', recall);

recall();
