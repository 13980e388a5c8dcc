/** The thread that writes to a SQLite file. */
import { parentPort, workerData } from 'node:worker_threads';
import { withTime } from '../../archive/rules/change.ts';
import type { Progress } from '../../archive/writes/sql-archive.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { messageOf } from '../../text/error-text.ts';
import { steadyClock } from '../../process/steady-clock.ts';
import { FileHealth } from './file-health.ts';
import type { UpkeepOptions } from './file-writer.ts';
import { LocalWriter } from './local-writer.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { sentError, ThreadPort, type ThreadFunctions } from './thread-calls.ts';
import type { WriterNotice, WriterSettings } from './thread-writer.ts';

if (parentPort === null) throw new Error('this module runs in a thread');
const port = new ThreadPort(parentPort);
const { path, busyMs } = workerData as WriterSettings;
const tell = (notice: WriterNotice): void => port.notify(notice);

const health = new FileHealth({
  failed: (error) => tell({ failed: sentError(error) }),
  recovered: () => tell({ isRecovered: true }),
  committed: (committedMs) => tell({ committedMs }),
  checkpointed: (checkpointMs) => tell({ checkpointMs }),
});
const onError = (error: unknown): void => health.note(error);
const writer = new LocalWriter(new SqliteDatabase(path, { cacheMb: 64, busyMs, onError }), {
  ...{ now: steadyClock, health },
  onAppended: (appended) => tell({ appended }),
});

port.serve({
  apply: writer.apply.bind(writer),
  applyJson: (json: string, now: string, progress: Progress) =>
    writer.apply(
      (JSON.parse(json) as ArchiveRecord[]).map((record) => withTime(record, now)),
      progress,
    ),
  append: writer.append.bind(writer),
  rewrite: writer.rewrite.bind(writer),
  trim: writer.trim.bind(writer),
  forget: writer.forget.bind(writer),
  purge: writer.purge.bind(writer),
  startUpkeep: (options: UpkeepOptions) =>
    writer.startUpkeep(options, (error) => tell({ upkeepFailed: messageOf(error) })),
  stopUpkeep: writer.stopUpkeep.bind(writer),
  async close() {
    health.stop();
    await writer.close();
  },
} satisfies ThreadFunctions);
