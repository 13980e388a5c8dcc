/** One case or more for every rule about the protocol of /ws. */
import type { Level, RuleId } from '../../../scripts/spec/diff/rules.ts';
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
const messages = (actions: Readonly<Record<string, 'send' | 'receive'>>, payload = 'A'): Json =>
  protocol(
    {},
    {
      operations: Object.fromEntries(
        Object.entries(actions).map(([name, action]) => [
          name,
          { action, messages: [{ $ref: `#/channels/events/messages/${name}` }] },
        ]),
      ),
      components: {
        messages: Object.fromEntries(
          Object.keys(actions).map((name) => [
            name,
            { payload: { $ref: `./openapi.yaml#/components/schemas/${payload}` } },
          ]),
        ),
      },
    },
  );

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
  ['message-added', 'care', messages({ a: 'send' }), messages({ a: 'send', b: 'send' })],
  ['message-added', 'safe', messages({ a: 'receive' }), messages({ a: 'receive', b: 'receive' })],
  ['message-removed', 'breaking', messages({ a: 'send', b: 'send' }), messages({ a: 'send' })],
  ['message-removed', 'breaking', messages({ a: 'receive', b: 'receive' }), messages({ a: 'receive' })],
  ['message-payload-changed', 'care', messages({ a: 'send' }), messages({ a: 'send' }, 'B')],
  ['documentation-changed', 'safe', protocol(), protocol({ description: 'Events.' })],
  [
    'security-removed',
    'breaking',
    protocol({}, { components: { securitySchemes: { key: { type: 'httpApiKey' } } } }),
    protocol({}, { components: { securitySchemes: {} } }),
  ],
];
