/** The key of a client whose key is a function: a token is kept until shortly before its end. */
import type { ApiKeyFunction, ShortLivedToken } from './options.ts';

/** A token is replaced when less than a fifth of its time remains, at most a minute before its end. */
const reserveShare = 0.2;
const maxReserveMs = 60_000;

const isToken = (value: unknown): value is ShortLivedToken => Object(value) === value;

export class KeySource {
  readonly #ask: ApiKeyFunction;
  /** The last answer with an end. `useUntil`: milliseconds since 1970. */
  #kept: { readonly key: string; readonly useUntil: number } | undefined;
  /** Calls that need a new token at the same time share it. */
  #asked: Promise<unknown> | undefined;

  constructor(ask: ApiKeyFunction) {
    this.#ask = ask;
  }

  /** The key, which is not `refused` unless the function answers that again. Rejects with the error of the function. */
  async key(refused?: string): Promise<unknown> {
    const kept = this.#kept;
    if (kept !== undefined && kept.key !== refused && Date.now() < kept.useUntil) return kept.key;
    if (kept === undefined) return this.#keep(await this.#ask());
    this.#asked ??= (async () => this.#keep(await this.#ask()))().finally(() => (this.#asked = undefined));
    return this.#asked;
  }

  #keep(answer: unknown): unknown {
    if (!isToken(answer)) return answer;
    const { token, expires_at: end } = answer;
    const leftMs = end === undefined ? 0 : Date.parse(end) - Date.now();
    this.#kept = { key: token, useUntil: Date.now() + leftMs - Math.min(maxReserveMs, leftMs * reserveShare) };
    return token;
  }
}
