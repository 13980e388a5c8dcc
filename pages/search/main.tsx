/** The query box of /docs/search: reads the query at each input, runs it, and has the query in the address, which can be linked. */
import {
  ListView,
  render,
  RequestLine,
  TweetCard,
  useEffect,
  useList,
  useMemo,
  useState,
  type VNode,
} from '../kit/index.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { parse } from '../../server/search/language/parse.ts';
import { parseQueryError, tooLong, type QueryError } from '../query/query-error.ts';
import { QueryErrorPlace } from '../query/query-error-place.tsx';
import { readingOf, type Reading, type Span } from '../query/reading.ts';
import { QueryTree } from '../query/tree.tsx';
import { QueryBox, type Mark } from './box.tsx';
import { addressOf, apiRequest, requestOf, type SearchRequest } from './request.ts';
import { SqlDetails } from './sql.tsx';

/** Absent from a copy of the page without a service. */
const place = document.getElementById('app');
/** Maximum number of characters of a query, from the contract. */
const maxCharacters = Number(place?.dataset['most']);

type ReadQuery =
  | { readonly is: 'empty' }
  | { readonly is: 'read'; readonly reading: Reading }
  | { readonly is: 'wrong'; readonly message: string; readonly error: QueryError };

/** The number of characters as JSON Schema counts them: one beyond the Basic Multilingual Plane is one character. */
const lengthOf = (text: string): number => [...text].length;

function read(text: string): ReadQuery {
  if (text.trim() === '') return { is: 'empty' };
  try {
    if (lengthOf(text) > maxCharacters) throw tooLong(lengthOf(text), maxCharacters);
    return { is: 'read', reading: readingOf(parse(text)) };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { is: 'wrong', message: error.message, error: parseQueryError(error.message) };
  }
}

/** The part of a text that an error is about. */
function faultMark(query: ReadQuery, text: string): Mark | undefined {
  if (query.is !== 'wrong' || query.error.offset === undefined) return undefined;
  const { offset, wrong = text.slice(query.error.offset)[0] ?? '' } = query.error;
  return { at: offset, end: offset + wrong.length, kind: 'fault' };
}

const box = (): HTMLTextAreaElement | null => document.querySelector<HTMLTextAreaElement>('#query');

function select({ at, end }: Span): void {
  box()?.focus();
  box()?.setSelectionRange(at, end);
}

function ParsedQuery(props: {
  query: ReadQuery;
  text: string;
  highlight: (span: Span | undefined) => void;
  applyFix: (text: string) => void;
}): VNode {
  const { query, text, highlight, applyFix } = props;
  const verdicts = { empty: 'Type a query, or choose an example below.', read: 'Read as:' } as const;
  return (
    <section aria-labelledby="read-title">
      <h2 id="read-title">Parsed query</h2>
      <p id="verdict" class={query.is === 'wrong' ? 'wrong' : ''} aria-live="polite">
        {query.is === 'wrong' ? query.message : verdicts[query.is]}
      </p>
      <div id="reading">
        {query.is === 'read' && <QueryTree reading={query.reading} text={text} listener={{ highlight, select }} />}
        {query.is === 'wrong' && <QueryErrorPlace error={query.error} text={text} applyFix={applyFix} />}
      </div>
    </section>
  );
}

/** A request that was run, and how often the reader has run one. */
interface Run {
  readonly request: SearchRequest;
  readonly round: number;
}

function countText({ items, hasMore, isLoading, error }: ReturnType<typeof useList>): string {
  if (isLoading) return 'Searching …';
  if (error !== undefined) return 'The service refused the query, or cannot be reached.';
  if (items.length === 0) return 'Nothing found.';
  return `${items.length} ${items.length === 1 ? 'tweet' : 'tweets'}${hasMore ? ' so far' : ''}.`;
}

function Results({ request }: { request: SearchRequest }): VNode {
  const list = useList<Parameters<typeof TweetCard>[0]['tweet']>(apiRequest(request), 'tweets');
  return (
    <>
      <p id="status" role="status">
        {countText(list)}
      </p>
      <ListView
        list={list}
        name="Results"
        continues="button"
        draw={(tweet) => <TweetCard tweet={tweet} />}
        empty={<></>}
      />
    </>
  );
}

