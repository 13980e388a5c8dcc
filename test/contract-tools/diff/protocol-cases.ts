/** One case or more for every rule about the protocol of /ws. */
import type { Level, RuleId } from '../../../scripts/contract-tools/diff/rules.ts';
import type { Json } from './documents.ts';

/** A protocol with one channel; `channel` and `document` add to it or replace parts. */
export const protocol = (channel: Json = {}, document: Json = {}): Json => ({
  asyncapi: '3.0.0',
  info: { title: 'Events', version: '1.0.0' },
  channels: {
    events: {
      address: '/ws',
      'x-channels': { news: { params: ['topic'], events: ['created'], data: 'News', kind: 'log' } },
      'x-error-codes': { bad: { status: [400] } },
      'x-close-codes': { 4000: { reason: 'bad', reconnect: 'never' } },
      'x-limits': { bytes: { value: 100 } },
      ...channel,
    },
  },
  ...document,
});

const news = (more: Json): Json =>
  protocol({ 'x-channels': { news: { params: ['topic'], events: ['created'], data: 'News', kind: 'log', ...more } } });
const closes = (codes: Json): Json => protocol({ 'x-close-codes': codes });
const limits = (values: Json): Json => protocol({ 'x-limits': values });
/** A protocol in which the server sends or receives messages; `payload` is the name of their schema in the contract. */
const messages = (action: 'send' | 'receive', names: readonly string[], payload = 'A', more: Json = {}): Json =>
  protocol(
    { messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])) },
    {
      operations: {
        talk: {
          action,
          channel: { $ref: '#/channels/events' },
          messages: names.map((name) => ({ $ref: `#/channels/events/messages/${name}` })),
          ...more,
        },
      },
      components: {
        messages: Object.fromEntries(
          names.map((name) => [name, { payload: { $ref: `./openapi.yaml#/components/schemas/${payload}` } }]),
        ),
      },
    },
  );
const without = (document: Json, member: string): Json =>
  Object.fromEntries(Object.entries(document).filter(([name]) => name !== member));
const bound = (query: Json): Json => protocol({ bindings: { ws: { query } } });
const key = { type: 'string' };
const served = (server: Json): Json =>
  protocol({}, { servers: { own: { host: 'example.org', protocol: 'ws', ...server } } });
const reply = (...names: string[]): Json => ({
  reply: {
    channel: { $ref: '#/channels/events' },
    messages: names.map((name) => ({ $ref: `#/channels/events/messages/${name}` })),
  },
});

export const protocolCases: readonly (readonly [rule: RuleId, level: Level, before: Json, after: Json])[] = [
  ['channel-added', 'safe', protocol({ 'x-channels': {} }), protocol()],
  ['channel-removed', 'breaking', protocol(), protocol({ 'x-channels': {} })],
  ['channel-removed', 'breaking', protocol(), { ...protocol(), channels: {} }],
  ['channel-parameter-added', 'safe', protocol(), news({ params: ['topic', 'author'] })],
  ['channel-parameter-removed', 'breaking', news({ params: ['topic', 'author'] }), protocol()],
  ['channel-parameter-required', 'breaking', news({ params: [] }), protocol()],
  ['channel-kind-changed', 'breaking', protocol(), news({ kind: 'state' })],
  ['channel-data-changed', 'breaking', protocol(), news({ data: 'Other' })],
  ['event-added', 'care', protocol(), news({ events: ['created', 'deleted'] })],
  ['event-removed', 'breaking', protocol(), news({ events: [] })],
  ['extension-changed', 'care', protocol(), news({ 'x-other': 1 })],
  [
    'code-added',
    'care',
    protocol(),
    protocol({ 'x-error-codes': { bad: { status: [400] }, worse: { status: [500] } } }),
  ],
  ['code-removed', 'care', protocol(), protocol({ 'x-error-codes': {} })],
  ['error-code-changed', 'care', protocol(), protocol({ 'x-error-codes': { bad: { status: [403] } } })],
  ['code-removed', 'care', protocol(), closes({})],
  ['close-code-changed', 'breaking', protocol(), closes({ 4000: { reason: 'bad', reconnect: 'now' } })],
  ['close-reason-changed', 'care', protocol(), closes({ 4000: { reason: 'worse', reconnect: 'never' } })],
  ['limit-lowered', 'breaking', protocol(), limits({ bytes: { value: 99 } })],
  ['limit-raised', 'care', protocol(), limits({ bytes: { value: 101 } })],
  ['limit-raised', 'care', protocol(), limits({})],
  ['limit-added', 'care', protocol(), limits({ bytes: { value: 100 }, chars: { value: 9 } })],
  ['stream-address-changed', 'breaking', protocol(), protocol({ address: '/events' })],
  ['scope-added', 'breaking', protocol(), protocol({ 'x-scope': 'events' })],
  ['scope-removed', 'safe', protocol({ 'x-scope': 'events' }), protocol()],
  ['message-added', 'care', messages('send', ['a']), messages('send', ['a', 'b'])],
  ['message-added', 'safe', messages('receive', ['a']), messages('receive', ['a', 'b'])],
  ['message-removed', 'breaking', messages('send', ['a', 'b']), messages('send', ['a'])],
  ['message-removed', 'breaking', messages('receive', ['a', 'b']), messages('receive', ['a'])],
  ['message-payload-changed', 'breaking', messages('send', ['a']), messages('send', ['a'], 'B')],
  ['command-removed', 'breaking', messages('send', ['a']), { ...messages('send', ['a']), operations: {} }],
  ['command-removed', 'breaking', messages('receive', ['a']), without(messages('receive', ['a']), 'operations')],
  ['command-added', 'care', { ...messages('send', ['a']), operations: {} }, messages('send', ['a'])],
  ['command-added', 'safe', { ...messages('receive', ['a']), operations: {} }, messages('receive', ['a'])],
  ['command-turned', 'breaking', messages('receive', ['a']), messages('send', ['a'])],
  ['reply-removed', 'breaking', messages('receive', ['a'], 'A', reply('a')), messages('receive', ['a'])],
  ['reply-added', 'care', messages('receive', ['a']), messages('receive', ['a'], 'A', reply('a'))],
  [
    'binding-key-removed',
    'breaking',
    bound({ properties: { key, other: key } }),
    bound({ properties: { other: key } }),
  ],
  ['binding-key-added', 'safe', bound({ properties: {} }), bound({ properties: { key } })],
  ['binding-key-required', 'breaking', bound({ properties: {} }), bound({ properties: { key }, required: ['key'] })],
  [
    'binding-key-required',
    'breaking',
    bound({ properties: { key } }),
    bound({ properties: { key }, required: ['key'] }),
  ],
  ['binding-key-optional', 'safe', bound({ properties: { key }, required: ['key'] }), bound({ properties: { key } })],
  ['server-address-changed', 'breaking', served({}), served({ protocol: 'wss' })],
  ['server-address-changed', 'breaking', served({}), served({ pathname: '/v2' })],
  ['server-removed', 'breaking', served({}), protocol({}, { servers: {} })],
  ['unjudged', 'breaking', protocol(), protocol({ bindings: { kafka: { partitions: 2 } } })],
  ['unjudged', 'breaking', protocol(), protocol({}, { defaultContentType: 'application/cbor' })],
  ['documentation-changed', 'safe', protocol(), protocol({ description: 'Events.' })],
  [
    'security-removed',
    'breaking',
    protocol({}, { components: { securitySchemes: { key: { type: 'httpApiKey' } } } }),
    protocol({}, { components: { securitySchemes: {} } }),
  ],
];
