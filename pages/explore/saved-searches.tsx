/** The saved searches of the key: open, save this one, delete. */
import { Fault, Loading, client, searchHref, useLoaded, useRef, useState, type VNode } from '../kit/index.ts';

/** The most characters of the name of a saved search. */
const maxName = 100;

function Row({ id, name, query, onDone }: { id: string; name: string; query: string; onDone: () => void }): VNode {
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const remove = (): void => void client.searches.deleteSavedSearch({ search_id: id }).then(onDone, setError);
  return (
    <li class="saved-row">
      <a href={searchHref(query)}>
        <bdi class="name">{name}</bdi>
        {name !== query && <code>{query}</code>}
      </a>
      {isAsked ? (
        <span class="row" role="group" aria-label={`Delete ${name}?`}>
          <button type="button" class="small danger" ref={(button) => button?.focus()} onClick={remove}>
            Delete it
          </button>
          <button type="button" class="small" onClick={() => setAsked(false)}>
            Keep it
          </button>
        </span>
      ) : (
        <button type="button" class="small" aria-label={`Delete ${name}`} onClick={() => setAsked(true)}>
          Delete
        </button>
      )}
      {error !== undefined && <Fault error={error} retry={remove} />}
    </li>
  );
}

function SaveForm({ query, onDone }: { query: string; onDone: () => void }): VNode {
  const [name, setName] = useState(query.slice(0, maxName));
  const [error, setError] = useState<unknown>(undefined);
  const [isBusy, setBusy] = useState(false);
  const save = (): void => {
    setBusy(true);
    setError(undefined);
    client.searches
      .createSavedSearch({ name: name.trim(), query })
      .then(onDone, setError)
      .finally(() => setBusy(false));
  };
  return (
    <form
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label for="saved-name">Save this search as</label>
      <div class="row">
        <input
          id="saved-name"
          class="grow"
          type="text"
          required
          maxLength={maxName}
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isBusy || name.trim() === ''}>
          Save
        </button>
      </div>
      {error !== undefined && <Fault error={error} retry={save} />}
    </form>
  );
}

/** `query`: the search of the page, which can be saved; empty without one. */
export function SavedSearches({ query }: { query: string }): VNode {
  const [round, setRound] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const loaded = useLoaded(`saved ${round}`, (signal) => client.searches.listSavedSearches({}, { signal }));
  const reload = (): void => setRound((before) => before + 1);
  if (loaded.is === 'loading') return <Loading rows={1} name="Loading the saved searches" />;
  if (loaded.is === 'failed') return <Fault error={loaded.error} retry={loaded.retry} />;
  const { searches } = loaded.data;
  const isSaved = searches.some((each) => each.query === query);
  return (
    <>
      {searches.length === 0 ? (
        <p class="hint">No search is saved with this key yet.</p>
      ) : (
        <ul class="saved" ref={list}>
          {searches.map(({ id, name, query: saved }) => (
            <Row key={id} id={id} name={name} query={saved} onDone={reload} />
          ))}
        </ul>
      )}
      {query !== '' && !isSaved && <SaveForm query={query} onDone={reload} />}
      {query !== '' && isSaved && <p class="hint">This search is saved.</p>}
      <p class="hint">
        A saved search can also send its tweets to a webhook: see <code>/social/searches</code> in the API reference.
      </p>
    </>
  );
}
