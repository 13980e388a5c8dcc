/** The command-line options of `npm run mock`. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from '../../../server/config/config.ts';
import { ConfigError } from '../../../server/config/variables.ts';
import { nearest } from '../../../server/text/nearest-name.ts';

/** The parsed command line. */
export interface MockCommand {
  readonly help: boolean;
  readonly config: Pick<Config, 'host' | 'port' | 'apiKeys' | 'rateLimit' | 'corsOrigins' | 'logLevel'>;
  readonly spec: string;
  readonly seed: number;
  readonly items: number | undefined;
  readonly delayMs: number;
  readonly watch: boolean;
  /** The server behind the validation proxy; undefined for a mock. */
  readonly proxy: string | undefined;
  /** The file for the report of the proxy. */
  readonly report: string | undefined;
}

const defaultPort = '4010';

/** The output of `--help`. */
export const usage = `Usage: npm run mock -- [OPTION]...

Answers every operation of spec/openapi.yaml as it stands, also those that have no handler yet: the examples first, otherwise values
made from the schema. Requests are refused as the service refuses them: keys, parameters, bodies, rate limit.

  --spec FILE   the contract (spec/openapi.yaml)
  --watch       takes in the contract when it is saved; while it has a fault, the last good one stays
  --port PORT   port; 0 takes a free one (PORT, or ${defaultPort})
  --host HOST   address to listen on (HOST, or 127.0.0.1)
  --keys KEYS   the API keys that are accepted, separated by commas; without it any key is
  --items N     lists have N items, like those of the example, on pages of \`limit\`; without it they have those of the example
  --seed N      what generated values are made from (1); the same seed gives the same values
  --delay MS    holds each answer back for so long
  --proxy URL   forwards requests to this server instead, and judges requests and responses by the contract; Ctrl-C ends it with
                a report and exit code 1 where one side violates the contract
  --report FILE the file for this report: .json, .html, or text; without it the report is printed
  --help        shows this

A contract that is not like this project's (Basic, OAuth 2, other errors) is served with its own security and errors: --keys are
tokens or name:password pairs, and the header Mock-Reason says why a request is refused.

A request says what it prefers in the header Prefer (RFC 7240); Preference-Applied names the preferences that the mock applied:

  Prefer: code=409          the answer of this status, with its headers
  Prefer: example=NAME      the example of this name
  Prefer: dynamic=true      values made from the schema, although there are examples

/ws greets, checks commands and answers them; each subscription gets the examples of its channel in spec/asyncapi.yaml, once.
RATE_LIMIT, CORS_ORIGINS and LOG_LEVEL mean what they mean for the service.`;

const options = {
  help: { type: 'boolean', short: 'h' },
  watch: { type: 'boolean' },
  proxy: { type: 'string' },
  report: { type: 'string' },
  spec: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  keys: { type: 'string' },
  items: { type: 'string' },
  seed: { type: 'string' },
  delay: { type: 'string' },
} as const;
type Name = keyof typeof options;
const isName = (name: string): name is Name => Object.hasOwn(options, name);

/** The raw option values. Throws ConfigError for an unknown option. */
function read(args: readonly string[]): Partial<Record<Name, string>> {
  const given: Partial<Record<Name, string>> = {};
  const seeHelp = '`npm run mock -- --help` lists the options';
  // Not strict, so that this module writes the error messages.
  for (const token of parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional')
      throw new ConfigError([`${token.value}: not an option of npm run mock; ${seeHelp}`]);
    const { name, rawName, value } = token;
    if (!isName(name)) {
      const meant = nearest(name, Object.keys(options));
      throw new ConfigError([
        `${rawName}: unknown option; ${meant === undefined ? seeHelp : `did you mean '--${meant}'?`}`,
      ]);
    }
    if (options[name].type === 'boolean' && value !== undefined)
      throw new ConfigError([`${rawName}: it takes no value`]);
    if (options[name].type === 'string' && !value) throw new ConfigError([`${rawName}: it needs a value; ${seeHelp}`]);
    given[name] = value ?? '';
  }
  return given;
}

function wholeNumber(name: Name, text: string, least: number, most: number): number {
  if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
  throw new ConfigError([`--${name}=${text}: expected a whole number from ${least} to ${most}`]);
}

/** The options of the validation proxy. Throws a ConfigError for a URL that is none. */
function proxyOptions({ proxy, report }: Partial<Record<Name, string>>): Pick<MockCommand, 'proxy' | 'report'> {
  if (proxy === undefined) {
    if (report !== undefined) throw new ConfigError(['--report: only --proxy writes a report']);
    return { proxy, report };
  }
  const url = URL.parse(proxy);
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new ConfigError([`--proxy: expected an http or https URL of a server, such as http://127.0.0.1:3000`]);
  return { proxy, report };
}

/** The environment variables of the service that options override. */
const variables = { PORT: 'port', HOST: 'host', API_KEYS: 'keys' } as const satisfies Record<string, Name>;

/** Reads the arguments and the environment. Throws a ConfigError that names every invalid value. */
export function readMockCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): MockCommand {
  const given = read(args);
  const { HOST, PORT, RATE_LIMIT, CORS_ORIGINS, LOG_LEVEL } = env;
  const values = {
    HOST: given.host ?? HOST,
    PORT: given.port ?? (PORT || defaultPort),
    API_KEYS: given.keys,
    RATE_LIMIT,
    CORS_ORIGINS,
    LOG_LEVEL,
  };
  const named = (problem: string): string =>
    problem.replace(/^(\w+)(?==)/, (name) => {
      const option = variables[name as keyof typeof variables] as Name | undefined;
      return option !== undefined && given[option] !== undefined ? `--${option}` : name;
    });
  try {
    return {
      help: given.help !== undefined,
      config: readConfig(values),
      spec: given.spec ?? relative('', new URL('../../../spec/openapi.yaml', import.meta.url).pathname),
      seed: wholeNumber('seed', given.seed ?? '1', 0, 2 ** 31 - 1),
      items: given.items === undefined ? undefined : wholeNumber('items', given.items, 0, 10_000),
      delayMs: wholeNumber('delay', given.delay ?? '0', 0, 600_000),
      watch: given.watch !== undefined,
      ...proxyOptions(given),
    };
  } catch (error) {
    throw error instanceof ConfigError ? new ConfigError(error.problems.map(named)) : error;
  }
}
