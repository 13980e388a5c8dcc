// Tests server/operate/account-actions.ts, server/operate/action.ts, server/operate/actions.ts,
// server/operate/backups.ts, server/operate/follow-actions.ts, server/operate/open.ts, server/operate/overview.ts and
// server/operate/routes.ts.
/** The operator's interface over HTTP, of a whole service in this process. */
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { AuditLog, type AuditFile } from '../../server/operate/audit-log.ts';
import { openDocuments } from '../../server/storage/lowdb/documents.ts';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startService, type Service } from '../../server/compose.ts';
import { readConfig } from '../../server/config/config.ts';
import { checkDataDirectory } from '../../server/maintenance/doctor/directory-doctor.ts';
import { temporaryFolder } from '../support/folder.ts';
import '../support/preload/generous-load.ts';
import { zip } from '../support/zip.ts';
import { until } from '../support/until.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let service: Service;
let log = '';

async function start(): Promise<Service> {
  const config = readConfig({
    ...{
      DATA_DIR: dataDir,
      PORT: '0',
      DEMO: '0',
      TOKEN_RESOLVER: 'off',
      RATE_LIMIT: 'off',
      ASSISTANT_HTTP: 'loopback',
    },
    // Nothing answers there.
    ...{ FOLLOW_BLUESKY_STREAM: 'ws://127.0.0.1:1', FOLLOW_BLUESKY_API: 'http://127.0.0.1:1' },
  });
  return startService(
    config,
    { help: false, replay: undefined, follow: [] },
    pino({}, { write: (text: string) => void (log += text) }),
  );
}

