import { describe, expect, test } from '@jest/globals';
import { rules, type Level, type RuleId } from '../../../scripts/contract-tools/diff/rules.ts';
import { answered, withParameters, contract, differences, sent, verdicts, type Json } from './documents.ts';
import { protocolCases } from './protocol-cases.ts';
import { schemaCases } from './schema-cases.ts';

type Case = readonly [rule: RuleId, level: Level, before: Json, after: Json];

const string = { type: 'string' };
const body = (extra: Json = {}, types: readonly string[] = ['application/json']): Json =>
  contract({ requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: string }])), ...extra } });
const answers = (...statuses: string[]): Json =>
  contract({ responses: Object.fromEntries(statuses.map((status) => [status, { description: status }])) });
const typed = (...types: string[]): Json =>
  contract({
    responses: { 200: { description: 'It.', content: Object.fromEntries(types.map((type) => [type, {}])) } },
  });
const headed = (headers: Json): Json => contract({ responses: { 204: { description: 'Done.', headers } } });
const header = { schema: string };
const schemes = {
  key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  bearer: { type: 'http', scheme: 'bearer' },
  grant: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: '/token', scopes: { read: 'Read.', write: 'Write.' } } },
  },
};
const secured = (security: unknown, securitySchemes: Json = schemes): Json =>
  contract({}, { security, components: { securitySchemes } });
const served = (...servers: Json[]): Json => contract({}, { servers });
const named = (schemas: Json): Json => contract({}, { components: { schemas } });
const groups = (extensions: Json, ...parameters: Json[]): Json => {
  const document = withParameters(...parameters) as { paths: { '/things': { post: Json } } };
  Object.assign(document.paths['/things'].post, extensions);
  return document;
};
const group = (names: readonly string[], ...parameters: Json[]): Json =>
  groups({ 'x-exactly-one-of': names }, ...parameters);
const atLeast = (names: readonly string[], ...parameters: Json[]): Json =>
  groups({ 'x-at-least-one-of': names }, ...parameters);
const requires = (names: Json, ...parameters: Json[]): Json => groups({ 'x-requires': names }, ...parameters);
const throughPath = (name: string): Json => {
  const { paths, ...rest } = withParameters({ name, in: 'path', required: true }) as { paths: { '/things': Json } };
  return { ...rest, paths: { [`/things/{${name}}`]: paths['/things'] } };
};
const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
const must = (parameter: Json): Json => ({ ...parameter, required: true });
const nothing = { ...contract(), paths: {} };
const inHeader = { name: 'X-A', in: 'header' };
const operation = (more: Json): Json => ({ post: { responses: { 204: { description: 'Done.' } }, ...more } });
const calling = (more: Json = {}): Json => contract({}, { webhooks: { made: operation(more) } });
const calledBack = (more: Json = {}): Json =>
  contract({ callbacks: { made: { '{$request.body#/url}': operation(more) } } });
const sentBody = (schema: Json): Json => ({ requestBody: { content: { 'application/json': { schema } } } });
const answering = (...statuses: string[]): Json => ({
  responses: Object.fromEntries(statuses.map((status) => [status, { description: status }])),
});
const list = { name: 'a', schema: { type: 'array', items: string } };
const parts = (encoding: Json | undefined): Json =>
  contract({
    requestBody: {
      content: { 'multipart/form-data': { schema: {}, ...(encoding && { encoding: { a: encoding } }) } },
    },
  });
const linked = (links: Json): Json => contract({ responses: { 204: { description: 'Made.', links } } });
const region = (r: Json): Json => served({ url: 'https://{r}.example', variables: { r } });
const flow = { tokenUrl: '/token', scopes: { read: 'Read.' } };
const granting = (more: Json = {}): Json =>
  secured([{ grant: [] }], { grant: { type: 'oauth2', flows: { clientCredentials: flow }, ...more } });
const speaks = (name: 'WsClientMessage' | 'WsServerMessage', schema: unknown): Json => named({ [name]: schema });

