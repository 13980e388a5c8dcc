import { chmod, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { commands } from '../../generated/commands.ts';
import { operations } from '../../generated/operations.ts';
import { runCommand } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { json, startScripted, type Answering, type Scripted } from '../support/scripted.ts';

const key = 'a-key-of-the-command-line';
const page = (ids: string[], next: string | null): object => ({
  tweets: ids.map((id) => ({ id, text: `text\u001b[31m of\n${id}`, author: { username: 'mira' }, like_count: 1 })),
  next_cursor: next,
  has_next_page: next !== null,
});
const pages: Answering = (request, response) => {
  const { searchParams, pathname } = new URL(request.url!, 'http://x');
  if (pathname.endsWith('/detail')) json(response, 404, { error: 'space x not found' }, { 'x-request-id': 'r-1' });
  else if (pathname.endsWith('/mentions'))
    json(response, 200, {
      ...page([], null),
      tweets: ['=1', '@ada', ' +1', '-1', 'a=1'].map((text) => ({ id: '-1', text, like_count: -1 })),
    });
  else json(response, 200, searchParams.has('cursor') ? page(['3'], null) : page(['1', '2'], 'next'));
};

let server: Scripted;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
beforeAll(async () => {
  server = await startScripted(pages);
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = await temporaryFolder();
  server.requests.length = 0;
  env = { SOCIAL_DATA_BASE_URL: server.url, SOCIAL_DATA_API_KEY: key };
});
afterEach(() => folder?.dispose());

/** Runs a command line. */
const call = (line: string, options: { isTerminal?: boolean; input?: string } = {}): ReturnType<typeof runCommand> =>
  runCommand(line.split(' ').filter(Boolean), { env, home: folder.path, ...options });

describe('a command', () => {
  test('exists for each operation, with its parameters and a help', async () => {
    expect(commands).toHaveLength(Object.keys(operations).length);
    const { out } = await call('--help');
    for (const { group, name, summary, options } of commands) {
      const words = `${group} ${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      expect(out).toContain(words);
      const help = await call(`${words} --help`);
      expect(help).toMatchObject({ code: 0, out: expect.stringContaining(`${summary}. `) });
      for (const option of options) expect(help.out).toContain(`--${option.name.replaceAll('_', '-')} `);
    }
    expect((await call('events --help')).out).toContain('--search QUERY');
    expect((await call('user')).out).toContain('social-data user last-tweets: ');
  });

  test('prints a page as JSON in a pipe', async () => {
    const { code, out } = await call('user last-tweets --username mira --limit 2');
    expect([code, JSON.parse(out)]).toEqual([0, page(['1', '2'], 'next')]);
    expect(server.requests).toEqual(['GET /social/user/last_tweets?username=mira&limit=2']);
    expect(server.headers.at(-1)!['x-api-key']).toBe(key);
  });

  test('prints all pages, or as many items as requested, as one array of JSON, lines of JSON or CSV', async () => {
    const lines = (out: string): string[] => out.trim().split('\n');
    const idOf = (item: unknown): string => (item as { id: string }).id;
    const ids = (out: string): string[] => (JSON.parse(out) as unknown[]).map(idOf);
    const { out } = await call('user highlights --user-id 7 --all --jsonl');
    expect(lines(out).map((line) => idOf(JSON.parse(line)))).toEqual(['1', '2', '3']);
    expect(ids((await call('user highlights --user-id 7 --max 1')).out)).toEqual(['1']);
    expect(server.requests.slice(1)).toEqual([
      'GET /social/user/highlights?user_id=7&cursor=next',
      'GET /social/user/highlights?user_id=7&limit=1',
    ]);
    expect(ids((await call('user highlights --user-id 7 --all --json', { isTerminal: true })).out)).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(JSON.parse((await call('user highlights --user-id 7 --max 0 --json')).out)).toEqual([]);
    const csv = (await call('user highlights --user-id 7 --all --csv')).out.split('\r\n');
    expect(csv[0]).toMatch(/^id,text,created_at,author\.id,author\.name,author\.username,/);
    expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(['1', '2', '3', '']);
    expect(csv[1]).toContain(',"text\u001b[31m of\n1",');
    expect((await call('user highlights --user-id 7 --csv')).out.split('\r\n')).toHaveLength(4);
  });

  test('puts an apostrophe before texts of CSV that a spreadsheet would run, and not before numbers', async () => {
    const [head = '', ...lines] = (await call('user mentions --username ada --csv')).out.split('\r\n');
    const [text, likes] = ['text', 'like_count'].map((name) => head.split(',').indexOf(name));
    expect(lines.slice(0, -1).map((line) => line.split(',')[text!])).toEqual(["'=1", "'@ada", "' +1", "'-1", 'a=1']);
    expect(lines[0]!.split(',')[likes!]).toBe('-1');
  });

  test('takes the value of its first parameter without the name', async () => {
    await call('user last-tweets @mira');
    await call('user last-tweets 4200000001');
    await call('tweet replies 189 --max 1');
    expect(server.requests).toEqual([
      'GET /social/user/last_tweets?username=%40mira',
      'GET /social/user/last_tweets?user_id=4200000001',
      'GET /social/tweet/replies?tweet_id=189&limit=1',
    ]);
    expect((await call('tweet replies --help')).out).toContain('social-data tweet replies [TWEET-ID] [options]');
  });

  test('takes several values without a name where the parameter is a list', async () => {
    await call('tweets get-tweets 20 21');
    await call('tweets get-tweets --ids 20 --ids 21');
    await call('users get-users --usernames mira --usernames @tom');
    expect(server.requests).toEqual([
      'GET /social/tweets?ids=20,21',
      'GET /social/tweets?ids=20,21',
      'GET /social/users?usernames=mira,%40tom',
    ]);
    expect((await call('tweets get-tweets --help')).out).toContain('social-data tweets get-tweets [IDS …] [options]');
  });

  test('prints a table on a terminal, as wide as it is, without the control characters of the data', async () => {
    const { out, err } = await call('user highlights --user-id 7', { isTerminal: true });
    expect(out).toBe(['author  text       id', '@mira   text of 1  1', '@mira   text of 2  2', ''].join('\n'));
    expect(err).toBe('more: --cursor=next, or --all\n');
  });

  test.each([
    ['user last-tweets --user_name mira', 2, "Unknown option '--user_name' (did you mean --username?)\n"],
    ['user last-tweets --zzz mira', 2, "Unknown option '--zzz'\n"],
    ['user last-tweet mira', 2, 'there is no command user last-tweet (did you mean last-tweets?):'],
    ['user last-tweets mira other', 2, "'other' is one value too many"],
    ['user last-tweets mira --username other', 2, "--username and 'mira': give it once"],
    ['assistant status 1', 2, "'1' is no option: the command has no parameter"],
    ['events --search coffee --csv', 2, '--csv is for lists and records'],
    ['tweet replies', 2, '--tweet-id is missing'],
    ['user last-tweets --username mira --limit many', 2, '--limit must be a whole number'],
    ['user nothing', 2, 'there is no command user nothing'],
    ['nothing', 2, 'there is no command nothing: use one of tweet, '],
    ['events', 2, 'name one of --search, '],
    ['completion tcsh', 2, 'name the shell: bash, zsh or fish'],
    ['space detail --id x --base-url nonsense', 2, "'baseUrl' must be an absolute http(s) URL"],
    ['space detail --id x', 1, 'space x not found (request r-1)'],
  ])('%s ends with %i: %s', async (line, code, message) => {
    expect(await call(line)).toMatchObject({ code, out: '', err: expect.stringContaining(message) });
  });
});

describe('the key', () => {
  test('is stored by login in a file that only its owner can read', async () => {
    env = {};
    expect(await call('space detail --id x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('social-data login'),
    });
    const { code, err } = await call(`login ${server.url}`, { input: `${key}\n` });
    const file = join(folder.path, '.config/social-data/credentials.json');
    expect([code, err]).toEqual([0, `stored in ${file}\n`]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ baseUrl: server.url, apiKey: key });
    expect((await call('user last-tweets --username mira')).code).toBe(0);
    await chmod(file, 0o644);
    expect(await call('user last-tweets --username mira')).toMatchObject({
      code: 2,
      err: expect.stringContaining('chmod 600'),
    });
  });
});

test.each(['bash', 'zsh', 'fish'])('the completion of %s has every command and option', async (shell) => {
  const { code, out } = await call(`completion ${shell}`);
  expect(code).toBe(0);
  for (const word of ['last-tweets', 'advanced-search', '--resolve-cashtags', 'events', 'ask'])
    expect(out).toContain(word);
});