let operator: string;
let reader: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  service = await start();
  operator = service.operatorKey ?? '';
  reader = service.firstKey ?? '';
});
afterAll(async () => {
  await service.stop();
  await folder.dispose();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const credentials = Object.keys(headers).some((name) => ['cookie', 'x-api-key', 'authorization'].includes(name))
    ? {}
    : { 'x-api-key': operator };
  const response = await fetch(`${service.url}/operate/api${path}`, {
    method,
    headers: { ...credentials, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const tweet = (id: string, text: string, author = '1'): string =>
  JSON.stringify({ kind: 'tweet', tweet: { id, text, created_at: '2026-01-01T00:00:00Z', author_id: author } });
const user = (id: string, username: string): string =>
  JSON.stringify({ kind: 'user', user: { id, username, name: username } });

interface UploadedImport {
  readonly state: string;
  readonly reports: readonly any[];
  readonly error: string | null;
}

/** Uploads a file in parts of this size, imports it, and waits for the end of the import. */
async function importFile(name: string, content: Buffer, partBytes = content.length): Promise<UploadedImport> {
  const facts = { name, bytes: content.length, modified: 1 };
  const { id, received } = (await call('POST', '/imports', facts)).body;
  for (let at = received; at < content.length; at += partBytes)
    expect((await addPart(id, at, content.subarray(at, at + partBytes))).status).toBe(200);
  expect((await call('POST', `/imports/${id}`, {})).status).toBe(200);
  for (;;) {
    const { imports } = (await call('GET', '/imports')).body;
    const own = imports.find((each: { id: string }) => each.id === id);
    if (own.state !== 'importing') return own;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function addPart(id: string, offset: number, part: Buffer): Promise<{ status: number; body: any }> {
  const response = await fetch(`${service.url}/operate/api/imports/${id}?offset=${offset}`, {
    method: 'PUT',
    headers: { 'x-api-key': operator, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(part),
  });
  return { status: response.status, body: await response.json() };
}

const audit = async (): Promise<any[]> => (await call('GET', '/audit')).body.entries;

describe('only an operator may use the interface', () => {
  test.each([
    '/overview',
    '/requests/{id}',
    '/keys',
    '/accounts',
    '/follow',
    '/imports',
    '/backups',
    '/audit',
    '/openapi.json',
    '/unknown',
  ])('GET %s returns 401 without a key, and 403 with a key for data', async (path) => {
    const without = await fetch(`${service.url}/operate/api${path}`);
    expect([without.status, Object.keys((await without.json()) as object)]).toEqual([401, ['error']]);
    const refused = await call('GET', path, undefined, { 'x-api-key': reader });
    expect([refused.status, refused.body]).toEqual([403, { error: "this API key lacks the scope 'admin'" }]);
  });

  test('no action happens with a key for data', async () => {
    const before = await audit();
    for (const [method, path, body] of [
      ['POST', '/keys', { name: 'more' }],
      ['DELETE', '/keys/abc', undefined],
      ['POST', '/erase', { query: 'a', expected: { tweets: 0, users: 0 } }],
      ['POST', '/accounts', { base_url: 'http://127.0.0.1:1' }],
      ['POST', '/follow', { targets: ['bluesky:alice.example.com'] }],
      ['POST', '/backups', undefined],
      ['POST', '/session', undefined],
    ] as const)
      expect((await call(method, path, body, { 'x-api-key': reader })).status).toBe(403);
    expect(await audit()).toEqual(before);
  });

  test("the operator's key opens no operation of the contract", async () => {
    const response = await fetch(`${service.url}/social/assistant/status`, { headers: { 'x-api-key': operator } });
    expect(response.status).toBe(403);
    await response.text();
  });

  test('a key in the URL is refused', async () => {
    const response = await fetch(`${service.url}/operate/api/overview?api_key=${operator}`);
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('must be in a header')]);
  });

  test('pages of other origins can read nothing', async () => {
    const { headers } = await call('GET', '/overview', undefined, {
      'x-api-key': operator,
      origin: 'https://evil.example',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('cache-control')).toBe('no-store');
  });
});

describe('a session', () => {
  let cookie: string;
  const same = { 'sec-fetch-site': 'same-origin' };
  beforeAll(async () => {
    const { headers } = await call('POST', '/session');
    const set = headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^social_data_operator=[\w-]{43}; Max-Age=28800; HttpOnly; SameSite=Strict$/);
    cookie = set.split(';', 1)[0] ?? '';
  });

  test('replaces the key on pages of this service', async () => {
    expect(await call('GET', '/session', undefined, { cookie, ...same })).toMatchObject({ status: 200 });
    const made = await call('POST', '/keys', { name: 'by session' }, { cookie, ...same });
    expect(made.status).toBe(200);
    await call('DELETE', `/keys/${made.body.id}`);
  });

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of the site', { 'sec-fetch-site': 'same-site' }],
    ['another origin, from a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }],
    ['no page', {}],
  ])('is refused for a request from %s', async (_name, headers) => {
    const { status } = await call('POST', '/keys', { name: 'forged' }, { cookie, ...headers });
    expect(status).toBe(403);
  });

  test('works without Sec-Fetch-Site for the origin of the service', async () => {
    expect(await call('GET', '/session', undefined, { cookie, origin: service.url })).toMatchObject({ status: 200 });
  });

  test('ends by request, and with its key', async () => {
    const key = (await call('POST', '/keys', { name: 'second operator', scopes: 'admin' })).body;
    const begin = await call('POST', '/session', undefined, { 'x-api-key': key.key });
    const second = (begin.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    expect((await call('GET', '/session', undefined, { cookie: second, ...same })).status).toBe(200);
    expect((await call('DELETE', `/keys/${key.id}`)).status).toBe(200);
    expect((await call('GET', '/session', undefined, { cookie: second, ...same })).body).toEqual({ key: null });
    expect((await call('GET', '/keys', undefined, { cookie: second, ...same })).status).toBe(401);

    const ended = await call('DELETE', '/session', undefined, { cookie, ...same });
    expect(ended.headers.get('set-cookie')).toMatch(/^social_data_operator=; Max-Age=0/);
    expect((await call('GET', '/keys', undefined, { cookie, ...same })).status).toBe(401);
  });
});

describe('keys', () => {
  test('are created, listed and revoked', async () => {
    const made = await call('POST', '/keys', { name: 'app', scopes: 'read,events', rate: '10/m', expires: '30d' });
    expect([made.status, made.body]).toEqual([200, { id: expect.any(String), key: expect.stringMatching(/^sd_/) }]);
    const { keys } = (await call('GET', '/keys')).body;
    expect(keys.at(-1)).toMatchObject({ id: made.body.id, name: 'app', scopes: ['read', 'events'], rate: '10/m' });
    expect(JSON.stringify(keys)).not.toContain('sd_');
    expect((await call('DELETE', `/keys/${made.body.id}`)).body).toEqual({ id: made.body.id, revoked: true });
    expect((await call('DELETE', `/keys/${made.body.id}`)).status).toBe(404);
  });

  test('the key in use cannot be revoked', async () => {
    const { key } = (await call('GET', '/session')).body;
    expect((await call('DELETE', `/keys/${key}`)).status).toBe(409);
  });

  test.each<[object, string]>([
    [{}, "'name' is required"],
    [{ name: 'a', scope: 'read' }, "unknown member 'scope'"],
    [{ name: 'a', scopes: 'reed' }, "unknown scope 'reed': did you mean 'read'?"],
    [{ name: 'a', rate: 'fast' }, "'fast' is not a valid rate"],
  ])('%j is refused with the reason', async (body, reason) => {
    const { status, body: refused } = await call('POST', '/keys', body);
    expect([status, refused.error]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('an import', () => {
  test('takes an upload in parts, and reports as the command does', async () => {
    const content = [user('1', 'ann'), tweet('10', 'first'), tweet('11', 'second'), '{"kind":"tweet"}'].join('\n');
    const done = await importFile('mine.jsonl', Buffer.from(content), 50);
    expect(done).toMatchObject({ state: 'done', error: null });
    expect(done.reports[0]).toMatchObject({
      input: 'mine.jsonl',
      taken: 3,
      skipped: 1,
      added: { user: 1, tweet: 2 },
      reasons: [{ reason: 'tweet record: tweet is missing', count: 1, lines: [4] }],
    });
    // The server removes the files after it has reported the end.
    await until(async () => (await readdir(join(dataDir, 'uploads'))).length === 0);
  });

  test('an interrupted upload continues at its next byte, also after a restart', async () => {
    const content = Buffer.from([tweet('20', 'a'), tweet('21', 'b')].join('\n'));
    const facts = { name: 'late.jsonl', bytes: content.length, modified: 2 };
    const { id } = (await call('POST', '/imports', facts)).body;
    await addPart(id, 0, content.subarray(0, 40));
    expect(await addPart(id, 10, content.subarray(10, 20))).toMatchObject({
      status: 409,
      body: { error: 'the next part of this upload begins at byte 40' },
    });
    expect((await call('POST', `/imports/${id}`, {})).status).toBe(409);
    await service.stop();
    service = await start();
    expect((await call('POST', '/imports', facts)).body).toMatchObject({ id, received: 40, state: 'uploading' });
    expect((await addPart(id, 40, content.subarray(40))).body).toMatchObject({ received: content.length });
    expect((await call('POST', `/imports/${id}`, {})).status).toBe(200);
    await until(async () => (await readdir(join(dataDir, 'uploads'))).length === 0);
  });

  test('a cancelled upload leaves no file, and makes room; another one begins anew', async () => {
    const facts = { name: 'secret-name.jsonl', bytes: 100, modified: 7 };
    const { id } = (await call('POST', '/imports', facts)).body;
    await addPart(id, 0, Buffer.from(tweet('30', 'secretword').slice(0, 50)));
    expect((await call('DELETE', `/imports/${id}`)).body).toMatchObject({ id, cancelled: true });
    expect((await readdir(join(dataDir, 'uploads'))).filter((name) => name.startsWith(id))).toEqual([]);
    expect((await call('GET', '/imports')).body.imports.map((each: { id: string }) => each.id)).not.toContain(id);
    for (const status of [
      (await call('DELETE', `/imports/${id}`)).status,
      (await addPart(id, 50, Buffer.from('x'))).status,
    ])
      expect(status).toBe(404);
    expect((await call('GET', '/audit')).body.entries[1]).toMatchObject({
      action: 'DELETE /imports/{id}',
      result: 'ok',
    });
    expect((await call('POST', '/imports', facts)).body).toMatchObject({ id, received: 0 });
    await call('DELETE', `/imports/${id}`);
  });

  test('twenty abandoned uploads: a new one is refused with what to do, and begins after one is cancelled', async () => {
    const begun: string[] = [];
    for (let n = 0; begun.length === n; n++) {
      const { status, body } = await call('POST', '/imports', { name: `abandoned-${n}`, bytes: 10, modified: 1 });
      if (status === 200) begun.push(body.id);
      else
        expect([status, body.error]).toEqual([
          409,
          expect.stringMatching(/^at most 20 uploads .* cancel one on \/import/),
        ]);
    }
    expect((await call('DELETE', `/imports/${begun.pop()}`)).status).toBe(200);
    const next = await call('POST', '/imports', { name: 'next', bytes: 10, modified: 1 });
    expect(next.status).toBe(200);
    for (const id of [...begun, next.body.id]) expect((await call('DELETE', `/imports/${id}`)).status).toBe(200);
  });

  test('a part whose connection ends half-way is not written, and the upload is not held by it', async () => {
    const { id } = (await call('POST', '/imports', { name: 'half.jsonl', bytes: 100, modified: 1 })).body;
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT /operate/api/imports/${id}?offset=0 HTTP/1.1\r\nhost: x\r\nx-api-key: ${operator}\r\n` +
        'content-type: application/octet-stream\r\ncontent-length: 100\r\n\r\nsecretword',
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    expect((await addPart(id, 0, Buffer.from('x'.repeat(40)))).body).toMatchObject({ received: 40 });
    expect(await readFile(join(dataDir, 'uploads', id), 'utf8')).toBe('x'.repeat(40));
    await service.stop();
    service = await start();
    expect((await call('GET', '/imports')).body.imports).toMatchObject([{ id, name: 'half.jsonl', received: 40 }]);
    await call('DELETE', `/imports/${id}`);
    expect(await readdir(join(dataDir, 'uploads'))).toEqual([]);
  });

  test('of a zip archive names what is left out, and no path of the server', async () => {
    const name = 'twitter.zip';
    const account = '[{"account":{"accountId":"7","username":"own"}}]';
    const own = '[{"tweet":{"id_str":"70","created_at":"Thu Nov 03 08:50:26 +0000 2022","full_text":"own"}}]';
    const done = await importFile(
      name,
      zip([
        { name: 'data/account.js', content: `window.YTD.account.part0 = ${account}` },
        { name: 'data/tweets.js', content: `window.YTD.tweets.part0 = ${own}` },
        { name: 'data/ad-impressions.js', content: `window.YTD.ad_impressions.part0 = [${'{},'.repeat(50)}{}]` },
      ]),
    );
    expect(done.reports).toMatchObject([{ input: 'twitter.zip: tweets.js', leftOut: [{ name: 'ad-impressions.js' }] }]);
    const broken = await importFile('broken.zip', Buffer.from('PK\x03\x04 and no end'));
    expect(broken).toMatchObject({
      state: 'failed',
      error: expect.stringMatching(/^broken\.zip: this zip archive is damaged/),
    });
    expect(JSON.stringify([done, broken])).not.toContain(folder.path);
  });

  test('refuses what is no file of the browser', async () => {
    expect((await call('POST', '/imports', { name: 'a', bytes: 0, modified: 1 })).status).toBe(400);
    expect((await call('POST', '/imports', { name: 'a', bytes: 2 ** 50, modified: 1 })).status).toBe(413);
    expect((await addPart('../../keys.json', 0, Buffer.from('x'))).status).toBe(404);
    expect((await addPart('%2e%2e%2fkeys', 0, Buffer.from('x'))).status).toBe(404);
  });
});

describe('an erasure', () => {
  test('is done only if the counts of its preview still hold', async () => {
    await importFile('erase.jsonl', Buffer.from([user('5', 'gone'), tweet('50', 'text to erase', '5')].join('\n')));
    const preview = await call('POST', '/erase/preview', { user: 'gone' });
    expect(preview.body).toMatchObject({ tweets: 1, users: 1 });
    const refused = await call('POST', '/erase', { user: 'gone', expected: { tweets: 0, users: 1 } });
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('1 tweets and 1 accounts now')]);
    const done = await call('POST', '/erase', { user: 'gone', expected: { tweets: 1, users: 1 } });
    expect(done.body).toMatchObject({ kind: 'user', erased: { tweets: 1, users: 1 } });
    expect(JSON.stringify((await audit()).slice(0, 2))).not.toContain('gone');
  });

  test('names exactly one thing, which exists', async () => {
    expect((await call('POST', '/erase/preview', {})).status).toBe(400);
    expect((await call('POST', '/erase/preview', { user: 'a', query: 'b' })).status).toBe(400);
    expect((await call('POST', '/erase/preview', { user: 'nobody_here' })).body.error).toContain(
      'has no user nobody_here',
    );
    expect((await call('POST', '/erase/preview', { query: '(' })).status).toBe(400);
  });
});

describe('accounts of the assistant', () => {
  const secret = 'sk-operated-secret';

  test('are added at a model server of this machine only if it answers at a usual port', async () => {
    const { servers } = (await call('GET', '/model-servers')).body;
    expect(servers).toEqual(expect.any(Array));
    for (const url of ['http://127.0.0.1:1/v1', 'http://192.0.2.1/v1', `${service.url}/v1`]) {
      const refused = await call('POST', '/model-servers', { base_url: url, model: 'm' });
      expect([refused.status, Object.keys(refused.body)]).toEqual([404, ['error']]);
    }
  });

  test('are added, tested and removed; nothing has the key', async () => {
    const { accounts } = (await call('GET', '/accounts')).body;
    expect(accounts.map((account: { id: string }) => account.id)).toEqual(expect.arrayContaining(['local-1']));
    const added = await call('POST', '/accounts', {
      ...{ base_url: 'http://127.0.0.1:1/v1/', api_key: secret, name: 'spare', api: 'chat' },
    });
    const { id } = added.body;
    expect(added.body).toEqual({
      ...{ id, name: 'spare', base_url: 'http://127.0.0.1:1/v1', api: 'chat', source: 'stored' },
    });
    const listed = (await call('GET', '/accounts')).body;
    expect(listed.accounts).toContainEqual(added.body);
    const tested = await call('POST', '/accounts/local-2', undefined);
    expect(tested.body).toMatchObject({ id: 'local-2', pool: { state: 'available', used: 1 } });
    expect((await call('POST', `/accounts/${id}`)).body.error).toContain('does not belong to the configured provider');
    expect((await call('DELETE', `/accounts/${id}`)).body).toEqual({ id, removed: true });
    expect((await call('DELETE', `/accounts/${id}`)).status).toBe(404);
    const entries = await audit();
    expect(entries.slice(0, 3)).toMatchObject([
      { action: 'DELETE /accounts/{id}', subject: id, result: `account ${id} not found` },
      { action: 'DELETE /accounts/{id}', subject: id, result: 'ok' },
      { action: 'POST /accounts/{id}', subject: id },
    ]);
    expect(entries).toContainEqual(
      expect.objectContaining({ action: 'POST /accounts', subject: `${id} at http://127.0.0.1:1/v1`, result: 'ok' }),
    );
    const everything = JSON.stringify([added.body, listed, entries, (await call('GET', '/overview')).body]) + log;
    expect(everything).not.toContain(secret);
  });

  test.each([
    [{}, "'base_url' is required"],
    [{ base_url: 'ftp://host' }, "'base_url' must be an http or https URL"],
    [{ base_url: `https://user:${secret}@host` }, "'base_url' must be an http or https URL"],
    [{ base_url: 'https://host', api_key: `${secret} with spaces` }, "'api_key'"],
    [{ base_url: 'https://host', key: secret }, "unknown member 'key'"],
    [{ base_url: 'https://host', api: 'smoke' }, "'api' must be one of responses, chat, messages"],
  ])('%j is refused, without a value in the message', async (body, reason) => {
    const refused = await call('POST', '/accounts', body);
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(reason)]);
    expect(JSON.stringify([refused.body, await audit()]) + log).not.toContain(secret);
  });
});

describe('what is followed', () => {
  const target = 'bluesky:alice.example.com';

  test('is added, listed and removed', async () => {
    const added = await call('POST', '/follow', { targets: ['bluesky:@Alice.example.com'] });
    expect(added.body.targets).toMatchObject([{ target, error: expect.any(String) }]);
    const listed = (await call('GET', '/follow')).body;
    expect(listed.sources).toMatchObject([{ source: 'bluesky', targets: [{ target, isConfigured: false }] }]);
    expect((await call('POST', '/follow/remove', { targets: [target] })).body).toEqual({
      ...{ removed: [target], erased: null, off_disk_by: null },
    });
    expect((await call('GET', '/follow')).body.sources).toEqual([]);
    expect((await audit()).slice(0, 2)).toMatchObject([
      { action: 'POST /follow/remove', subject: target, result: 'ok' },
      { action: 'POST /follow', subject: 'bluesky:@Alice.example.com', result: 'ok' },
    ]);
  });

  test('is removed with its posts only if the counts of the preview still hold; the audit log has only the counts', async () => {
    const search = 'bluesky:search:gloaming';
    const post = (id: string, rkey: string): string =>
      JSON.stringify({
        kind: 'tweet',
        tweet: {
          ...{ id, text: `gloaming ${id}`, created_at: '2026-01-01T00:00:00Z', author_id: '31' },
          uri: `at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/${rkey}`,
        },
      });
    await importFile('gloaming.jsonl', Buffer.from(`${post('801', '3l6oveex3ii2l')}\n`));
    await call('POST', '/follow', { targets: [search] });
    const targets = [search];
    const { tweets, users } = (await call('POST', '/follow/preview', { targets })).body;
    expect([tweets, users]).toEqual([1, 0]);
    await importFile('more.jsonl', Buffer.from(`${post('802', '3l6oveex3ii22')}\n`));
    const late = await call('POST', '/follow/remove', { targets, expected: { tweets, users } });
    expect([late.status, late.body.error]).toEqual([409, expect.stringContaining('2 tweets and 0 accounts now')]);
    expect((await call('GET', '/follow')).body.sources[0].targets).toHaveLength(1);
    const removed = await call('POST', '/follow/remove', { targets, expected: { tweets: 2, users: 0 } });
    expect(removed.body).toMatchObject({ removed: [search], erased: { tweets: 2 }, off_disk_by: expect.any(String) });
    const found = await fetch(`${service.url}/social/tweet/advanced_search?query=gloaming`, {
      headers: { 'x-api-key': reader },
    });
    expect(((await found.json()) as { tweets: unknown[] }).tweets).toEqual([]);
    expect((await audit()).slice(0, 2)).toMatchObject([
      { action: 'POST /follow/remove', subject: '1 targets, 2 tweets, 0 accounts', result: 'ok' },
      { action: 'POST /follow/remove', subject: '1 targets, 1 tweets, 0 accounts', result: 'refused' },
    ]);
  });

  test.each([
    [{ targets: ['mastodon:alice'] }, 'is no target'],
    [{ targets: [] }, "'targets'"],
    [{ target: 'bluesky:alice.example.com' }, "'targets' is required"],
  ])('%j is refused with the reason', async (body, reason) => {
    const refused = await call('POST', '/follow', body);
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('a token is stored, and in no response, log or entry', async () => {
    const token = 'AAAAoperatedtoken';
    const stored = await call('POST', '/follow/token', { source: 'x', token });
    expect([stored.status, stored.body]).toEqual([200, { source: 'x', stored: true }]);
    expect((await call('POST', '/follow/token', { source: 'x', token: 'a b c d e f' })).status).toBe(400);
    const everything = JSON.stringify([await audit(), (await call('GET', '/follow')).body]) + log;
    expect(everything).not.toContain(token);
  });
});

test('a backup is made, verified and listed, without uploads and earlier backups', async () => {
  const made = await call('POST', '/backups');
  expect([made.status, made.body.summary]).toEqual([
    200,
    expect.stringMatching(/^\d+\.\d MB, checked, in \d+\.\d s; tweets \d+, users \d+$/),
  ]);
  expect((await call('GET', '/backups')).body.backups[0]).toMatchObject({ name: made.body.name });
  const copied = await readdir(join(dataDir, 'backups', made.body.name));
  expect(copied).toContain('audit.json');
  expect(copied).not.toContain('uploads');
  expect(copied).not.toContain('backups');
});

test('the overview shows the service and its last requests, without keys and texts', async () => {
  await fetch(`${service.url}/social/tweet/replies?tweet_id=secret-text`, { headers: { 'x-api-key': reader } });
  const { body } = await call('GET', '/overview');
  expect(body).toMatchObject({
    version: expect.any(String),
    ready: 'ok',
    archive: { tweets: expect.any(Number) },
    disk: { free_bytes: expect.any(Number) },
    pool: { capacity: expect.any(Object) },
    sources: [],
  });
  expect(body.journals.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['tables', 'events']));
  expect(body.minutes).toHaveLength(60);
  const week = await call('GET', '/requests/week');
  expect(week.body.steps.at(-1).requests).toBeGreaterThan(0);
  expect(await call('GET', '/requests/year')).toMatchObject({
    status: 404,
    body: { error: expect.stringContaining('hour, day, week') },
  });
  expect(body.refused[0]).toMatchObject({ status: 400, operation: 'getTweetReplies' });
  expect(JSON.stringify(body)).not.toMatch(/sd_|secret-text/);
});

test('the audit log has sign-ins, refused ones without the key, and sign-outs', async () => {
  const signIn = (key: string): Promise<Answer> => call('POST', '/session', undefined, { 'x-api-key': key });
  const guessed = 'sd_guess000_a-key-of-an-operator';
  for (let count = 0; count < 5; count++) expect((await signIn(guessed)).status).toBe(401);
  const { headers } = await signIn(operator);
  const cookie = (headers.get('set-cookie') ?? '').split(';')[0]!;
  await call('DELETE', '/session', undefined, { cookie, 'sec-fetch-site': 'same-origin' });
  const entries = await audit();
  expect(entries.slice(0, 3)).toMatchObject([
    { action: 'DELETE /session', subject: 'from 127.0.0.1', result: 'ok' },
    { action: 'POST /session', subject: 'from 127.0.0.1', result: 'ok' },
    { action: 'POST /session', key: '', subject: 'from 127.0.0.1', result: 'refused with 401' },
  ]);
  expect(entries[0].key).toBe(entries[1].key);
  expect(JSON.stringify(entries) + log).not.toContain(guessed);
});

test('refused sign-ins are few in the audit log, and displace no action', async () => {
  const store = await openDocuments(join(folder.path, 'audited'));
  const document = await store.document<AuditFile>('audit', { entries: [] });
  const auditLog = new AuditLog(document, () => {});
  await auditLog.record('k', 'POST /keys', 'first', 'ok');
  for (let count = 0; count < 500; count++) await auditLog.refuseSignIn('', '203.0.113.7', 'refused with 401');
  expect(document.data.entries).toHaveLength(2);
  for (let count = 0; count < 210; count++) await auditLog.record('', 'POST /session', 'from x', 'refused with 401');
  expect(document.data.entries).toHaveLength(201);
  expect(document.data.entries[0]).toMatchObject({ subject: 'first' });
  await store.close();
});

test('the audit log has each action with its key and result; it outlives a restart, and doctor knows it', async () => {
  const { key } = (await call('GET', '/session')).body;
  const made = (await call('POST', '/keys', { name: 'audited' })).body;
  await call('DELETE', '/keys/unknown1');
  const [refused, created] = await audit();
  expect(created).toMatchObject({
    key,
    action: 'POST /keys',
    subject: expect.stringContaining('"audited"'),
    result: 'ok',
  });
  expect(created.subject).toContain(made.id);
  expect(refused).toMatchObject({ action: 'DELETE /keys/{id}', subject: 'unknown1', result: 'this key not found' });
  expect(log).toContain('"an operator has acted"');
  await service.stop();
  const file = await readFile(join(dataDir, 'audit.json'), 'utf8');
  expect(file).toContain('audited');
  expect(file + log).not.toContain(made.key);
  expect((await checkDataDirectory(dataDir)).findings).toMatchObject({
    damage: [],
    notes: [expect.stringMatching(/^backups /)],
  });
  service = await start();
  expect((await audit())[1]).toEqual(created);
});

test('describes itself', async () => {
  const { body } = await call('GET', '/openapi.json');
  expect(Object.keys(body.paths)).toContain('/erase/preview');
  expect(body.openapi).toBe('3.1.0');
  const wrong = await call('PATCH', '/keys', {});
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'HEAD, GET, POST']);
  expect((await call('GET', '/nothing')).status).toBe(404);
});
