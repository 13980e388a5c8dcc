/** asyncapi.yaml and the server agree. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import { received, sent } from '../../generated/messages.js';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { readConfig } from '../../server/config/config.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import { reconnectAfter } from '../../pages/live/reconnect.ts';
import { answerRetentionMs } from '../../server/realtime/asks.ts';
import { channels, type ChannelName } from '../../server/realtime/channels.ts';
import { closeCodes, defaultLimits, publicLimits } from '../../server/realtime/limits.ts';
import { errorMessage } from '../../server/realtime/messages.ts';
import { MemoryEventLog } from '../ports/reference/event-log.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { expectSchema } from '../support/contract.ts';
import { listener, startStream } from '../support/stream.ts';

interface Message {
  readonly name: string;
  readonly correlationId?: object;
  readonly payload: { readonly $ref: string };
  readonly examples: readonly { readonly payload: Record<string, unknown> }[];
}
interface Reference {
  readonly $ref: string;
}
interface Operation {
  readonly action: string;
  readonly messages: readonly Reference[];
  readonly reply?: { readonly messages: readonly Reference[] };
}

const messages: Readonly<Record<string, Message>> = asyncapi.components.messages;
const operations: readonly Operation[] = Object.values(asyncapi.operations);
const stream = asyncapi.channels.events;
const { schemas } = openapi.components;
const schemaOf = ({ payload: { $ref } }: Message): string => $ref.slice('./openapi.yaml#/components/schemas/'.length);
type EventName = Schemas['WsEventName'];
/** The schema of an event's data: that of its channel, except for a deleted tweet. */
const dataSchemaOf = (channel: ChannelName, event: EventName): string =>
  event === 'tweet.deleted' ? 'WsDeleted' : stream['x-channels'][channel].data;
const members = (union: 'WsClientMessage' | 'WsServerMessage'): string[] =>
  schemas[union].oneOf.map(({ $ref }) => $ref.split('/').at(-1)!);
const examples = Object.entries(messages).flatMap(([name, message]) =>
  message.examples.map(({ payload }, n) => ({ what: `${name} ${n + 1}`, message, payload })),
);

describe('the messages', () => {
  const inChannel = '#/channels/events/messages/';
  const named = (references: readonly Reference[] = []): string[] =>
    references.map(({ $ref }) => {
      expect($ref.slice(0, inChannel.length)).toBe(inChannel);
      return schemaOf(messages[$ref.slice(inChannel.length)]!);
    });

  test('of the document equal the client and server messages of the contract', () => {
    const ofAction = (action: string): Operation[] => operations.filter((operation) => operation.action === action);
    const taken = ofAction('receive').flatMap((operation) => named(operation.messages));
    const given = [
      ...ofAction('send').flatMap((operation) => named(operation.messages)),
      ...operations.flatMap(({ reply }) => named(reply?.messages)),
    ];
    expect(taken.toSorted()).toEqual(members('WsClientMessage').toSorted());
    expect([...new Set(given)].toSorted()).toEqual(members('WsServerMessage').toSorted());
    expect(ofAction('receive').every(({ reply }) => reply !== undefined)).toBe(true);
  });

  test('are all in the channel, each once, with the name of its `type`', () => {
    expect(stream.messages).toEqual(
      Object.fromEntries(Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }])),
    );
    expect(Object.values(messages).map(schemaOf).toSorted()).toEqual(
      [...members('WsClientMessage'), ...members('WsServerMessage')].toSorted(),
    );
    for (const message of Object.values(messages)) {
      const { properties } = schemas[schemaOf(message) as 'WsSubscribe'];
      expect([message.name, message.correlationId !== undefined]).toEqual([properties.type.const, 'id' in properties]);
    }
  });

  test.each(examples)('the contract and the server accept the example $what', async ({ message, payload }) => {
    await expectSchema(schemaOf(message), payload);
    const isOurs = members('WsServerMessage').includes(schemaOf(message));
    const check = (isOurs ? sent : received)[message.name as 'subscriptions'];
    expect([check(payload), check.errors]).toEqual([true, null]);
    if (message.name !== 'event') return;
    const channel = payload.channel as ChannelName;
    expect(stream['x-channels'][channel].events).toContain(payload.event);
    await expectSchema(dataSchemaOf(channel, payload.event as EventName), payload.data);
    expect(payload.cursor).toBe(`tutorial.${payload.seq as number}`);
  });

  test('the data of an event is compared with no further schema after the one that it matches', () => {
    const { payload } = examples.find((example) => example.payload.event === 'tweet.created')!;
    let comparisons = 0;
    const data = new Proxy(payload.data as object, {
      ownKeys(target) {
        comparisons++;
        return Reflect.ownKeys(target);
      },
    });
    expect([sent.event({ ...payload, data }), comparisons]).toEqual([true, 1]);
  });

  test('have an example each; the one of `connected` has the default limits', () => {
    expect(Object.entries(messages).filter(([, message]) => message.examples.length === 0)).toEqual([]);
    expect(messages.connected!.examples[0]!.payload).toMatchObject({
      limits: publicLimits(defaultLimits),
      heartbeat_interval_ms: defaultLimits.heartbeatMs,
      replay_window_s: readConfig({}).eventRetention.ageMs / 1000,
    });
  });
});

