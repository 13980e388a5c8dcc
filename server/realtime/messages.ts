/** WebSocket messages: parsed and validated by the validators that are generated from the contract. */
import type { ErrorObject } from 'ajv';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { received, sent } from '../../generated/messages.js';
import type { Schemas } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import { schemaAt, type Schema } from '../contract/openapi.ts';
import { duplicateName } from '../text/duplicate-json-names.ts';
import { suggestion } from '../text/nearest-name.ts';
import { requirement } from '../contract/requirement.ts';
import { hasMembers, memberOf } from '../text/object.ts';

export type ClientMessage = Schemas['WsClientMessage'];
export type ServerMessage = Schemas['WsServerMessage'];
export type ErrorCode = Schemas['WsError']['code'];

/** A rejected message. `id` is the id of its command, if it could be read. */
export class MessageError extends Error {
  override readonly name = 'MessageError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly id: string | undefined;
  readonly details: Partial<Pick<Schemas['WsError'], 'position' | 'retry_after_s' | 'oldest_cursor'>>;

  constructor(code: ErrorCode, status: number, message: string, id?: string, more: MessageError['details'] = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.id = id;
    this.details = more;
  }
}

const types = Object.keys(received);
const checks = new Map(Object.entries(received));
const quoted = (name: string): string => `'${name.slice(0, 100)}'`;

/** Parses a text frame. Throws MessageError with the code `bad_message`, `bad_params` or `unknown_channel`. */
export function readMessage(text: string): ClientMessage {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw new MessageError('bad_message', 400, 'the message is not JSON');
  }
  const duplicate = duplicateName(text);
  if (duplicate !== undefined) {
    throw new MessageError('bad_message', 400, `member ${quoted(duplicate)} is given more than once`);
  }
  if (!hasMembers(message) || Array.isArray(message))
    throw new MessageError('bad_message', 400, 'the message is not a JSON object');
  const { type } = message;
  const id = typeof message.id === 'string' && message.id !== '' && message.id.length <= 64 ? message.id : undefined;
  if (typeof type !== 'string')
    throw new MessageError('bad_message', 400, `member 'type' is missing or not a string${suggestion('', types)}`, id);
  const check = checks.get(type);
  if (check === undefined)
    throw new MessageError('bad_message', 400, `unknown type ${quoted(type)}${suggestion(type, types)}`, id);
  if (check(message)) return message;
  const [fault] = check.errors ?? [];
  if (fault === undefined) throw new MessageError('bad_message', 400, 'the message is not valid', id);
  throw new MessageError(
    fault.instancePath === '/channel'
      ? 'unknown_channel'
      : fault.instancePath.startsWith('/params')
        ? 'bad_params'
        : 'bad_message',
    400,
    describeFault(fault, message),
    id,
  );
}

// The types of JSON modules do not know that any schema may stand there.
const schemas = openapi.components.schemas as unknown as Readonly<Record<string, Schema>>;
/** The schemas of the messages that a client may send, by type. */
const schemaByType = new Map(
  openapi.components.schemas.WsClientMessage.oneOf.flatMap(({ $ref }): [unknown, Schema][] => {
    const schema = schemas[$ref.slice($ref.lastIndexOf('/') + 1)];
    return schema === undefined ? [] : [[schema.properties?.type?.const, schema]];
  }),
);

/** Describes a validation error: the wrong member, and the expected value. */
function describeFault(
  { keyword, instancePath, params, message: expected = '' }: ErrorObject,
  message: Readonly<Record<string, unknown>>,
): string {
  const pointer = instancePath.split('/').slice(1);
  const path = pointer.join('.');
  const value = pointer.reduce<unknown>(memberOf, message);
  const schema = schemaAt(openapi, schemaByType.get(message.type) ?? {}, pointer);
  const location = path === '' ? '' : ` of ${quoted(path)}`;
  switch (keyword) {
    case 'required': {
      const missingName = String(params.missingProperty);
      const hint = suggestion(missingName, Object.keys(value ?? {}));
      return `member '${missingName}'${location} is missing${hint.startsWith(': did you') ? hint.replace('did you mean', 'is it misspelled as') : ''}`;
    }
    case 'additionalProperties': {
      const name = String(params.additionalProperty);
      return `unknown member ${quoted(name)}${location}${suggestion(name, Object.keys(schema.properties ?? {}))}`;
    }
    case 'enum':
      if (typeof value === 'string' && path === 'channel')
        return `unknown channel ${quoted(value)}${suggestion(value, params.allowedValues as string[])}`;
  }
  return `member '${path}' ${requirement(keyword, schema, value, expected)}`;
}

/** Error codes for the statuses of a ServiceError. The code for status 400 depends on the command. */
const codeByStatus: Partial<Record<number, ErrorCode>> = {
  404: 'not_found',
  409: 'conversation_expired',
  429: 'too_many_requests',
  501: 'unknown_channel',
  502: 'upstream_failed',
  503: 'no_account',
  504: 'upstream_failed',
};

/** Converts an error of a command to an error message. The message of an unexpected error discloses nothing. */
export function errorMessage(error: unknown, id: string | undefined, badRequest: ErrorCode): Schemas['WsError'] {
  const command = id === undefined ? {} : { id };
  if (error instanceof MessageError) {
    return {
      type: 'error',
      error: error.message,
      status: error.status,
      code: error.code,
      ...(error.id === undefined ? command : { id: error.id }),
      ...error.details,
    };
  }
  if (!(error instanceof ServiceError))
    return { type: 'error', error: 'internal error', status: 500, code: 'internal', ...command };
  const { status, message, headers } = error;
  const retryAfter = headers['Retry-After'];
  const position = /^'query' cannot be read at (\d+)/.exec(message)?.[1];
  return {
    type: 'error',
    error: message,
    status,
    code: status === 400 ? badRequest : (codeByStatus[status] ?? 'internal'),
    ...command,
    ...(retryAfter === undefined ? {} : { retry_after_s: Number(retryAfter) }),
    ...(position === undefined ? {} : { position: Number(position) }),
  };
}

/** Serialises a message; undefined when the message does not conform to the contract. */
export function frameOf(message: ServerMessage): string | undefined {
  const check: (data: unknown) => boolean = sent[message.type];
  return check(message) ? JSON.stringify(message) : undefined;
}
