/** One request to a webhook: signed by the Standard Webhooks specification, and bounded in time and bytes. */
import { createHmac, hash } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { ServiceError } from '../contract/service-error.ts';
import { codeOf } from '../text/error-text.ts';
import { retryAfterMs } from '../upstream/retry-after.ts';
import { AddressRefused, type AddressGuard } from './webhook-address.ts';

export interface WebhookMessage {
  /** `webhook-id`: the same when the message is sent again. */
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly body: string;
}

/** What came of a request. */
export interface Outcome {
  /** The status of the answer; null without one. */
  readonly status: number | null;
  /** Why the message was not accepted, without the address and the answer; null if it was. */
  readonly error: string | null;
  /** The delay that the receiver asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The maximum time until the answer, in milliseconds. */
const answerMs = 10_000;
/** How long the rest of an answer is read, so that the connection can be used again. */
const restMs = 1_000;
const restBytes = 16 * 1024;

const secretPrefix = 'whsec_';

/** A secret from random bytes: 24 to 64, by the specification. */
export const formatSecret = (bytes: Buffer): string => `${secretPrefix}${bytes.toString('base64')}`;

/** The `webhook-id` of a message. By the specification it has no dot, which separates what is signed. */
export const messageId = (searchId: string, content: string): string =>
  `msg_${hash('sha256', `${searchId} ${content}`, 'base64url').slice(0, 22)}`;

/** The value of `webhook-signature`: one signature for each secret. `at`: Unix seconds. */
export function signatures(secrets: readonly string[], { id, body }: WebhookMessage, at: number): string {
  const sign = (secret: string): string =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64');
  return secrets.map((secret) => `v1,${sign(secret)}`).join(' ');
}

const tlsCodes = /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_PURPOSE)/;

/** Why a request has failed, without an address. */
function reasonOf(error: unknown): string {
  if (error instanceof AddressRefused) return 'the host has an address that webhooks may not reach';
  if (error instanceof ServiceError) return error.message;
  const code = codeOf(error) ?? '';
  if (/^(?:ENOTFOUND|ENODATA|EAI_|ESERVFAIL|ENONAME|EREFUSED|EBADNAME|ETIMEOUT|ECANCELLED)/.test(code))
    return 'the name of the host cannot be resolved';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection was cut';
  if (/^(?:ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code)) return 'the host cannot be reached';
  if (tlsCodes.test(code)) return `TLS has failed: ${code}`;
  if (code.startsWith('HPE_')) return 'the answer is not HTTP';
  return code === '' ? 'the request has failed' : `the request has failed: ${code}`;
}

function outcomeOf({ statusCode = 0, headers }: IncomingMessage): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { status: statusCode, error: null };
  if (statusCode < 100 || statusCode > 999) return { status: null, error: 'the answer is not HTTP' };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return {
    status: statusCode,
    error: isRedirect ? `the answer is ${statusCode}: redirects are not followed` : `the answer is ${statusCode}`,
    retryAfterMs: retryAfterMs(headers['retry-after'], Date.now()),
  };
}

export class WebhookSender {
  readonly #guard: AddressGuard;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;

  constructor(guard: AddressGuard) {
    this.#guard = guard;
    const options = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
  }

  /** Sends a message. Never rejects. `secrets`: the newest first. `signal` ends the request. */
  async send(
    address: string,
    message: WebhookMessage,
    secrets: readonly string[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    // Its own controller: a signal of `AbortSignal.any` would be held by the one that lives as long as the webhook.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end();
    }, answerMs);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    try {
      return await this.#exchange(this.#guard.read(address), message, secrets, ending.signal);
    } catch (error) {
      return { status: null, error: isLate ? `no answer within ${answerMs / 1000} seconds` : reasonOf(error) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #exchange(
    url: URL,
    message: WebhookMessage,
    secrets: readonly string[],
    signal: AbortSignal,
    isRepeated = false,
  ): Promise<Outcome> {
    const request = this.#request(url, message, secrets, signal);
    try {
      const response = await responseOf(request, message.body);
      const outcome = outcomeOf(response);
      await readRest(response, signal);
      return outcome;
    } catch (error) {
      // The receiver has closed the idle connection at the same time: it has not read the request.
      if (request.reusedSocket && codeOf(error) === 'ECONNRESET' && !isRepeated && !signal.aborted)
        return this.#exchange(url, message, secrets, signal, true);
      throw error;
    }
  }

  #request(url: URL, message: WebhookMessage, secrets: readonly string[], signal: AbortSignal): ClientRequest {
    const at = Math.floor(Date.now() / 1000);
    const isPlain = url.protocol === 'http:';
    const request = (isPlain ? httpRequest : httpsRequest)(url, {
      method: 'POST',
      agent: isPlain ? this.#http : this.#https,
      lookup: this.#guard.lookup,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(message.body),
        'user-agent': 'social-data-webhooks',
        'webhook-id': message.id,
        'webhook-timestamp': String(at),
        'webhook-signature': signatures(secrets, message, at),
      },
    });
    // The address of the socket decides, whatever the look-up has said before.
    request.on('socket', (socket) => {
      const check = (): void => {
        if (!this.#guard.permits(socket.remoteAddress ?? '')) request.destroy(new AddressRefused());
      };
      if (socket.connecting) socket.once('connect', check);
      else check();
    });
    return request;
  }
}

function responseOf(request: ClientRequest, body: string): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve);
  request.on('error', reject);
  request.on('close', () => reject(Object.assign(new Error('no answer'), { code: 'ECONNRESET' })));
  request.end(body);
  return promise;
}

/** Reads the rest of an answer, which nobody needs. A long or slow one ends the connection. */
async function readRest(response: IncomingMessage, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let bytes = 0;
  const timer = setTimeout(() => response.destroy(), restMs);
  response.on('error', () => {});
  response.on('close', resolve);
  response.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > restBytes) response.destroy();
  });
  if (signal.aborted) response.destroy();
  await promise;
  clearTimeout(timer);
}
