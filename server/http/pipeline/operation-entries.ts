/** Iterates over the operations of a contract with the types of their ids. */
import type { OperationMetadata, OperationMetadataMap } from '../../contract/openapi.ts';
import type { OperationId } from '../../contract/operations.ts';

/** The operations with their ids, in the order of the contract. */
export const operationEntries = (metadata: OperationMetadataMap): [OperationId, OperationMetadata][] =>
  // Object.entries types the names as string.
  Object.entries(metadata) as [OperationId, OperationMetadata][];
