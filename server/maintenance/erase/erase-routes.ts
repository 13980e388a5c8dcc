/** The erasure of a running server, over its control socket. */
import type { Routes, StreamRoutes } from '../../admin/control-server.ts';
import { ProgressLines } from '../../admin/progress-lines.ts';
import type { Eraser, EraseReport } from './eraser.ts';
import type { EraseRequest } from './erasure.ts';

/** A line of the progress of an erasure. */
export interface EraseProgress {
  readonly done: number;
  readonly of: number;
}

export const previewRoutes = (eraser: Eraser): Routes => ({
  'erase/preview': (request) => eraser.preview(request as EraseRequest),
});

/** Each chunk is one line of progress; the report follows at the end. */
export const eraseRoutes = (eraser: Eraser): StreamRoutes => ({
  erase: async (request) => {
    let report: EraseReport | undefined;
    const progress = new ProgressLines<EraseProgress>();
    const erasing = eraser.erase(request as EraseRequest, (done, of) => progress.add({ done, of }));
    const finished = erasing.then((made) => (report = made)).finally(() => progress.end());
    // The stream below awaits it too.
    finished.catch(() => {});
    return {
      head: null,
      chunks: (async function* () {
        yield* progress.lines();
        await finished;
      })(),
      end: () => report,
    };
  },
});
