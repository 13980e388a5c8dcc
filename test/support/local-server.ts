/**
 * The service as `npm start` composes it, in the process of the test: it starts in a fraction of the CPU time of a separate process.
 * For tests whose subject is not the process, its signals or its output.
 */
import { Writable } from 'node:stream';
import { startService, type Service } from '../../server/compose.ts';
import { createLogger } from '../../server/observability/logger.ts';
import './preload/generous-load.ts';
import { readConfig } from '../../server/config/config.ts';
import { readStartOptions } from '../../server/config/start-options.ts';
import { copySample } from './sample-data.ts';

export { temporaryFolder } from './folder.ts';

export interface LocalServer extends Pick<Service, 'url' | 'firstKey' | 'operatorKey'> {
  /** Every log line so far. */
  readonly errors: () => string;
  /** Stops the service as SIGTERM does; a second call only waits. */
  end(): Promise<void>;
}

/** Starts the service on a free port; it asks no other host. A new data directory gets a copy of the sample; DEMO says otherwise. */
export async function startLocalServer(
  dataDir: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<LocalServer> {
  await copySample(dataDir, env, args, startLocalServer);
  let lines = '';
  const sink = new Writable({ write: (chunk, _encoding, done) => ((lines += String(chunk)), done()) });
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', TOKEN_RESOLVER: 'off', ...env });
  const service = await startService(config, readStartOptions(args), createLogger(config.logLevel, sink));
  const replayed = service.replay?.play();
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await service.stop();
    await replayed;
  };
  return {
    url: service.url,
    firstKey: service.firstKey,
    operatorKey: service.operatorKey,
    errors: () => lines,
    end: () => (stopped ??= stop()),
  };
}
