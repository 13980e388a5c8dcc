/**
 * The Python client against a real server and scripted ones; the nightly run, and a call that names the file, install it by pip from its
 * folder, as answers in parts need. Without Python 3.11 the tests are skipped; where pip reaches no package index, those of the installation too.
 */
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { operations } from '../../generated/operations.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { nightlyTest } from '../support/nightly.ts';
import { root } from '../support/packed.ts';
import { runsAll } from '../support/rounds.ts';
import { json, startScripted, type Scripted } from '../support/scripted.ts';

const isNewEnough = 'import sys; sys.exit(sys.version_info < (3, 11))';
const hasPython = spawnSync('python3', ['-c', isNewEnough]).status === 0;
const key = 'a-key-for-python';

const folder = await temporaryFolder();
afterAll(() => folder.dispose());
const pip = async (...parameters: string[]): Promise<unknown> =>
  promisify(execFile)('python3', ['-m', 'pip', '--disable-pip-version-check', 'install', '--quiet', ...parameters]);

/** Installs the package from a copy of its folder; false where pip is missing or reaches no package index. */
async function install(): Promise<boolean> {
  const copy = join(folder.path, 'python');
  await cp(join(root, 'client/python'), copy, { recursive: true, dereference: true });
  try {
    await pip('--target', join(folder.path, 'site'), copy);
    return true;
  } catch (error) {
    if (/No module named pip|Could not find a version|connection/i.test(String(error))) return false;
    throw error;
  }
}
// It takes six seconds of CPU time: `npm test` uses the package where it is.
const isInstalled = hasPython && runsAll && (await install());
const pythonPath = isInstalled ? join(folder.path, 'site') : join(root, 'client/python');
// Without the files that Python writes beside its modules.
const pythonEnv = { ...process.env, PYTHONPATH: pythonPath, PYTHONDONTWRITEBYTECODE: '1' };

/** Runs a program with the client; resolves with the JSON that it prints. */
async function python(program: string, url: string): Promise<unknown> {
  const code = `import json, social_data\nfrom social_data import *\nclient = Client("${url}", "${key}")\n${program}`;
  const { stdout } = await promisify(execFile)('python3', ['-c', code], { env: pythonEnv });
  return JSON.parse(stdout) as unknown;
}

