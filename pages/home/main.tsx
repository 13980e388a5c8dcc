/** The home page: what runs here, where to go, the newest tweets, a first request with its answer, and what to do first. */
import { useEffect, useState, mount, root, setTitle } from '../kit/index.ts';
import { Checklist } from './checklist.tsx';
import { FirstCall } from './first-call.tsx';
import { Newest } from './newest.tsx';
import { readOverview, type Overview } from './overview.ts';
import { Stats } from './stats.tsx';

const tiles = [
  ['explore', 'Explore', 'Search what is here, open profiles and threads, and see new tweets arrive.'],
  ['ask', 'Ask', 'Let the assistant explain a tweet, with its sources, and ask on.'],
  ['live', 'Live', 'Watch events as they happen, each with its frame.'],
  ['docs/', 'Build', 'Every operation with examples in curl, TypeScript and Python.'],
] as const;

/** How often the numbers are read again, in milliseconds. */
const everyMs = 10_000;

/** The overview and the one before it, for rates. */
function useOverview(): readonly [now: Overview | undefined, before: Overview | undefined] {
  const [pair, setPair] = useState<readonly [Overview | undefined, Overview | undefined]>([undefined, undefined]);
  useEffect(() => {
    const read = (): void => {
      if (document.hidden) return;
      readOverview().then(
        (overview) => setPair(([now]) => [overview, now]),
        () => {},
      );
    };
    read();
    // The second reading comes soon, for the rate.
    const second = setTimeout(read, everyMs / 4);
    const timer = setInterval(read, everyMs);
    return () => {
      clearTimeout(second);
      clearInterval(timer);
    };
  }, []);
  return pair;
}

function Home() {
  const [now, before] = useOverview();
  useEffect(() => setTitle('Home'), []);
  return (
    <>
      <div class="hero">
        <h1>Your social data, on your own service</h1>
        <p>Search, read, follow and ask: over REST, over a WebSocket, or here.</p>
      </div>
      <Stats now={now} before={before} />
      <ul class="tiles">
        {tiles.map(([path, title, text]) => (
          <li key={path}>
            <a class="tile" href={root + path}>
              <b>{title}</b>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <Newest />
      <FirstCall />
      <Checklist overview={now} />
    </>
  );
}

mount(Home);
