/** Calls of the operator's interface. The session is a cookie that scripts cannot read. */
import { root, useCallback, useEffect, useState } from '../kit/frame.ts';

/** An error response, or no response (status 0). */
export class OperateError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const address = (path: string): string => `${root}operate/api${path}`;

async function send<Result>(path: string, init: RequestInit): Promise<Result> {
  let response: Response;
  try {
    response = await fetch(address(path), { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw new OperateError(0, navigator.onLine ? 'the service does not answer' : 'you are offline');
  }
  const body = (await response.json().catch(() => undefined)) as { readonly error?: string } | undefined;
  if (!response.ok) throw new OperateError(response.status, body?.error ?? `the service answered ${response.status}`);
  return body as Result;
}

/** Calls an action. Rejects with OperateError. */
export const call = <Result>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Result> =>
  send(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

/** Sends a part of an upload. Rejects with OperateError. */
export const sendPart = <Result>(path: string, part: Blob, signal: AbortSignal): Promise<Result> =>
  send(path, { method: 'PUT', body: part, headers: { 'content-type': 'application/octet-stream' }, signal });

/** Begins a session: the key is sent once and not stored. Rejects with OperateError. */
export const signIn = (key: string): Promise<{ readonly key: string }> =>
  send('/session', { method: 'POST', headers: { 'x-api-key': key } });

/** A value that is read reload every `everyMs` while the page is visible, and after `reload`. */
export interface Polled<Data> {
  readonly data: Data | undefined;
  readonly error: OperateError | undefined;
  readonly reload: () => void;
}

/** Reads `path` now and then. The last value stays when a later reading fails. `everyMs` 0: only once. */
export function usePolled<Data>(path: string, everyMs: number): Polled<Data> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<Pick<Polled<Data>, 'data' | 'error'>>({ data: undefined, error: undefined });
  useEffect(() => {
    let isOver = false;
    const read = (): void => {
      if (document.hidden) return;
      call<Data>('GET', path).then(
        (data) => void (isOver || setState({ data, error: undefined })),
        (error: OperateError) => void (isOver || setState(({ data }) => ({ data, error }))),
      );
    };
    read();
    const timer = everyMs === 0 ? undefined : setInterval(read, everyMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [path, everyMs, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}
