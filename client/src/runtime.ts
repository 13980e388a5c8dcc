/**
 * `@social-data/client/runtime`: a client for any contract, from the table that `npm run generate` writes. It knows the interface
 * of openapi-fetch, retries, lists and errors, but nothing of a service.
 */
import type { Call } from './call.ts';
import type { OperationRow } from './contract.ts';
import type { SocialDataError } from './failure.ts';
import { clientOf, type ClientOptions } from './methods.ts';
import { settingsOf, type CallOptions, type KeyNames } from './options.ts';
import { Transport } from './transport.ts';

export type { ClientOptions } from './methods.ts';
export type { CallOptions, KeyNames, ListOptions, TransportOptions } from './options.ts';
export type { KeyIn, OperationRow, Success } from './contract.ts';
export type { Answered, Call, Result } from './call.ts';
export type { MediaKind } from '../../server/contract/media-type.ts';
export type { MockedInput, MockedReply } from './received.ts';
export type { FetchClientOf } from './fetch-client.ts';

/** The method of an operation of any contract. */
export type MethodOf<Parameters, Answer> =
  Record<never, never> extends Parameters
    ? (parameters?: Parameters, options?: CallOptions) => Call<Answer, SocialDataError>
    : (parameters: Parameters, options?: CallOptions) => Call<Answer, SocialDataError>;

/** A contract as `npm run generate` writes it for a client. */
export interface ClientContract {
  /** The operations by method and path. */
  readonly table: Readonly<Record<string, OperationRow>>;
  readonly keyNames: KeyNames;
}

/** A client of any contract. Throws a UsageError for options that are missing or make no sense. */
export const createRuntimeClient = ({ table, keyNames }: ClientContract, options: ClientOptions): object =>
  clientOf(table, new Transport(settingsOf(options, keyNames)), options);
