/** nginx and Caddy, with the examples that the repository ships, in front of the real server, over TLS. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { contract } from '../support/contract.ts';
import { fixedPort } from '../support/ports.ts';
import { has, runProgram } from '../support/programs.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { listener } from '../support/stream.ts';

const deploy = new URL('../../server/deploy/', import.meta.url);
const key = 'a-proxy-test-key';
type Folder = Awaited<ReturnType<typeof temporaryFolder>>;

interface Ports {
  readonly plain: number;
  readonly tls: number;
}

interface Proxy {
  readonly ports: Ports;
  /** The certificate that its own one is signed by. */
  readonly ca: string;
  end(): Promise<void>;
}

/** Waits until a program takes connections at a port; throws with what it said when it ended before. */
async function untilOpen(port: number, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said()}`);
    const open = await new Promise<boolean>((resolve) => {
      httpRequest({ port, host: '127.0.0.1' }, (response) => resolve(response.resume() !== undefined))
        .on('error', ({ message }) => resolve(!message.includes('ECONNREFUSED')))
        .end();
    });
    if (open) return;
    await sleep(50);
  }
}

function start(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): { child: ChildProcess; said: () => string; end: () => Promise<void> } {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const closed = once(child, 'close');
  return {
    child,
    said: () => output,
    async end() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

/** nginx with the example as its only server; of the example only addresses and paths are another. */
async function startNginx(folder: string, upstream: number): Promise<Proxy> {
  const ports = { plain: await fixedPort(), tls: await fixedPort() };
  const [certificate, privateKey] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const opensslResult = await runProgram('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    privateKey,
    '-out',
    certificate,
  ]);
  expect(opensslResult).toMatchObject({ code: 0 });
  const changes: [string | RegExp, string][] = [
    ['server 127.0.0.1:3000', `server 127.0.0.1:${upstream}`],
    ['listen 80;', `listen 127.0.0.1:${ports.plain};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.tls} ssl http2;`],
    [/ssl_certificate +\S+;/, `ssl_certificate ${certificate};`],
    [/ssl_certificate_key +\S+;/, `ssl_certificate_key ${privateKey};`],
    ['https://$host$request_uri', `https://$host:${ports.tls}$request_uri`],
  ];
  let example = await readFile(new URL('nginx.conf', deploy), 'utf8');
  for (const [from, to] of changes) {
    expect([from, example]).not.toEqual([from, (example = example.replace(from, () => to))]);
  }
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n');
  const main = join(folder, 'main.conf');
  await writeFile(
    main,
    `${process.getuid?.() === 0 ? 'user root;' : ''}\ndaemon off;\npid ${folder}/pid;\nerror_log stderr warn;\nevents {}\nhttp {\n${temporary}\n${example}\n}\n`,
  );
  const { child, said, end } = start('nginx', ['-p', folder, '-e', 'stderr', '-c', main]);
  await untilOpen(ports.plain, child, said);
  return { ports, ca: await readFile(certificate, 'utf8'), end };
}

/** Caddy with the example, but for its ports, and for a certificate of its own authority. */
async function startCaddy(folder: string, upstream: number): Promise<Proxy> {
  const ports = { plain: await fixedPort(), tls: await fixedPort() };
  const example = await readFile(new URL('Caddyfile', deploy), 'utf8');
  expect(example).toMatch(/^\{$/m);
  const config = join(folder, 'Caddyfile');
  await writeFile(
    config,
    example.replace(
      /^\{$/m,
      `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${ports.plain}\n\thttps_port ${ports.tls}`,
    ),
  );
  await mkdir(join(folder, 'home'));
  const { child, said, end } = start('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], {
    DOMAIN: 'localhost',
    UPSTREAM: `127.0.0.1:${upstream}`,
    HOME: join(folder, 'home'),
    XDG_DATA_HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'home'),
  });
  await untilOpen(ports.plain, child, said);
  while (!said().includes('certificate obtained successfully')) await sleep(50);
  return { ports, ca: await readFile(join(folder, 'home/caddy/pki/authorities/local/root.crt'), 'utf8'), end };
}

