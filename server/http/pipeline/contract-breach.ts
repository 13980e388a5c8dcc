/** The error of a response that violates the contract. */
import type { OperationId } from '../../contract/operations.ts';

/** A response that violates the contract: a server error whose details only the log contains. */
export class ContractBreach extends Error {
  override readonly name = 'ContractBreach';
  readonly operationId: OperationId | undefined;
  /** The location in the response and the violated rule. */
  readonly findings: unknown;

  constructor(operationId: OperationId | undefined, message: string, findings?: unknown) {
    super(message);
    this.operationId = operationId;
    this.findings = findings;
  }
}
