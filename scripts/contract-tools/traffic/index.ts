/** Judges requests and responses that others exchange, by a contract. */
export { CallReader } from './observed-call.ts';
export { startProxy } from './run.ts';
