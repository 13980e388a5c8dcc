/** A contract and a protocol that use every part of OpenAPI 3.1 and AsyncAPI 3, for the tests of spec:diff. */
import type { Json } from './documents.ts';

const json = (schema: Json, more: Json = {}): Json => ({ 'application/json': { schema, ...more } });
const ref = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` });

const schemas: Json = {
  Order: {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'state', 'lines'],
    properties: {
      id: { type: 'string', format: 'uuid', readOnly: true },
      secret: { type: 'string', writeOnly: true, minLength: 8 },
      state: { enum: ['open', 'paid', 'sent'] },
      old: { type: 'string', deprecated: true },
      lines: { type: 'array', minItems: 1, maxItems: 50, uniqueItems: true, items: ref('schemas', 'Line') },
      pay: ref('schemas', 'Payment'),
      note: { type: ['string', 'null'], maxLength: 200, default: 'none' },
      tree: ref('schemas', 'Tree'),
    },
  },
  Line: {
    type: 'object',
    required: ['article'],
    properties: {
      article: { type: 'string', pattern: '^[a-z]+$', examples: ['tea'] },
      count: { type: 'integer', minimum: 1, exclusiveMaximum: 100, multipleOf: 1 },
      place: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false },
    },
    patternProperties: { '^x-': { type: 'string' } },
    dependentRequired: { count: ['place'] },
    dependentSchemas: { place: { required: ['count'] } },
    propertyNames: { maxLength: 20 },
    minProperties: 2,
  },
  Payment: {
    oneOf: [ref('schemas', 'Card'), ref('schemas', 'Bill')],
    discriminator: {
      propertyName: 'kind',
      mapping: { card: '#/components/schemas/Card', bill: '#/components/schemas/Bill' },
    },
  },
  Card: {
    type: 'object',
    required: ['kind', 'number'],
    properties: { kind: { const: 'card' }, number: { type: 'string' } },
  },
  Bill: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'bill' }, until: { type: 'string', format: 'date' } },
  },
  Tree: {
    $defs: { node: { $dynamicAnchor: 'node', type: 'object', properties: { name: { type: 'string' } } } },
    type: 'object',
    properties: {
      children: { type: 'array', items: { $dynamicRef: '#node' } },
      leaf: { $ref: '#/components/schemas/Tree/$defs/node' },
    },
  },
  Rules: {
    type: 'object',
    properties: {
      tags: { type: 'array', contains: { const: 'new' }, minContains: 2, maxContains: 3 },
      size: { not: { type: 'string', maxLength: 3 } },
      key: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      base: { allOf: [{ type: 'object', properties: { a: { type: 'string' } } }], unevaluatedProperties: false },
    },
    if: { required: ['tags'] },
    then: { required: ['size'] },
    else: { required: ['key'] },
    xml: { name: 'rules' },
  },
};

const problem: Json = {
  description: 'It failed.',
  content: json({ type: 'object', properties: { error: { type: 'string' } } }),
};

/** The contract. Each call makes a new one. */
export const wholeContract = (): Json =>
  structuredClone({
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1.0.0' },
    servers: [
      {
        url: 'https://{region}.example.org/v1',
        variables: { region: { default: 'eu', enum: ['eu', 'us'], description: 'Where.' } },
      },
    ],
    security: [{ key: [] }, { grant: ['read'] }],
    tags: [{ name: 'Orders' }],
    paths: {
      '/orders': {
        parameters: [ref('parameters', 'trace')],
        get: {
          operationId: 'listOrders',
          parameters: [
            { name: 'ids', in: 'query', explode: false, schema: { type: 'array', items: { type: 'integer' } } },
            {
              name: 'filter',
              in: 'query',
              style: 'deepObject',
              explode: true,
              schema: { type: 'object', properties: { size: { type: 'integer' } } },
            },
            { name: 'q', in: 'query', allowReserved: true, schema: { type: 'string' }, deprecated: true },
            { name: 'where', in: 'query', content: json({ type: 'object', properties: { near: { type: 'number' } } }) },
            { name: 'session', in: 'cookie', schema: { type: 'string' } },
          ],
          responses: {
            200: {
              description: 'Some.',
              headers: { 'X-Total': { required: true, schema: { type: 'integer' } }, Link: ref('headers', 'link') },
              content: {
                'application/json': { schema: { type: 'array', items: ref('schemas', 'Order') } },
                'text/csv; header=present': { schema: { type: 'string' } },
              },
              links: { next: { operationId: 'getOrder', parameters: { id: '$response.body#/id' } } },
            },
            '4XX': problem,
            default: problem,
          },
        },
        post: {
          operationId: 'makeOrder',
          security: [{ grant: ['read', 'write'] }],
          requestBody: {
            required: true,
            content: {
              ...json(ref('schemas', 'Order')),
              'application/x-www-form-urlencoded': {
                schema: {
                  type: 'object',
                  properties: { count: { type: 'integer' }, names: { type: 'array', items: { type: 'string' } } },
                },
                encoding: { names: { style: 'form', explode: false, allowReserved: true } },
              },
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
                },
                encoding: {
                  file: { contentType: 'image/png, image/jpeg', headers: { 'X-Name': { schema: { type: 'string' } } } },
                },
              },
              'application/octet-stream': {},
            },
          },
          responses: {
            201: { description: 'Made.', headers: { Location: { schema: { type: 'string' } } } },
            204: { description: 'Known.' },
          },
          callbacks: {
            paid: {
              '{$request.body#/url}': {
                post: {
                  requestBody: { required: true, content: json(ref('schemas', 'Line')) },
                  responses: {
                    200: {
                      description: 'Seen.',
                      content: json({ type: 'object', properties: { more: { type: 'boolean' } } }),
                    },
                  },
                },
              },
            },
          },
        },
      },
      '/orders/{id}': {
        get: {
          operationId: 'getOrder',
          parameters: [{ name: 'id', in: 'path', required: true, style: 'matrix', schema: { type: 'string' } }],
          responses: { '2XX': { description: 'It.', content: json(ref('schemas', 'Rules')) } },
        },
        put: {
          operationId: 'changeRules',
          deprecated: true,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          requestBody: { content: json(ref('schemas', 'Rules')) },
          responses: { 204: { description: 'Done.' } },
        },
      },
    },
    webhooks: {
      sent: {
        post: {
          parameters: [{ name: 'X-Signature', in: 'header', required: true, schema: { type: 'string' } }],
          requestBody: {
            required: true,
            content: json({ type: 'object', required: ['id'], properties: { id: { type: 'string', maxLength: 9 } } }),
          },
          responses: { 200: { description: 'Seen.' }, 202: { description: 'Later.' } },
        },
      },
    },
    components: {
      schemas,
      parameters: { trace: { name: 'X-Trace', in: 'header', schema: { type: 'string', maxLength: 40 } } },
      headers: { link: { schema: { type: 'string' } } },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        grant: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://a.example.org/go',
              tokenUrl: 'https://a.example.org/token',
              refreshUrl: 'https://a.example.org/more',
              scopes: { read: 'Read.', write: 'Write.' },
            },
          },
        },
      },
    },
  });

const message = (...names: string[]): Json[] => names.map((name) => ({ $ref: `#/channels/events/messages/${name}` }));

