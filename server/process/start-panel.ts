/** The lines that a start prints on standard output. */
import manifest from '../../package.json' with { type: 'json' };

/** What the operator needs to know about a start. */
export interface StartFacts {
  readonly url: string;
  /** The key that this start created. It cannot be shown again. */
  readonly firstKey: string | undefined;
  /** The operator's key that this start created. It cannot be shown again. */
  readonly operatorKey: string | undefined;
  /** The number of stored keys, and of keys in `API_KEYS`. */
  readonly keys: { readonly stored: number; readonly configured: number };
  /** Whether to suggest a replay of the bundled sample: not during one, without the sample, or where the platform supports none. */
  readonly suggestsReplay: boolean;
}

const title = `Social Data ${manifest.version}`;

/** The first line of a start: it comes before the modules of the service are loaded. */
export const startLine = (dataDir: string): string => `starting ${title} with the data in ${dataDir}`;

/** The address to open in a browser: a socket that listens on every address is reached by the one of this machine. */
const reachable = (url: string): string => url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');

function describeKeys({ stored, configured }: StartFacts['keys']): string {
  const counts = [
    ...(stored > 0 ? [`${stored} stored`] : []),
    ...(configured > 0 ? [`${configured} in API_KEYS`] : []),
  ].join(', ');
  return `${counts}; to create one: npm run keys -- create --name NAME`;
}

/** A first call that succeeds in every archive. */
function exampleCall(url: string, key: string): string {
  // Without `-g`, curl reads the brackets of an IPv6 address as a range.
  const options = url.includes('[') ? '-g ' : '';
  return `curl ${options}-H 'x-api-key: ${key}' '${url}/social/tweet/advanced_search?query=coffee&limit=1'`;
}

/**
 * The last lines of a start: the address in a form that programs can find (`listening on URL`), then a panel. The panel of
 * the start that creates the first key shows it, with a call that works as it is pasted.
 */
export function startPanel({ url, firstKey, operatorKey, keys, suggestsReplay }: StartFacts): string {
  const base = reachable(url);
  const rows: (readonly [name: string, text: string])[] = [['open', base]];
  if (firstKey === undefined) rows.push(['API keys', describeKeys(keys)]);
  else rows.push(['API key', `${firstKey}  (shown only once: store it)`], ['try', exampleCall(base, firstKey)]);
  if (operatorKey !== undefined) rows.push(['operator', `${operatorKey}  (for ${base}/operate; shown only once)`]);
  rows.push(['live', `${base}/live${suggestsReplay ? '  (npm start -- --replay replays the sample there)' : ''}`]);
  const lines = rows.map(([name, text]) => `  ${name.padEnd(10)}${text}`);
  return [`listening on ${url}`, '', `  ${title} is ready`, '', ...lines, ''].join('\n');
}
