/** Clients of a scripted server: one server at a time. */
import {
  createClient,
  type ClientOptions,
  type SocialDataClient,
  type SocialDataError,
} from '../../client/src/index.ts';
import { startScripted, type Answering, type Scripted } from './scripted.ts';

export class ScriptedClients {
  readonly #key: string;
  #server: Scripted | undefined;

  constructor(key: string) {
    this.#key = key;
  }

  /** The server of the newest client. */
  get server(): Scripted {
    if (this.#server === undefined) throw new Error('no server was started');
    return this.#server;
  }

  /** A client of a server with these responses, without retries unless the options say otherwise. */
  async against(answer: Answering, options: Partial<ClientOptions> = {}): Promise<SocialDataClient> {
    this.#server = await startScripted(answer);
    return createClient({ baseUrl: this.#server.url, apiKey: this.#key, retry: false, ...options });
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }
}

/** The error of a call that fails. */
export const failureOf = (call: PromiseLike<unknown>): Promise<SocialDataError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('it did not fail')),
    (error: SocialDataError) => error,
  );