const cases: readonly Case[] = [
  // Operations
  ['operation-removed', 'breaking', contract(), nothing],
  ['operation-added', 'safe', nothing, contract()],
  ['operation-id-changed', 'breaking', contract(), contract({ operationId: 'createThing' })],
  ['operation-id-added', 'safe', contract({ operationId: undefined }), contract()],
  ['deprecated', 'care', contract(), contract({ deprecated: true })],
  ['no-longer-deprecated', 'safe', contract({ deprecated: true }), contract()],
  ['sunset-set', 'care', contract(), contract({ 'x-sunset': '2027-06-30' })],
  ['sunset-earlier', 'care', contract({ 'x-sunset': '2027-06-30' }), contract({ 'x-sunset': '2027-05-31' })],
  ['sunset-later', 'safe', contract({ 'x-sunset': '2027-05-31' }), contract({ 'x-sunset': '2027-06-30' })],
  ['sunset-later', 'safe', contract({ 'x-sunset': '2027-05-31' }), contract()],
  ['sunset-set', 'care', withParameters(a), withParameters({ ...a, 'x-sunset': '2027-06-30' })],
  ['documentation-changed', 'safe', contract(), contract({ 'x-deprecated-since': '2026-11-01' })],
  ['documentation-changed', 'safe', contract(), contract({ description: 'Makes it.' })],
  ['documentation-changed', 'safe', contract(), contract({}, { info: { title: 'All the things', version: '1.0.0' } })],
  ['documentation-changed', 'safe', contract(), contract({}, { tags: [{ name: 'Things' }] })],
  [
    'documentation-changed',
    'safe',
    contract({}, { components: { examples: { it: { value: 1 } } } }),
    contract({}, { components: { examples: { it: { value: 2 } } } }),
  ],
  ['tags-changed', 'safe', contract(), contract({ tags: ['Things'] })],
  ['dialect-changed', 'care', contract(), contract({}, { openapi: '3.2.0' })],
  ['extension-changed', 'care', contract(), contract({ 'x-cost': 2 })],
  ['unjudged', 'breaking', contract(), contract({ invented: {} })],
  ['unjudged', 'breaking', contract(), contract({}, { jsonSchemaDialect: 'https://example.org/dialect' })],

  // What the service calls
  ['webhook-removed', 'breaking', calling(), contract()],
  ['webhook-added', 'safe', contract(), calling()],
  ['callback-removed', 'breaking', calledBack(), contract({ callbacks: {} })],
  ['callback-added', 'care', contract(), calledBack()],
  ['maxLength-loosened', 'breaking', calling(sentBody({ ...string, maxLength: 5 })), calling(sentBody(string))],
  ['maxLength-tightened', 'safe', calledBack(sentBody(string)), calledBack(sentBody({ ...string, maxLength: 5 }))],
  ['request-body-removed', 'breaking', calling(sentBody(string)), calling()],
  ['request-body-added-required', 'safe', calling(), calling({ requestBody: { required: true, content: {} } })],
  ['parameter-added-required', 'safe', calling(), calling({ parameters: [must({ ...inHeader, schema: string })] })],
  ['parameter-ignored', 'breaking', calling({ parameters: [{ ...inHeader, schema: string }] }), calling()],
  ['success-status-removed', 'breaking', calling(answering('200', '204')), calling(answering('200'))],
  ['success-status-added', 'safe', calling(answering('200')), calling(answering('200', '204'))],

  // Which parameters belong together
  ['parameter-group-tightened', 'breaking', withParameters(a, b), group(['a', 'b'], a, b)],
  ['parameter-group-tightened', 'breaking', group(['a', 'b'], a, b), group(['a'], a, b)],
  ['parameter-group-tightened', 'breaking', group(['a', 'b'], a, b, c), group(['a', 'b', 'c'], a, b, c)],
  ['unjudged', 'breaking', withParameters(), group(Array.from({ length: 13 }, (_, index) => `p${index}`))],
  ['parameter-group-loosened', 'safe', group(['a', 'b'], a, b), withParameters(a, b)],

  ['parameter-group-tightened', 'breaking', withParameters(a, b), atLeast(['a', 'b'], a, b)],
  ['parameter-group-tightened', 'breaking', atLeast(['a', 'b'], a, b), atLeast(['a'], a, b)],
  ['parameter-group-tightened', 'breaking', atLeast(['a', 'b'], a, b), group(['a', 'b'], a, b)],
  ['parameter-group-loosened', 'safe', group(['a', 'b'], a, b), atLeast(['a', 'b'], a, b)],
  ['parameter-group-tightened', 'breaking', withParameters(a, b), requires({ a: ['b'] }, a, b)],
  ['parameter-group-tightened', 'breaking', requires({ a: ['b'] }, a, b, c), requires({ a: ['b', 'c'] }, a, b, c)],
  ['parameter-group-loosened', 'safe', requires({ a: ['b', 'c'] }, a, b, c), requires({ a: ['b'] }, a, b, c)],
  ['parameter-group-loosened', 'safe', requires({ a: ['b'] }, a, b), withParameters(a, b)],
  ['unjudged', 'breaking', withParameters(), atLeast(Array.from({ length: 13 }, (_, index) => `p${index}`))],

  // When a failed call may be repeated, and how large a body may be
  ['repeat-refused', 'breaking', contract({ 'x-repeat': 'safe' }), contract({ 'x-repeat': 'refused' })],
  ['repeat-refused', 'breaking', contract({ 'x-repeat': 'safe' }), contract()],
  ['repeat-allowed', 'safe', contract({ 'x-repeat': 'refused' }), contract({ 'x-repeat': 'safe' })],
  ['max-bytes-lowered', 'breaking', body({ 'x-max-bytes': 9 }), body({ 'x-max-bytes': 8 })],
  ['max-bytes-lowered', 'breaking', body(), body({ 'x-max-bytes': 8 })],
  ['max-bytes-raised', 'safe', body({ 'x-max-bytes': 8 }), body({ 'x-max-bytes': 9 })],

  // Parameters
  ['path-parameter-renamed', 'care', throughPath('id'), throughPath('thing_id')],
  ['parameter-removed', 'breaking', withParameters(a, b), withParameters(a)],
  ['parameter-ignored', 'care', withParameters(a, inHeader), withParameters(a)],
  ['parameter-added-required', 'breaking', withParameters(a), withParameters(a, must(b))],
  ['parameter-added-optional', 'safe', withParameters(a), withParameters(a, b)],
  ['parameter-moved', 'breaking', withParameters(a), withParameters({ ...a, in: 'cookie' })],
  ['parameter-became-required', 'breaking', withParameters(a), withParameters(must(a))],
  ['parameter-became-optional', 'safe', withParameters(must(a)), withParameters(a)],
  ['parameter-form-unused', 'safe', withParameters(a), withParameters({ ...a, explode: false })],
  ['parameter-form-changed', 'breaking', withParameters(list), withParameters({ ...list, explode: false })],
  [
    'parameter-form-changed',
    'breaking',
    withParameters(list),
    withParameters({ name: 'a', schema: undefined, content: { 'application/json': { schema: list.schema } } }),
  ],
  [
    'written-type-widened',
    'safe',
    withParameters({ ...a, schema: { type: 'array', items: { type: 'integer' } } }),
    withParameters(list),
  ],
  [
    'written-type-narrowed',
    'breaking',
    withParameters(list),
    withParameters({ ...a, schema: { type: 'array', items: { type: 'integer' } } }),
  ],
  [
    'written-type-widened',
    'safe',
    withParameters({ ...a, style: 'deepObject', schema: { type: 'object', properties: { n: { type: 'number' } } } }),
    withParameters({ ...a, style: 'deepObject', schema: { type: 'object', properties: { n: string } } }),
  ],
  [
    'parameter-form-changed',
    'breaking',
    withParameters(a),
    withParameters({ ...a, style: 'pipeDelimited', explode: true }),
  ],
  ['written-type-narrowed', 'breaking', withParameters(a), withParameters({ ...a, schema: { type: 'integer' } })],
  [
    'written-type-widened',
    'safe',
    withParameters({ ...a, schema: { type: 'integer', minimum: 1 } }),
    withParameters(a),
  ],
  [
    'type-changed',
    'breaking',
    withParameters({ ...a, schema: { type: 'integer' } }),
    withParameters({ ...a, schema: { type: 'string', format: 'date' } }),
  ],
  ['reserved-characters-refused', 'breaking', withParameters({ ...a, allowReserved: true }), withParameters(a)],
  ['reserved-characters-allowed', 'safe', withParameters(a), withParameters({ ...a, allowReserved: true })],
  ['empty-value-refused', 'breaking', withParameters({ ...a, allowEmptyValue: true }), withParameters(a)],
  ['empty-value-allowed', 'safe', withParameters(a), withParameters({ ...a, allowEmptyValue: true })],
  [
    'maxLength-tightened',
    'breaking',
    withParameters(a),
    withParameters({ ...a, schema: { type: 'string', maxLength: 5 } }),
  ],
  ['deprecated', 'care', withParameters(a), withParameters({ ...a, deprecated: true })],
  [
    'documentation-changed',
    'safe',
    withParameters(a),
    withParameters(a, { name: 'Authorization', in: 'header', required: true }),
  ],

  // Request bodies
  ['request-body-removed', 'breaking', body(), contract()],
  ['request-body-added-required', 'breaking', contract(), body({ required: true })],
  ['request-body-added-optional', 'safe', contract(), body()],
  ['request-body-became-required', 'breaking', body(), body({ required: true })],
  ['request-body-became-optional', 'safe', body({ required: true }), body()],
  ['media-type-removed', 'breaking', body({}, ['application/json', 'text/plain']), body()],
  ['media-type-added', 'safe', body(), body({}, ['application/json', 'text/plain'])],
  ['encoding-changed', 'breaking', parts(undefined), parts({ contentType: 'image/png' })],
  ['encoding-changed', 'breaking', parts({ style: 'form' }), parts({ style: 'pipeDelimited' })],
  [
    'part-type-removed',
    'breaking',
    parts({ contentType: 'image/png, image/jpeg' }),
    parts({ contentType: 'image/png' }),
  ],
  ['part-type-removed', 'breaking', parts({ contentType: 'image/*' }), parts({ contentType: 'image/png' })],
  ['part-type-added', 'safe', parts({ contentType: 'image/png' }), parts({ contentType: 'image/*' })],
  ['header-added', 'safe', parts({}), parts({ headers: { 'X-Id': header } })],
  ['header-added-required', 'breaking', parts({}), parts({ headers: { 'X-Id': { ...header, required: true } } })],
  ['media-type-added', 'safe', body({}, ['image/png']), body({}, ['image/png', 'image/*'])],
  ['media-type-removed', 'breaking', body({}, ['text/csv; header=absent', 'text/csv']), body({}, ['text/csv'])],

  // Answers
  ['success-status-removed', 'breaking', answers('200', '202'), answers('200')],
  ['success-status-added', 'breaking', answers('200'), answers('200', '202')],
  ['status-removed', 'care', answers('200', '404'), answers('200')],
  ['status-added', 'care', answers('200'), answers('200', '404')],
  ['media-type-removed', 'breaking', typed('application/json', 'text/csv'), typed('application/json')],
  ['media-type-added', 'care', typed('application/json'), typed('application/json', 'text/csv')],
  ['link-added', 'safe', linked({}), linked({ get: { operationId: 'getThing' } })],
  ['link-removed', 'care', linked({ get: { operationId: 'getThing' } }), linked({})],
  [
    'links-changed',
    'care',
    linked({ get: { operationId: 'getThing' } }),
    linked({ get: { operationId: 'readThing' } }),
  ],
  ['header-removed', 'breaking', headed({ 'X-Id': header }), headed({})],
  ['header-added', 'safe', headed({}), headed({ 'X-Id': header })],
  ['header-became-optional', 'breaking', headed({ 'X-Id': { ...header, required: true } }), headed({ 'X-Id': header })],
  ['header-became-required', 'safe', headed({ 'X-Id': header }), headed({ 'x-id': { ...header, required: true } })],
  ['written-type-narrowed', 'safe', headed({ 'X-Id': header }), headed({ 'X-Id': { schema: { type: 'integer' } } })],
  ['written-type-widened', 'breaking', headed({ 'X-Id': { schema: { type: 'integer' } } }), headed({ 'X-Id': header })],
  ['documentation-changed', 'safe', contract(), contract({ responses: { 204: { description: 'It is made.' } } })],

  // Who may call, and where
  ['security-removed', 'breaking', secured([{ key: [] }, { bearer: [] }]), secured([{ bearer: [] }])],
  ['security-added', 'safe', secured([{ bearer: [] }]), secured([{ key: [] }, { bearer: [] }])],
  ['security-required', 'breaking', secured([{}, { key: [] }]), secured([{ key: [] }])],
  ['security-required', 'breaking', secured(undefined), secured([{ key: [] }, { bearer: [] }])],
  ['security-dropped', 'safe', secured([{ key: [] }]), secured([{}, { key: [] }])],
  ['scope-added', 'breaking', secured([{ grant: ['read'] }]), secured([{ grant: ['read', 'write'] }])],
  ['scope-added', 'breaking', secured([{ grant: [] }]), secured([{ grant: ['read'] }])],
  ['scope-added', 'breaking', secured([{ key: ['read'] }]), secured([{ key: ['read', 'write'] }])],
  ['scope-introduced', 'care', secured([{ key: [] }]), secured([{ key: ['read'] }])],
  ['scope-removed', 'safe', secured([{ grant: ['read', 'write'] }]), secured([{ grant: ['read'] }])],
  [
    'security-scheme-changed',
    'breaking',
    secured([{ key: [] }]),
    secured([{ key: [] }], { ...schemes, key: { ...schemes.key, name: 'x-key' } }),
  ],
  [
    'security-scheme-changed',
    'breaking',
    secured([{ key: [] }]),
    secured([{ key: [] }], { ...schemes, key: { ...schemes.key, in: 'query' } }),
  ],
  [
    'security-scheme-hint-changed',
    'care',
    secured([{ bearer: [] }]),
    secured([{ bearer: [] }], { ...schemes, bearer: { ...schemes.bearer, bearerFormat: 'JWT' } }),
  ],
  [
    'server-removed',
    'breaking',
    served({ url: 'https://a.example' }, { url: 'https://b.example' }),
    served({ url: 'https://a.example' }),
  ],
  [
    'server-added',
    'safe',
    served({ url: 'https://a.example' }),
    served({ url: 'https://a.example' }, { url: 'https://b.example' }),
  ],
  ['server-default-changed', 'care', region({ default: 'eu' }), region({ default: 'us' })],
  ['server-value-removed', 'breaking', region({ default: 'eu' }), region({ default: 'eu', enum: ['eu', 'us'] })],
  [
    'server-value-removed',
    'breaking',
    region({ default: 'eu', enum: ['eu', 'us'] }),
    region({ default: 'eu', enum: ['eu'] }),
  ],
  [
    'server-value-added',
    'safe',
    region({ default: 'eu', enum: ['eu'] }),
    region({ default: 'eu', enum: ['eu', 'us'] }),
  ],
  ['server-changed', 'care', served({ url: 'https://{r}.example', variables: {} }), region({ default: 'eu' })],
  ['flow-removed', 'breaking', granting(), granting({ flows: {} })],
  ['flow-added', 'safe', granting({ flows: {} }), granting()],
  [
    'flow-address-changed',
    'breaking',
    granting(),
    granting({ flows: { clientCredentials: { ...flow, tokenUrl: '/t' } } }),
  ],
  ['flow-scope-removed', 'breaking', granting(), granting({ flows: { clientCredentials: { ...flow, scopes: {} } } })],
  ['flow-scope-added', 'safe', granting({ flows: { clientCredentials: { ...flow, scopes: {} } } }), granting()],

  // Messages, and parts
  ['messages-removed', 'breaking', speaks('WsServerMessage', string), { ...contract(), components: { schemas: {} } }],
  ['messages-added', 'safe', contract(), speaks('WsClientMessage', string)],
  [
    'enum-value-added',
    'breaking',
    speaks('WsServerMessage', { enum: ['a'] }),
    speaks('WsServerMessage', { enum: ['a', 'b'] }),
  ],
  [
    'enum-value-added',
    'safe',
    speaks('WsClientMessage', { enum: ['a'] }),
    speaks('WsClientMessage', { enum: ['a', 'b'] }),
  ],
  ['component-removed', 'care', named({ Idle: string }), named({})],
  ['component-added', 'safe', named({}), named({ Idle: string })],
  [
    'inner-part-changed',
    'safe',
    contract({}, { components: { headers: { Idle: header } } }),
    contract({}, { components: { headers: {} } }),
  ],
];

