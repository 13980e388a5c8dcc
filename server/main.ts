/**
 * The entry point of the service: compile cache, command line, signals, texts for the operator, exit codes. Node
 * compiles static imports before the first line runs, so the modules of the service are imported dynamically, after the
 * cache is enabled.
 */
import { writeSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Service } from './compose.ts';

// The cache is not in the directory for temporary files, because other users could place code there. If the directory
// is not writable, Node uses the existing cache files and continues. NODE_COMPILE_CACHE selects another directory.
// `npm start` sets it: with the cache enabled before this file, Node does not load its type stripper (0.1 s).
if (process.env['NODE_COMPILE_CACHE'] === undefined)
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

// An import of `node:http` reads its exports, and these three load the HTTP client of `fetch`: an eighth of the time of a start. They are
// aliases of global names, which still load it at their first use.
for (const alias of ['WebSocket', 'CloseEvent', 'MessageEvent'])
  Reflect.deleteProperty(process.getBuiltinModule('node:http'), alias);

const { readConfig } = await import('./config/config.ts');
const { readStartOptions, startUsage } = await import('./config/start-options.ts');
const { tryAddress } = await import('./http/server/listen.ts');
const { openLog } = await import('./observability/logger.ts');
const { loggedError } = await import('./observability/logged-error.ts');
const { boundGarbage, createYoung } = await import('./process/heap-bounds.ts');
const { fail } = await import('./frame/start-failure.ts');
const { startLine, startPanel } = await import('./process/start-panel.ts');
const { takeStopRequests } = await import('./process/stop-signals.ts');

/**
 * Ends the process during the start. The first process of a container ignores signals without a handler, so without
 * this handler it could not be stopped while it reads its archive. No acknowledged data is lost, because it is on
 * disk.
 */
const exitDuringStart = (): never => process.exit(0);

/**
 * Ends the process after an error that nothing caught, as Node does, but with a line of the log: the message of the error could
 * quote a caller.
 */
function endOnUncaught(error: unknown): never {
  const line = {
    level: 60,
    time: Date.now(),
    pid: process.pid,
    err: loggedError(error),
    msg: 'an error was not caught',
  };
  writeSync(2, `${JSON.stringify(line)}\n`);
  process.exit(1);
}

/** Starts the service, and stops it at the first stop request. */
async function run(args: readonly string[]): Promise<void> {
  const options = readStartOptions([...args]);
  if (options.help) return console.log(startUsage);
  const config = readConfig(process.env);
  createYoung();
  const requests = takeStopRequests(exitDuringStart);
  // Checked before anything is created or printed: a second start is the most frequent mistake.
  await tryAddress(config);
  console.log(startLine(config.dataDir));
  const logger = openLog(config.logLevel, { format: await logFormat() });
  // Loaded now, because it takes most of the time of a start.
  const { startService } = await import('./compose.ts');
  let service = await startService(config, options, logger);
  boundGarbage();
  let restarting: Promise<unknown> = Promise.resolve();
  requests.handle((reason) => {
    logger.info({ reason }, 'stopping');
    void restarting
      .then(() => service.drain())
      .then(() => service.stop())
      .then(() => process.exit(0), fail);
  });
  const restartWhenEnded = async (): Promise<void> => {
    const reason = await service.ended;
    logger.warn({ reason }, 'starting again');
    await service.stop();
    service = await startService(config, options, logger);
    watch();
  };
  const watch = (): void => void service.ended.then(() => (restarting = restartWhenEnded().catch(fail)));
  watch();
  process.on('uncaughtException', endOnUncaught);
  const { url, firstKey, operatorKey, keys, replay } = service;
  const suggestsReplay = replay === undefined && config.demo;
  console.log(startPanel({ url, firstKey, operatorKey, keys, suggestsReplay }));
  if (replay !== undefined) play(replay, options.replay, (error) => logger.error(error, 'the replay failed'));
}

/** Formats the log for a person where standard error is a terminal; undefined elsewhere: JSON. */
async function logFormat(): Promise<((json: string) => string) | undefined> {
  if (!process.stderr.isTTY) return undefined;
  const { readableFormat } = await import('./observability/readable-format.ts');
  return readableFormat({ colours: process.stderr.hasColors() });
}

/** Console texts for the end of a replay. */
const replayEndTexts = {
  complete: 'the replay of the bundled sample is complete; to replay it again, set DATA_DIR to a new folder',
  stopped: 'stopped; it continues at the next start with --replay',
  foreign: 'stopped, because the archive contains imported data: the replay does not mix sample data with it',
} as const;

function play(
  replay: NonNullable<Service['replay']>,
  perSecond: number | undefined,
  onError: (error: unknown) => void,
): void {
  if (replay.left > 0)
    console.log(
      `replay: ${perSecond} events a second from the bundled sample, each text marked #demo, ${replay.left} to come`,
    );
  replay.play().then((end) => console.log(`replay: ${replayEndTexts[end]}`), onError);
}

await run(process.argv.slice(2)).catch(fail);
