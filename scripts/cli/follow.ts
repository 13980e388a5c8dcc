/** `npm run follow -- add | remove | list | status | backfill | token`: manages what is followed on live platforms. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from '../../server/config/config.ts';
import { maxBackfill } from '../../server/follow/follow-routes.ts';
import type { FollowListing } from '../../server/follow/follow-service.ts';
import type { OpenFollow } from '../../server/follow/follow-routes.ts';
import { openFollow } from './open-follow.ts';
import { previewOf, purgeRequests } from '../../server/maintenance/erase/purge-requests.ts';
import { counted, type TargetStatus } from '../../server/follow/status.ts';
import { parseTarget, targetForms } from '../../server/config/targets.ts';
import type { EraseCounts, EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { openEraser } from './open-eraser.ts';
import { confirm } from './confirm.ts';
import { fail, UsageError } from './failure.ts';
import { describeSources, describeTargets } from './follow-output.ts';
import { readHidden } from './hidden-input.ts';
import { ProgressBar } from './progress-bar.ts';

const usage = `Usage: npm run follow -- COMMAND

  add TARGET…       follows targets, and reads the last FOLLOW_BACKFILL posts of each account
  remove TARGET…    stops to follow them
    --purge         also erases their accounts here: profile, posts and relations (as npm run erase -- --user does); of a search
                    of Bluesky the posts that match it and that no other target brings.
                    The command prints the counts and asks for confirmation. To follow the target again, add it.
    --yes           skips the confirmation; required if standard input is not a terminal
  list              lists the targets: state, posts in the archive, the oldest and the newest one, last error
  status            shows for each platform whether it is connected, and how far the archive is behind
  backfill TARGET…  reads the history of followed targets again; needs a running server
    --posts NUMBER  posts of each account; 1000 by default
  token SOURCE      stores the token of a platform (x), which it reads from standard input

  --json            prints the result of list and status as JSON
  --help            prints this help

TARGET is one of ${targetForms}.
An AT-URI of a list is such as at://did:plc:…/app.bsky.graph.list/…. A query is in the language of its platform.

Examples:
  npm run follow -- add bluesky:alice.example.com 'bluesky:search:coffee "flat white"'
  npm run follow -- remove bluesky:alice.example.com --purge

A running server follows the change at once, and add waits up to 10 s for the platform to find the targets; without one, the
next start does. DATA_DIR names its data folder (./data). With DATABASE_URL, the instance that follows takes the change over.
Exit code: 0 for success, 1 for a failure, also for a target that the platform does not find, 2 for invalid arguments or without the confirmation.`;

const commands = ['add', 'remove', 'list', 'status', 'backfill', 'token'] as const;

interface Call {
  readonly command: (typeof commands)[number];
  readonly targets: readonly string[];
  readonly purge: boolean;
  readonly yes: boolean;
  readonly posts: number;
  readonly json: boolean;
}

function readCall(): Call {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      purge: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      posts: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const [name, ...targets] = positionals;
  const command = commands.find((each) => each === name);
  if (command === undefined) throw new UsageError(`expected one of ${commands.join(', ')}`);
  const takesTargets = command === 'add' || command === 'remove' || command === 'backfill';
  if (takesTargets && targets.length === 0) throw new UsageError(`expected a target: one of ${targetForms}`);
  if (takesTargets) for (const target of targets) parseTarget(target);
  if (command === 'token' ? targets.length !== 1 : !takesTargets && targets.length > 0)
    throw new UsageError(command === 'token' ? 'expected one source: x' : `${command} takes no target`);
  const { purge, yes, json, posts = '1000' } = values;
  if (purge && command !== 'remove') throw new UsageError('--purge belongs to remove');
  if (purge && !yes && !process.stdin.isTTY)
    throw new UsageError('standard input is not a terminal, so the command cannot ask: add --yes');
  if (!/^[1-9]\d{0,5}$/.test(posts) || Number(posts) > maxBackfill)
    throw new UsageError(`--posts=${posts}: expected a whole number from 1 to ${maxBackfill}`);
  return { command, targets, purge, yes, json, posts: Number(posts) };
}

/** `creates`: whether the command makes a data directory where there is none. */
async function withFollow<T>(config: Config, creates: boolean, use: (follow: OpenFollow) => Promise<T>): Promise<T> {
  const follow = await openFollow(config, creates);
  try {
    return await use(follow);
  } finally {
    await follow.close();
  }
}

const withoutServer = 'no server runs: the next start follows the change';

