/** `npm run dev`: the loop for those who edit the spec and the code. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeStopRequests } from '../../../server/process/stop-signals.ts';
import { reportText, restText, startText } from './report.ts';
import { Service } from './service.ts';
import { Session } from './session.ts';
import { createSpecWork } from './spec.ts';
import { NativeChecker } from './types.ts';
import { watchSources, type SourceWatcher } from './watch.ts';

const usage = `Usage: npm run dev -- [--no-server] [--port N]

Watches spec/, pages/, generated/, server/, client/, scripts/ and test/. After each save it lints the spec, writes generated/, checks the types
of the whole project, restarts the server, and reports the changes of the contract, the affected callers, and the type errors.

A fault in the spec is reported with its position; generated/ and the server then stay unchanged. The server restarts only when its
files have changed and its code compiles. It uses the same port, data and keys again.

  --no-server  run no server; check only the contract and the types
  --port N     port of the server, like PORT=N
  --help       print this help

The server reads its usual variables (DATA_DIR, PORT, DEMO, …). LOG_LEVEL is warn by default; LOG_LEVEL=info logs every request. Press
Ctrl-C to stop.`;

function readOptions(parameters: readonly string[]) {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      server: { type: 'boolean', default: true },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowNegative: true,
  });
  if (values.port !== undefined && !(/^\d{1,5}$/.test(values.port) && Number(values.port) < 65_536))
    throw new Error(`--port ${values.port}: expected a number from 0 to 65535`);
  return values;
}

async function run({ server, port }: ReturnType<typeof readOptions>): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..');
  process.chdir(root);
  const startedAt = Date.now();
  let stopping = false;
  const print = (text: string): void => {
    if (!stopping) console.log(text);
  };
  const env = { LOG_LEVEL: 'warn', ...process.env, ...(port !== undefined && { PORT: port }) };
  const spec = createSpecWork(root);
  const types = new NativeChecker(root, ['tsconfig.json', 'client/tsconfig.json']);
  const service = server
    ? new Service({
        root,
        script: 'server/main.ts',
        env,
        onLine: print,
        onExit: (reason) => print(`the server ended unexpectedly (${reason}); the next change restarts it`),
      })
    : undefined;
  let watcher: SourceWatcher | undefined;
  const session = new Session(
    { spec, types, service },
    {
      onReport: (outcome) => print(reportText(outcome)),
      onStart: (started, ms) => print(startText(started, ms)),
      onTypesChecked: (faults, productCompiles, ms) => print(restText(faults, productCompiles, ms)),
      onSources: (files) => watcher?.watchToo(files),
      onFailure: (error) => print(`the round failed; the next change retries it: ${error.message}`),
    },
  );
  watcher = await watchSources(
    root,
    (changes) => session.add(changes),
    (error) => print(`cannot watch all files: ${error.message}`),
  );

  const stop = async (): Promise<void> => {
    stopping = true;
    types.close();
    await Promise.all([service?.close(), watcher?.close(), spec.close()]);
    process.exit(0);
  };
  // The second signal ends the process immediately.
  takeStopRequests(() => void stop(), { onRepeat: () => process.exit(1) });

  print('watching spec/, pages/, server/, client/, scripts/ and test/; press Ctrl-C to stop');
  session.add({ files: new Map(), savedAt: startedAt });
}

if (import.meta.main) {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) console.log(usage);
    else await run(options);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    console.error(`dev: ${message}${code?.startsWith('ERR_PARSE_ARGS') ? `\n\n${usage}` : ''}`);
    process.exitCode = 2;
  }
}
