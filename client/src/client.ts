/** The client: the interface of openapi-fetch, and one method for each operation of the contract. */
import { keyNames, table, type Methods } from '../../generated/client.ts';
import type { AnswerStream } from './ask.ts';
import { assistantOf, type AssistantMethods } from './assistant.ts';
import type { CallOf } from './operation-call.ts';
import type { Item, OperationId } from './contract.ts';
import type { Parameters } from './parameters.ts';
import { defined } from './defined.ts';
import type { EventOptions, EventStream, OpenStream, Subscription } from './event-stream.ts';
import type { EventOf, Selection } from './events.ts';
import type { FetchClient } from './fetch-client.ts';
import { lazyIterator, onDemand } from './on-demand.ts';
import type { CallOptions, ListOptions } from './options.ts';
import { clientOf, type ClientOptions, type OpenLater } from './methods.ts';
import { settingsOf } from './options.ts';
import { Transport } from './transport.ts';

export type { ClientOptions } from './methods.ts';

type OptionsOf<Id extends OperationId> = [Item<Id>] extends [never] ? CallOptions : ListOptions;

/** The method of an operation. */
export type Method<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? (parameters?: Parameters<Id>, options?: OptionsOf<Id>) => CallOf<Id>
    : (parameters: Parameters<Id>, options?: OptionsOf<Id>) => CallOf<Id>;

type Surface = Methods<{ [Id in OperationId]: Method<Id> }>;

/**
 * `client.GET("/social/…")` and the other verbs are those of openapi-fetch, with the key, timeouts and retries of this
 * client; they return `{ data, error, response }`. The methods return the data and throw typed errors.
 */
export type SocialDataClient = FetchClient &
  Omit<Surface, 'assistant'> & { assistant: Surface['assistant'] & AssistantMethods } & EventMethods & {
    /** A client with these options in place of those of this client. It has connections of its own. */
    withOptions(options: ClientOptions): SocialDataClient;
  };

interface EventMethods {
  /**
   * Subscribes to new events, or to the events after a `cursor`. The stream reconnects automatically and resumes at its
   * position: it loses no event and delivers none twice. A bounded buffer holds the events that the loop has not read;
   * all later events stay on the server. The streams of a client share one connection, up to the 100 subscriptions that the
   * service permits on one.
   *
   * Throws StreamError when the stream cannot continue (invalid key, invalid query, events that the service no longer
   * retains), and ConnectionError when the service stays unreachable.
   *
   * @example
   * ```ts
   * for await (const { event, data, cursor } of client.events({ search: 'coffee lang:en' })) {
   *   if (event === 'tweet.created') console.log(data.text);
   *   await checkpoint(cursor); // client.events({ … }, { cursor }) resumes after it
   * }
   * ```
   */
  events<Selected extends Selection>(selection: Selected, options?: EventOptions): EventStream<EventOf<Selected>>;
}

const events = onDemand(() => import('./events.ts'));
const asking = onDemand(() => import('./ask.ts'));

/** The event streams and questions of a client, which share its connections. */
function streamsOf(transport: Transport) {
  const connections = onDemand(async () => new (await events()).Hub(transport));
  const openLater: OpenLater = (open) => {
    const start = async (): Promise<OpenStream> => {
      const [hub, { openStream }] = await Promise.all([connections(), events()]);
      return open((to, eventOptions) => openStream(hub, to as Selection | Subscription, eventOptions));
    };
    return lazyIterator(start, 'close', 'ready') as unknown as EventStream<unknown>;
  };
  const ask: AssistantMethods['stream'] = (parameters, askOptions = {}) => {
    // The question is sent at once.
    const opened = connections().then(async (hub) => (await asking()).openQuestion(hub, parameters, askOptions));
    opened.catch(() => {});
    return lazyIterator(() => opened, 'cancel', 'answer') as unknown as AnswerStream;
  };
  return { openLater, ask };
}

/**
 * A client of the service. It holds no connection and no timer while no event stream is open, so it needs no close method.
 * Throws a UsageError for options that are missing or make no sense.
 */
export function createClient(options: ClientOptions = {}): SocialDataClient {
  const transport = new Transport(settingsOf(options, keyNames));
  const { openLater, ask } = streamsOf(transport);
  const client = clientOf(table, transport, options, openLater);
  Object.assign(client, {
    events: (selection: Selection, eventOptions: EventOptions = {}) =>
      openLater((open) => open(selection, eventOptions)),
    withOptions: (changed: ClientOptions) => createClient({ ...options, ...defined(changed) }),
  });
  const socialDataClient = client as unknown as SocialDataClient;
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant, ask));
  return socialDataClient;
}
