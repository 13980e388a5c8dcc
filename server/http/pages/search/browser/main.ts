/** The query box of /docs/search: how a query is read while it is typed, and what it finds. */
import { ServiceError } from '../../../../errors.ts';
import { parse } from '../../../../search/parse.ts';
import { element } from './element.ts';
import { knownKey, keepKey } from './key.ts';
import { readingOf, type Reading } from './reading.ts';
import { curl, send, type SearchRequest } from './request.ts';
import { cards, refusal } from './results.ts';
import { drawFault, faultOf, tooLong } from './fault.ts';
import { drawTree } from './tree.ts';

const part = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;
const form = part<HTMLFormElement>('try');
const box = part<HTMLTextAreaElement>('query');
const mirror = part('mirror');
const counter = part('counter');
const reading = part('reading');
const verdict = part('verdict');
const keyBox = part<HTMLInputElement>('key');
const results = part<HTMLOListElement>('results');
const status = part('status');
const outdated = part('outdated');
const more = part<HTMLButtonElement>('more');
const command = part('command');
const copy = part<HTMLButtonElement>('copy');
const mostCharacters = Number(box.dataset.most);

/** The query of the results on show. */
let shownFor = '';

/** Shows a piece of the query where it stands, behind the text of the box. */
function mark(place: Reading['place'], kind: 'looked' | 'fault' = 'looked'): void {
  const text = box.value;
  const { at, end } = place ?? { at: text.length, end: text.length };
  const marked = at < end ? [element('mark', { class: kind }, [text.slice(at, end)])] : [];
  // The blank keeps the last line as high as the box has it.
  mirror.replaceChildren(text.slice(0, at), ...marked, `${text.slice(end)} `);
}

function select({ at, end }: NonNullable<Reading['place']>): void {
  box.focus();
  box.setSelectionRange(at, end);
}

const orderOf = (): SearchRequest['query_type'] => (new FormData(form).get('query_type') === 'Top' ? 'Top' : 'Latest');
const asked = (): SearchRequest => ({ query: box.value, query_type: orderOf() });

/** Reads what is in the box, and shows how. */
function read(): void {
  const text = box.value;
  // As JSON Schema counts them: a character beyond the Basic Multilingual Plane is one.
  const characters = [...text].length;
  counter.textContent = characters > mostCharacters * 0.8 ? `${characters} of ${mostCharacters} characters` : '';
  command.textContent = text === '' ? '' : curl(asked());
  outdated.hidden = results.children.length === 0 || text === shownFor;
  mark(undefined);
  verdict.className = '';
  if (text.trim() === '') {
    verdict.textContent = 'Type a query, or choose an example below.';
    reading.replaceChildren();
    return;
  }
  try {
    if (characters > mostCharacters) throw tooLong(characters, mostCharacters);
    const tree = readingOf(parse(text));
    verdict.textContent = 'Read as:';
    reading.replaceChildren(drawTree(tree, text, { look: mark, choose: select }));
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fault = faultOf(error.message);
    verdict.className = 'wrong';
    verdict.textContent = error.message;
    if (fault.at !== undefined) mark({ at: fault.at, end: Math.max(fault.at + 1, fault.at + (fault.wrong?.length ?? 0)) }, 'fault');
    reading.replaceChildren(...drawFault(fault, text, (mended) => fill(mended)));
  }
}

function fill(text: string): void {
  box.value = text;
  remember();
  read();
  box.focus();
}

/** The query stands behind `#` in the address: it can be linked to, and no server sees it there. */
function remember(): void {
  history.replaceState(null, '', box.value === '' ? location.pathname : `#${new URLSearchParams({ ...asked() })}`);
}

function recall(): void {
  const given = new URLSearchParams(location.hash.slice(1));
  const query = given.get('query');
  if (query === null) return;
  box.value = query;
  const order = form.querySelector<HTMLInputElement>(`[value="${given.get('query_type') === 'Top' ? 'Top' : 'Latest'}"]`);
  if (order !== null) order.checked = true;
  read();
}

let running: AbortController | undefined;
/** What the next page is asked with. */
let next: SearchRequest | undefined;

async function run(request: SearchRequest): Promise<void> {
  running?.abort();
  const { signal } = (running = new AbortController());
  const first = request.cursor === undefined;
  shownFor = request.query;
  outdated.hidden = true;
  if (first) results.replaceChildren();
  results.setAttribute('aria-busy', 'true');
  more.hidden = true;
  status.textContent = 'Asking …';
  command.textContent = curl(request);
  try {
    const answer = await send(request, keyBox.value.trim(), signal);
    if ('refusal' in answer) {
      status.textContent = `The server refused, after ${answer.ms} ms.`;
      results.append(element('li', {}, [refusal(answer, answer.refusal)]));
      if (answer.status === 401) keyBox.focus();
      return;
    }
    keepKey(keyBox.value.trim());
    const shown = cards(answer.page);
    results.append(...shown);
    const count = results.children.length;
    const { next_cursor } = answer.page;
    status.textContent = count === 0 ? `Nothing found, in ${answer.ms} ms.` : `${count} ${count === 1 ? 'tweet' : 'tweets'}${next_cursor === null ? '' : ' so far'}, in ${answer.ms} ms.`;
    next = next_cursor === null ? undefined : { ...request, cursor: next_cursor };
    more.hidden = next === undefined;
    if (!first) shown[0]?.focus();
  } catch (error) {
    if (signal.aborted) return;
    status.textContent = `The server could not be reached: ${(error as Error).message}`;
  } finally {
    if (running?.signal === signal) results.removeAttribute('aria-busy');
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  remember();
  void run(asked());
});
form.addEventListener('change', (event) => {
  if ((event.target as HTMLInputElement).name !== 'query_type') return;
  remember();
  read();
  if (results.children.length > 0) void run(asked());
});
box.addEventListener('input', () => {
  read();
  remember();
});
// A query is one line: Enter runs it, unless it ends a choice of an input method.
box.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
more.addEventListener('click', () => void (next !== undefined && run(next)));
// Browsers have the clipboard only where the page came over TLS or from this machine.
copy.hidden = !isSecureContext;
copy.addEventListener('click', async () => {
  await navigator.clipboard.writeText(command.textContent ?? '');
  copy.textContent = 'Copied';
  setTimeout(() => (copy.textContent = 'Copy'), 1500);
});
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a.example');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  fill(new URLSearchParams(link.hash.slice(1)).get('query') ?? '');
  form.scrollIntoView({ block: 'start' });
});
keyBox.addEventListener('change', () => void (keyBox.value === '' && keepKey('')));
addEventListener('hashchange', recall);

keyBox.value = knownKey();
recall();
read();
