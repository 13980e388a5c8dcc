/** `npm run dev`: the loop for those who edit the spec and the code. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { takeStopRequests } from '../../../server/process/stop-signals.ts';
import { reportText, restText, startText } from './report.ts';
import { createService } from './service.ts';
import { createSession } from './session.ts';
import { createSpecWork } from './spec.ts';
import { createTypeChecker } from './types.ts';
import { watchSources } from './watch.ts';

const usage = `Usage: npm run dev -- [--no-server] [--port N]

Watches spec/, server/, client/, scripts/ and test/. When a file is saved it lints the spec, writes generated/, checks the types of the
whole project, starts the server anew, and reports: what changed in the contract and for whom, what no longer compiles, what to do next.

A spec with a fault is shown with its place; generated/ and the server stay as they were. The server is started anew only when it has
something new to read and its own code compiles; port, data and keys stay.

  --no-server  no server: only the contract and the types
  --port N     the server's port, like PORT=N
  --help       shows this

All variables of the server hold (DATA_DIR, PORT, DEMO …); LOG_LEVEL is warn here, LOG_LEVEL=info shows every request. Ctrl-C ends it.`;

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
  const beganAt = Date.now();
  let stopping = false;
  const say = (text: string): void => {
    if (!stopping) console.log(text);
  };
  const env = { LOG_LEVEL: 'warn', ...process.env, ...(port !== undefined && { PORT: port }) };
  const spec = createSpecWork(root);
  const types = createTypeChecker(root, ['tsconfig.json', 'client/tsconfig.json']);
  const service = server
    ? createService(
        { root, script: 'server/main.ts', env },
        { say, ended: (how) => say(`the server ended by itself (${how}); the next change starts it again`) },
      )
    : undefined;
  const session = createSession(
    { spec, types, service },
    {
      report: (outcome) => say(reportText(outcome)),
      started: (how, ms) => say(startText(how, ms)),
      rest: (faults, product, ms) => say(restText(faults, product, ms)),
      failed: (error) => say(`npm run dev could not do its work, the next change tries again: ${error.message}`),
    },
  );
  const watcher = await watchSources(
    root,
    (changes) => session.take(changes),
    (error) => say(`not everything can be watched: ${error.message}`),
  );

  const stop = async (): Promise<void> => {
    stopping = true;
    types.close();
    await Promise.all([service?.close(), watcher.close(), spec.close()]);
    process.exit(0);
  };
  // Asked twice, it ends at once.
  takeStopRequests(() => void stop(), { onRepeat: () => process.exit(1) });

  say('watching spec/, server/, client/, scripts/ and test/; Ctrl-C ends it');
  session.take({ files: new Map(), savedAt: beganAt });
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
