/** A first request in four languages, with this host and the key, and its answer beside it. */
import {
  askForKey,
  baseUrl,
  Choice,
  Code,
  CopyButton,
  Fault,
  Loading,
  languages,
  send,
  useKey,
  useLoaded,
  useState,
  written,
  type Language,
  type Schemas,
} from '../kit/index.ts';

const request = { path: '/social/tweet/advanced_search', parameters: { query: '-filter:replies', limit: 1 } } as const;

const socket = (key: string | undefined): string => `// A browser, Node 22 or newer, Deno or Bun
const key = ${key === undefined ? 'process.env.API_KEY' : JSON.stringify(key)};
const socket = new WebSocket('${baseUrl.replace(/^http/, 'ws')}/ws?api_key=' + key);
socket.onopen = () => socket.send(JSON.stringify({
  type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: '-filter:replies' },
}));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`;

const tabs = [...languages, 'WebSocket'] as const;
type Tab = Language | 'WebSocket';

function Answer({ apiKey }: { apiKey: string }) {
  const answer = useLoaded(apiKey, (signal) => send<Schemas['TweetShortPage']>(request, signal));
  if (answer.is === 'loading') return <Loading rows={2} />;
  if (answer.is === 'failed') return <Fault error={answer.error} retry={answer.retry} />;
  return <Code text={JSON.stringify(answer.data, null, 2)} name="The answer" />;
}

export function FirstCall() {
  const key = useKey();
  const [tab, setTab] = useState<Tab>('curl');
  const [isClear, setClear] = useState(false);
  const shown = isClear && key !== '' ? key : undefined;
  const text = tab === 'WebSocket' ? socket(shown) : written(tab, request, shown);
  return (
    <section aria-labelledby="first-title">
      <h2 class="section-title" id="first-title">
        A first request
      </h2>
      <div class="halves">
        <div class="panel">
          <div class="row spread">
            <Choice<Tab> name="Language" values={tabs} value={tab} choose={setTab} />
            <CopyButton text={() => text} />
          </div>
          <Code text={text} name={`The request in ${tab}`} />
          {key !== '' && (
            <label class="check">
              <input type="checkbox" checked={isClear} onChange={() => setClear(!isClear)} /> Show my key in it
            </label>
          )}
        </div>
        <div class="panel answer">
          <h3>The answer</h3>
          {key === '' ? (
            <>
              <p>Enter an API key to run it here.</p>
              <button type="button" class="primary" onClick={() => askForKey()}>
                Enter a key
              </button>
            </>
          ) : (
            <Answer apiKey={key} />
          )}
        </div>
      </div>
    </section>
  );
}
