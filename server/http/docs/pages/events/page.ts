/** The page /docs/events. */
import type { IncomingMessage } from 'node:http';
import type { Origin } from '../../../server/client-address.ts';
import type { OpenApiDocument } from '../../../../contract/openapi.ts';
import { html, type Content, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { frame } from './frames.ts';
import { memberTable } from '../members.ts';
import { nameOf } from '../../../../contract/openapi.ts';
import type { Message, Operation, Protocol } from './protocol.ts';
import { phrase, prose } from '../prose.ts';
import { sample } from '../sample.ts';
import { browser, curl, eventSource, httpOrigin, resume, sampleOrigin, shell, ws } from './samples.ts';
import { channelTable, closeTable, errorTable, eventTable, keyTable, limitTable } from './tables.ts';

const sections = {
  connect: 'Connect',
  channels: 'Channels',
  delivery: 'Delivery',
  commands: 'Commands',
  messages: 'Messages',
  errors: 'Errors',
  closing: 'Close codes',
  limits: 'Limits',
};
const heading = (id: keyof typeof sections): Html => html`<h2 id="${id}">${sections[id]}</h2>`;

/** The messages of an action, each once, in the order of the operations. */
function messagesOf(
  { operations, components: { messages } }: Protocol,
  wanted: (operation: Operation) => Operation['messages'],
): [name: string, message: Message][] {
  const names = new Set(Object.values(operations).flatMap(wanted).map(nameOf));
  return Array.from(names, (name) => [name, messages[name]!]);
}

/** What follows a command, or what a message follows. */
function exchange({ operations, components: { messages } }: Protocol, name: string): Content {
  const links = (references: Operation['messages']): Content =>
    references.map((reference, place) => [
      place === 0 ? '' : ', ',
      html`<a href="#${nameOf(reference)}"><code>${messages[nameOf(reference)]!.name}</code></a>`,
    ]);
  const own = Object.values(operations).find(
    (operation) => operation.action === 'receive' && operation.messages.some((reference) => nameOf(reference) === name),
  );
  if (own?.reply !== undefined) return ['Response: ', links(own.reply.messages), '.'];
  const answered = Object.values(operations).filter(({ reply }) =>
    reply?.messages.some((reference) => nameOf(reference) === name),
  );
  return answered.length === 0
    ? ''
    : ['In response to ', links(answered.flatMap((operation) => operation.messages)), '.'];
}

const article = (
  protocol: Protocol,
  document: OpenApiDocument,
  [name, message]: [string, Message],
): Html => html`<article id="${name}">
<div>
<h3><code>${message.name}</code> <span>${message.title}</span></h3>
<p>${phrase(message.summary)} ${exchange(protocol, name)}</p>
<details><summary>Members of <code>${nameOf(message.payload)}</code></summary>
${memberTable(nameOf(message.payload), document)}
</details>
</div>
<div>${message.examples.map(
  ({
    summary,
    payload,
  }) => html`${summary === undefined ? '' : html`<p class="about">${phrase(summary)}</p>`}${frame(payload)}
`,
)}</div>
</article>
`;

/** The page. The samples connect to the origin that `originOf` returns for a request. */
export function eventsPage(
  protocol: Protocol,
  document: OpenApiDocument,
  originOf: (request: IncomingMessage) => Origin,
): Page {
  const described = protocol.channels.events;
  return {
    name: 'events',
    place: 'events',
    styles: ['events'],
    title: 'Events',
    lead: html`Events in real time over one WebSocket: <code>${described.address}</code>. This page is generated from <a
href="../asyncapi.yaml">asyncapi.yaml</a>.<span data-interactive> <a href="../live">Live events</a> shows the events in the browser.</span>`,
    skip: { to: 'connect', words: 'Skip to the guide' },
    main: main(protocol, document),
    fill(page, request) {
      const { secure, host } = originOf(request);
      return host === undefined
        ? page
        : page
            .replaceAll(sampleOrigin, () => html`${secure ? 'wss' : 'ws'}://${host}`.html)
            .replaceAll(httpOrigin, () => html`${secure ? 'https' : 'http'}://${host}`.html);
    },
  };
}

type Described = Protocol['channels']['events'];
/** Renders the messages of the chosen operations. */
type Articles = (wanted: (operation: Operation) => Operation['messages']) => Html[];

const connectSection = (protocol: Protocol): Html => html`<section>
${heading('connect')}
${prose(protocol.info.description)}
<h3>In a browser, Node 22 or newer, Deno and Bun</h3>
${sample(browser, 'sample-browser')}
<h3>With the package <code>ws</code></h3>
${sample(ws, 'sample-ws')}
<h3>In a shell</h3>
<p>Type the second line after the connection opens.</p>
${sample(shell, 'sample-shell')}
<h3>For production: a client that resumes</h3>
<p>It reconnects, resumes by cursor, and ignores duplicates.</p>
${sample(resume, 'sample-resume')}
<h3>Without WebSockets</h3>
<p>The same events of one channel as server-sent events, at <code>/social/events</code>. The <code>id</code> of an event is its cursor: a client
that connects again sends it as <code>Last-Event-ID</code>. See <a href="./api/streamEvents">the API reference</a>.</p>
${sample(curl, 'sample-curl')}
<p>An <code>EventSource</code> connects again by itself. A page has a short-lived token in place of the key; when the token ends, the page makes a
new <code>EventSource</code>, with a new token and the last id as <code>cursor</code>.</p>
${sample(eventSource, 'sample-event-source')}
<h3>The key</h3>
<p>Send the key in exactly one of these ways.</p>
${keyTable(protocol)}
</section>`;

const channelsSection = (described: Described): Html => html`<section>
${heading('channels')}
<p>A subscription has one channel and exactly one of its parameters. A connection can have many subscriptions.</p>
<div class="of-channels">${channelTable(described)}</div>
<h3>Events</h3>
<div class="of-events">${eventTable(described)}</div>
</section>`;

const deliverySection = (described: Described): Html => html`<section class="prose">
${heading('delivery')}
${prose(described.description)}
</section>`;

const commandsSection = (articles: Articles): Html => html`<section>
${heading('commands')}
<p>Messages from the client. Choose an <code>id</code> of up to 64 characters; the response repeats it.</p>
${articles(({ action, messages }) => (action === 'receive' ? messages : []))}
</section>`;

const messagesSection = (articles: Articles): Html => html`<section>
${heading('messages')}
<p>Messages from the server.</p>
${articles(({ action, messages, reply }) => [...(action === 'send' ? messages : []), ...(reply?.messages ?? [])])}
</section>`;

const errorsSection = (described: Described): Html => html`<section>
${heading('errors')}
<p>The values of <code>code</code> in the message <a href="#error"><code>error</code></a>. The connection stays open.</p>
<div class="of-errors">${errorTable(described)}</div>
</section>`;

const closingSection = (described: Described): Html => html`<section>
${heading('closing')}
<p>4000–4099: do not reconnect without a change. 4100–4199: wait a second or more, longer each time. 4200–4299: reconnect
now. Most clients report 1006 for a connection that was lost without a code: reconnect with exponential backoff and jitter.</p>
<div class="of-closing">${closeTable(described)}</div>
<p>The server rejects two requests over HTTP, before the upgrade: a path other than <code>${described.address}</code> with 404,
and a page of an origin that is not allowed with 403.</p>
</section>`;

const limitsSection = (described: Described): Html => html`<section>
${heading('limits')}
<p>The default values. <a href="#connected"><code>connected</code></a> reports the most important ones of this server.</p>
<div class="of-limits">${limitTable(described)}</div>
</section>`;

function main(protocol: Protocol, document: OpenApiDocument): Html {
  const described = protocol.channels.events;
  const articles: Articles = (wanted) =>
    messagesOf(protocol, wanted).map((message) => article(protocol, document, message));
  return html`<nav class="contents" aria-label="On this page">${Object.entries(sections).map(([id, title]) => html`<a href="#${id}">${title}</a> `)}</nav>
${connectSection(protocol)}

${channelsSection(described)}

${deliverySection(described)}

${commandsSection(articles)}

${messagesSection(articles)}

${errorsSection(described)}

${closingSection(described)}

${limitsSection(described)}`;
}
