/** The search over all pages of the documentation: a dialog over an index that is loaded when it is opened first. */
import MiniSearch, { type SearchResult } from 'minisearch';
import { render, useEffect, useMemo, useRef, useState, type VNode } from '../kit/frame.ts';
import type { FindEntry } from '../../server/http/docs/find-index.ts';

const mostShown = 20;

interface Index {
  readonly entries: readonly FindEntry[];
  readonly search: MiniSearch<FindEntry>;
}

let loading: Promise<Index> | undefined;

/** Loads the index. After a failure the next call tries again. */
function loadIndex(address: string): Promise<Index> {
  loading ??= fetch(address)
    .then((response) => {
      if (!response.ok) throw new Error(`the service answered ${response.status}`);
      return response.json() as Promise<readonly FindEntry[]>;
    })
    .then((entries) => {
      const search = new MiniSearch<FindEntry>({
        fields: ['title', 'names', 'text', 'within'],
        idField: 'href',
        searchOptions: {
          boost: { title: 5, names: 5, within: 0.5 },
          prefix: true,
          // Short words have no typing mistakes that are worth a guess.
          fuzzy: (term) => (term.length > 3 ? 0.2 : false),
          combineWith: 'AND',
        },
      });
      // A guide can have a name twice; the first one is where its link leads.
      search.addAll([...new Map(entries.toReversed().map((entry) => [entry.href, entry])).values()].toReversed());
      return { entries, search };
    })
    .catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
  return loading;
}

interface Hit {
  readonly entry: FindEntry;
  /** The words of the text that were found. */
  readonly terms: readonly string[];
}

/** What a text finds: the pages for an empty one. What has every word comes first, then what has any. */
function hitsOf({ entries, search }: Index, text: string): readonly Hit[] {
  const byHref = new Map(entries.toReversed().map((entry) => [entry.href, entry]));
  if (text.trim() === '')
    return entries
      .filter(({ href, within }) => within === 'Guide' || (within === 'API reference' && !href.includes('#')))
      .map((entry) => ({ entry, terms: [] }));
  const every = search.search(text);
  const found: readonly SearchResult[] = every.length > 0 ? every : search.search(text, { combineWith: 'OR' });
  return found.slice(0, mostShown).flatMap(({ id, terms }) => {
    const entry = byHref.get(String(id));
    return entry === undefined ? [] : [{ entry, terms }];
  });
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A text with what was found marked. */
function Marked({ text, terms }: { text: string; terms: readonly string[] }): VNode {
  if (terms.length === 0) return <>{text}</>;
  const parts = text.split(new RegExp(`(${terms.map(escaped).join('|')})`, 'giu'));
  return <>{parts.map((part, place) => (place % 2 === 1 ? <mark key={place}>{part}</mark> : part))}</>;
}

/** So many characters of a text are shown before and after the first that was found. */
const [before, after] = [40, 140];

function excerptOf({ entry: { text }, terms }: Hit): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const at = places.length === 0 || text.length <= before + after ? 0 : Math.min(...places);
  const start = at < before ? 0 : text.lastIndexOf(' ', at - before) + 1;
  const end = start + before + after;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

function Results(props: {
  hits: readonly Hit[];
  chosen: number;
  base: string;
  choose: (place: number) => void;
}): VNode {
  const { hits, chosen, base, choose } = props;
  return (
    <ul id="find-results" role="listbox" aria-label="Places in the documentation">
      {hits.map((hit, place) => (
        <li key={hit.entry.href} role="none">
          <a
            id={`find-${place}`}
            role="option"
            aria-selected={place === chosen}
            href={base + hit.entry.href}
            tabIndex={-1}
            onPointerMove={() => choose(place)}
          >
            <span class="find-title">
              <b>
                <Marked text={hit.entry.title} terms={hit.terms} />
              </b>
              <span class="hint">{hit.entry.within}</span>
            </span>
            <span class="find-text">
              <Marked text={excerptOf(hit)} terms={hit.terms} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const messageOf = (index: Index | undefined, error: string, count: number): string => {
  if (error !== '') return `The search is not available: ${error}.`;
  if (index === undefined) return 'Loading …';
  return count === 0 ? 'Nothing found. Try fewer or other words.' : '';
};

function useIndex(address: string): readonly [Index | undefined, string] {
  const [index, setIndex] = useState<Index>();
  const [error, setError] = useState('');
  useEffect(() => {
    loadIndex(address).then(setIndex, (reason: Error) => setError(reason.message));
  }, []);
  return [index, error];
}

function Find({ address, base, close }: { address: string; base: string; close: () => void }): VNode {
  const [index, error] = useIndex(address);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const box = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => (index === undefined ? [] : hitsOf(index, text)), [index, text]);
  useEffect(() => box.current?.focus(), []);
  useEffect(() => document.getElementById(`find-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen, hits]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || hits.length === 0) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((chosen + step + hits.length) % hits.length);
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const link = document.querySelector<HTMLAnchorElement>(`#find-${chosen}`);
    if (event.ctrlKey || event.metaKey) window.open(link?.href, '_blank', 'noopener');
    else link?.click();
  };
  return (
    // A click on a result leads away, or to another place of the same page.
    <div onClick={(event) => void ((event.target as Element).closest('a') !== null && close())}>
      <input
        ref={box}
        type="text"
        role="combobox"
        list={undefined}
        aria-label="Search the documentation"
        aria-expanded={hits.length > 0}
        aria-controls="find-results"
        aria-activedescendant={hits.length > 0 ? `find-${chosen}` : undefined}
        aria-autocomplete="list"
        placeholder="Operations, operators, settings, events …"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        maxLength={200}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p class="hint find-message" role="status">
        {messageOf(index, error, hits.length)}
      </p>
      {hits.length > 0 && <Results hits={hits} chosen={chosen} base={base} choose={setChosen} />}
      <p class="hint find-keys" aria-hidden="true">
        <kbd>↑</kbd> <kbd>↓</kbd> choose · <kbd>Enter</kbd> open · <kbd>Esc</kbd> close
      </p>
    </div>
  );
}

/** Opens the search. `address`: that of the index, beside which the pages of the documentation are. */
export function openFind(address: string): void {
  if (document.querySelector('dialog[open]') !== null) return;
  const dialog = document.createElement('dialog');
  dialog.id = 'find';
  dialog.setAttribute('aria-label', 'Search the documentation');
  document.body.append(dialog);
  dialog.addEventListener('click', (event) => void (event.target === dialog && dialog.close()));
  dialog.addEventListener('close', () => {
    render(null, dialog);
    dialog.remove();
  });
  dialog.showModal();
  render(<Find address={address} base={new URL('./', address).href} close={() => dialog.close()} />, dialog);
}
