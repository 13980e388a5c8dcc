/** Sends every error: the one place that converts a thrown value into a response. */
import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import type { ValidateFunction } from 'ajv';
import { ServiceError, type ErrorStatus } from '../../contract/service-error.ts';
import { errorForm, type ErrorForm } from '../../contract/error-form.ts';
import { lazy } from '../../collections/lazy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import type { OperationId } from '../../contract/operations.ts';
import {
  responseFor,
  type OperationMetadata,
  type OperationMetadataMap,
  type OpenApiDocument,
  type ResponseMetadata,
  type Schema,
} from '../../contract/openapi.ts';
import { ContractBreach } from './contract-breach.ts';
import { errorResponse, errorResponseOf, type ErrorResponse } from './error-body.ts';
import { setHeaderPairs, type Exchange } from './exchange.ts';

/** The kind of an error in the log. */
const codes: Readonly<Record<ErrorStatus, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  426: 'upgrade_required',
  429: 'too_many_requests',
  500: 'internal',
  501: 'not_implemented',
  502: 'bad_gateway',
  503: 'unavailable',
  504: 'gateway_timeout',
};

/** The parameter that the message of an error begins with, if the contract has it: any other name is a word of the caller. */
function parameterIn(message: string, metadata: OperationMetadata | undefined): string | undefined {
  const name = /^(?:parameter |member |header )?'([\w.-]{1,64})'/.exec(message)?.[1];
  if (name === undefined || metadata === undefined) return undefined;
  const { parameters, pathParameters, headerParameters, cookieParameters, bodyMembers } = metadata;
  const isKnown =
    headerParameters.has(name.toLowerCase()) ||
    [parameters, pathParameters, cookieParameters, bodyMembers].some((names) => names.has(name));
  return isKnown ? name : undefined;
}

const internal = new ServiceError(500, 'internal error');

/** Writes an error response. Throws for a header value that HTTP does not permit. */
function write(
  response: ServerResponse,
  headers: readonly string[],
  { status, headers: own }: ServiceError,
  { headers: errorHeaders, body }: ErrorResponse,
): void {
  setHeaderPairs(response, headers);
  // An error response has no event cursor, because it contains no data.
  response.removeHeader('X-Event-Cursor');
  for (const [name, value] of Object.entries({ ...own, ...errorHeaders })) response.setHeader(name, value);
  response.statusCode = status;
  response.end(body);
}

/** Sends the error response for a thrown value, and records the error in the facts of the request. Never throws. */
export type ErrorResponder = (thrown: unknown, exchange: Pick<Exchange, 'response' | 'headers' | 'facts'>) => void;

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(`thrown value is not an Error: ${inspect(thrown)}`);

/** The forms of the errors of a contract. A form is found at the first error that needs it. */
class ErrorForms {
  readonly #document: OpenApiDocument;
  readonly #metadata: OperationMetadataMap;
  readonly #compile: (schema: object) => ValidateFunction;
  readonly #forms = new Map<ResponseMetadata, ErrorForm | undefined>();
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument, metadata: OperationMetadataMap) {
    this.#document = document;
    this.#metadata = metadata;
    this.#compile = lazyCompiler(document);
  }

  /** The body of an error of an operation; undefined where the message does not fit into the form of the contract. */
  response(id: OperationId | undefined, { status, message }: ServiceError): ErrorResponse | undefined {
    const declared = this.#declared(id, status);
    if (declared === undefined) return message === '' ? undefined : errorResponse(message);
    const form = this.#form(declared);
    if (form === undefined) return undefined;
    const { mediaType, body } = form;
    const value = body(status, message);
    return mediaType !== undefined && value === undefined ? undefined : errorResponseOf(mediaType, value);
  }

  /** The response that an error has: that of the operation, else that of any operation with this status, else any error. */
  #declared(id: OperationId | undefined, status: number): ResponseMetadata | undefined {
    const own = id === undefined ? undefined : responseFor(this.#metadata[id], status);
    return own ?? this.#others(status);
  }

  #others(status: number): ResponseMetadata | undefined {
    const all = Object.values(this.#metadata);
    const same = all.map((metadata) => responseFor(metadata, status)).find((each) => each !== undefined);
    return (
      same ??
      all
        .flatMap(({ responses }) => [...responses.values()])
        .find(({ key, content }) => /^([45]|default)/.test(key) && content.size > 0)
    );
  }

  #form(declared: ResponseMetadata): ErrorForm | undefined {
    if (!this.#forms.has(declared))
      this.#forms.set(
        declared,
        errorForm(this.#document, declared, (schema) => this.#validator(schema)),
      );
    return this.#forms.get(declared);
  }

  /** Most errors have the same schema, which is compiled once. */
  #validator(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const validator = this.#validators.get(key) ?? this.#compile(schema);
    this.#validators.set(key, validator);
    return validator;
  }
}

function lazyCompiler(document: OpenApiDocument): (schema: object) => ValidateFunction {
  const compiler = lazy(() => compilerWithin(document));
  return (schema) => compiler()(schema);
}

/**
 * Creates the error responder. It sends a ServiceError in the form that the contract gives to the status. Everything else
 * becomes a 500 with a neutral message, and the original error goes to the log. The same applies to an error whose message
 * the contract does not allow: express-openapi-validator does not check responses from 500 upwards, so the responder checks them.
 */
export function createErrorResponder(document: OpenApiDocument, metadata: OperationMetadataMap): ErrorResponder {
  const forms = new ErrorForms(document, metadata);

  /** The error to send with its body, and the server fault that it represents. */
  function classify(
    thrown: unknown,
    id: OperationId | undefined,
  ): { sent: ServiceError; body: ErrorResponse; fault: Error | undefined } {
    const body = thrown instanceof ServiceError ? forms.response(id, thrown) : undefined;
    if (thrown instanceof ServiceError && body !== undefined) return { sent: thrown, body, fault: undefined };
    const fault =
      thrown instanceof ServiceError
        ? new ContractBreach(id, `the body of the ${thrown.status} is not an error of the contract`)
        : toError(thrown);
    return { sent: internal, body: forms.response(id, internal) ?? errorResponse(internal.message), fault };
  }

  return (thrown, { response, headers, facts }) => {
    try {
      const { sent, body, fault } = classify(thrown, facts.operationId);
      if (fault !== undefined) facts.fault = fault;
      if (response.headersSent) return breakOff(response);
      facts.code = codes[sent.status];
      facts.parameter = parameterIn(sent.message, facts.operationId && metadata[facts.operationId]);
      write(response, headers, sent, body);
    } catch (error) {
      writeInternal(toError(error), response, facts);
    }
  };
}

/** Ends a response in the middle, after what is written of it: the caller sees that it is incomplete. */
function breakOff(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || response.writableNeedDrain) response.destroy();
  else socket.destroySoon();
}

/** Sends a 500 without the headers that could not be written; closes the connection where that fails too. */
function writeInternal(fault: Error, response: ServerResponse, facts: Exchange['facts']): void {
  facts.fault = fault;
  facts.code = codes[500];
  try {
    write(response, [], internal, errorResponse(internal.message));
  } catch {
    response.destroy();
  }
}