describe('the channels', () => {
  const dataOf = {
    full: 'Tweet',
    short: 'TweetShort',
    counts: 'WsEngagement',
    community: 'Community',
    pool: 'PoolStatus',
  };
  const described = stream['x-channels'];
  const names = Object.keys(described) as ChannelName[];

  test('equal those of the contract and of the server, with their parameters, data and REST operation', () => {
    expect(names).toEqual(schemas.WsChannel.enum);
    const facts = Object.entries(channels).map(([name, { params, view, isState = false, operation }]) => [
      name,
      { params, data: dataOf[view], kind: isState ? 'state' : 'log', rest: operation },
    ]);
    expect(
      Object.entries(described).map(([name, { params, data, kind, rest }]) => [name, { params, data, kind, rest }]),
    ).toEqual(facts);
  });

  test('have examples with one of their parameters that the contract accepts', async () => {
    for (const { example, params } of Object.values(described)) {
      await expectSchema('WsParams', example);
      expect(params).toEqual(expect.arrayContaining(Object.keys(example)));
      expect(Object.keys(example)).toHaveLength(Math.min(1, params.length));
    }
  });

  test('publish exactly the documented events, with the documented data', async () => {
    const platform = new MemoryPlatform();
    const log = new MemoryEventLog({ epoch: 'log', entries: [] }, { ageMs: 86_400_000, events: 1_000 }, Date.now);
    const running = await startStream({ adapters: { log, platform } });
    const mira = { username: 'mira_codes', id: '4200000001' };
    const first = '1890000000000000001';
    const community = '1700000000000000001';
    const answering = {
      id: '1890000000000000009',
      created_at: '2026-01-02T00:00:00Z',
      author_id: mira.id,
      in_reply_to_id: first,
      community_id: community,
      entities: { mentions: [{ username: mira.username }], hashtags: [], cashtags: [], urls: [] },
    };
    platform.add([
      { kind: 'user', user: { ...mira, name: 'Mira' } },
      { kind: 'community', community: { id: community, name: 'Makers' } },
      { kind: 'tweet', tweet: { id: first, text: 'the first', created_at: '2026-01-01T00:00:00Z', author_id: '2' } },
      { kind: 'like', tweet_id: first },
      { kind: 'tweet', tweet: { ...answering, text: 'coffee' } },
      { kind: 'membership', community_id: community, user_id: mira.id, role: 'member' },
    ]);
    // One connection for each: an event comes to a connection once, in one form.
    const each = await Promise.all(
      names.map(async (channel) => {
        const own = await listener(running.url);
        const params = channel === 'search:tweets' ? { query: 'coffee' } : described[channel].example;
        expect(await own.ask({ type: 'subscribe', id: '1', channel, params } as never)).toMatchObject({
          type: 'subscribed',
        });
        return { channel, own };
      }),
    );
    const { id } = answering;
    await log.append([
      { event: 'tweet.created', id },
      { event: 'tweet.updated', id },
      { event: 'tweet.engagement', id: first },
      { event: 'tweet.unliked', id: first },
      { event: 'community.joined', id: community, userId: mira.id },
      { event: 'pool.status' },
    ]);
    for (const { own } of each) await own.settled(log.head);
    for (const deleted of [id, first]) {
      platform.remove(deleted);
      await log.append([{ event: 'tweet.deleted', id: deleted }]);
    }
    for (const { channel, own } of each) {
      await own.settled(log.head);
      const delivered = own.of('event');
      expect([channel, [...new Set(delivered.map(({ event }) => event))].toSorted()]).toEqual([
        channel,
        described[channel].events.toSorted(),
      ]);
      for (const { event, data } of delivered) await expectSchema(dataSchemaOf(channel, event), data);
      own.socket.terminate();
    }
    await running.stop();
  });

  test('cover every event of the contract except the reserved ones', () => {
    const delivered = new Set(Object.values(described).flatMap(({ events }) => events));
    expect(Object.keys(stream['x-events'])).toEqual(schemas.WsEventName.enum);
    for (const [event, means] of Object.entries(stream['x-events']))
      expect([event, means.startsWith('Reserved.')]).toEqual([event, !delivered.has(event)]);
  });
});