describe('classifies a change of the contract by its consequence for callers', () => {
  for (const [rule, level, before, after] of cases) {
    test(`${rule} is ${level}`, () => {
      const found = verdicts(before, after).filter(
        (text) => (!text.endsWith('component-added') && !text.endsWith('component-removed')) || text.endsWith(rule),
      );
      expect(found).toEqual([`${level} ${rule}`]);
    });
  }
});

test('unevaluated-changed: a change of the parts of a schema with unevaluatedProperties: false', () => {
  const strict = (...parts: Json[]): Json => sent({ type: 'object', unevaluatedProperties: false, anyOf: parts });
  const [p, q] = [
    { required: ['p'], properties: { p: string } },
    { required: ['q'], properties: { q: string } },
  ];
  expect(verdicts(strict(p), strict(p, q))).toEqual(['breaking unevaluated-changed', 'safe alternative-added']);
});

test('every rule of the table has a case', () => {
  const tried = new Set<string>([
    'unevaluated-changed',
    ...schemaCases.map(({ rule }) => rule),
    ...cases.map(([rule]) => rule),
    ...protocolCases.map(([rule]) => rule),
  ]);
  expect(Object.keys(rules).filter((rule) => !tried.has(rule))).toEqual([]);
});

describe('reports nothing if callers cannot observe the difference', () => {
  const same: readonly (readonly [name: string, before: Json, after: Json])[] = [
    ['a new version', contract(), contract({}, { info: { title: 'Things', version: '2.0.0' } })],
    [
      'values and members in another order',
      sent({ enum: ['a', 'b'], type: 'string' }),
      sent({ type: 'string', enum: ['b', 'a'] }),
    ],
    [
      'null as a type, or as an alternative',
      answered({ type: ['string', 'null'] }),
      answered({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
    ],
    ['one value, as const or as enum', answered({ const: 'a' }), answered({ enum: ['a'] })],
    [
      'bounds of integers, inclusive or exclusive',
      sent({ type: 'integer', minimum: 1 }),
      sent({ type: 'integer', exclusiveMinimum: 0 }),
    ],
    ['a constraint without effect', sent({ type: 'string', minLength: 0 }), sent({ type: 'string' })],
    [
      'one part, or the parts it was made of',
      sent({ type: 'string', minLength: 1 }),
      sent({ allOf: [{ type: 'string' }, { minLength: 1 }] }),
    ],
    ['a patch version of OpenAPI', contract(), contract({}, { openapi: '3.1.1' })],
    ['the case of a media type', typed('application/json'), typed('Application/JSON')],
    ['the order of required parameters', requires({ a: ['b', 'c'] }, a, b, c), requires({ a: ['c', 'b'] }, a, b, c)],
    [
      'properties that are required anyway',
      sent({ type: 'object', required: ['p', 'q'] }),
      sent({ type: 'object', required: ['p', 'q'], minProperties: 1 }),
    ],
    ['the order of a group', group(['a', 'b'], a, b), group(['b', 'a'], a, b)],
    ['the case of a header', headed({ 'X-Id': header }), headed({ 'x-id': header })],
    [
      "the default of a parameter's form",
      withParameters(a),
      withParameters({ ...a, style: 'form', explode: true, required: false }),
    ],
    ['no servers, or the one meant by it', contract(), served({ url: '/' })],
    [
      'security of the whole document, or of its one operation',
      secured([{ key: [] }]),
      { ...secured(undefined), paths: secured([]).paths && contract({ security: [{ key: [] }] }).paths },
    ],
  ];
  for (const [name, before, after] of same)
    test(name, () => expect([verdicts(before, after), verdicts(after, before)]).toEqual([[], []]));
});

test('a default response beside a success describes errors; alone it describes every response', () => {
  expect(verdicts(answers('200'), answers('200', 'default'))).toEqual(['care status-added']);
  expect(verdicts(answers('200', 'default'), answers('200'))).toEqual(['care status-removed']);
  expect(verdicts(answers('default'), answers('200'))).toEqual([
    'breaking success-status-added',
    'breaking success-status-removed',
  ]);
});

test('a range of statuses has the statuses that it replaces', () => {
  const verdict = (before: Json, after: Json): string[] =>
    verdicts(before, after).filter((text) => !text.endsWith('documentation-changed'));
  expect(verdict(answers('200', '404', '409'), answers('200', '4XX'))).toEqual(['care status-added']);
  expect(verdict(answers('200', '4XX'), answers('200', '4XX', '404'))).toEqual([]);
  expect(verdict(answers('200', 'default'), answers('200', 'default', '404'))).toEqual([]);
});

test('reports no difference for a renamed security scheme', () => {
  const { key, ...others } = schemes;
  // The part of the document that has another name is gone, and new.
  expect(verdicts(secured([{ key: [] }]), secured([{ header: [] }], { header: key, ...others }))).toEqual([
    'safe inner-part-changed',
    'safe inner-part-changed',
  ]);
});

test('a required parameter can become part of a group whose other parameters are new', () => {
  expect(verdicts(withParameters(must(a)), group(['a', 'b'], a, b))).toEqual([
    'safe parameter-added-optional',
    'safe parameter-became-optional',
    'safe parameter-group-loosened',
  ]);
  expect(verdicts(group(['a', 'b'], a, b), group(['a', 'b', 'c'], a, b, c))).toEqual([
    'safe parameter-added-optional',
    'safe parameter-group-loosened',
  ]);
});

test('reports a difference in a shared component once, with all callers of each side', () => {
  const shared = (maxLength: number): Json => ({
    ...contract({
      requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Name' } } } },
      responses: {
        200: {
          description: 'It.',
          content: { 'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Name' } } } },
        },
      },
    }),
    components: {
      schemas: { Name: { type: 'string', maxLength }, WsServerMessage: { $ref: '#/components/schemas/Name' } },
    },
  });
  expect(differences(shared(9), shared(8))).toMatchObject([
    {
      rule: 'maxLength-tightened',
      level: 'breaking',
      where: 'Name › maxLength',
      before: { value: 9 },
      after: { value: 8 },
      reach: expect.arrayContaining([
        { side: 'request', level: 'breaking', callers: ['POST /things'] },
        { side: 'response', level: 'safe', callers: ['/ws WsServerMessage', 'POST /things'] },
      ]),
    },
  ]);
});

