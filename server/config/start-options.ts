/** Command line options of `npm start`. */
import { parseArgs } from 'node:util';
import { parse } from '../search/language/parse.ts';
import { messageOf } from '../text/error-text.ts';
import { settings, type Config } from './config.ts';
import { ConfigError, settingsText } from './variables.ts';
import { nearest } from '../text/nearest-name.ts';
import { parseTarget, targetForms, unboundedTarget, uniqueTargets } from './targets.ts';
import type { Target } from '../ports/live-source.ts';

export interface StartOptions {
  readonly help: boolean;
  /** Events per second to replay from the bundled sample; undefined without a replay. */
  readonly replay: number | undefined;
  /** What to follow in this run, in addition to `FOLLOW`. */
  readonly follow: readonly Target[];
}

const defaultPerSecond = '2';
const [minPerSecond, maxPerSecond] = [0.01, 20];

export const startUsage = `Usage: npm start [-- OPTION]

Starts the service. SIGTERM, SIGINT and SIGHUP stop it: open requests are finished, and the exit code is 0.

  --replay[=PER_SECOND]  replays the bundled sample as live events, ${defaultPerSecond} per second by default (${minPerSecond} to ${maxPerSecond}).
                         The archive must contain only the sample. All new tweets contain #demo.
                         The replay continues after a restart, and ends after one pass through the sample.
  --follow TARGET        follows TARGET in this run, in addition to FOLLOW; can be repeated:
                         bluesky:HANDLE, x:USERNAME, or another form that FOLLOW takes
  --help                 shows this text

Environment variables, with their defaults:

${settingsText(settings)}

npm run keys, accounts, follow, import and backup manage the data, also while the service runs. Each command has --help.
See also /docs/operations of a running service.`;

const options = {
  help: { type: 'boolean', short: 'h' },
  replay: { type: 'boolean' },
  follow: { type: 'string' },
} as const;

function readTarget(text: string | undefined): Target {
  if (text === undefined) throw new ConfigError([`--follow: expected a target, one of ${targetForms}`]);
  try {
    return parseTarget(text);
  } catch (error) {
    throw new ConfigError([`--follow: ${(error as Error).message}`]);
  }
}

function readPerSecond(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= minPerSecond && value <= maxPerSecond) return value;
  throw new ConfigError([
    `--replay=${text}: expected events per second, a number from ${minPerSecond} to ${maxPerSecond}`,
  ]);
}

/**
 * Parses the arguments after the program name. Throws ConfigError with one line for an unknown option or an invalid
 * value.
 */
export function readStartOptions(args: readonly string[]): StartOptions {
  const seeHelp = '`npm start -- --help` lists the options';
  let help = false;
  let replay: number | undefined;
  const follow: Target[] = [];
  // Not strict, so that this function words the errors.
  for (const token of parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') throw new ConfigError([`${token.value}: not an option of npm start; ${seeHelp}`]);
    const { name, rawName, value } = token;
    if (name === 'help' && value === undefined) help = true;
    else if (name === 'replay') replay = readPerSecond(value ?? defaultPerSecond);
    else if (name === 'follow') follow.push(readTarget(value));
    else {
      const nearestName = nearest(name, Object.keys(options));
      const advice =
        name === 'help'
          ? 'it takes no value'
          : nearestName === undefined
            ? seeHelp
            : `did you mean '--${nearestName}'?`;
      throw new ConfigError([`${rawName}: ${name === 'help' ? '' : 'unknown option; '}${advice}`]);
    }
  }
  return { help, replay, follow };
}

/** The configuration of a start with options. Throws ConfigError for a target that it does not permit, and for an invalid query. */
export function startConfig(config: Config, { follow: targets }: Pick<StartOptions, 'follow'>): Config {
  const { retain, retainKeep } = config;
  if (retainKeep !== '' && retain !== 'off') checkQuery('RETAIN_KEEP', retainKeep);
  const unbounded = config.retain === 'off' ? unboundedTarget(targets) : undefined;
  if (unbounded !== undefined) throw new ConfigError([`--follow: ${unbounded}`]);
  return { ...config, follow: { ...config.follow, targets: uniqueTargets([...config.follow.targets, ...targets]) } };
}

/** Throws ConfigError for a query that cannot be parsed. */
function checkQuery(variable: string, query: string): void {
  try {
    parse(query);
  } catch (error) {
    throw new ConfigError([`${variable}=${query}: ${messageOf(error)}`]);
  }
}