async function add(follow: OpenFollow, targets: readonly string[]): Promise<number> {
  const added = await follow.call('follow/add', targets);
  if (!(await follow.isRunning())) {
    for (const target of added) console.log(`follows ${target}`);
    console.error(withoutServer);
    return 0;
  }
  const states = await follow.call('follow/resolutions', added);
  for (const { target, title, error } of states) {
    if (title !== undefined) console.log(`follows ${target}  (${title})`);
    else if (error === undefined) console.error(`${target} is stored; the platform has not answered yet`);
    else console.error(`${target} is stored, and tried again: ${error}`);
  }
  return states.every(({ title }) => title !== undefined) ? 0 : 1;
}

/** What a removal with --purge erases. */
async function purged({ call }: OpenFollow, targets: readonly string[]): Promise<EraseRequest[]> {
  const [accounts, tweetIds] = await Promise.all([call('follow/accounts', targets), call('follow/posts', targets)]);
  return purgeRequests(Object.values(accounts), tweetIds);
}

/** Returns the exit code. */
async function remove(config: Config, { targets, purge, yes }: Call): Promise<number> {
  const requests = purge ? await withFollow(config, false, (follow) => purged(follow, targets)) : [];
  if (purge && !(await isConfirmed(config, requests, yes))) {
    console.error('nothing is removed');
    return 2;
  }
  const { removed } = await withFollow(config, false, ({ call }) => call('follow/remove', { targets, erase: purge }));
  for (const target of removed) console.log(`no longer follows ${target}`);
  if (requests.length > 0) await erase(config, requests);
  return 0;
}

/** Erases accounts and posts, and prints a line for each erasure. */
async function erase(config: Config, requests: readonly EraseRequest[]): Promise<void> {
  const eraser = await openEraser(config);
  try {
    for (const request of requests) {
      let bar: ProgressBar | undefined;
      const report = await eraser
        .erase(request, (done, of) => (bar ??= new ProgressBar('removals', of)).update(done))
        .finally(() => bar?.stop());
      console.log(`erased: ${describeCounts(report.erased)}; off the disk by ${report.off_disk_by}`);
    }
  } finally {
    await eraser.close();
  }
}

const describeCounts = ({ tweets, users, relations }: EraseCounts): string =>
  [counted(tweets, 'post'), counted(users, 'profile'), counted(relations, 'relation')].join(', ');

/** Prints what an erasure removes, and asks. */
async function isConfirmed(config: Config, requests: readonly EraseRequest[], yes: boolean): Promise<boolean> {
  const eraser = await openEraser(config);
  try {
    console.log(`permanently erases: ${describeCounts(await previewOf(eraser, requests))}`);
  } finally {
    await eraser.close();
  }
  return yes || (await confirm('erase', process.stdin, process.stderr));
}

async function backfill(follow: OpenFollow, { targets, posts }: Call): Promise<number> {
  if (!(await follow.isRunning())) throw new Error('no server runs: the next start reads the histories');
  const chunks = await follow.backfill(targets, posts);
  const bar = new ProgressBar('posts', undefined);
  let states: readonly TargetStatus[] = [];
  try {
    for await (const line of createInterface({ input: Readable.from(chunks), crlfDelay: Infinity })) {
      states = JSON.parse(line) as readonly TargetStatus[];
      bar.update(states.reduce((sum, { read }) => sum + read, 0));
    }
  } finally {
    bar.stop();
  }
  for (const { target, read, error } of states)
    console.log(`${target}: ${counted(read, 'post')} read${error === undefined ? '' : `; ${error}`}`);
  return states.some(({ error }) => error !== undefined) ? 1 : 0;
}

async function storeToken(config: Config, source: string): Promise<number> {
  const token = (process.stdin.isTTY ? await readHidden('token') : await textOf(process.stdin)).trim();
  if (!/^[!-~]{8,1024}$/.test(token))
    throw new UsageError('expected a token of 8 to 1024 printable characters without spaces on standard input');
  await withFollow(config, true, ({ call }) => call('follow/token', { source, token }));
  console.log(`the token of ${source} is stored`);
  return 0;
}

function print(listing: FollowListing, { command, json }: Call): number {
  if (json) console.log(JSON.stringify(listing, null, 2));
  else console.log(command === 'list' ? describeTargets(listing, Date.now()) : describeSources(listing));
  return 0;
}

/** Runs one command. Returns the exit code. */
function run(config: Config, call: Call): Promise<number> {
  switch (call.command) {
    case 'add':
      return withFollow(config, true, (follow) => add(follow, call.targets));
    case 'remove':
      return remove(config, call);
    case 'backfill':
      return withFollow(config, false, (follow) => backfill(follow, call));
    case 'token':
      return storeToken(config, call.targets[0] ?? '');
    default:
      return withFollow(config, false, async (follow) => print(await follow.call('follow/list', null), call));
  }
}

try {
  const call = readCall();
  process.exitCode = await run(readConfig(process.env), call);
} catch (error) {
  // The class of an error is lost on its way from a server.
  fail((error as Error).name === 'TargetError' ? new UsageError((error as Error).message) : error, 'follow');
}
