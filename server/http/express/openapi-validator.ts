/** Prepares express-openapi-validator before the server listens, and words its errors. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { badRequest } from '../../contract/service-error.ts';
import type { OperationId } from '../../contract/operations.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { requirement } from '../../contract/requirement.ts';
import { isChecked } from '../../contract/checked-contract.ts';
import { normaliseDocument } from '../../contract/plain-document.ts';
import {
  schemaAt,
  type OpenApiDocument,
  type OperationMetadata,
  type Parameter,
  type Schema,
} from '../../contract/openapi.ts';
import { ContractBreach } from '../pipeline/contract-breach.ts';
import { BadRequest, InternalServerError, OpenApiValidator, simplifyPreprocessor } from './validator-library.ts';
import { validatorSpec } from './validator-spec.ts';
import { memberOf } from '../../text/object.ts';

interface Finding {
  /** Such as `/query/limit` or `/body/tweet_id`. */
  readonly path: string;
  /** The message of the validator. */
  readonly message: string;
  /** Such as `pattern.openapi.validation`. */
  readonly errorCode?: string | undefined;
}

const keywordOf = ({ errorCode = '' }: Pick<Finding, 'errorCode'>): string => errorCode.split('.', 1)[0] ?? '';
const isUnknownMember = (finding: Pick<Finding, 'errorCode'>): boolean => keywordOf(finding) === 'additionalProperties';

/** The reserved characters of RFC 3986. A query value must percent-encode them unless the parameter allows them. */
const reserved = /[:/?#[\]@!$&'()*+,;=]/;
const isReservedCharacterError = ({ message }: Finding): boolean => message.includes('reserved characters');

/** The first violated keyword of a string, in the order in which errors are reported. */
function violatedKeyword({ enum: allowed, pattern }: Schema, value: string): 'enum' | 'pattern' | undefined {
  if (allowed !== undefined && !allowed.includes(value)) return 'enum';
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? 'pattern' : undefined;
}

function parameterWording(
  { parameters, pathParameters }: OperationMetadata,
  name: string,
  finding: Finding,
  value: unknown,
): string {
  const { example, schema = {} } = parameters.get(name) ?? pathParameters.get(name) ?? {};
  const fallback = finding.message.replace(/^Parameter '.*?' /, '').replace(/\.$/, '');
  if (!isReservedCharacterError(finding))
    return `parameter '${name}' ${requirement(keywordOf(finding), schema, value, fallback, example)}`;
  // A violated keyword is more useful to the caller than a reserved character.
  const keyword = typeof value === 'string' ? violatedKeyword(schema, value) : undefined;
  if (keyword !== undefined) return `parameter '${name}' ${requirement(keyword, schema, value, fallback, example)}`;
  const character = reserved.exec(String(value))?.[0];
  return character === undefined
    ? `parameter '${name}' has a reserved character that must be percent-encoded`
    : `parameter '${name}' has the reserved character '${character}': send it as %${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The value at a JSON pointer within another value. */
const valueAt = (value: unknown, pointer: readonly string[]): unknown => pointer.reduce<unknown>(memberOf, value);

function bodyWording(
  document: OpenApiDocument,
  body: Schema,
  pointer: readonly string[],
  finding: Finding,
  value: unknown,
): string {
  const name = pointer.join('.');
  const keyword = keywordOf(finding);
  if (keyword === 'required') return `member '${name}' of the body is missing`;
  if (keyword === 'additionalProperties') {
    const siblings = Object.keys(schemaAt(document, body, pointer.slice(0, -1)).properties ?? {});
    return `unknown member '${name}' of the body${suggestion(pointer.at(-1) ?? '', siblings)}`;
  }
  const subject = name === '' ? 'the body' : `member '${name}' of the body`;
  const schema = schemaAt(document, body, pointer);
  // Where the schema has alternatives, the failed keyword is in one of them, which the pointer does not reach.
  const constraints = keyword !== 'pattern' || schema.pattern !== undefined ? schema : {};
  return `${subject} ${requirement(keyword, constraints, valueAt(value, pointer), finding.message)}`;
}

/** What is wrong with a header, without its value. */
const headerWording = ({ name, schema }: Parameter, keyword: string, message: string): string =>
  keyword === 'required'
    ? `header '${name}' is missing`
    : `header '${name}' ${requirement(keyword, schema, undefined, message)}`;

/** The text of a finding: the invalid parameter or property and the expectation of the contract. */
function wording(document: OpenApiDocument, operation: OperationMetadata, finding: Finding, request: Request): string {
  const [, location = '', ...pointer] = finding.path
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = pointer.join('.');
  if (location === 'query') return parameterWording(operation, name, finding, request.query[name]);
  if (location === 'params') return parameterWording(operation, name, finding, request.params[name]);
  if (location === 'body')
    return bodyWording(
      document,
      operation.requestBody?.content.get('application/json')?.schema ?? {},
      pointer,
      finding,
      request.body,
    );
  const header = location === 'headers' ? operation.headerParameters.get(name.toLowerCase()) : undefined;
  if (header !== undefined) return headerWording(header, keywordOf(finding), finding.message);
  return `${location} '${name}' ${requirement(keywordOf(finding), {}, undefined, finding.message)}`;
}

/** Validates requests and responses of operations. */
export interface Validator {
  /** Creates the middleware that validates the requests of an operation (400) and its responses (ContractBreach). */
  validate(id: OperationId, operation: OperationMetadata): RequestHandler[];
  /** The first part of this middleware: finds the operation of a request. Without an operation nothing is validated. */
  readonly find: readonly RequestHandler[];
}

/** The id of the operation that `find` has found for a request; undefined if none. */
export const foundOperation = (request: object): unknown =>
  memberOf(memberOf(memberOf(request, 'openapi'), 'schema'), 'operationId');

const contractError = (cause: unknown): Error =>
  new Error(`the contract is invalid: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });

function specOf(document: OpenApiDocument): ReturnType<typeof validatorSpec> {
  try {
    return validatorSpec(normaliseDocument(document), isChecked(document));
  } catch (error) {
    throw contractError(error);
  }
}

/**
 * Compiles the contract. Responses of 500 and above are not validated. Rejects when the document itself is invalid;
 * otherwise the validator would report that to each caller.
 */
export function createValidator(document: OpenApiDocument): Promise<Validator> {
  const validator = validators.get(document) ?? compileValidator(document);
  validators.set(document, validator);
  return validator;
}

/** One validator for each document, shared by all apps of a process. */
const validators = new WeakMap<OpenApiDocument, Promise<Validator>>();

async function compileValidator(document: OpenApiDocument): Promise<Validator> {
  const spec = specOf(document);
  simplifyPreprocessor();
  const validator = new OpenApiValidator({
    apiSpec: document as never,
    // All findings, so that the error names a misspelt member and not the missing member.
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
    // All of each format: the short forms accept 2026-02-30.
    ajvFormats: { mode: 'full' },
  });
  const middleware = validator.installMiddleware(Promise.resolve(spec));
  await new Promise<void>((resolve, reject) => {
    void middleware[0]!({ app: { param: () => {} } } as never, {} as never, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(contractError(error));
    });
  });
  const translate = (id: OperationId, operation: OperationMetadata, error: unknown, request: Request): unknown => {
    if (error instanceof BadRequest) {
      const findings = error.errors as Finding[];
      const finding = findings.find(isUnknownMember) ?? findings[0] ?? { path: '', message: error.message };
      return badRequest(wording(document, operation, finding, request));
    }
    if (error instanceof InternalServerError) return new ContractBreach(id, error.message, error.errors);
    return error;
  };
  const call = (handler: (typeof middleware)[number], ...[request, response, next]: Parameters<RequestHandler>): void =>
    void handler(request as never, response as never, next);
  return {
    validate: (id, operation) =>
      middleware.map((handler) => (request: Request, response: Response, next: NextFunction) => {
        call(handler, request, response, (error?: unknown) => next(error && translate(id, operation, error, request)));
      }),
    // The order of the library: path parameters, operation, security, request, response.
    find: middleware.slice(0, 2).map(
      (handler) =>
        (...parts: Parameters<RequestHandler>) =>
          call(handler, ...parts),
    ),
  };
}