test('compares recursive schemas with any kind of self-reference', () => {
  const tree = (leaf: unknown): Json => ({
    ...answered({ $ref: '#/components/schemas/Tree' }),
    components: {
      schemas: {
        Tree: {
          type: 'object',
          properties: { leaf, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
        },
      },
    },
  });
  expect(verdicts(tree({ type: 'string' }), tree({ type: 'string' }))).toEqual([]);
  expect(verdicts(tree({ type: 'string' }), tree({ type: ['string', 'null'] }))).toEqual(['breaking null-allowed']);
  const unrolled = {
    type: 'object',
    properties: { leaf: string, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  };
  const once = tree(string) as { paths: unknown };
  expect(verdicts(once, { ...once, paths: answered(unrolled).paths })).toEqual([]);
});

test('properties of one side do not affect the other side', () => {
  const both = (member: unknown): Json => {
    const schema = { type: 'object', additionalProperties: false, properties: { id: member } };
    return contract({
      requestBody: { content: { 'application/json': { schema } } },
      responses: { 200: { description: 'It.', content: { 'application/json': { schema } } } },
    });
  };
  expect(
    verdicts(
      both({ type: 'string', maxLength: 9, readOnly: true }),
      both({ type: 'string', maxLength: 8, readOnly: true }),
    ),
  ).toEqual(['safe maxLength-tightened']);
  expect(
    verdicts(
      both({ type: 'string', maxLength: 8, writeOnly: true }),
      both({ type: 'string', maxLength: 9, writeOnly: true }),
    ),
  ).toEqual(['safe maxLength-loosened']);
});
