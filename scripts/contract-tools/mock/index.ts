/** Answers requests by a contract alone. */
export { Answerer, type AnswerOptions, type MockAnswer } from './answer.ts';
export { ContractMock, contractOverview } from './contract-mock.ts';
export { isJson } from './examples.ts';
export { readPreference } from './prefer.ts';
export { Reloaded } from './reloaded.ts';
export type { Spec } from './spec.ts';
