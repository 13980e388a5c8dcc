/** The command-line client: every operation of the contract, events, questions. */
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { commands, type Command, type CommandOption } from '../../generated/commands.ts';
import { nearest } from '../../server/text/nearest-name.ts';
import { createClient, SocialDataError, version, type Selection, type SocialDataClient } from '../src/index.ts';
import { credentialsOf, storeCredentials } from './credentials.ts';
import { commandHelp, commonOptions, completion, kebab, mainHelp, special, specialHelp } from './help.ts';
import { WrongCall, type Io } from './io.ts';
import { serveMcp } from './mcp.ts';
import { clean, cut, itemPrinter, printAnswer, printOne, type Format } from './output.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;
/** The texts of an option that can be given more than once. */
type Lists = Readonly<Record<string, readonly string[] | undefined>>;
type Method = (parameters: object, options?: object) => PromiseLike<unknown> & { pages(): AsyncIterable<object> };
const channels = ['search', 'user', 'userId', 'mentions', 'replies', 'engagement', 'community', 'memberships', 'pool'];

/** Runs a command line; returns the exit code. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(args, io);
  } catch (error) {
    if (error instanceof SocialDataError) {
      const { requestId } = error as { requestId?: string };
      io.warn(`social-data: ${error.message}${requestId === undefined ? '' : ` (request ${requestId})`}`);
      if (error.cursor !== undefined) io.warn(`continue with --cursor=${error.cursor}`);
      return error.name === 'UsageError' ? 2 : 1;
    }
    const { code, message } = Object(error) as { code?: unknown; message?: string };
    if (!(error instanceof WrongCall) && !String(code).startsWith('ERR_PARSE_ARGS')) throw error;
    io.warn(`social-data: ${message}\nsee social-data --help`);
    return 2;
  }
}

async function dispatch(args: readonly string[], io: Io): Promise<number> {
  const [first = '--help', second, ...rest] = args;
  if (first === '--version') io.write(`${version}\n`);
  else if (first === '--help' || first === '-h' || first === 'help') io.write(mainHelp());
  else if (Object.hasOwn(specialHelp, first)) return runSpecial(first, args.slice(1), io);
  else {
    const command = commands.find(({ group, name }) => group === first && kebab(name) === second);
    if (command === undefined) return unknownCommand(first, second, io);
    await runOperation(command, rest, io);
  }
  return 0;
}

/** The help of a group, or an error that lists what there is. */
function unknownCommand(first: string, second: string | undefined, io: Io): number {
  const group = commands.filter((each) => each.group === first);
  if (group.length === 0) {
    const others = special.map(([name]) => name.split(' ')[0] ?? '');
    const groups = [...new Set(commands.map((each) => each.group)), ...others];
    throw new WrongCall(`there is no command ${first}${didYouMean(first, groups)}: use one of ${groups.join(', ')}`);
  }
  const names = group.map(({ name, summary }) => `  social-data ${first} ${kebab(name)}: ${summary}`).join('\n');
  if (second === undefined || second === '--help' || second === '-h') {
    io.write(`${names}\n`);
    return 0;
  }
  const known = group.map(({ name }) => kebab(name));
  throw new WrongCall(`there is no command ${first} ${second}${didYouMean(second, known)}:\n${names}`);
}

/** ` (did you mean x?)`; '' where no name is near. */
function didYouMean(name: string, names: readonly string[]): string {
  const found = nearest(name, names);
  return found === undefined ? '' : ` (did you mean ${found}?)`;
}

/** Parses the options of a command, and those of every command. */
function parse(
  args: readonly string[],
  own: readonly string[],
  flags: readonly string[] = [],
  lists: readonly string[] = [],
) {
  const shared = Object.entries(commonOptions).map(([name, { type }]) => [name, { type }] as const);
  const options = Object.fromEntries([
    ...own.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
    ...lists.map((name) => [name, { type: 'string', multiple: true }] as const),
    ...shared,
    ['help', { type: 'boolean', short: 'h' }] as const,
  ]);
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Values, lists: values as Lists, positionals };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const [quoted = '', name] = /'(--[^' ]+)'/.exec(message) ?? [];
    if (code !== 'ERR_PARSE_ARGS_UNKNOWN_OPTION' || name === undefined) throw error;
    const known = Object.keys(options).map((each) => `--${each}`);
    throw new WrongCall(`Unknown option ${quoted}${didYouMean(name, known)}`);
  }
}

const formatOf = ({ json, jsonl, csv, table }: Values, { isTerminal }: Io): Format => {
  if (jsonl) return 'jsonl';
  if (csv) return 'csv';
  if (json) return 'json';
  return table || isTerminal ? 'table' : 'json';
};

