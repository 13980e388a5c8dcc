/** Checks that a contract can be served, and that the requests of each operation reach their validation. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express, { type Express, type RequestHandler } from 'express';
import { operationMetadata, type OpenApiDocument, type OperationMetadata } from '../../contract/openapi.ts';
import type { OperationId } from '../../contract/operations.ts';
import { parametersOfPath, pathWith } from '../../contract/path-template.ts';
import { ServiceError } from '../../contract/service-error.ts';
import type { Authenticator } from '../../ports/authenticator.ts';
import { messageOf } from '../../text/error-text.ts';
import { operationEntries } from '../pipeline/operation-entries.ts';
import { refuseUnsupported } from '../unsupported-parts.ts';
import { createValidator, foundOperation, type Validator } from './openapi-validator.ts';
import { RequestReaders } from './request-readers.ts';
import { createRouter } from './routes.ts';

interface Operation {
  readonly id: OperationId;
  readonly metadata: OperationMetadata;
}
type Operations = ReadonlyMap<OperationId, Operation>;

/** A query parameter that no operation has. */
const unknownParameter = 'x-validation-check';

/** An invalid call of the operation: with a parameter that the contract does not have. */
function invalidCall({ metadata: { entry } }: Operation): IncomingMessage {
  const { path, method, body } = entry;
  const values = Object.fromEntries(parametersOfPath(path).map((name) => [name, '1']));
  const request = new IncomingMessage(new Socket());
  request.method = method.toUpperCase();
  request.url = `${pathWith(path, values)}?${unknownParameter}=1`;
  if (body) request.headers['content-type'] = 'application/json';
  return request;
}

/** Sends a call to an app whose handlers all end with an error. */
const send = (app: Express, request: IncomingMessage): Promise<unknown> =>
  new Promise((resolve) => void app(request as never, new ServerResponse(request) as never, resolve));

/** The call reached the step. */
class Reached extends Error {
  readonly operation: string;
  /** The operation by whose rules the validator validates; undefined if it would validate nothing. */
  readonly validatedAs: unknown;
  constructor(operation: string, validatedAs: unknown) {
    super('an invalid request passes');
    this.operation = operation;
    this.validatedAs = validatedAs;
  }
}

/** Why the validation of an operation is not reached; undefined if it is. */
function reasonOf({ id }: Operation, outcome: unknown): string | undefined {
  if (!(outcome instanceof Reached))
    return outcome instanceof Error ? messageOf(outcome) : 'a request for it reaches no operation';
  if (outcome.operation !== id) return `a request for it reaches ${outcome.operation}`;
  if (outcome.validatedAs === id) return undefined;
  return typeof outcome.validatedAs === 'string'
    ? `a request for it is validated as ${outcome.validatedAs}`
    : 'the validator does not know its path';
}

/** An app that has the routes of the operations; `stepsOf` returns their handlers. */
function createApp(operations: Operations, stepsOf: (operation: Operation) => readonly RequestHandler[]): Express {
  const app = express().enable('strict routing').enable('case sensitive routing');
  const reached =
    ({ id }: Operation): RequestHandler =>
    (request) => {
      throw new Reached(id, foundOperation(request));
    };
  app.use(createRouter(operations.values(), (operation) => [...stepsOf(operation), reached(operation)]));
  return app;
}

function refuse({ id, metadata: { entry } }: Operation, reason: string): never {
  throw new Error(`${entry.method.toUpperCase()} ${entry.path} (${id}) cannot be validated: ${reason}`);
}

/**
 * Sends one invalid call of each operation through the routing, up to the place where the validator compiles the schemas
 * of the operation; and calls through the whole validation, as `checkRejection` does. Rejects for an operation whose validation is
 * not reached: the server must not start, because it would accept invalid requests.
 *
 * The whole validation of every operation would double the time of a start: it compiles all schemas.
 */
export async function checkValidation(
  operations: Operations,
  validator: Validator,
  readers: Pick<RequestReaders, 'hasPlainParameters' | 'steps'>,
): Promise<void> {
  const routes = createApp(operations, () => validator.find);
  for (const operation of operations.values()) {
    const reason = reasonOf(operation, await send(routes, invalidCall(operation)));
    if (reason !== undefined) refuse(operation, reason);
  }
  await checkRejection(operations, validator, readers);
}

/**
 * Sends invalid calls through the whole validation: one of an operation whose parameters the validator validates, and one of an operation whose
 * parameters `readers` validates. Rejects when one of them passes.
 */
export async function checkRejection(
  operations: Operations,
  validator: Pick<Validator, 'validate'>,
  readers: Pick<RequestReaders, 'hasPlainParameters' | 'steps'>,
): Promise<void> {
  // One without a body: its validation is compiled soonest.
  const firsts = [true, false].flatMap((isPlain) => {
    const ofKind = (metadata: OperationMetadata): boolean =>
      !metadata.entry.body && readers.hasPlainParameters(metadata) === isPlain;
    return [...operations.values()].find(({ metadata }) => ofKind(metadata)) ?? [];
  });
  const whole = createApp(new Map(firsts.map((first) => [first.id, first])), ({ id, metadata }) =>
    readers.hasPlainParameters(metadata) ? validator.validate(id, metadata) : readers.steps(metadata),
  );
  for (const first of firsts) {
    const error = await send(whole, invalidCall(first));
    if (!(error instanceof ServiceError) || error.status !== 400)
      refuse(first, error instanceof Error ? messageOf(error) : 'an invalid request passes');
  }
}

/**
 * Makes every check of a contract. Returns its validator. Rejects for a contract that is invalid or cannot be served, and for an operation whose
 * validation is not reached.
 */
export async function checkContract(
  document: OpenApiDocument,
  authenticators?: readonly Authenticator[],
): Promise<Validator> {
  // The validator comes first, because its errors describe an invalid document best.
  const validator = await createValidator(document);
  refuseUnsupported(document, authenticators);
  const operations = operationEntries(operationMetadata(document)).map(
    ([id, metadata]) => [id, { id, metadata }] as const,
  );
  await checkValidation(new Map(operations), validator, new RequestReaders(document));
  return validator;
}
