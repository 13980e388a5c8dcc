/** The error classes: one for each error status of the contract, and one for each failure without a response. */
export * from './client-errors.ts';
export * from './response-errors.ts';
