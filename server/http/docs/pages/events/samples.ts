/** Sample programs. The tests run them with another address and key. */
import type { Schemas } from '../../../../contract/operations.ts';

/** The origin of the service in the samples. The page replaces it with the origin that its reader uses. */
export const sampleOrigin = 'ws://127.0.0.1:3000';
const url = `${sampleOrigin}/ws`;
const first = JSON.stringify({
  type: 'subscribe',
  id: '1',
  channel: 'search:tweets',
  params: { query: '-filter:replies' },
} satisfies Schemas['WsSubscribe']);

export const browser = `const socket = new WebSocket('${url}?api_key=KEY');
socket.onmessage = ({ data }) => console.log(JSON.parse(data));
socket.onopen = () => socket.send('${first}');
`;

export const ws = `const socket = new WebSocket('${url}', { headers: { 'x-api-key': 'KEY' } });
socket.on('message', (data) => console.log(JSON.parse(data)));
socket.on('open', () => socket.send('${first}'));
`;

export const shell = `npx wscat -H 'x-api-key: KEY' -c ${url}
${first}
`;

/** As `sampleOrigin`, for HTTP. */
export const httpOrigin = 'http://127.0.0.1:3000';
const events = `${httpOrigin}/social/events?channel=search:tweets&query=-filter:replies`;

export const curl = `curl -N -H 'x-api-key: KEY' '${events}'
`;

export const eventSource = `const events = new EventSource('${events}&api_key=KEY');
events.onmessage = ({ data }) => console.log(JSON.parse(data));
`;

export const resume = `const url = '${url}?api_key=KEY';
const subscribe = ${first};
const seen = new Set();
let cursor;
let failures = 0;

function listen() {
  const socket = new WebSocket(url);
  let after;
  socket.onopen = () => socket.send(JSON.stringify({ ...subscribe, cursor, on_gap: 'continue' }));
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    // The cursor of "connected" is the end of the log, not the position of this client.
    if (message.type === 'connected') return;
    if (message.type === 'subscribed') failures = 0;
    if (message.type === 'going_away') after = message.reconnect_after_ms;
    if (message.type === 'gap') console.error('missing, see', message.hint);
    if (message.type === 'error') console.error(message.error);
    if (message.type === 'event' && !seen.has(message.event_id)) {
      seen.add(message.event_id);
      if (message.event === 'tweet.deleted') seen.delete('tweet.created:' + message.data.id);
      console.log(message.event, message.data.id);
    }
    cursor = message.cursor ?? cursor;
  };
  socket.onclose = ({ code, reason }) => {
    const never = (code >= 4000 && code < 4100) || [1002, 1003, 1007, 1009].includes(code);
    if (never) return console.error(code, reason);
    const least = code >= 4100 && code < 4200 ? 1000 : 0;
    setTimeout(listen, after ?? least + Math.random() * Math.min(30_000, 250 * 2 ** failures++));
  };
}
listen();
`;
