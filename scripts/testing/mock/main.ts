/** `npm run mock`: a server that responds from the contract alone, so that client development can start before the handlers exist. */
import { pino } from 'pino';
import { ConfigError } from '../../../server/config/variables.ts';
import { basePaths } from '../../../server/contract/base-path.ts';
import type { App } from '../../../server/http/express/app.ts';
import { listen } from '../../../server/http/server/listen.ts';
import { dropBasePath } from '../../../server/http/pipeline/request-target.ts';
import { Metrics } from '../../../server/http/pipeline/request-metrics.ts';
import { takeStopRequests } from '../../../server/process/stop-signals.ts';
import { startProxy } from '../../contract-tools/traffic/index.ts';
import { ContractError, readContract } from '../../contract-tools/verify/index.ts';
import { type Answerer, ContractMock, contractOverview, Reloaded, type Spec } from '../../contract-tools/mock/index.ts';
import { createMock, isServedByApp, mockKeys, type MockOptions } from './app.ts';
import { overview } from './overview.ts';
import { readMockCommand, usage, type MockCommand } from './options.ts';
import { readProtocolBeside, readSpec, serving, SpecFault } from './spec.ts';
import { openStream } from './stream.ts';

const stopDeadlineMs = 2_000;

/** Forwards to a server and judges the traffic. */
async function startValidation(upstream: string, { config, spec: file, report }: MockCommand): Promise<void> {
  const { document } = await readSpec(file);
  const { host, port } = config;
  const contract = readContract(document);
  const proxy = await startProxy({ contract, upstream, host, port, report, print: (line) => console.log(line) });
  takeStopRequests(() => void proxy.stop().then((isClean) => process.exit(isClean ? 0 : 1)));
  console.log(`validation proxy listening on ${proxy.url}, in front of ${upstream}; press Ctrl-C for the report`);
}

/** Serves a document that the app of the service cannot serve. */
async function startContractMock({ config, spec: file, items, seed, delayMs, watch }: MockCommand): Promise<void> {
  const load = async (): Promise<{ mock: ContractMock; spec: Spec }> => {
    const spec = await readSpec(file);
    const mock = await serving(
      spec,
      async () => new ContractMock(spec, { items, seed, delayMs, apiKeys: config.apiKeys }),
    );
    return { mock, spec };
  };
  const served = await Reloaded.open(load);
  const http = await listen((request, response) => served.current.mock.handle(request, response), config);
  if (watch) await served.watch(file);
  takeStopRequests(() => void Promise.all([served.close(), http.stop(stopDeadlineMs)]).then(() => process.exit(0)));
  console.log(`mock listening on ${http.url}`);
  console.log(contractOverview(served.current.mock.contract, http.url));
}

async function start({ config, spec: file, items, seed, delayMs, watch }: MockCommand): Promise<void> {
  const keys = mockKeys(config.apiKeys);
  const protocol = await readProtocolBeside(file);
  const events =
    protocol && openStream?.({ protocol, keys, valueOf: (component) => served.current.answerer.valueOf(component) });
  const options: MockOptions = {
    items,
    seed,
    delayMs,
    keys,
    rateLimit: config.rateLimit,
    corsOrigins: config.corsOrigins,
    logger: pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: false })),
    metrics: new Metrics(),
    events: events !== undefined,
    eventCursor: () => events?.cursor() ?? 'mock.0',
  };
  const load = async (): Promise<{ spec: Spec; app: App; answerer: Answerer }> => {
    const spec = await readSpec(file);
    const mock = await serving(spec, () => createMock(spec, options));
    return { spec, ...mock };
  };

  const served = await Reloaded.open(load);
  const http = await listen((request, response) => served.current.app.handle(request, response), {
    ...config,
    ...(events && {
      upgrade: (request, socket, head) => {
        dropBasePath(request, basePaths(served.current.spec.document));
        events.upgrade(request, socket, head);
      },
    }),
  });
  if (watch) await served.watch(file);

  const stop = async (): Promise<void> => {
    await served.close();
    events?.stop();
    await http.stop(stopDeadlineMs);
    process.exit(0);
  };
  takeStopRequests(() => void stop());
  console.log(`mock listening on ${http.url}`);
  console.log(overview(served.current.spec.document, http.url, config.apiKeys[0]));
}

try {
  const command = readMockCommand(process.argv.slice(2), process.env);
  if (command.help) console.log(usage);
  else if (command.proxy !== undefined) await startValidation(command.proxy, command);
  else if (!isServedByApp((await readSpec(command.spec)).document)) await startContractMock(command);
  else await start(command);
} catch (error) {
  const expected =
    [ConfigError, SpecFault, ContractError].some((type) => error instanceof type) ||
    (error as NodeJS.ErrnoException).code !== undefined;
  console.error(expected ? (error as Error).message : error);
  process.exit(1);
}