(hasPython ? describe : describe.skip)('the Python client', () => {
  let server: LocalServer;
  let scripted: Scripted;
  /** The position before the events of the tests. */
  let eventsStart: string;
  beforeAll(async () => {
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
  });

  test('has a method for each operation, events and streamed answers, and resolvable types', async () => {
    const program = `
import inspect, typing
groups = [vars(client)[name] for name in vars(client) if not name.startswith("_")]
methods = [method for group in groups for name, method in inspect.getmembers(group, inspect.ismethod) if not name.startswith("_")]
classes = [each for each in vars(social_data.contract).values() if typing.is_typeddict(each)]
hints = [typing.get_type_hints(each, vars(social_data.contract)) for each in methods + classes]
print(json.dumps([len(methods), len(classes) > 20, all(each.__doc__ for each in methods)]))`;
    expect(await python(program, server.url)).toEqual([Object.keys(operations).length + 2, true, true]);
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

  test('sends path and body together, null where it means something, and reads texts and empty responses', async () => {
    const program = `
import datetime
saved = client.searches.create_saved_search(name="a", query="coffee")["id"]
renamed = client.searches.update_saved_search(search_id=saved, name="b")
kept = client.searches.update_saved_search(search_id=saved, url=None)
deleted = client.searches.delete_saved_search(search_id=saved)
atom = client.feeds.get_user_feed(username="mira_codes", limit=1)
feed = client.feeds.get_user_feed(username="mira_codes", limit=1, format="json")
replies = [len(list(client.user.last_tweets(username="mira_codes", include_replies=each))) for each in (True, "1", False)]
start = datetime.datetime(2026, 10, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=2)))
counts = [client.tweet.counts(query="coffee", since_time=each)["total"] for each in (start, int(start.timestamp()))]
try:
    client.tweet.counts(query="coffee", since_time=datetime.datetime(2026, 10, 1))
except UsageError as error:
    naive = str(error)
print(json.dumps([renamed["name"], kept["url"], deleted, "<feed" in atom, feed["items"][0]["id"] in atom,
    replies[0] == replies[1] > replies[2], counts[0] == counts[1] > 0, naive]))`;
    const naive = 'a datetime needs a time zone: datetime.now(timezone.utc), or int(value.timestamp())';
    expect(await python(program, server.url)).toEqual(['b', null, null, true, true, true, true, naive]);
  });

  test('sends null only where a body can have it', async () => {
    const bodies: string[] = [];
    const echo = await startScripted((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        bodies.push(Buffer.concat(parts).toString());
        json(response, 200, {});
      });
    });
    const program = `
client.searches.update_saved_search(search_id="s/1", name=None, url=None)
client.searches.update_saved_search(search_id="s/1", name="b")
print("null")`;
    await python(program, echo.url).finally(() => echo.stop());
    expect(echo.requests).toEqual(Array(2).fill('PATCH /social/searches/s%2F1'));
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([{ url: null }, { name: 'b' }]);
  });

  test('asks a function for the key of each request, and has typed errors for broken responses', async () => {
    const broken = await startScripted((request, response, number) => {
      if (number === 0) json(response, 200, { success: true, capable: 1 });
      else if (number === 1)
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' }).write('{');
      else if (number === 2) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
      else if (number === 3) request.socket.end('no HTTP\r\n\r\n');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('nothing');
      if (number === 1) setTimeout(() => response.destroy(), 50);
    });
    const program = `
keys = iter(["one", "two", "three", "four", "five"])
client = Client("${broken.url}", lambda: next(keys), retries=0)
seen = []
for call in (client.assistant.status, client.assistant.status, lambda: client.feeds.get_search_feed(query="a"), client.assistant.status, client.assistant.status):
    try:
        seen.append(call()["capable"])
    except SocialDataError as error:
        seen.append(type(error).__name__)
try:
    Client("http://user:a-password@127.0.0.1:1", "k", retries=0).assistant.status()
except ConnectionFailed as error:
    seen.append(str(error).split(" failed")[0])
print(json.dumps(seen))`;
    expect(await python(program, broken.url).finally(() => broken.stop())).toEqual([
      1,
      'ConnectionFailed',
      'DecodeError',
      'ConnectionFailed',
      'DecodeError',
      'the connection to 127.0.0.1:1',
    ]);
    expect(broken.headers.map((each) => each['x-api-key'])).toEqual(['one', 'two', 'three', 'four', 'five']);
  });

  test('reads the events of a channel, and continues behind a position', async () => {
    const start = await fetch(`${server.url}/social/user/info?username=mira_codes`, { headers: { 'x-api-key': key } });
    const cursor = (eventsStart = start.headers.get('x-event-cursor')!);
    const author_id = ((await start.json()) as { user: { id: string } }).user.id;
    const records = [1, 2, 3].map((id) => ({
      kind: 'tweet',
      tweet: { id: `21300000000000000${id}`, text: `tea ${id}`, created_at: '2026-11-20T00:00:00Z', author_id },
    }));
    const control = await connectControl(join(folder.path, 'data'));
    await control!.call('import/apply', ['python', { values: records.length, done: true }, records]);
    control!.close();
    const program = `
with client.events(channel="user:tweets", username="mira_codes", cursor="${cursor}") as events:
    first = [next(events)["data"]["text"] for _ in range(2)]
rest = client.events(channel="user:tweets", username="mira_codes", cursor=events.cursor)
last = next(rest)["data"]["text"]
rest.close()
messages = client.streams.stream_events(channel="tweet:engagement", tweet_id="2116563159755955488")
kinds = [next(messages)["type"], next(messages)["event"]]
before = messages.cursor
client.tweet.unlike(tweet_id="2116563159755955488")
changed = next(messages)
messages.close()
errors = []
for parameters in ({"username": "nobody_here"}, {"username": "mira_codes", "cursor": "elsewhere.5"}):
    try:
        next(client.events(channel="user:tweets", **parameters))
    except ApiError as error:
        errors.append([type(error).__name__, error.cursor])
print(json.dumps([first, last, list(rest), kinds, changed["event"], messages.cursor != before, errors]))`;
    expect(await python(program, server.url)).toEqual([
      ['tea 1', 'tea 2'],
      'tea 3',
      [],
      ['subscribed', 'tweet.engagement'],
      'tweet.unliked',
      true,
      [
        ['NotFoundError', null],
        ['GoneError', 'elsewhere.5'],
      ],
    ]);
  });

  test('resumes a stream of events after each lost connection, and ends where the service ends it', async () => {
    const event = (seq: number): string =>
      `id: e.${seq}\ndata: ${JSON.stringify({ type: 'event', event: 'tweet.created', seq, cursor: `e.${seq}` })}\n\n`;
    const bodies = [
      // The last one is not complete.
      `: hello\nretry: 5\n\n${event(1)}${event(2).slice(0, -2)}`,
      // Without an event, but with a position.
      ': \nid: e.7\n\n',
      `${event(8)}event: going_away\ndata: {"type":"going_away","reconnect_after_ms":1,"reason":"restart"}\n\n`,
      undefined,
      `${event(9)}event: unsubscribed\ndata: {"type":"unsubscribed","sub":"s1"}\n\n`,
    ];
    const lossy = await startScripted((_request, response, number) => {
      const body = bodies[number];
      if (body === undefined) return json(response, 503, { error: 'not yet' }, { 'retry-after': '0' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(body, () => setImmediate(() => response.destroy()));
    });
    const program = `
stream = client.events(channel="search:tweets", query="tea & more")
print(json.dumps([[event["seq"] for event in stream], stream.cursor]))`;
    const seen = await python(program, lossy.url).finally(() => lossy.stop());
    expect(seen).toEqual([[1, 8, 9], 'e.9']);
    expect(lossy.requests[0]).toBe('GET /social/events?channel=search%3Atweets&query=tea%20%26%20more');
    expect(lossy.headers.map((each) => each['last-event-id'])).toEqual([undefined, 'e.1', 'e.7', 'e.8', 'e.8']);
  });

  test('ends a stream that another thread reads', async () => {
    const silent = await startScripted((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`id: e.1\ndata: {"type":"event","seq":1}\n\n`);
    });
    const program = `
import threading
stream = client.events(channel="assistant:pool")
seen = []
reads = threading.Event()
def read():
    for event in stream:
        seen.append(event["seq"])
        reads.set()
reader = threading.Thread(target=read)
reader.start()
reads.wait()
stream.close()
reader.join()
print(json.dumps([seen, stream.cursor]))`;
    expect(await python(program, silent.url).finally(() => silent.stop())).toEqual([[1], 'e.1']);
    expect(silent.requests).toHaveLength(1);
  });

  (isInstalled ? describe : describe.skip)('answers in parts', () => {
    test('are those of the complete answer, with typed errors', async () => {
      const program = `
with client.assistant.stream(tweet_id="1890000000000000001") as stream:
    parts = list(stream)
answer = stream.answer()
complete = client.assistant.stream(tweet_id="1890000000000000001").answer()
left = client.assistant.stream(tweet_id="1890000000000000001")
next(left)
left.close()
seen = []
for stream in (left, client.assistant.stream(tweet_id="404"), Client(client._url, "a-wrong-key").assistant.stream(tweet_id="1")):
    try:
        stream.answer()
    except SocialDataError as error:
        seen.append(type(error).__name__)
print(json.dumps([len(parts) > 1, "".join(parts) == answer["summary"], complete["tweet_id"], seen]))`;
      const errors = ['StreamError', 'NotFoundError', 'UnauthorizedError'];
      expect(await python(program, server.url)).toEqual([true, true, '1890000000000000001', errors]);
    });

    test('end when another thread closes the stream, and are not asked for again', async () => {
      const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      await once(service, 'listening');
      const commands: unknown[] = [];
      service.on('connection', (socket) => {
        socket.send(JSON.stringify({ type: 'connected', heartbeat_interval_ms: 20_000 }));
        socket.on('message', (data: Buffer) => {
          const { type } = JSON.parse(data.toString()) as { type: string };
          commands.push(type);
          if (type === 'cancel') return;
          socket.send(JSON.stringify({ type: 'answer', id: 'q', n: 0, delta: 'A tweet ' }));
        });
      });
      const { port } = service.address() as { port: number };
      const program = `
import threading
stream = client.assistant.stream(tweet_id="1")
parts = []
reads = threading.Event()
def read():
    for part in stream:
        parts.append(part)
        reads.set()
reader = threading.Thread(target=read)
reader.start()
reads.wait()
stream.close()
reader.join()
print(json.dumps(parts))`;
      expect(await python(program, `http://127.0.0.1:${port}`).finally(() => service.close())).toEqual(['A tweet ']);
      expect(commands).toEqual(['ask', 'cancel']);
    });

    test('cost nothing more after a lost connection', async () => {
      const service = new WebSocketServer({ port: 0, host: '127.0.0.1' });
      await once(service, 'listening');
      const asked: Record<string, unknown>[] = [];
      service.on('connection', (socket) => {
        socket.send(JSON.stringify({ type: 'connected', heartbeat_interval_ms: 20_000 }));
        socket.on('message', (data: Buffer) => {
          asked.push(JSON.parse(data.toString()) as Record<string, unknown>);
          const part = (n: number, delta: string): void =>
            socket.send(JSON.stringify({ type: 'answer', id: 'q', n, delta }));
          part(0, 'A tweet ');
          if (asked.length === 1) return setTimeout(() => socket.terminate(), 50);
          part(1, 'about tea.');
          return socket.send(JSON.stringify({ type: 'answered', id: 'q', result: { summary: 'A tweet about tea.' } }));
        });
      });
      const { port } = service.address() as { port: number };
      const program = `
stream = client.assistant.stream(tweet_id="1", prompt="what?")
print(json.dumps([list(stream), stream.answer()["summary"]]))`;
      const seen = await python(program, `http://127.0.0.1:${port}`).finally(() => service.close());
      expect(seen).toEqual([['A tweet ', 'about tea.'], 'A tweet about tea.']);
      expect(asked).toHaveLength(2);
      expect(asked[0]).toMatchObject({ type: 'ask', params: { tweet_id: '1', prompt: 'what?' } });
      expect(asked[1]).toEqual(asked[0]);
    });

    nightlyTest('the examples run with pandas', async () => {
      const site = join(folder.path, 'pandas');
      await pip('--target', site, 'pandas');
      const env = {
        ...pythonEnv,
        PYTHONPATH: `${pythonPath}:${site}`,
        SOCIAL_DATA_BASE_URL: server.url,
        SOCIAL_DATA_API_KEY: key,
      };
      const example = async (name: string, ...parameters: string[]): Promise<string> =>
        (await promisify(execFile)('python3', [join(root, 'client/python/examples', name), ...parameters], { env }))
          .stdout;
      expect(await example('frame.py', 'coffee')).toMatch(/^created_at\n\d{4}-\d\d-\d\d .*\d$/m);
      const position = join(folder.path, 'position');
      await writeFile(position, eventsStart);
      expect(await example('listen.py', 'mira_codes', position, '2')).toMatch(/tea 1\b.*\n.*tea 2\b/);
      expect(await readFile(position, 'utf8')).not.toBe(eventsStart);
    });
  });
});
