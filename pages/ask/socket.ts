/** Asks the assistant over `/ws`, which streams the answer. */
import { baseUrl, enteredKey, type AssistantAnswer, type Schemas } from '../kit/index.ts';

/** The service refused a question. */
export class Refused extends Error {
  readonly code: Schemas['WsError']['code'];
  /** Seconds to wait before the next attempt. */
  readonly waitSeconds: number | undefined;

  constructor({ error, code, retry_after_s: waitSeconds }: Schemas['WsError']) {
    super(error);
    this.code = code;
    this.waitSeconds = waitSeconds;
  }
}

/** The connection did not open, or was lost too often. */
export class Lost extends Error {
  /** The close code of the service; 4001 for an invalid key. */
  readonly closeCode: number;

  constructor(closeCode: number, reason: string) {
    super(reason === '' ? 'the connection was lost' : reason);
    this.closeCode = closeCode;
  }
}

export interface Question {
  readonly params: Schemas['WsAskParams'];
  /** Called with the answer so far. */
  readonly onPart: (text: string) => void;
  readonly signal: AbortSignal;
}

/** How often a question is sent again after a lost connection. */
const maxAttempts = 4;
const pauseMs = 700;

function address(): string {
  const url = new URL(`${baseUrl}/ws`);
  url.protocol = url.protocol.replace('http', 'ws');
  url.searchParams.set('api_key', enteredKey());
  return url.href;
}

/** One attempt on a separate connection. */
function attempt({ params, onPart, signal }: Question, idempotencyKey: string): Promise<AssistantAnswer> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address());
    let text = '';
    const stop = (): void => {
      socket.close();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.onopen = () =>
      socket.send(
        JSON.stringify({ type: 'ask', id: '1', params, idempotency_key: idempotencyKey } satisfies Schemas['WsAsk']),
      );
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(String(data)) as Schemas['WsServerMessage'];
      if (message.type === 'answer') onPart((text += message.delta));
      if (message.type === 'answered') resolve(message.result);
      if (message.type === 'error') reject(new Refused(message));
      if (message.type === 'answered' || message.type === 'error') socket.close();
    };
    socket.onclose = ({ code, reason }) => reject(new Lost(code, reason));
  });
}

/**
 * Asks, and after a lost connection asks again with the same key of idempotency: the answer then costs nothing more. Rejects
 * with Refused, Lost, or the reason of the signal.
 */
export async function ask(question: Question): Promise<AssistantAnswer> {
  // `randomUUID` exists on secure origins only.
  const idempotencyKey = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt(question, idempotencyKey);
    } catch (error) {
      const isFinal = !(error instanceof Lost) || (error.closeCode >= 4000 && error.closeCode < 4100);
      if (isFinal || attempts === maxAttempts || question.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempts));
    }
  }
}
