/** Judges real requests and responses by the contract. */
import { checkResponse } from '../verify/check-response.ts';
import type { Contract } from '../verify/contract.ts';
import type { KnownValues } from '../verify/known-values.ts';
import { expectationOf, type Expectation } from '../verify/oracle.ts';
import type { HttpResponse } from '../verify/send.ts';
import { createFindViolations, type FindViolations } from '../verify/violations.ts';
import { CallReader, type ObservedCall, type ReceivedRequest } from './observed-call.ts';

/** A violation of the contract by one side. */
export interface Violation {
  readonly side: 'request' | 'response';
  /** The JSON Pointer of the violated part of the contract. */
  readonly pointer: string;
  readonly message: string;
  /** Identifies the cause together with side and pointer. */
  readonly kind: string;
}

/** A judged request. */
export interface JudgedRequest {
  readonly observed: ObservedCall;
  readonly expectation: Expectation;
  readonly violations: readonly Violation[];
}

/** Every value may exist, because the traffic is real. */
const anyValue: KnownValues = {
  learn: () => false,
  of: () => [],
  has: () => true,
  hasBody: () => true,
  isCursor: () => false,
  isReference: () => true,
};

/** Text without the credentials of a request. */
const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((left, secret) => left.replaceAll(secret, '***'), text);

/** Judges the traffic of one contract. */
export class TrafficJudge {
  readonly #contract: Contract;
  readonly #reader: CallReader;
  readonly #findViolations: FindViolations;

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#reader = new CallReader(contract);
    this.#findViolations = createFindViolations(contract.requests);
  }

  /** Finds the operation of a request without judging it. */
  read(request: ReceivedRequest): ObservedCall {
    return this.#reader.read(request);
  }

  /** Judges a request. `isWhole`: whether its body is known. */
  async request(observed: ObservedCall, isWhole = true): Promise<JudgedRequest> {
    const oracle = { contract: this.#contract, known: anyValue, findViolations: this.#findViolations };
    const expectation = await expectationOf(oracle, observed.call);
    const isJudged = expectation.valid || isWhole || !expectation.pointer.includes('/requestBody');
    const violations: Violation[] =
      expectation.valid || !isJudged
        ? []
        : [
            {
              side: 'request',
              pointer: expectation.pointer,
              message: withoutSecrets(expectation.reason, observed.secrets),
              kind: expectation.pointer,
            },
          ];
    return { observed, expectation: isJudged ? expectation : { ...expectation, valid: true }, violations };
  }

  /** Judges the response to a request. `isWhole`: whether its body is known. */
  async response(
    { observed, expectation }: JudgedRequest,
    response: HttpResponse,
    isWhole = true,
  ): Promise<Violation[]> {
    if (observed.operation === undefined) return [];
    const rules = {
      responses: this.#contract.responses,
      findInResponses: createFindViolations(this.#contract.responses),
      allowedHeaders: new Set<string>(),
      declaresHeaders: false,
    };
    // A server may answer a valid request with any declared status.
    const statuses = expectation.valid ? [response.status] : expectation.statuses;
    const expected = { ...expectation, statuses, names: [] };
    const failures = await checkResponse(rules, observed.call, expected, response);
    return failures
      .filter(({ check }) => isWhole || check !== 'schema')
      .map(({ pointer, expected: wanted, actual, kind, check }) => ({
        side: 'response',
        pointer,
        message: withoutSecrets(`expected ${wanted}; received ${actual}`, observed.secrets),
        kind: withoutSecrets(`${check} ${kind}`, observed.secrets),
      }));
  }
}
