/** Legal changes of an OpenAPI 3.1 document, each at places that a test picks. */

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Picks one of several, the same for the same seed of the test. */
export type Pick = <Item>(items: readonly Item[]) => Item;
export type Mutation = (document: Json, pick: Pick) => void;

const at = (value: unknown, ...keys: string[]): Json =>
  keys.reduce<unknown>((inner, key) => (inner as Json)[key], value) as Json;
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const itemsOf = (document: Json): Json[] => Object.values(at(document, 'paths')).filter(isObject);
const operationsOf = (document: Json): Json[] =>
  itemsOf(document).flatMap((item) => methods.flatMap((method) => (isObject(item[method]) ? [item[method]] : [])));
const components = (document: Json, section: string): Json => (at(document, 'components')[section] ??= {}) as Json;
/** Schemas that stand in a component or below one; not those of a union of messages, which the protocol reads. */
function schemasOf(document: Json): Json[] {
  const found: Json[] = [];
  const seek = (schema: unknown): void => {
    if (!isObject(schema)) return;
    found.push(schema);
    Object.values(isObject(schema.properties) ? schema.properties : {}).forEach(seek);
    seek(schema.items);
  };
  Object.values(components(document, 'schemas')).forEach(seek);
  return found;
}
const ok = (operation: Json): Json => at(operation, 'responses', '200');
const okOf = (document: Json, pick: Pick): Json =>
  ok(pick(operationsOf(document).filter((operation) => isObject(at(operation, 'responses')['200']))));
const objectSchema = (document: Json, pick: Pick): Json =>
  pick(schemasOf(document).filter(({ properties }) => isObject(properties)));
/** A member that no answer has to have, so that every example stays right. */
const addMember =
  (schema: unknown): Mutation =>
  (document, pick) =>
    void (at(objectSchema(document, pick), 'properties').added_member = schema);
const inSchema =
  (key: string, value: unknown): Mutation =>
  (document, pick) =>
    void (pick(schemasOf(document))[key] = value);

