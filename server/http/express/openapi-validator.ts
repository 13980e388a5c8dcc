/** express-openapi-validator, made ready before the server listens, with its findings put into our words. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { BadRequest, InternalServerError, OpenApiValidator } from 'express-openapi-validator/dist/openapi.validator.js';
import { badRequest } from '../../contract/service-error.ts';
import type { OperationId } from '../../contract/operations.ts';
import { suggestion } from '../../text/nearest-name.ts';
import { requirement } from '../../contract/requirement.ts';
import { normaliseDocument } from '../../contract/plain-document.ts';
import { schemaAt, type OpenApiDocument, type OperationMetadata, type Schema } from '../../contract/openapi.ts';
import { validatorSpec } from './validator-spec.ts';

/** An answer that the contract does not allow: a fault of ours, told to the log only. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach';
  readonly operationId: OperationId | undefined;
  /** Where in the answer, and what is wrong there. */
  readonly findings: unknown;

  constructor(operationId: OperationId | undefined, message: string, findings?: unknown) {
    super(message);
    this.operationId = operationId;
    this.findings = findings;
  }
}

interface Finding {
  /** Such as `/query/limit` or `/body/tweet_id`. */
  readonly path: string;
  /** The validator's own words. */
  readonly message: string;
  /** Such as `pattern.openapi.validation`. */
  readonly errorCode?: string | undefined;
}

const keywordOf = ({ errorCode = '' }: Pick<Finding, 'errorCode'>): string => errorCode.split('.', 1)[0] ?? '';
const isUnknownMember = (finding: Pick<Finding, 'errorCode'>): boolean => keywordOf(finding) === 'additionalProperties';

/** The characters that RFC 3986 reserves, which a query value has percent-encoded unless the parameter says otherwise. */
const reserved = /[:/?#[\]@!$&'()*+,;=]/;
const isReservedFault = ({ message }: Finding): boolean => message.includes('reserved characters');

/** The keywords that demand something of a text on its own, in the order in which a fault is told. */
function textFault({ enum: allowed, pattern }: Schema, value: string): 'enum' | 'pattern' | undefined {
  if (allowed !== undefined && !allowed.includes(value)) return 'enum';
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? 'pattern' : undefined;
}

function parameterWording({ parameters }: OperationMetadata, name: string, finding: Finding, value: unknown): string {
  const { example, schema = {} } = parameters.get(name) ?? {};
  const otherwise = finding.message.replace(/^Parameter '.*?' /, '').replace(/\.$/, '');
  if (!isReservedFault(finding))
    return `parameter '${name}' ${requirement(keywordOf(finding), schema, value, otherwise, example)}`;
  // What the value must be says more than that a character in it must be encoded.
  const keyword = typeof value === 'string' ? textFault(schema, value) : undefined;
  if (keyword !== undefined) return `parameter '${name}' ${requirement(keyword, schema, value, otherwise, example)}`;
  const character = reserved.exec(String(value))?.[0];
  return character === undefined
    ? `parameter '${name}' has a reserved character that must be percent-encoded`
    : `parameter '${name}' has the reserved character '${character}': send it as %${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** The value at a JSON pointer within another. */
const valueAt = (value: unknown, pointer: readonly string[]): unknown =>
  pointer.reduce<unknown>(
    (at, step) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined),
    value,
  );

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
  const what = name === '' ? 'the body' : `member '${name}' of the body`;
  const schema = schemaAt(document, body, pointer);
  // Where the schema is a choice, what failed is a part of it that the pointer does not lead to.
  const demands = keyword !== 'pattern' || schema.pattern !== undefined ? schema : {};
  return `${what} ${requirement(keyword, demands, valueAt(value, pointer), finding.message)}`;
}

/** Says which parameter or member is wrong, and what was expected. */
function wording(document: OpenApiDocument, facts: OperationMetadata, finding: Finding, request: Request): string {
  const [, place = '', ...pointer] = finding.path
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = pointer.join('.');
  if (place === 'query') return parameterWording(facts, name, finding, request.query[name]);
  if (place === 'body') return bodyWording(document, facts.body ?? {}, pointer, finding, request.body);
  return `${place} '${name}' ${requirement(keywordOf(finding), {}, undefined, finding.message)}`;
}

type Validator = (id: OperationId, facts: OperationMetadata) => RequestHandler[];

const unusable = (cause: unknown): Error =>
  new Error(`the contract cannot be used: ${(cause as Error).message}`, { cause });

function specOf(document: OpenApiDocument): ReturnType<typeof validatorSpec> {
  try {
    return validatorSpec(normaliseDocument(document));
  } catch (error) {
    throw unusable(error);
  }
}

/**
 * Compiles the contract. The returned function gives the handlers that check an operation's requests (400) and its answers
 * below 500 (ContractBreach). Rejects when the document itself is broken, which the validator would only tell to each caller.
 */
export function createValidator(document: OpenApiDocument): Promise<Validator> {
  const known = validators.get(document) ?? compileValidator(document);
  validators.set(document, known);
  return known;
}

/** One validator for each document, however many apps there are in a process. */
const validators = new WeakMap<OpenApiDocument, Promise<Validator>>();

async function compileValidator(document: OpenApiDocument): Promise<Validator> {
  const spec = specOf(document);
  const validator = new OpenApiValidator({
    apiSpec: document as never,
    // All findings, so that a misspelt member is told rather than the one it leaves missing.
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
  });
  const steps = validator.installMiddleware(Promise.resolve(spec));
  await new Promise<void>((ready, failed) => {
    void steps[0]!({ app: { param: () => {} } } as never, {} as never, (error?: unknown) => {
      if (error === undefined) ready();
      else failed(unusable(error));
    });
  });
  const translate = (id: OperationId, facts: OperationMetadata, error: unknown, request: Request): unknown => {
    if (error instanceof BadRequest) {
      const findings = error.errors as Finding[];
      const finding = findings.find(isUnknownMember) ?? findings[0]!;
      return badRequest(wording(document, facts, finding, request));
    }
    if (error instanceof InternalServerError) return new ContractBreach(id, error.message, error.errors);
    return error;
  };
  return (id, facts) =>
    steps.map((step) => (request: Request, response: Response, next: NextFunction) => {
      void step(request as never, response as never, (error?: unknown) =>
        next(error && translate(id, facts, error, request)),
      );
    });
}