test('the response timeout covers the slowest operation', async () => {
  const longest = Math.max(
    ...Array.from(JSON.stringify(contract).matchAll(/"x-timeout-seconds":(\d+)/g), ([, seconds]) => Number(seconds)),
  );
  expect(longest).toBeGreaterThan(60);
  for (const [file, setting] of [
    ['nginx.conf', 'proxy_read_timeout'],
    ['Caddyfile', 'response_header_timeout'],
  ] as const) {
    const [, seconds] = new RegExp(`^\\s+${setting} (\\d+)s`, 'm').exec(await readFile(new URL(file, deploy), 'utf8'))!;
    expect(Number(seconds)).toBeGreaterThan(longest);
  }
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

const proxies = { nginx: [startNginx, ['nginx', 'openssl']], caddy: [startCaddy, ['caddy']] } as const;
for (const [name, [startProxy, programs]] of Object.entries(proxies)) {
  const missing = programs.filter((program) => !has(program));
  const title = `behind ${name}${missing.length === 0 ? '' : ` (${missing.join(', ')} not installed)`}`;
  (missing.length === 0 ? describe : describe.skip)(title, () => {
    let folder: Folder | undefined;
    let server: LocalServer | undefined;
    let proxy: Proxy | undefined;
    let echo: Server | undefined;
    let other: Proxy | undefined;
    afterAll(async () => {
      await proxy?.end();
      await other?.end();
      echo?.closeAllConnections();
      echo?.close();
      await server?.end();
      await folder?.dispose();
    });

    /** A request over TLS, its certificate checked. */
    function ask(
      { ports: { tls }, ca }: Proxy,
      path: string,
      options: RequestOptions = {},
      body?: string,
    ): Promise<Answer> {
      return new Promise((resolve, reject) => {
        const request = httpsRequest(
          {
            host: '127.0.0.1',
            port: tls,
            servername: 'localhost',
            ca,
            agent: false,
            path,
            ...options,
            headers: { host: 'localhost', ...options.headers },
          },
          (response) => {
            let text = '';
            response.setEncoding('utf8').on('data', (part: string) => void (text += part));
            response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body: text }));
          },
        );
        request.on('error', reject).end(body);
      });
    }
    const keyed = { headers: { 'x-api-key': key } };

    test('forwards responses unchanged, including errors and pages', async () => {
      folder = await temporaryFolder();
      await chmod(folder.path, 0o755);
      await mkdir(join(folder.path, 'proxy'));
      server = await startLocalServer(join(folder.path, 'data'), {
        API_KEYS: key,
        TRUST_PROXY: 'loopback',
        FAILED_KEYS: '4/1h',
      });
      proxy = await startProxy(join(folder.path, 'proxy'), Number(new URL(server.url).port));
      const path = '/social/user/last_tweets?username=mira_codes&limit=3';
      const direct = await (await fetch(server.url + path, keyed)).text();
      const answer = await ask(proxy, path, keyed);
      expect([answer.status, answer.body]).toEqual([200, direct]);
      expect(answer.headers).toMatchObject({
        'x-request-id': expect.any(String),
        'ratelimit-policy': expect.any(String),
        'strict-transport-security': 'max-age=31536000',
      });
      expect(await ask(proxy, path)).toMatchObject({ status: 401, body: '{"error":"Invalid or missing API key"}' });
      expect((await ask(proxy, '/docs/')).body).toContain('<title>API reference · Social Data API</title>');
      const unlike = await ask(
        proxy,
        '/social/tweet/unlike',
        { method: 'POST', headers: { ...keyed.headers, 'content-type': 'application/json' } },
        '{"tweet_id":"x"}',
      );
      expect(unlike.status).toBe(400);
    });

    test('supports HTTP/2, and redirects plain HTTP to TLS', async () => {
      const session = connectHttp2(`https://localhost:${proxy!.ports.tls}`, { ca: proxy!.ca });
      const stream = session.request({ ':path': '/social/assistant/status', 'x-api-key': key });
      const [headers] = (await once(stream, 'response')) as [{ ':status': number }];
      session.destroy();
      expect(headers[':status']).toBe(200);
      const response = await fetch(`http://127.0.0.1:${proxy!.ports.plain}/docs/`, {
        redirect: 'manual',
        headers: { host: 'localhost' },
      });
      expect([301, 308]).toContain(response.status);
      expect(response.headers.get('location')).toMatch(/^https:/);
    });

    test('forwards WebSockets and delivers events at once', async () => {
      const listening = await listener(`https://localhost:${proxy!.ports.tls}`, key, { ca: proxy!.ca });
      const { tweets } = JSON.parse(
        (await ask(proxy!, '/social/tweet/advanced_search?query=coffee&limit=1', keyed)).body,
      ) as { tweets: { id: string }[] };
      await listening.ask({
        type: 'subscribe',
        id: '1',
        channel: 'tweet:engagement',
        params: { tweet_id: tweets[0]!.id },
      });
      await listening.first('event');
      listening.socket.close();
      expect((await listening.closed).code).toBe(1005);
    });

    test('does not expose operator paths', async () => {
      for (const path of ['/metrics', '/readyz', '/healthz'])
        expect([path, (await ask(proxy!, path)).status]).toEqual([path, 404]);
    });

    test('rate-limits key guessing by real address only', async () => {
      const guess = async (
        send: (headers: Record<string, string>) => Promise<{ status: number }>,
        claimed: string,
      ): Promise<number> => (await send({ 'x-api-key': `wrong-${claimed}`, 'x-forwarded-for': claimed })).status;
      const through = (headers: Record<string, string>): Promise<Answer> =>
        ask(proxy!, '/social/assistant/status', { headers });
      const statuses: number[] = [];
      for (let number = 1; number <= 6; number++) statuses.push(await guess(through, `203.0.113.${number}`));
      expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
      // As another proxy on this machine would pass on a caller of its own.
      expect(
        await guess((headers) => fetch(`${server!.url}/social/assistant/status`, { headers }), '203.0.113.99'),
      ).toBe(401);
    });

    test('rejects an oversized body', async () => {
      const answer = await ask(
        proxy!,
        '/social/tweet/unlike',
        { method: 'POST', headers: { ...keyed.headers, 'content-type': 'application/json' } },
        JSON.stringify({ tweet_id: '1'.repeat(70_000) }),
      );
      expect(answer.status).toBe(413);
    });

    test('forwards the real client address, and does not buffer responses', async () => {
      let finish = (): void => {};
      let seen: IncomingMessage['headers'] = {};
      echo = createServer((request, response) => {
        seen = request.headers;
        response.write('first');
        finish = () => void response.end('last');
      }).listen(0, '127.0.0.1');
      await once(echo, 'listening');
      await mkdir(join(folder!.path, 'echo'));
      other = await startProxy(join(folder!.path, 'echo'), (echo.address() as AddressInfo).port);
      const options = {
        host: '127.0.0.1',
        port: other.ports.tls,
        servername: 'localhost',
        ca: other.ca,
        agent: false,
        path: '/x',
        headers: { host: 'localhost', 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'http' },
      } as const;
      const request = httpsRequest(options).end();
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      const [first] = (await once(response, 'data')) as [Buffer];
      expect(first.toString()).toBe('first');
      finish();
      const [last] = (await once(response, 'data')) as [Buffer];
      expect(last.toString()).toBe('last');
      expect([seen['x-forwarded-for'], seen['x-forwarded-proto'], seen.host]).toEqual([
        '127.0.0.1',
        'https',
        'localhost',
      ]);
    });
  });
}