const textOf = (value: string | boolean | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

async function connect(io: Io, values: Values): Promise<SocialDataClient> {
  const credentials = await credentialsOf(io, textOf(values['base-url']));
  const logger = { warn: io.warn, info: io.warn, debug: io.warn };
  return createClient({ ...credentials, logger, logLevel: values['debug'] ? 'debug' : 'warn' });
}

/** The value of an option that is a number. */
function numberOf(name: string, value: string | boolean | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0) throw new WrongCall(`--${name} must be a whole number`);
  return number;
}

/** Whether an option can be given more than once. */
const isRepeated = ({ type }: CommandOption): boolean => type === 'strings' || type === 'numbers';

/** A file as a part of a form or as a body. */
async function fileOf(path: string): Promise<File> {
  const blob = await openAsBlob(path).catch((error: Error) => {
    throw new WrongCall(`the file ${path} cannot be read: ${error.message}`);
  });
  return new File([blob], basename(path), { type: blob.type });
}

/** The value of an option: JSON, or the content of the file that `@` names. */
async function jsonOf(name: string, text: string): Promise<unknown> {
  const json = text.startsWith('@') ? await (await fileOf(text.slice(1))).text() : text;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new WrongCall(`--${name} must be JSON, or @FILE with JSON`);
  }
}

/** The value of an option in its type. */
async function valueOf({ name: option, type }: CommandOption, values: Values, lists: Lists): Promise<unknown> {
  const name = kebab(option);
  const value = values[name];
  if (typeof value !== 'string') {
    const texts = lists[name];
    return type === 'numbers' ? texts?.map((text) => Number(text)) : texts;
  }
  if (type === 'integer' || type === 'number') {
    const number = Number(value);
    if (type === 'integer' ? Number.isInteger(number) : Number.isFinite(number)) return number;
    throw new WrongCall(`--${name} must be a ${type === 'integer' ? 'whole ' : ''}number`);
  }
  if (type === 'json') return jsonOf(name, value);
  if (type === 'file') return option === 'body' && !value.startsWith('@') ? value : fileOf(value.replace(/^@/, ''));
  if (type !== 'boolean') return value;
  if (value !== 'true' && value !== 'false') throw new WrongCall(`--${name} must be true or false`);
  return value === 'true';
}

/**
 * The option that values without a name set: the required one or the first one; a number sets the id instead of the username. Only
 * a list takes several values.
 */
function positional(
  { options }: Command,
  given: readonly string[],
  values: Values,
  lists: Lists,
): { values?: Values; lists?: Lists } {
  const [value, ...others] = given;
  if (value === undefined) return {};
  const first = options.find(({ required }) => required) ?? options[0];
  const ofNumber = /^\d+$/.test(value) ? options.find(({ name }) => name === 'user_id') : undefined;
  const option = ofNumber ?? first;
  if (option === undefined) throw new WrongCall(`'${value}' is no option: the command has no parameter`);
  const { name } = option;
  if (isRepeated(option)) return { lists: { [kebab(name)]: [...(lists[kebab(name)] ?? []), ...given] } };
  if (others.length > 0) throw new WrongCall(`'${others[0]}' is one value too many: put a text with spaces in quotes`);
  if (values[kebab(name)] !== undefined) throw new WrongCall(`--${kebab(name)} and '${value}': give it once`);
  return { values: { [kebab(name)]: value } };
}

async function runOperation(command: Command, args: readonly string[], io: Io): Promise<void> {
  const isList = command.items !== undefined;
  const single = command.options.filter((option) => !isRepeated(option)).map(({ name }) => kebab(name));
  const repeated = command.options.filter(isRepeated).map(({ name }) => kebab(name));
  const flags = isList ? ['all'] : [];
  const { values, lists, positionals } = parse(args, isList ? [...single, 'max'] : single, flags, repeated);
  if (values['help']) return io.write(commandHelp(command));
  const unnamed = positional(command, positionals, values, lists);
  const given = { ...values, ...unnamed.values };
  const givenLists = { ...lists, ...unnamed.lists };
  const parameters: Record<string, unknown> = {};
  for (const option of command.options) {
    const { name, required } = option;
    const value = await valueOf(option, given, givenLists);
    if (value === undefined && required) throw new WrongCall(`--${kebab(name)} is missing`);
    if (value !== undefined) parameters[name] = value;
  }
  const client = (await connect(io, values)) as unknown as Record<string, Record<string, Method>>;
  const method = client[command.group]?.[command.name];
  if (method === undefined) throw new WrongCall('this version of the client does not have the operation');
  const format = formatOf(values, io);
  if (command.items === undefined) return printAnswer(io, await method(parameters, { signal: io.signal }), format);
  const max = numberOf('max', values['max']) ?? (values['all'] ? Infinity : undefined);
  const printer = itemPrinter(io, format, command.columns ?? []);
  if (max === undefined) {
    const page = await method(parameters, { signal: io.signal });
    if (format === 'json') printOne(io, page, format);
    else printer.add(itemsOf(page, command.items));
    const { next_cursor: next } = page as { next_cursor?: string | null };
    if (next && format === 'table') io.warn(`more: --cursor=${next}, or --all`);
    return;
  }
  let left = max;
  for await (const page of method(parameters, { limit: max, signal: io.signal }).pages()) {
    const items = itemsOf(page, command.items).slice(0, left);
    printer.add(items);
    left -= items.length;
  }
  printer.end();
}

