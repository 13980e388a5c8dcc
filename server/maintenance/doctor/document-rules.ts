/** The contents of the documents of a data directory, and the rules for their repair. */
import type { ValidateFunction } from 'ajv';
import { readEntry } from '../../assistant/accounts.ts';
import { lazy } from '../../collections/lazy.ts';
import { requirementOf } from '../../contract/requirement.ts';
import { schemaCompiler } from '../../contract/schema-compiler.ts';
import { keyScopes } from '../../keys/scopes.ts';
import { readRate } from '../../text/rate.ts';
import { messageOf } from '../../text/error-text.ts';
import { memberOf } from '../../text/object.ts';

export interface DocumentRules {
  /** The fault of the value; undefined for a valid value. */
  readonly fault: (value: unknown) => string | undefined;
  /** The property that lists entries, which a repair keeps one by one, and the check of an entry. */
  readonly entries?: { readonly member: string; readonly fault: (value: unknown) => string | undefined };
  /** The consequence of the removal of the document or of some of its entries. */
  readonly consequence: string;
}

const compiler = lazy(() => schemaCompiler({ strict: false, verbose: true }));

/** A check against a JSON Schema; the fault names the property and the expected value. */
export function schemaFault(schema: object): (value: unknown) => string | undefined {
  const validator = lazy((): ValidateFunction => compiler().compile(schema));
  return (value) => {
    const validate = validator();
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    if (error === undefined) return 'the value is not valid';
    const { instancePath, keyword, params } = error;
    const name = instancePath.slice(1).replaceAll('/', '.');
    if (keyword === 'required')
      return `${name === '' ? '' : `${name}.`}${String(params['missingProperty'])} is missing`;
    return `${name === '' ? 'the value' : name} ${requirementOf(error)}`;
  };
}

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const epochs = {
  type: 'array',
  items: { type: 'object', required: ['epoch', 'last'], properties: { epoch: { type: 'string' }, last: count } },
};
const time = { type: 'string', format: 'date-time' };
const secret = { type: 'string', pattern: '^([A-Za-z0-9+/]{43}=)?$', 'x-expected': 'a secret of 32 bytes in base64' };

const keyShape = schemaFault({
  type: 'object',
  required: ['id', 'name', 'created_at', 'hash'],
  properties: {
    id: { type: 'string', minLength: 1 },
    name: text,
    created_at: time,
    hash: { type: 'string', pattern: '^[\\da-f]{64}$', 'x-expected': 'a SHA-256 in hexadecimal digits' },
    scopes: { type: 'array', items: { enum: Object.keys(keyScopes) } },
    rate: text,
    expires_at: time,
    last_used_at: time,
    issuer: { type: 'string', minLength: 1 },
  },
});

/** The fault of a stored key. Its limits must be readable: a key without a limit that it should have is no key. */
function keyFault(value: unknown): string | undefined {
  const shape = keyShape(value);
  if (shape !== undefined) return shape;
  const rate = memberOf(value, 'rate');
  return typeof rate !== 'string' || readRate(rate) !== undefined ? undefined : 'rate cannot be read';
}

function accountFault(value: unknown): string | undefined {
  try {
    readEntry(value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const listFault = (member: string): ((value: unknown) => string | undefined) =>
  schemaFault({ type: 'object', required: [member], properties: { [member]: { type: 'array' } } });

/** The documents by their path below the data directory. */
export const documentRules: Readonly<Record<string, DocumentRules>> = {
  'keys.json': {
    fault: listFault('keys'),
    entries: { member: 'keys', fault: keyFault },
    consequence: 'keys that are lost must be made again; compare `npm run keys -- list` with what you gave out',
  },
  'accounts.json': {
    fault: listFault('accounts'),
    entries: { member: 'accounts', fault: accountFault },
    consequence: 'accounts that are lost must be added again: `npm run accounts -- list`',
  },
  'assistant-cost.json': {
    fault: schemaFault({
      type: 'object',
      required: ['day', 'dollars'],
      properties: { day: { type: 'string' }, dollars: { type: 'number', minimum: 0 } },
    }),
    consequence: 'the budget of the assistant for today begins anew',
  },
  'audit.json': {
    fault: listFault('entries'),
    entries: {
      member: 'entries',
      fault: schemaFault({
        type: 'object',
        required: ['at', 'key', 'action', 'subject', 'result'],
        properties: { at: time, key: text, action: text, subject: text, result: text },
      }),
    },
    consequence: 'actions of operators are missing in the audit log; the log of the service has them too',
  },
  'follow.json': {
    fault: listFault('targets'),
    entries: {
      member: 'targets',
      fault: schemaFault({
        type: 'object',
        required: ['target', 'added_at'],
        properties: { target: { type: 'string', minLength: 1 }, added_at: time },
      }),
    },
    consequence: 'targets that are lost must be added again: `npm run follow -- list`',
  },
  'follow-tokens.json': {
    fault: listFault('tokens'),
    entries: {
      member: 'tokens',
      fault: schemaFault({
        type: 'object',
        required: ['source', 'token'],
        properties: { source: { type: 'string', minLength: 1 }, token: { type: 'string', minLength: 1 } },
      }),
    },
    consequence: 'tokens that are lost must be stored again: `npm run follow -- token x`',
  },
  'saved-searches.json': {
    fault: listFault('searches'),
    entries: {
      member: 'searches',
      fault: schemaFault({
        type: 'object',
        required: ['id', 'owner', 'name', 'query', 'url', 'events', 'created_at', 'secrets'],
        properties: {
          ...{ id: { type: 'string', minLength: 1 }, owner: text, name: text, query: text, created_at: time },
          url: { type: ['string', 'null'] },
          events: { type: 'array', items: text },
          secrets: {
            type: 'array',
            items: {
              type: 'object',
              required: ['secret'],
              properties: { secret: { type: 'string', pattern: '^whsec_' }, until: { type: 'number' } },
            },
          },
        },
      }),
    },
    consequence: 'saved searches that are lost must be made again, and their webhooks get another secret',
  },
  'set-aside.json': {
    fault: listFault('records'),
    entries: {
      member: 'records',
      fault: schemaFault({
        type: 'object',
        required: ['seq', 'bytes', 'reason', 'found_at'],
        properties: {
          seq: count,
          bytes: count,
          reason: text,
          found_at: time,
          record: text,
          line: count,
          offset: count,
        },
      }),
    },
    consequence: 'the next start lists again what the archive cannot apply',
  },
  'secrets.json': {
    fault: schemaFault({ type: 'object', additionalProperties: secret }),
    consequence:
      'the next start makes new secrets: page cursors, conversations and short-lived tokens from before are refused',
  },
  'events/log.json': {
    fault: schemaFault({
      type: 'object',
      required: ['epoch'],
      properties: {
        epoch: { type: 'string', pattern: '^[\\w-]+$' },
        told_up_to: count,
        head: count,
        former_of: { type: 'string' },
        former: epochs,
      },
    }),
    consequence: 'the next start begins a new event log: clients that resume get a gap',
  },
};
