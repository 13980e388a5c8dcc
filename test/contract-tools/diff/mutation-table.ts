/** One change of each part of a contract and of a protocol, and how bad it is for callers. */
import type { Level } from '../../../scripts/contract-tools/diff/rules.ts';
import type { Json } from './documents.ts';
import { at } from './mutations.ts';

export interface TableRow {
  readonly name: string;
  /** The worst level of the findings; undefined where the change has no meaning. */
  readonly level: Level | undefined;
  readonly apply: (document: Json) => void;
}

/** Sets the value at a place; undefined removes it. */
const set =
  (pointer: string, value?: unknown) =>
  (document: Json): void => {
    const cut = pointer.lastIndexOf('/');
    const holder = at(document, pointer.slice(0, cut)) as Json;
    const key = pointer
      .slice(cut + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~');
    if (holder === undefined) throw new Error(`there is no ${pointer}`);
    if (value !== undefined) holder[key] = value;
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else if (key in holder) delete holder[key];
    else throw new Error(`there is no ${pointer}`);
  };
/** Gives a member another name. */
const rename =
  (pointer: string, name: string) =>
  (document: Json): void => {
    const value = at(document, pointer);
    if (value === undefined) throw new Error(`there is no ${pointer}`);
    set(pointer)(document);
    set(`${pointer.slice(0, pointer.lastIndexOf('/'))}/${name}`, value)(document);
  };
const row = (level: Level | undefined, name: string, apply: (document: Json) => void): TableRow => ({
  level,
  name,
  apply,
});

const list = '/paths/~1orders/get';
const make = '/paths/~1orders/post';
const read = '/paths/~1orders~1{id}/get';
const schema = (name: string): string => `/components/schemas/${name}`;
const body = `${make}/requestBody/content`;
const hook = '/webhooks/sent/post';
const paid = `${make}/callbacks/paid/{$request.body#~1url}/post`;
const ok = `${list}/responses/200`;
const flow = '/components/securitySchemes/grant/flows/authorizationCode';

export const contractMutations: readonly TableRow[] = [
  // Operations and what the service calls
  row('breaking', 'an operation removed', set(make)),
  row('safe', 'an operation added', set('/paths/~1orders/head', { responses: { 200: { description: 'It.' } } })),
  row('care', 'an operation deprecated', set(`${list}/deprecated`, true)),
  row('safe', 'an operation no longer deprecated', set('/paths/~1orders~1{id}/put/deprecated')),
  row('breaking', 'a webhook removed', set('/webhooks/sent')),
  row('safe', 'a webhook added', set('/webhooks/gone', { post: { responses: { 200: { description: 'Seen.' } } } })),
  row(
    'breaking',
    'the body of a webhook with a longer text',
    set(`${hook}/requestBody/content/application~1json/schema/properties/id/maxLength`, 10),
  ),
  row(
    'safe',
    'the body of a webhook with a shorter text',
    set(`${hook}/requestBody/content/application~1json/schema/properties/id/maxLength`, 8),
  ),
  row(
    'breaking',
    'the body of a webhook without a required member',
    set(`${hook}/requestBody/content/application~1json/schema/required`),
  ),
  row('breaking', 'the body of a webhook optional', set(`${hook}/requestBody/required`, false)),
  row('breaking', 'a header of a webhook removed', set(`${hook}/parameters/0`)),
  row('breaking', 'a header of a webhook optional', set(`${hook}/parameters/0/required`, false)),
  row('breaking', 'an answer to a webhook removed', set(`${hook}/responses/202`)),
  row('safe', 'an answer to a webhook added', set(`${hook}/responses/204`, { description: 'Seen.' })),
  row('breaking', 'the method of a webhook changed', rename(hook, 'put')),
  row('breaking', 'a callback removed', set(`${make}/callbacks/paid`)),
  row(
    'breaking',
    'the expression of a callback changed',
    rename(`${make}/callbacks/paid/{$request.body#~1url}`, '{$request.body#~1to}'),
  ),
  row(
    'breaking',
    'the answer to a callback narrowed',
    set(`${paid}/responses/200/content/application~1json/schema/required`, ['more']),
  ),
  row('breaking', 'the body of a callback removed', set(`${paid}/requestBody`)),

  // Servers and security
  row('breaking', 'a server removed', set('/servers/0/url', 'https://{region}.example.org/v2')),
  row('breaking', 'a value of a server variable removed', set('/servers/0/variables/region/enum', ['eu'])),
  row('safe', 'a value of a server variable added', set('/servers/0/variables/region/enum', ['eu', 'us', 'in'])),
  row('care', 'the default of a server variable changed', set('/servers/0/variables/region/default', 'us')),
  row('breaking', 'a way to authenticate removed', set('/security/0')),
  row('safe', 'no authentication needed', set('/security', [])),
  row('breaking', 'one more scope needed', set('/security/1/grant', ['read', 'write'])),
  row('breaking', 'the header of the key renamed', set('/components/securitySchemes/key/name', 'X-Api-Key')),
  row('breaking', 'the place of the key changed', set('/components/securitySchemes/key/in', 'query')),
  row('breaking', 'another kind of scheme', set('/components/securitySchemes/key', { type: 'http', scheme: 'bearer' })),
  row('breaking', 'the address of tokens changed', set(`${flow}/tokenUrl`, 'https://b.example.org/token')),
  row('breaking', 'a flow removed', rename(flow, 'implicit')),
  row('breaking', 'a scope of a flow removed', set(`${flow}/scopes/write`)),
  row('safe', 'a scope of a flow added', set(`${flow}/scopes/admin`, 'All.')),
  row('breaking', 'a scheme in use removed', set('/components/securitySchemes/key')),
  row('safe', 'the text of a scope', set(`${flow}/scopes/read`, 'Reads.')),

  // Parameters
  row(
    'safe',
    'the integers of a list in the query as texts',
    set(`${list}/parameters/0/schema/items`, { type: 'string' }),
  ),
  row(
    'safe',
    'an integer of an object in the query as a text',
    set(`${list}/parameters/1/schema/properties/size`, { type: 'string' }),
  ),
  row('breaking', 'a text in the query as an integer', set(`${list}/parameters/2/schema`, { type: 'integer' })),
  row('breaking', 'a list written otherwise (explode)', set(`${list}/parameters/0/explode`, true)),
  row('breaking', 'a list written otherwise (style)', set(`${list}/parameters/0/style`, 'pipeDelimited')),
  row('breaking', 'an object written otherwise', set(`${list}/parameters/1/style`, 'form')),
  row('breaking', 'a path parameter written otherwise', set(`${read}/parameters/0/style`, 'label')),
  row('breaking', 'reserved characters refused', set(`${list}/parameters/2/allowReserved`, false)),
  row(
    'breaking',
    'a parameter as content of another type',
    rename(`${list}/parameters/3/content/application~1json`, 'text~1plain'),
  ),
  row(
    'breaking',
    'the content of a parameter narrowed',
    set(`${list}/parameters/3/content/application~1json/schema/required`, ['near']),
  ),
  row('breaking', 'a parameter from content to schema', (it) => {
    set(`${list}/parameters/3/content`)(it);
    set(`${list}/parameters/3/schema`, { type: 'object' })(it);
  }),
  row('care', 'a cookie removed', set(`${list}/parameters/4`)),
  row('breaking', 'a query parameter removed', set(`${list}/parameters/2`)),
  row('breaking', 'a parameter of the path item required', set('/components/parameters/trace/required', true)),

  // Bodies
  row('breaking', 'a media type of the body removed', set(`${body}/application~1octet-stream`)),
  row('safe', 'a media type of the body added', set(`${body}/application~1xml`, {})),
  row('safe', 'a range of media types for one of them', rename(`${body}/application~1octet-stream`, 'application~1*')),
  row(
    'breaking',
    'the content type of a part narrowed',
    set(`${body}/multipart~1form-data/encoding/file/contentType`, 'image/png'),
  ),
  row(
    'safe',
    'the content type of a part widened',
    set(`${body}/multipart~1form-data/encoding/file/contentType`, 'image/*'),
  ),
  row(
    'breaking',
    'the content type of a part fixed',
    set(`${body}/application~1x-www-form-urlencoded/encoding/names/contentType`, 'text/plain'),
  ),
  row(
    'breaking',
    'the style of a part changed',
    set(`${body}/application~1x-www-form-urlencoded/encoding/names/explode`, true),
  ),
  row(
    'breaking',
    'a header of a part required',
    set(`${body}/multipart~1form-data/encoding/file/headers/X-Name/required`, true),
  ),
  row(
    'safe',
    'the integer of a form as a text',
    set(`${body}/application~1x-www-form-urlencoded/schema/properties/count`, { type: 'string' }),
  ),
  row('safe', 'the body optional', set(`${make}/requestBody/required`, false)),

  // Responses
  row('breaking', 'a success removed', set(`${make}/responses/204`)),
  row('breaking', 'a success added', set(`${make}/responses/202`, { description: 'Later.' })),
  row('breaking', 'a range of successes for one of them', rename(`${make}/responses/201`, '2XX')),
  row('safe', 'the range of errors left to the default response', set(`${list}/responses/4XX`)),
  row(
    'safe',
    'one error of the range described',
    set(`${list}/responses/404`, {
      description: 'None.',
      content: { 'application/json': { schema: { type: 'object', properties: { error: { type: 'string' } } } } },
    }),
  ),
  row(
    'breaking',
    'one error of the range with another body',
    set(`${list}/responses/404`, {
      description: 'None.',
      content: { 'application/json': { schema: { type: 'string' } } },
    }),
  ),
  row(
    'breaking',
    'the body of the default response changed',
    set(`${list}/responses/default/content/application~1json/schema/properties/error/type`, 'integer'),
  ),
  row('breaking', 'a header of a response removed', set(`${ok}/headers/X-Total`)),
  row('breaking', 'a header of a response optional', set(`${ok}/headers/X-Total/required`, false)),
  row('breaking', 'the type of a header widened', set(`${ok}/headers/X-Total/schema`, { type: 'string' })),
  row('safe', 'the type of a header narrowed', set('/components/headers/link/schema/maxLength', 99)),
  row('safe', 'a header of a response added', set(`${ok}/headers/X-Page`, { schema: { type: 'string' } })),
  row(
    'breaking',
    'the parameter of a media type changed',
    rename(`${ok}/content/text~1csv; header=present`, 'text~1csv; header=absent'),
  ),
  row(undefined, 'a media type written otherwise', rename(`${ok}/content/application~1json`, 'Application~1JSON')),
  row('care', 'a link removed', set(`${ok}/links/next`)),
  row('care', 'the target of a link changed', set(`${ok}/links/next/operationId`, 'listOrders')),

  // Schemas
  row(
    'breaking',
    'a value of an enumeration added to responses',
    set(`${schema('Order')}/properties/state/enum/3`, 'lost'),
  ),
  row('breaking', 'a member read only', set(`${schema('Order')}/properties/note/readOnly`, true)),
  row('safe', 'a member no longer read only', set(`${schema('Order')}/properties/id/readOnly`, false)),
  row('breaking', 'a member write only', set(`${schema('Order')}/properties/note/writeOnly`, true)),
  row('care', 'a member no longer write only', set(`${schema('Order')}/properties/secret/writeOnly`, false)),
  row(
    'breaking',
    'a write-only member shorter allowed or longer demanded',
    set(`${schema('Order')}/properties/secret/minLength`, 9),
  ),
  row('safe', 'a write-only member loosened', set(`${schema('Order')}/properties/secret/minLength`, 7)),
  row('care', 'a member deprecated', set(`${schema('Order')}/properties/note/deprecated`, true)),
  row('care', 'another default', set(`${schema('Order')}/properties/note/default`, 'no')),
  row('breaking', 'another discriminator', set(`${schema('Payment')}/discriminator/propertyName`, 'type')),
  row('breaking', 'another mapping', rename(`${schema('Payment')}/discriminator/mapping/card`, 'cards')),
  row(
    'care',
    'one more mapping',
    set(`${schema('Payment')}/discriminator/mapping/cheque`, '#/components/schemas/Bill'),
  ),
  row('breaking', 'the discriminator removed', set(`${schema('Payment')}/discriminator`)),
  row('breaking', 'another constant', set(`${schema('Card')}/properties/kind/const`, 'cards')),
  row('breaking', 'a tuple with another type', set(`${schema('Line')}/properties/place/prefixItems/1/type`, 'string')),
  row('breaking', 'a tuple longer', set(`${schema('Line')}/properties/place/items`, true)),
  row('breaking', 'a pattern of names changed', rename(`${schema('Line')}/patternProperties/^x-`, '^y-')),
  row('breaking', 'values of a pattern changed', set(`${schema('Line')}/patternProperties/^x-/type`, 'integer')),
  row('breaking', 'a dependency of members added', set(`${schema('Line')}/dependentRequired/place`, ['article'])),
  row('breaking', 'a dependent schema removed', set(`${schema('Line')}/dependentSchemas/place`)),
  row('breaking', 'names of members shorter', set(`${schema('Line')}/propertyNames/maxLength`, 10)),
  row('breaking', 'a pattern changed', set(`${schema('Line')}/properties/article/pattern`, '^[a-m]+$')),
  row('breaking', 'contains changed', set(`${schema('Rules')}/properties/tags/contains/const`, 'old')),
  row('breaking', 'maxContains changed', set(`${schema('Rules')}/properties/tags/maxContains`, 2)),
  row('breaking', 'not changed', set(`${schema('Rules')}/properties/size/not/maxLength`, 4)),
  row('breaking', 'if changed', set(`${schema('Rules')}/if/required`, ['key'])),
  row('breaking', 'then changed', set(`${schema('Rules')}/then/required`, ['base'])),
  row('breaking', 'else removed', set(`${schema('Rules')}/else`)),
  row(
    'breaking',
    'unevaluatedProperties changed',
    set(`${schema('Rules')}/properties/base/unevaluatedProperties`, true),
  ),
  row(
    'breaking',
    'a member inside of unevaluatedProperties: false',
    set(`${schema('Rules')}/properties/base/allOf/0/properties/b`, { type: 'string' }),
  ),
  row('breaking', 'an alternative removed', set(`${schema('Rules')}/properties/either/anyOf/1`)),
  row('breaking', 'the encoding of a text changed', set(`${schema('Rules')}/properties/key/contentEncoding`, 'base32')),
  row('breaking', 'the name in XML changed', set(`${schema('Rules')}/xml/name`, 'rule')),
  row('breaking', 'a definition changed', set(`${schema('Tree')}/$defs/node/properties/name/type`, 'integer')),
  row('breaking', 'a definition that only $dynamicRef reaches', (it) => {
    set(`${schema('Tree')}/properties/leaf`)(it);
  }),
  row(
    'breaking',
    'another dynamic reference',
    set(`${schema('Tree')}/properties/children/items/$dynamicRef`, '#other'),
  ),
  row('breaking', 'another dynamic anchor', set(`${schema('Tree')}/$defs/node/$dynamicAnchor`, 'other')),
  row('breaking', 'a keyword that no rule covers', set(`${schema('Line')}/invented`, 1)),
  row('breaking', 'another dialect of JSON Schema', set('/jsonSchemaDialect', 'https://example.org/dialect')),
  row('safe', 'a description', set(`${schema('Line')}/description`, 'A line.')),
  row('care', 'an extension', set(`${list}/x-cost`, 2)),
];

const channel = '/channels/events';
const ask = '/operations/ask';
const news = '/operations/news';
const own = '/servers/own';
const key = '/components/securitySchemes/key';
const payload = '/components/messages/ask/payload';

export const protocolMutations: readonly TableRow[] = [
  row('breaking', 'an operation removed', set(ask)),
  row('breaking', 'an operation of the server removed', set(news)),
  row(
    'care',
    'an operation added',
    set('/operations/more', { action: 'send', channel: { $ref: '#/channels/events' }, messages: [] }),
  ),
  row('breaking', 'an action turned', set(`${ask}/action`, 'send')),
  row('breaking', 'a reply removed', set(`${ask}/reply`)),
  row('breaking', 'a reply exchanged', set(`${ask}/reply/messages/0/$ref`, '#/channels/events/messages/news')),
  row('care', 'a reply added', set(`${news}/reply`, { channel: { $ref: '#/channels/events' }, messages: [] })),
  row('breaking', 'a message removed', set(`${news}/messages/1`)),
  row('safe', 'a message of clients added', set(`${ask}/messages/1`, { $ref: '#/channels/events/messages/news' })),
  row('care', 'a message of the server added', set(`${news}/messages/2`, { $ref: '#/channels/events/messages/ask' })),
  row('breaking', 'ws to wss', set(`${own}/protocol`, 'wss')),
  row('breaking', 'another host', set(`${own}/host`, '{region}.example.com')),
  row('breaking', 'another path of the server', set(`${own}/pathname`, '/v2')),
  row('breaking', 'a server removed', set(own)),
  row('safe', 'a server added', set('/servers/other', { host: 'example.org', protocol: 'ws' })),
  row('breaking', 'a value of a server variable removed', set(`${own}/variables/region/enum`, ['eu'])),
  row('breaking', 'a scheme of the server removed', set(`${own}/security/0`)),
  row('breaking', 'the name of the key changed', set(`${key}/name`, 'api_key')),
  row(
    'breaking',
    'the address of tokens changed',
    set('/components/securitySchemes/grant/flows/clientCredentials/tokenUrl', 'https://b.example.org/token'),
  ),
  row('breaking', 'the address of a channel changed', set(`${channel}/address`, '/events/{room}')),
  row('breaking', 'a channel removed', (it) => {
    set(channel)(it);
    set('/operations', {})(it);
  }),
  row('safe', 'a channel added', set('/channels/other', { address: '/other' })),
  row('breaking', 'a channel on other servers', set(`${channel}/servers/0/$ref`, '#/servers/own2')),
  row('breaking', 'a value of a parameter removed', set(`${channel}/parameters/room/enum`, ['a'])),
  row('breaking', 'a key of the query renamed', rename(`${channel}/bindings/ws/query/properties/token`, 'key')),
  row('breaking', 'an optional key of the query removed', set(`${channel}/bindings/ws/query/properties/since`)),
  row('breaking', 'a key of the query required', set(`${channel}/bindings/ws/query/required`, ['token', 'since'])),
  row('safe', 'a key of the query optional', set(`${channel}/bindings/ws/query/required`, [])),
  row(
    'safe',
    'an optional key of the query added',
    set(`${channel}/bindings/ws/query/properties/lang`, { type: 'string' }),
  ),
  row(
    'safe',
    'the integer of the query as a text',
    set(`${channel}/bindings/ws/query/properties/since`, { type: 'string' }),
  ),
  row('breaking', 'a header required', set(`${channel}/bindings/ws/headers/required`, ['X-Client'])),
  row(undefined, 'a header in another case', rename(`${channel}/bindings/ws/headers/properties/X-Client`, 'x-client')),
  row('breaking', 'the method of the connection changed', set(`${channel}/bindings/ws/method`, 'POST')),
  row('breaking', 'the binding of another protocol', set(`${channel}/bindings/mqtt`, { qos: 1 })),
  row('breaking', 'a payload of clients narrowed', set(`${payload}/properties/text/maxLength`, 98)),
  row('safe', 'a payload of clients widened', set(`${payload}/properties/text/maxLength`, 100)),
  row('breaking', 'a payload of the server widened', set('/components/schemas/News/required', [])),
  row('breaking', 'a header of a message required', set('/components/messages/ask/headers/required', ['trace'])),
  row('breaking', 'the content type of a message changed', set('/components/messages/ask/contentType', 'text/plain')),
  row(
    'breaking',
    'the correlation changed',
    set('/components/messages/ask/correlationId/location', '$message.header#/id'),
  ),
  row('breaking', 'the default content type changed', set('/defaultContentType', 'application/cbor')),
  row('breaking', 'a trait of an operation', set(`${ask}/traits`, [{ security: [] }])),
  row('safe', 'a description', set(`${channel}/description`, 'Events.')),
];