/** Every mutation, by what it does. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'an operation without a description': (document, pick) => delete pick(operationsOf(document)).description,
  'an operation without a summary': (document, pick) => delete pick(operationsOf(document)).summary,
  'an operation without tags': (document, pick) => delete pick(operationsOf(document)).tags,
  'an operation without parameters': (document, pick) => delete pick(operationsOf(document)).parameters,
  'an operation without extensions': (document, pick) => {
    const operation = pick(operationsOf(document));
    for (const key of Object.keys(operation)) if (key.startsWith('x-')) delete operation[key];
  },
  'a deprecated operation': (document, pick) => void (pick(operationsOf(document)).deprecated = true),
  'no tags at all': (document) => {
    delete document.tags;
    for (const operation of operationsOf(document)) delete operation.tags;
  },
  'other servers': (document) =>
    void (document.servers = [
      { url: 'https://{region}.social.test/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } },
    ]),
  'no servers': (document) => delete document.servers,
  'an info of the least': (document) =>
    void (document.info = { title: 'Least', version: at(document, 'info').version }),
  'no security at all': (document) => {
    delete document.security;
    for (const operation of operationsOf(document)) delete operation.security;
  },
  'no scopes': (document) => delete document['x-scopes'],
  'an operation that is open': (document, pick) => void (pick(operationsOf(document)).security = [{}]),
  'an extension in the document': (document) => void (document['x-owner'] = { team: ['a', 'b'] }),
  'an extension in a path': (document, pick) => void (pick(itemsOf(document))['x-note'] = 'a note'),
  'an extension among the paths': (document) => void (at(document, 'paths')['x-note'] = { get: 'no operation' }),
  'an extension in a schema': (document, pick) => void (pick(schemasOf(document))['x-note'] = { a: [1, null] }),
  'an extension in a message': (document) =>
    void (at(document, 'components', 'schemas', 'WsSubscribe')['x-note'] = true),
  'an extension in a parameter': (document, pick) =>
    void (pick(Object.values(components(document, 'parameters')) as Json[])['x-note'] = 1),
  'an extension in a response': (document, pick) => void (okOf(document, pick)['x-note'] = null),
  'an example in place of examples': (document, pick) => {
    const media = at(okOf(document, pick), 'content', 'application/json');
    const [first] = Object.values(at(media, 'examples')) as Json[];
    delete media.examples;
    media.example =
      typeof first!.$ref === 'string'
        ? at(components(document, 'examples'), first!.$ref.split('/').at(-1)!).value
        : first!.value;
  },
  'an answer without an example': (document, pick) =>
    delete at(okOf(document, pick), 'content', 'application/json').examples,
  'an example that lies elsewhere': (document, pick) =>
    void (at(okOf(document, pick), 'content', 'application/json').examples = {
      far: { externalValue: 'https://social.test/a.json' },
    }),
  'an answer without content': (document, pick) => delete okOf(document, pick).content,
  'an answer in two media types': (document, pick) =>
    void (at(okOf(document, pick), 'content')['text/plain'] = { schema: { type: 'string' } }),
  'an answer that is no JSON': (document, pick) =>
    void (okOf(document, pick).content = { 'text/csv': { schema: { type: 'string' } } }),
  'an answer of any form': (document, pick) =>
    void (okOf(document, pick).content = { 'application/json': { example: [1, { a: null }] } }),
  '204 in place of 200': (document, pick) => {
    const responses = at(pick(operationsOf(document)), 'responses');
    delete responses['200'];
    responses['204'] = { description: 'Done.' };
  },
  'a default response': (document, pick) =>
    void (at(pick(operationsOf(document)), 'responses').default = { $ref: '#/components/responses/InternalError' }),
  'a range of statuses': (document, pick) =>
    void (at(pick(operationsOf(document)), 'responses')['5XX'] = { $ref: '#/components/responses/InternalError' }),
  'an error written in place': (document, pick) =>
    void (at(pick(operationsOf(document)), 'responses')['418'] = { description: 'A teapot.' }),
  'a response that is a component': (document, pick) => {
    const responses = at(pick(operationsOf(document)), 'responses');
    components(document, 'responses').Moved = responses['200'];
    responses['200'] = { $ref: '#/components/responses/Moved', description: 'Told otherwise.' };
  },
  'a response that refers to a response': (document, pick) => {
    components(document, 'responses').Again = { $ref: '#/components/responses/NotFound' };
    at(pick(operationsOf(document)), 'responses')['404'] = { $ref: '#/components/responses/Again' };
  },
  'a header written in place': (document, pick) => {
    const headers = (okOf(document, pick).headers ??= {}) as Json;
    headers['X-Note'] = { schema: { type: 'string' } };
    headers['X-Content'] = { content: { 'text/plain': { schema: { type: 'string' } } } };
  },
  'parameters of a path': (document, pick) =>
    void (pick(itemsOf(document)).parameters = [
      { name: 'shared', in: 'query', schema: { type: 'string' } },
      { $ref: '#/components/parameters/limit' },
    ]),
  'a summary of a path': (document, pick) =>
    Object.assign(pick(itemsOf(document)), {
      summary: 'A path',
      description: 'Of operations.',
      servers: [{ url: '/v2' }],
    }),
  'a path that is a component': (document, pick) => {
    const paths = at(document, 'paths');
    const path = pick(Object.keys(paths).filter((each) => each.startsWith('/')));
    components(document, 'pathItems').Moved = paths[path];
    paths[path] = { $ref: '#/components/pathItems/Moved' };
  },
  'a parameter with a media type': (document, pick) => {
    const operation = pick(operationsOf(document));
    operation.parameters = [
      ...((operation.parameters ?? []) as unknown[]),
      { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
    ];
  },
  'a parameter in a header and in a cookie': (document, pick) => {
    const operation = pick(operationsOf(document));
    const schema = { type: 'string' };
    operation.parameters = [
      ...((operation.parameters ?? []) as unknown[]),
      { name: 'X-Trace', in: 'header', schema },
      { name: 'session', in: 'cookie', schema },
    ];
  },
  'a parameter of any form': (document, pick) => {
    const operation = pick(operationsOf(document));
    operation.parameters = [
      ...((operation.parameters ?? []) as unknown[]),
      { name: 'anything', in: 'query', schema: true },
    ];
  },
  'a body that is a component': (document) => {
    const operation = at(document, 'paths', '/social/tweet/unlike', 'post');
    components(document, 'requestBodies').Moved = operation.requestBody;
    operation.requestBody = { $ref: '#/components/requestBodies/Moved' };
  },
  'a body of a form': (document) =>
    void (at(document, 'paths', '/social/tweet/unlike', 'post').requestBody = {
      content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } },
    }),
  'a callback': (document, pick) =>
    void (pick(operationsOf(document)).callbacks = {
      delivered: {
        '{$request.query.url}': {
          post: {
            operationId: 'toldBack',
            summary: 'Told',
            security: [],
            responses: { 204: { description: 'Heard.' }, '4XX': { description: 'Not.' } },
          },
        },
      },
    }),
  'a webhook': (document) =>
    void (document.webhooks = {
      delivered: {
        post: {
          operationId: 'toldAll',
          summary: 'Told',
          security: [],
          responses: { 204: { description: 'Heard.' }, '4XX': { description: 'Not.' } },
        },
      },
    }),
  'a link written in place': (document, pick) =>
    void (okOf(document, pick).links = {
      self: { operationRef: '#/paths/~1social~1space~1detail/get', server: { url: '/' } },
    }),
  'no links': (document) => {
    for (const operation of operationsOf(document))
      if (isObject(at(operation, 'responses')['200'])) delete ok(operation).links;
    delete at(document, 'components').links;
  },
  'a tuple': addMember({
    type: 'array',
    prefixItems: [{ type: 'string' }, { type: 'integer', format: 'int64' }],
    items: false,
  }),
  'a constant': addMember({ const: { a: [1] } }),
  'a condition': addMember({
    type: 'object',
    if: { required: ['a'] },
    then: { required: ['b'] },
    else: { maxProperties: 1 },
  }),
  'definitions of its own': addMember({
    $defs: { inner: { type: 'string' } },
    type: 'object',
    properties: { a: { type: 'string' } },
  }),
  'true as a schema': addMember(true),
  'false as a schema': addMember(false),
  'several types': addMember({ type: ['string', 'number', 'array', 'null'] }),
  'an enumeration with null': addMember({ enum: ['a', 1, null] }),
  'members by pattern': addMember({
    type: 'object',
    patternProperties: { '^x_': { type: 'string' } },
    propertyNames: { maxLength: 9 },
    unevaluatedProperties: false,
  }),
  'dependent members': addMember({
    type: 'object',
    dependentRequired: { a: ['b'] },
    dependentSchemas: { c: { minProperties: 2 } },
  }),
  'what a list contains': addMember({
    type: 'array',
    contains: { type: 'integer' },
    minContains: 0,
    maxContains: 3,
    unevaluatedItems: false,
  }),
  'content in a text': addMember({ type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' }),
  'an unknown format': addMember({ type: 'string', format: 'color' }),
  'a reference with keywords beside it': addMember({ $ref: '#/components/schemas/Id', maxLength: 9, deprecated: true }),
  'exclusive bounds': addMember({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.5 }),
  'a discriminator': addMember({
    oneOf: [{ $ref: '#/components/schemas/Id' }, { $ref: '#/components/schemas/Count' }],
    discriminator: { propertyName: 'type' },
  }),
  'a text about nothing': inSchema('$comment', 'nothing'),
  'an external document': inSchema('externalDocs', { url: 'https://social.test' }),
  'a message with a condition': (document) =>
    Object.assign(at(document, 'components', 'schemas', 'WsPing'), {
      if: { required: ['id'] },
      then: { minProperties: 2 },
    }),
  'a message type by enum': (document) =>
    void (at(document, 'components', 'schemas', 'WsPing', 'properties').type = { type: 'string', enum: ['ping'] }),
  'a message written in place': (document) =>
    void ((at(document, 'components', 'schemas', 'WsClientMessage').oneOf as unknown[])[5] = {
      type: 'object',
      properties: { type: { const: 'ping' } },
    }),
};
