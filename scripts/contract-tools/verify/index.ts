/** Checks a running server against its contract, as an external client. */
export { baseCall, encodedBody, formed, parameterText, withBody } from './base-call.ts';
export { type Call, parametersOf, withParameter } from './call.ts';
export type { Failure } from './check-response.ts';
export {
  type Contract,
  ContractError,
  isJsonType,
  mediaTypeOf,
  type Operation,
  type Parameter,
  readContract,
} from './contract.ts';
export { readValues } from './parameter-form.ts';
export { parseBody } from './parse-body.ts';
export type { Session } from './probes.ts';
export { shorten } from './report-text.ts';
export { jsonReport, junitReport, textReport } from './report.ts';
export { UnreachableError } from './send.ts';
export { KeyRejectedError, type Report, verify, type VerifyOptions } from './verify.ts';
export { bodyText } from './stream-items.ts';
