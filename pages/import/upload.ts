/** The upload of a file in parts. After an interruption the same file continues where it was. */
import type { UploadView } from '../../server/operate/uploads.ts';
import { call, OperateError, sendPart } from '../operate/api.ts';

const partBytes = 2 * 1024 * 1024;
/** Waits before the next attempt after a lost connection, in milliseconds. */
const waitsMs = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Whether the service may accept the same part later: it did not answer, or it is busy. */
const isPassing = ({ status }: OperateError): boolean => status === 0 || status === 429 || status === 503;

/** `attempt` gets the number of failures before it. */
async function withRetries<Result>(
  signal: AbortSignal,
  attempt: (failures: number) => Promise<Result>,
): Promise<Result> {
  for (let tried = 0; ; tried++) {
    signal.throwIfAborted();
    try {
      return await attempt(tried);
    } catch (error) {
      const wait = waitsMs[tried];
      if (!(error instanceof OperateError) || !isPassing(error) || wait === undefined) throw error;
      await pause(wait);
    }
  }
}

/**
 * Uploads a file and starts its import. `onView` gets the state after each step. Rejects with OperateError, and with the reason of
 * `signal` when it aborts.
 */
export async function upload(
  file: File,
  restore: boolean,
  onView: (view: UploadView) => void,
  signal: AbortSignal,
): Promise<void> {
  const facts = { name: file.name, bytes: file.size, modified: Math.floor(file.lastModified) };
  const begin = (): Promise<UploadView> => call<UploadView>('POST', '/imports', facts);
  let view = await withRetries(signal, begin);
  onView(view);
  while (view.state === 'uploading' && view.received < file.size) {
    view = await withRetries(signal, async (failures) => {
      // The service knows how much it has, also of a part whose response was lost. To ask before each part would begin an upload
      // again that was cancelled elsewhere.
      const current = failures === 0 ? view : await begin();
      const { id, received } = current;
      const part = file.slice(received, received + partBytes);
      return received >= file.size ? current : sendPart<UploadView>(`/imports/${id}?offset=${received}`, part, signal);
    });
    onView(view);
  }
  if (view.state === 'uploading')
    onView(await withRetries(signal, () => call<UploadView>('POST', `/imports/${view.id}`, { restore })));
}