function Found({ run, text }: { run: Run | undefined; text: string }): VNode {
  return (
    <section aria-labelledby="found-title">
      <h2 id="found-title">Results</h2>
      {run === undefined ? (
        <p id="status" role="status">
          No results yet: press Run, or Enter in the box.
        </p>
      ) : (
        <>
          {run.request.query !== text && (
            <p id="outdated" role="status">
              The query has changed since these results.
            </p>
          )}
          <Results key={run.round} request={run.request} />
        </>
      )}
    </section>
  );
}

const orders = ['Latest', 'Top'] as const;

function Order(props: {
  value: SearchRequest['query_type'];
  choose: (value: SearchRequest['query_type']) => void;
}): VNode {
  return (
    <fieldset>
      <legend>Order</legend>
      {orders.map((order) => (
        <label key={order}>
          <input type="radio" name="query_type" checked={order === props.value} onChange={() => props.choose(order)} />{' '}
          {order}
        </label>
      ))}
    </fieldset>
  );
}

/** Calls `fill` with the query of each example that the reader clicks, and with that of the address when it changes. */
function useExamples(fill: (request: SearchRequest) => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('a.example');
      const request = link === null ? undefined : requestOf(link.hash);
      if (request === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      fill(request);
      box()?.focus({ preventScroll: true });
      place?.scrollIntoView({ block: 'start' });
    };
    const onHash = (): void => {
      const request = requestOf(location.hash);
      if (request !== undefined) fill(request);
    };
    document.addEventListener('click', onClick);
    addEventListener('hashchange', onHash);
    return () => {
      document.removeEventListener('click', onClick);
      removeEventListener('hashchange', onHash);
    };
  }, []);
}

function Form(props: {
  request: SearchRequest;
  mark: Mark | undefined;
  change: (request: SearchRequest) => void;
  /** The reader wants another order. */
  reorder: (order: SearchRequest['query_type']) => void;
  run: () => void;
}): VNode {
  const { request, mark, change, reorder, run } = props;
  const characters = lengthOf(request.query);
  return (
    <form
      class="query-form"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <label for="query">Query</label>
      <QueryBox text={request.query} mark={mark} change={(query) => change({ ...request, query })} run={run} />
      <div class="controls">
        <Order value={request.query_type} choose={reorder} />
        <button type="submit" class="run primary">
          Run
        </button>
        {characters > maxCharacters * 0.8 && (
          <span class="hint" id="counter">
            {characters} of {maxCharacters} characters
          </span>
        )}
      </div>
    </form>
  );
}

function SearchBox(): VNode {
  const [request, setRequest] = useState<SearchRequest>(
    () => requestOf(location.hash) ?? { query: '', query_type: 'Latest' },
  );
  const [run, setRun] = useState<Run>();
  const [looked, setLooked] = useState<Span>();
  const { query: text } = request;
  const query = useMemo(() => read(text), [text]);
  const change = (next: SearchRequest): void => {
    setRequest(next);
    setLooked(undefined);
    history.replaceState(null, '', addressOf(next));
  };
  const fix = (next: string): void => {
    change({ ...request, query: next });
    box()?.focus();
  };
  const start = (next = request): void => setRun({ request: next, round: (run?.round ?? 0) + 1 });
  const reorder = (query_type: SearchRequest['query_type']): void => {
    change({ ...request, query_type });
    if (run !== undefined) start({ ...request, query_type });
  };
  useExamples(change);
  const mark: Mark | undefined = looked === undefined ? faultMark(query, text) : { ...looked, kind: 'looked' };
  return (
    <>
      <Form request={request} mark={mark} change={change} reorder={reorder} run={() => start()} />
      <div class="outcome">
        <ParsedQuery query={query} text={text} highlight={setLooked} applyFix={fix} />
        <div>
          <Found run={run} text={text} />
          {text !== '' && <RequestLine request={apiRequest(request)} />}
          <SqlDetails request={run?.request ?? request} round={run?.round ?? 0} />
        </div>
      </div>
    </>
  );
}

place?.replaceChildren();
if (place !== null) render(<SearchBox />, place);