const itemsOf = (page: unknown, name: string): readonly object[] =>
  (page as Record<string, readonly object[]>)[name] ?? [];

async function runSpecial(name: string, args: readonly string[], io: Io): Promise<number> {
  const own: Readonly<Record<string, readonly string[]>> = {
    events: [...channels.filter((each) => each !== 'pool').map(kebab), 'cursor', 'max'],
    ask: ['conversation'],
  };
  const { values, positionals } = parse(args, own[name] ?? [], name === 'events' ? ['pool'] : []);
  if (values['help']) io.write(specialHelp[name] ?? '');
  else if (name === 'events') await printEvents(values, io);
  else if (name === 'ask') await ask(values, positionals, io);
  else if (name === 'mcp') await serveMcp(await credentialsOf(io, textOf(values['base-url'])), io);
  else if (name === 'login') await login(positionals[0], io);
  else {
    const script = completion(positionals[0]);
    if (script === undefined) throw new WrongCall('name the shell: bash, zsh or fish');
    io.write(script);
  }
  return 0;
}

async function printEvents(values: Values, io: Io): Promise<void> {
  const chosen = channels.filter((name) => values[kebab(name)] !== undefined);
  const [channel] = chosen;
  if (channel === undefined || chosen.length > 1)
    throw new WrongCall(`name one of ${channels.map((name) => `--${kebab(name)}`).join(', ')}`);
  if (values['csv']) throw new WrongCall('--csv is for lists and records: use --jsonl for events');
  const max = numberOf('max', values['max']) ?? Infinity;
  const cursor = values['cursor'];
  const client = await connect(io, values);
  const stream = client.events({ [channel]: values[kebab(channel)] } as Selection, {
    ...(typeof cursor === 'string' ? { cursor } : {}),
    onReconnect: ({ delayMs }) => io.warn(`connection lost; reconnecting in ${Math.round(delayMs)} ms`),
  });
  const close = (): void => stream.close();
  io.signal.addEventListener('abort', close);
  const format = formatOf(values, io) === 'table' ? 'table' : 'jsonl';
  let last: string | undefined;
  let count = 0;
  for await (const event of stream) {
    last = event.cursor;
    if (format === 'jsonl') io.write(`${JSON.stringify(event)}\n`);
    else io.write(eventLine(event.event, event.data, io.columns));
    if (++count >= max) break;
  }
  if (last !== undefined) io.warn(`continue with --cursor=${last}`);
}

/** An event as one line of a terminal. */
function eventLine(event: string, data: object, columns: number): string {
  const { id, author, text } = data as { id?: string; author?: { username: string }; text?: string };
  const parts = [
    event,
    id,
    author === undefined ? undefined : `@${author.username}`,
    text ?? (id ? '' : JSON.stringify(data)),
  ];
  const line = parts.flatMap((part) => (part ? [clean(part)] : [])).join('  ');
  return `${cut(line, columns)}\n`;
}

async function ask(values: Values, positionals: readonly string[], io: Io): Promise<void> {
  const { conversation } = values;
  const [first, ...others] = positionals;
  if (first === undefined) throw new WrongCall('name a tweet, or --conversation ID and a question');
  const question = others.join(' ');
  const parameters =
    typeof conversation === 'string'
      ? { conversation_id: conversation, prompt: positionals.join(' ') }
      : { tweet_id: first, ...(question === '' ? {} : { prompt: question }) };
  const stream = (await connect(io, values)).assistant.stream(parameters, { signal: io.signal });
  if (formatOf(values, io) !== 'table') return printOne(io, await stream.answer(), 'json');
  for await (const part of stream) io.write(part.replace(/[^\P{Cc}\n]/gu, ''));
  const { conversation_id: id, citations, provider, model } = await stream.answer();
  io.write('\n');
  for (const { url } of citations) io.write(`  ${url}\n`);
  io.warn(`answered by ${[provider, model].flatMap((each) => (each === undefined ? [] : [clean(each)])).join(', ')}`);
  io.warn(`continue with: social-data ask --conversation ${id} 'QUESTION'`);
}

async function login(url: string | undefined, io: Io): Promise<void> {
  if (url === undefined) throw new WrongCall('name the URL of the service: social-data login https://social.example');
  const apiKey = (await io.input()).trim();
  if (apiKey === '') throw new WrongCall('the key is missing: pass it on standard input');
  // Throws for a URL that cannot be one.
  createClient({ baseUrl: url, apiKey });
  io.warn(`stored in ${await storeCredentials(io, { baseUrl: url, apiKey })}`);
}