/** The protocol. Each call makes a new one. */
export const wholeProtocol = (): Json =>
  structuredClone({
    asyncapi: '3.0.0',
    info: { title: 'Events', version: '1.0.0' },
    defaultContentType: 'application/json',
    servers: {
      own: {
        host: '{region}.example.org',
        pathname: '/v1',
        protocol: 'ws',
        variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
        security: [ref('securitySchemes', 'key'), ref('securitySchemes', 'grant')],
      },
    },
    channels: {
      events: {
        address: '/ws/{room}',
        servers: [{ $ref: '#/servers/own' }],
        parameters: { room: { enum: ['a', 'b'], default: 'a' } },
        bindings: {
          ws: {
            method: 'GET',
            query: {
              type: 'object',
              properties: { token: { type: 'string' }, since: { type: 'integer' } },
              required: ['token'],
            },
            headers: { type: 'object', properties: { 'X-Client': { type: 'string' } } },
          },
        },
        messages: { ask: ref('messages', 'ask'), told: ref('messages', 'told'), news: ref('messages', 'news') },
      },
    },
    operations: {
      ask: {
        action: 'receive',
        channel: { $ref: '#/channels/events' },
        messages: message('ask'),
        reply: { channel: { $ref: '#/channels/events' }, messages: message('told') },
      },
      news: { action: 'send', channel: { $ref: '#/channels/events' }, messages: message('news', 'told') },
    },
    components: {
      messages: {
        ask: {
          contentType: 'application/json',
          correlationId: { location: '$message.payload#/id' },
          headers: { type: 'object', properties: { trace: { type: 'string' } } },
          payload: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'string' }, text: { type: 'string', maxLength: 99 } },
          },
        },
        told: {
          payload: {
            type: 'object',
            required: ['id'],
            properties: { id: { type: 'string' }, ok: { type: 'boolean' } },
          },
        },
        news: { payload: ref('schemas', 'News') },
      },
      schemas: {
        News: { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } },
      },
      securitySchemes: {
        key: { type: 'httpApiKey', in: 'query', name: 'token' },
        grant: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://a.example.org/token', availableScopes: { read: 'Read.' } } },
          scopes: ['read'],
        },
      },
    },
  });
