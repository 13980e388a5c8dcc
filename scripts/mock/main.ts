/** `npm run mock`: a server that answers from the contract alone, so that clients can begin before there is a handler. */
import { pino } from 'pino';
import { ConfigError } from '../../server/config.ts';
import type { App } from '../../server/http/app.ts';
import { listen } from '../../server/http/listen.ts';
import { createMetrics } from '../../server/http/metrics.ts';
import { createMock, type MockOptions } from './app.ts';
import { overview } from './overview.ts';
import { readMockCommand, usage, type MockCommand } from './options.ts';
import { readSpec, SpecFault, type Spec } from './spec.ts';
import { watchFile } from './watch.ts';

const stopDeadlineMs = 2_000;

async function start({ config, spec: file, items, seed, delayMs, watch }: MockCommand): Promise<void> {
  const options: MockOptions = {
    items,
    seed,
    delayMs,
    keys: config.apiKeys,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins,
    logger: pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: false })),
    metrics: createMetrics(),
    eventCursor: () => 'mock.0',
  };
  const load = async (): Promise<{ spec: Spec; app: App }> => {
    const spec = await readSpec(file);
    const app = await createMock(spec, options).catch((error: Error) => {
      throw new SpecFault(`${file}: ${error.message}`, { cause: error });
    });
    return { spec, app };
  };

  const first = await load();
  let { app } = first;
  const http = await listen((request, response) => app.handle(request, response), config);
  const watching = watch
    ? watchFile(file, async () => {
        try {
          ({ app } = await load());
          console.log(`${new Date().toISOString()} took in ${file}`);
        } catch (error) {
          if (!(error instanceof SpecFault)) throw error;
          console.error(`${error.message}\n\nThe mock goes on with the contract as it was before.`);
        }
      })
    : undefined;

  const stop = async (): Promise<void> => {
    watching?.close();
    await http.stop(stopDeadlineMs);
    process.exit(0);
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  console.log(`mock listening on ${http.url}`);
  console.log(overview(first.spec.document, http.url, config.apiKeys[0]));
}

try {
  const command = readMockCommand(process.argv.slice(2), process.env);
  if (command.help) console.log(usage);
  else await start(command);
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof SpecFault || (error as NodeJS.ErrnoException).code !== undefined;
  console.error(expected ? (error as Error).message : error);
  process.exit(1);
}
