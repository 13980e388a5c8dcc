/** The Python client against a real server and a scripted one. Without Python 3.11 the tests are skipped. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { root } from '../support/packed.ts';
import { json, startScripted, type Scripted } from '../support/scripted.ts';

const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 11))';
const hasPython = spawnSync('python3', ['-c', isNewEnough]).status === 0;
const key = 'a-key-for-python';

/** Runs a program with the client; resolves with the JSON that it prints. */
async function python(program: string, url: string): Promise<unknown> {
  const code = `import json, social_data\nfrom social_data import *\nclient = Client("${url}", "${key}")\n${program}`;
  // Without the files that Python writes beside its modules.
  const env = { ...process.env, PYTHONPATH: join(root, 'client/python'), PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await promisify(execFile)('python3', ['-c', code], { env });
  return JSON.parse(stdout) as unknown;
}

(hasPython ? describe : describe.skip)('the Python client', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: LocalServer;
  let scripted: Scripted;
  beforeAll(async () => {
    folder = await temporaryFolder();
    server = await startLocalServer(join(folder.path, 'data'), { API_KEYS: key });
    scripted = await startScripted((request, response, number) => {
      if (request.url!.startsWith('/moved')) response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      else if (number % 2 === 0) json(response, 503, { error: 'not yet' }, { 'retry-after': '0' });
      else json(response, 200, { success: true, capable: 5 });
    });
  });
  afterAll(async () => {
    await scripted?.stop();
    await server?.end();
    await folder?.dispose();
  });

  test('has a method for each operation, and resolvable types', async () => {
    const program = `
import inspect, typing
groups = [vars(client)[name] for name in vars(client) if not name.startswith("_")]
methods = [method for group in groups for name, method in inspect.getmembers(group, inspect.ismethod) if not name.startswith("_")]
classes = [each for each in vars(social_data.contract).values() if typing.is_typeddict(each)]
hints = [typing.get_type_hints(each, vars(social_data.contract)) for each in methods + classes]
print(json.dumps([len(methods), len(classes) > 20, all(each.__doc__ for each in methods)]))`;
    expect(await python(program, server.url)).toEqual([Object.keys(operations).length, true, true]);
  });

  test('reads lists page by page, and has typed errors', async () => {
    const program = `
tweets = list(client.user.last_tweets(username="mira_codes", limit=2, max_items=5))
pages = client.tweet.advanced_search(query="coffee", limit=3).pages()
first = next(pages)
again = next(iter(client.tweet.advanced_search(query="coffee", limit=3, cursor=first["next_cursor"]).pages()))
try:
    client.space.detail(id="nowhere")
except NotFoundError as error:
    missing = [type(error).__name__, error.status, error.message, bool(error.request_id)]
try:
    Client(client._url, "wrong").user.info(username="mira_codes")
except UnauthorizedError as error:
    refused = error.status
print(json.dumps([len({tweet["id"] for tweet in tweets}), len(first["tweets"]), next(pages)["tweets"] == again["tweets"], missing, refused]))`;
    const missing = ['NotFoundError', 404, 'space nowhere not found', true];
    expect(await python(program, server.url)).toEqual([5, 3, true, missing, 401]);
  });

  test('sends lists as the contract has them', async () => {
    const address = 'https://x.com/mira_codes/status/1890000000000000001?s=20,21';
    const program = `
tweets = client.tweets.get_tweets(ids=["1890000000000000003", "404", "${address}"])
users = client.users.get_users(usernames=["@MIRA_codes", "nobody_here"])
print(json.dumps([[each["id"] for each in tweets["tweets"]], tweets["missing"], len(users["users"]), users["missing"]]))`;
    const ids = ['1890000000000000003', '1890000000000000001'];
    expect(await python(program, server.url)).toEqual([ids, ['404'], 1, ['nobody_here']]);
  });

  test('retries what may be repeated, never the rest, and follows no redirect', async () => {
    const program = `
status = client.assistant.status()
try:
    client.tweet.unlike(tweet_id="1")
    unlike = "sent again"
except UnavailableError as error:
    unlike = error.message
try:
    Client(client._url + "/moved", "k", retries=0).assistant.status()
    moved = "followed"
except ApiError as error:
    moved = error.status
try:
    Client("http://127.0.0.1:1", "a-secret-key", retries=0).assistant.status()
except ConnectionFailed as error:
    lost = "a-secret-key" not in str(error) and str(error).startswith("the connection to 127.0.0.1:1 failed")
try:
    Client("nowhere", "k")
except UsageError as error:
    usage = str(error)
print(json.dumps([status["capable"], unlike, moved, lost, usage]))`;
    expect(await python(program, scripted.url)).toEqual([
      5,
      'not yet',
      302,
      true,
      'base_url must be an http(s) URL: pass it, or set SOCIAL_DATA_BASE_URL',
    ]);
    expect(scripted.requests).toEqual([
      'GET /social/assistant/status',
      'GET /social/assistant/status',
      'POST /social/tweet/unlike',
      'GET /moved/social/assistant/status',
    ]);
    expect(scripted.headers[0]).toMatchObject({ 'x-api-key': key });
  });
});
