/** express-openapi-validator, made ready before the server listens, with its findings put into our words. */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { badRequest } from '../errors.ts';
import type { OperationId } from '../contract.ts';
import { suggestion } from '../nearest.ts';
import { plainDocument } from './plain-document.ts';
import { resolve, type OpenApiDocument, type OperationFacts, type Schema } from './openapi.ts';

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

/** The names that a member of the body at this JSON pointer could have had. */
function siblings(document: OpenApiDocument, body: Schema, pointer: readonly string[]): string[] {
  let schema = resolve(document, body);
  for (const step of pointer.slice(0, -1)) schema = resolve(document, schema.properties?.[step] ?? schema.items ?? {});
  return Object.keys(schema.properties ?? {});
}

interface Finding {
  readonly path: string;
  readonly message: string;
  readonly errorCode?: string | undefined;
}

const isUnknownMember = ({ errorCode }: Pick<Finding, 'errorCode'>): boolean =>
  errorCode?.startsWith('additionalProperties.') ?? false;

/** Says which parameter or member is wrong, and what was expected. */
function wording(document: OpenApiDocument, facts: OperationFacts, { path, message, errorCode }: Finding): string {
  const [, place, ...pointer] = path.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const name = pointer.join('.');
  if (place === 'query') {
    const { example, schema } = facts.parameters.get(name) ?? {};
    if (schema?.pattern === '\\S' && /pattern/.test(message)) return `parameter '${name}' is blank`;
    const expected = message.replace(/^Parameter '.*?' /, '').replace(/\.$/, '');
    return `parameter '${name}' ${expected}${example === undefined ? '' : `, such as '${String(example)}'`}`;
  }
  if (place === 'body' && name === '') return `the body ${message}`;
  if (place === 'body' && errorCode?.startsWith('required.')) return `member '${name}' of the body is missing`;
  if (place === 'body' && isUnknownMember({ errorCode }) && facts.body) {
    return `unknown member '${name}' of the body${suggestion(pointer.at(-1)!, siblings(document, facts.body, pointer))}`;
  }
  return place === 'body' ? `member '${name}' of the body ${message}` : message;
}

type Validator = (id: OperationId, facts: OperationFacts) => RequestHandler[];

/**
 * Compiles the contract. The returned function gives the handlers that check an operation's requests (400) and its answers
 * below 500 (ContractBreach). Rejects when the document itself is broken, which the validator would only tell to each caller.
 */
export async function createValidator(document: OpenApiDocument): Promise<Validator> {
  const steps = OpenApiValidator.middleware({
    apiSpec: plainDocument(document) as never,
    // All findings, so that a misspelt member is told rather than the one it leaves missing.
    validateRequests: { allErrors: true },
    validateResponses: true,
    validateSecurity: false,
    fileUploader: false,
  });
  await new Promise<void>((ready, failed) => {
    void steps[0]!({ app: { param: () => {} } } as never, {} as never, (error?: unknown) => {
      if (error === undefined) ready();
      else failed(new Error(`the contract cannot be used: ${(error as Error).message}`, { cause: error }));
    });
  });
  const translate = (id: OperationId, facts: OperationFacts, error: unknown): unknown => {
    if (error instanceof OpenApiValidator.error.BadRequest) {
      const findings = error.errors as Finding[];
      const finding = findings.find(isUnknownMember) ?? findings[0]!;
      return badRequest(wording(document, facts, finding));
    }
    if (error instanceof OpenApiValidator.error.InternalServerError) return new ContractBreach(id, error.message, error.errors);
    return error;
  };
  return (id, facts) =>
    steps.map((step) => (request: Request, response: Response, next: NextFunction) => {
      void step(request as never, response as never, (error?: unknown) => next(error && translate(id, facts, error)));
    });
}
