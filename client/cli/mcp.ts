/**
 * `social-data mcp`: the MCP server of the service for programs that start their servers and speak over standard input and output. Each line is a
 * message; it is sent to `/mcp`, and the answer is written as a line. The tools are those of the service, so this program needs no
 * list of tools and no package.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { readRetryAfter } from '../src/rate-limit.ts';
import type { Io } from './io.ts';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Where the messages go. */
export interface Target {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The member of the parameters that says the version of the protocol, since 2026-07-28. */
const versionMember = 'io.modelcontextprotocol/protocolVersion';
/** The member of the parameters that the header `Mcp-Name` repeats, by method. */
const named: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};
/** The pauses before a message is sent again that did not reach the service, in milliseconds: it may be starting again. */
const pauses = [250, 1_000, 3_000];

/** How often a message is sent again that the rate limit has refused, and how long it waits at most, in seconds. */
const maxRefusals = 5;
const maxWait = 60;

const isRequest = ({ id, method }: Message): boolean => id !== undefined && method !== undefined;

/** A text as the value of a header. */
const headerText = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;

/** The headers that repeat parts of a message (MCP 2026-07-28, "Standard Request Headers"). */
function headersOf({ method = '', params: given }: Message): Record<string, string> {
  const params = Object(given) as Record<string, unknown>;
  const version = (params['_meta'] as Record<string, unknown> | undefined)?.[versionMember];
  if (typeof version !== 'string') return {};
  const name = Object.hasOwn(named, method) ? params[named[method] ?? ''] : undefined;
  return {
    'mcp-protocol-version': version,
    'mcp-method': headerText(method),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** Whether the service was not reached, so that the message has had no effect. */
const isUnreached = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(
    String((error as { cause?: { code?: unknown } } | undefined)?.cause?.code),
  );

/** The words of an error response that is not one of the protocol. */
function wordsOf(status: number, text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return `${status}: ${error}`;
  } catch {
    // Another server than the service, such as a proxy.
  }
  return `the service answered ${status}`;
}

const isOfProtocol = (text: string): boolean => {
  try {
    return Object.hasOwn(Object(JSON.parse(text)) as object, 'jsonrpc') || Array.isArray(JSON.parse(text));
  } catch {
    return false;
  }
};

/** The messages of a client on the way to the service. */
class Bridge {
  readonly #target: Target;
  readonly #io: Pick<Io, 'write' | 'warn' | 'signal'>;
  readonly #open = new Map<string | number, AbortController>();
  /** The version that `initialize` agreed on. */
  #version: string | undefined;
  /** The `initialize` that is not answered: later messages need its version. */
  #initialized: Promise<void> = Promise.resolve();

  constructor(target: Target, io: Pick<Io, 'write' | 'warn' | 'signal'>) {
    this.#target = target;
    this.#io = io;
  }

  /** Forwards a line. Never rejects. */
  async forward(line: string): Promise<void> {
    let message: Message;
    try {
      message = Object(JSON.parse(line)) as Message;
    } catch {
      return this.#fail(null, -32700, 'the line is not JSON');
    }
    if (message.method === 'notifications/cancelled') return this.#cancel(message);
    const before = this.#initialized;
    const done = this.#answer(message, line, before);
    if (message.method === 'initialize') this.#initialized = done;
    await done;
  }

  /** Gives up a request: its connection ends, and with it its work. */
  #cancel(message: Message): void {
    const { requestId: id } = Object(message.params) as { requestId?: unknown };
    if (typeof id === 'string' || typeof id === 'number') this.#open.get(id)?.abort();
  }

  async #answer(message: Message, line: string, before: Promise<void>): Promise<void> {
    await before;
    const { id } = message;
    const cancelled = new AbortController();
    if (id !== undefined) this.#open.set(id, cancelled);
    try {
      const response = await this.#send(message, line, AbortSignal.any([cancelled.signal, this.#io.signal]));
      const text = (await response.text()).trim();
      if (!isOfProtocol(text)) {
        if (!response.ok) this.#fail(isRequest(message) ? id : undefined, -32000, wordsOf(response.status, text));
        return;
      }
      if (message.method === 'initialize')
        this.#version = (JSON.parse(text) as { result?: { protocolVersion?: string } }).result?.protocolVersion;
      this.#io.write(`${text.replaceAll(/[\r\n]+/g, ' ')}\n`);
    } catch (error) {
      if (cancelled.signal.aborted || this.#io.signal.aborted) return;
      const reason = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
      this.#fail(isRequest(message) ? id : undefined, -32000, `the service is not reached: ${reason}`);
    } finally {
      if (id !== undefined) this.#open.delete(id);
    }
  }

  async #send(message: Message, body: string, signal: AbortSignal): Promise<Response> {
    const { baseUrl, apiKey } = this.#target;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'x-api-key': apiKey,
      ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
      ...headersOf(message),
    };
    for (let unreached = 0, refused = 0; ;) {
      try {
        // A redirect would carry the key to another host.
        const init = { method: 'POST', headers, body, signal, redirect: 'error' } as const;
        const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/mcp`, init);
        const wait = response.status === 429 ? readRetryAfter(response.headers) : undefined;
        // A message that the rate limit has refused has had no effect.
        if (wait === undefined || wait > maxWait || refused++ === maxRefusals) return response;
        await response.body?.cancel();
        await sleep(wait * 1_000, undefined, { signal });
      } catch (error) {
        const pause = pauses[unreached++];
        if (pause === undefined || !isUnreached(error)) throw error;
        await sleep(pause, undefined, { signal });
      }
    }
  }

  /** Answers a request with an error; a notification has no answer, so a person gets it. */
  #fail(id: string | number | null | undefined, code: number, message: string): void {
    if (id === undefined) this.#io.warn(`social-data: ${message}`);
    else this.#io.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

/** Forwards messages until standard input ends, and waits for their answers. */
export async function serveMcp(target: Target, io: Pick<Io, 'write' | 'warn' | 'signal' | 'lines'>): Promise<void> {
  const bridge = new Bridge(target, io);
  const pending = new Set<Promise<void>>();
  for await (const line of io.lines()) {
    if (line.trim() === '') continue;
    const forwarded = bridge.forward(line);
    pending.add(forwarded);
    void forwarded.finally(() => pending.delete(forwarded));
  }
  await Promise.all(pending);
}