describe('the error codes', () => {
  const described = stream['x-error-codes'];
  test('equal those of the contract', () => {
    expect(Object.keys(described)).toEqual(schemas.WsError.properties.code.enum);
  });
  test.each([400, 404, 409, 429, 500, 502, 503, 504] as const)('include a code for the REST status %i', (status) => {
    const { code } = errorMessage(new ServiceError(status, 'no'), undefined, 'bad_query');
    expect([code, described[code].status]).toEqual([code, expect.arrayContaining([status])]);
  });
});

describe('the close codes', () => {
  const described = Object.entries(stream['x-close-codes']).map(([code, rest]) => ({ code: Number(code), ...rest }));

  test('equal those of the server, with their reasons, and those of RFC 6455 for invalid frames', () => {
    const ofFrames = [1002, 1007, 1009].map((code) => [code, '']);
    const own = Object.values(closeCodes).map(([code, reason]) => [code, reason]);
    expect(described.map(({ code, reason }) => [code, reason])).toEqual(
      [...own, ...ofFrames].toSorted(([a], [b]) => Number(a) - Number(b)),
    );
  });

  test.each(described)('the client reconnects after $code as documented', ({ code, reconnect }) => {
    const waits = reconnectAfter({ code, failures: 0, goingAwayMs: undefined }, () => 0);
    expect(waits).toBe({ never: undefined, later: 1_000, now: 0 }[reconnect]);
  });
});

test('the limits equal those of the server, with their defaults', () => {
  const values = Object.fromEntries(Object.entries(stream['x-limits']).map(([name, { value }]) => [name, value]));
  const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { ageMs, events } = readConfig({}).eventRetention;
  expect(values).toEqual({
    ...Object.fromEntries(Object.entries(defaultLimits).map(([name, value]) => [snake(name), value])),
    query_chars: schemas.WsParams.properties.query.maxLength,
    replay_window_s: ageMs / 1000,
    replay_events: events,
    answer_kept_s: answerRetentionMs / 1000,
  });
  expect(values).toMatchObject(publicLimits(defaultLimits));
});

test('the key locations equal those of REST', () => {
  const facts = ({ scheme, in: place, name }: { scheme?: string; in?: string; name?: string }): unknown =>
    scheme ?? [place, name];
  const described = asyncapi.components.securitySchemes;
  const asRest = Object.entries(openapi.components.securitySchemes).map(([name, scheme]) => [name, facts(scheme)]);
  expect(Object.fromEntries(Object.entries(described).map(([name, scheme]) => [name, facts(scheme)]))).toEqual(
    Object.fromEntries(asRest),
  );
  expect(asyncapi.servers.own.security.map(({ $ref }) => $ref)).toEqual(
    Object.keys(described).map((name) => `#/components/securitySchemes/${name}`),
  );
});

test('every name in the document is a string, as other parsers require', async () => {
  const text = await readFile(new URL('../../spec/asyncapi.yaml', import.meta.url), 'utf8');
  const others: unknown[] = [];
  const visit = (value: unknown): void => {
    if (value instanceof Map) others.push(...value.keys().filter((name) => typeof name !== 'string'));
    if (value instanceof Map || Array.isArray(value)) value.forEach(visit);
  };
  visit(parse(text, { mapAsMap: true }));
  expect(others).toEqual([]);
});
