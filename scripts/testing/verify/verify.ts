/** The check of a server against its contract, with a part of the calls through the client that `npm run generate` makes. */
import { verify as verifyContract, type Report, type VerifyOptions } from '../../contract-tools/verify/index.ts';
import { ClientCalls, type CreateClient } from './client-calls.ts';

export interface ProjectVerifyOptions extends VerifyOptions {
  /** Makes the client; by default that of this project. */
  readonly createClient?: CreateClient;
}

/** Throws and rejects like `verify` of the contract tools. */
export const verify = ({ createClient, ...options }: ProjectVerifyOptions): Promise<Report> =>
  verifyContract({ ...options, createClientChecks: (session) => new ClientCalls(session, createClient) });
