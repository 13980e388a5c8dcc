/** The start of a service of the frame from the command line: options, configuration, log, signals, exit codes. */
import { parseArgs } from 'node:util';
import type { FrameConfig } from '../config/frame-config.ts';
import { settingsText, type Setting } from '../config/variables.ts';
import { startFrame, type FrameContract } from './frame.ts';
import { tryAddress } from '../http/server/listen.ts';
import { openLog } from '../observability/logger.ts';
import { fail } from './start-failure.ts';
import { takeStopRequests } from '../process/stop-signals.ts';

/** What a service is made of. */
export interface ServiceParts extends FrameContract {
  readonly readConfig: (env: Readonly<Record<string, string | undefined>>) => FrameConfig;
  readonly settings: readonly Setting[];
}

const usage = (settings: readonly Setting[]): string => `Usage: npm start [-- --help]

Starts the service. SIGTERM, SIGINT and SIGHUP stop it: open requests are finished, and the exit code is 0.

Environment variables, with their defaults:

${settingsText(settings)}

npm run keys manages the API keys, also while the service runs.`;

async function start(args: readonly string[], { readConfig, settings, ...contract }: ServiceParts): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return console.log(usage(settings));
  const config = readConfig(process.env);
  const requests = takeStopRequests(() => process.exit(0));
  await tryAddress(config);
  const logger = openLog(config.logLevel);
  const service = await startFrame(config, logger, contract);
  requests.handle((reason) => {
    logger.info({ reason }, 'stopping');
    service.stop().then(() => process.exit(0), fail);
  });
  console.log(`listening on ${service.url}; the documentation: ${service.url}/docs/`);
  if (service.firstKey !== undefined) console.log(`API key: ${service.firstKey}  (shown only once: store it)`);
}

/** Starts a service, and stops it at the first stop request. Ends the process with exit code 1 when it cannot start. */
export const runService = (args: readonly string[], parts: ServiceParts): Promise<void> =>
  start(args, parts).catch(fail);
