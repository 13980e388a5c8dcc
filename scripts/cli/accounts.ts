/** `npm run accounts -- add | detect | list | remove ID | probe [ID]`: manages the accounts of the assistant, with or without a running server. */
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import type { AccountEntry } from '../../server/assistant/accounts.ts';
import { openAccounts } from '../../server/assistant/open-assistant.ts';
import type { accountCommands, ListedAccount } from '../../server/assistant/account-registry.ts';
import { readConfig, type Config } from '../../server/config/config.ts';
import { knownEndpoints, type KnownEndpoint } from '../../server/assistant/known-endpoints.ts';
import { localServers, type LocalServer } from '../../server/assistant/local-servers.ts';
import { keysOf } from '../../server/text/object.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { openCommandStore } from '../../server/engines/open-storage.ts';
import { confirm } from './confirm.ts';
import { fail, UsageError } from './failure.ts';
import { readHidden } from './hidden-input.ts';

const usage = `Usage: npm run accounts -- COMMAND

  add --url URL [--model MODEL] [--api chat|responses|messages] [--name NAME] [--no-key]
               stores an account at an OpenAI-compatible endpoint, such as https://api.x.ai/v1, and finds out whether it can answer.
               Its key is read from ACCOUNT_KEY, or else from standard input; with --no-key it has none.
               The same endpoint and key again change the model, the form and the name.
  add --preset ollama|lm-studio|llama.cpp|vllm|openai|anthropic|xai|openrouter [--model MODEL] …
               the same with a known endpoint; the first four are on this machine, need no key, and take their first model without --model.
  detect       looks for a model server at its usual port of this machine (Ollama, LM Studio, llama.cpp, vLLM) and offers to add it.
               It asks for the list of models, and sends nothing else before you agree.
  list         lists the accounts: id, state, questions used in 24 hours, endpoint, model, name
  remove ID    removes a stored account; its used quota still counts when it is added again
  probe [ID]   finds out whether an account can answer, or each of them; costs it one question

A running server knows of the change at once. DATA_DIR names its data folder (./data); ASSISTANT=openai makes it use these accounts.
Exit code: 0 for success, 1 for a failure, 2 for invalid arguments.`;

type Routes = ReturnType<typeof accountCommands>;
type Call = <Route extends keyof Routes>(route: Route, value: unknown) => Promise<Awaited<ReturnType<Routes[Route]>>>;

const toStandardError = { info: () => {}, warn: (_about: unknown, message?: string) => console.error(message) };

/** Runs `use` against the running server of this data directory, or against the directory if no server runs. */
async function withAccounts<T>(config: Config, use: (call: Call) => Promise<T>): Promise<T> {
  const control = await connectControl(config.dataDir);
  if (control) {
    try {
      return await use((route, value) => control.call(route, value) as never);
    } finally {
      control.close();
    }
  }
  const store = await openCommandStore(config);
  try {
    const { routes, healthCheck } = await openAccounts(store, config, toStandardError);
    try {
      return await use((route, value) => routes[route](value) as never);
    } finally {
      await healthCheck.stop();
    }
  } finally {
    await store.close();
  }
}

/** Reads the key without echo on a terminal. Throws when there is none. */
async function readKey(): Promise<string> {
  const key =
    process.env['ACCOUNT_KEY'] ?? (process.stdin.isTTY ? await readHidden('key') : await textOf(process.stdin));
  if (key.trim() === '') throw new Error('no key: set ACCOUNT_KEY, pipe it in, or say --no-key');
  return key.trim();
}

function describe({ id, pool, source, base_url = 'in this process', model, name }: ListedAccount): string {
  const state = pool === undefined ? 'not in use' : `${pool.state}${pool.reason === null ? '' : ` (${pool.reason})`}`;
  const used = pool === undefined ? '' : `${pool.used} of ${pool.used + pool.remaining} used`;
  const until = pool?.until ? `until ${pool.until}` : '';
  return [
    id,
    state,
    used,
    until,
    base_url,
    model,
    name && `"${name}"`,
    source === 'file' ? 'from ASSISTANT_ACCOUNTS' : '',
  ]
    .filter(Boolean)
    .join('  ');
}

interface Options {
  readonly url?: string | undefined;
  readonly preset?: string | undefined;
  readonly model?: string | undefined;
  readonly api?: string | undefined;
  readonly name?: string | undefined;
  readonly 'no-key': boolean;
}

async function add(options: Options, call: Call): Promise<string> {
  const { url, preset, name } = options;
  if ((url === undefined) === (preset === undefined)) throw new UsageError(usage);
  const known = preset === undefined ? undefined : presetNamed(preset);
  const key = options['no-key'] || known?.needsKey === false ? undefined : await readKey();
  const model = options.model ?? (known === undefined ? undefined : await modelOf(known));
  const entry = { base_url: url ?? known?.base_url, api_key: key, model, api: options.api ?? known?.api, name };
  return addEntry(entry, call);
}

async function addEntry(entry: Partial<Record<keyof AccountEntry, unknown>>, call: Call): Promise<string> {
  // The JSON round trip removes undefined members, as the control socket does.
  const added = await call('accounts/add', JSON.parse(JSON.stringify(entry)));
  return added.pool === undefined
    ? `${describe(added)}\nThe server uses it when it runs with ASSISTANT=openai.`
    : describe(added);
}

function presetNamed(name: string): KnownEndpoint {
  const names = keysOf(knownEndpoints);
  const known = names.find((each) => each === name);
  if (known === undefined) throw new Error(`unknown preset '${name}'; the presets are ${names.join(', ')}`);
  return knownEndpoints[known];
}

/** The model of a preset without --model: the first one of a server on this machine. The models of a service change. */
async function modelOf({ base_url: url, needsKey }: KnownEndpoint): Promise<string> {
  if (needsKey) throw new Error('say which model of the service to use, with --model MODEL');
  const server = (await localServers()).find((each) => each.base_url === url);
  if (server?.models[0] === undefined)
    throw new Error(`no model server answers at ${url}; start it, or say --model MODEL`);
  return server.models[0];
}

/** Offers the model servers of this machine; adds one only if the operator agrees. */
async function detect({ model }: Options, call: Call): Promise<string> {
  const servers = await localServers();
  if (servers.length === 0) return 'no model server answers at the usual ports of this machine';
  console.log(servers.map(offerOf).join('\n'));
  const first = servers.find(({ models }) => model === undefined || models.includes(model));
  if (first === undefined) throw new Error(`none of them has the model ${model}`);
  if (!process.stdin.isTTY) return 'nothing is added: run the command above, or detect on a terminal';
  console.log(
    `This adds ${first.name} with the model ${model ?? first.models[0]}: from then on, posts and questions are sent to it.`,
  );
  if (!(await confirm('add', process.stdin, process.stdout))) return 'nothing is added';
  return addEntry({ base_url: first.base_url, model: model ?? first.models[0], api: 'chat', name: first.name }, call);
}

const offerOf = ({ name, base_url: url, models }: LocalServer): string =>
  [
    `${name} at ${url}: ${models.join(', ')}`,
    `  npm run accounts -- add --url ${url} --no-key --model ${JSON.stringify(models[0])}`,
  ].join('\n');

async function probe(id: string | undefined, call: Call): Promise<string> {
  const ids =
    id === undefined
      ? (await call('accounts/list', null)).filter(({ pool }) => pool !== undefined).map((account) => account.id)
      : [id];
  const lines: string[] = [];
  for (const accountId of ids) lines.push(describe(await call('accounts/probe', accountId)));
  return lines.join('\n') || 'no accounts';
}

/** Runs one command; returns the lines to print. Throws an Error with a message for the operator. */
async function run([command, id, ...rest]: readonly string[], options: Options, call: Call): Promise<string> {
  if (rest.length > 0) throw new UsageError(usage);
  if (command === 'add' && id === undefined) return add(options, call);
  if (command === 'detect' && id === undefined) return detect(options, call);
  if (command === 'list' && id === undefined)
    return (await call('accounts/list', null)).map(describe).join('\n') || 'no accounts';
  if (command === 'probe') return probe(id, call);
  if (command === 'remove' && id !== undefined) {
    await call('accounts/remove', id);
    return `account ${id} is removed`;
  }
  throw new UsageError(usage);
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      preset: { type: 'string' },
      model: { type: 'string' },
      api: { type: 'string' },
      name: { type: 'string' },
      'no-key': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) console.log(usage);
  else console.log(await withAccounts(readConfig(process.env), (call) => run(positionals, values, call)));
} catch (error) {
  fail(error, 'accounts');
}
