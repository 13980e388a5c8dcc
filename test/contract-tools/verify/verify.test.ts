import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import { runVerify } from '../../../scripts/testing/verify/main.ts';
import { verify, type ProjectVerifyOptions } from '../../../scripts/testing/verify/verify.ts';
import { inTurn, isFull, rounds, runsAll, variants } from '../../support/rounds.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../../support/local-server.ts';
import { run } from '../../support/server.ts';
import {
  answering,
  asking,
  body,
  error,
  startLiar,
  type ReceivedRequest,
  type Lie,
  type UpstreamReply,
} from './faulty-service.ts';
import { nightlyTest } from '../../support/nightly.ts';

const key = 'sd_test0001_QmVhbnNUb21hdG9lc09uaW9ucw';
const contract = readContract(
  JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')),
);

let server: LocalServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let liar: Awaited<ReturnType<typeof startLiar>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, {
    API_KEYS: key,
    RATE_LIMIT: 'off',
    FAILED_KEYS: 'off',
    ASSISTANT_QUOTA: '1000',
  });
  liar = await startLiar(server.url);
});
afterAll(async () => {
  await liar?.stop();
  await server?.end();
  await folder?.dispose();
});

const check = (options: Partial<ProjectVerifyOptions>) =>
  verify({ base: server.url, contract, key, seed: 1, runs: 0, ...options });

describe('the service', () => {
  test('conforms to its contract, in operations of several kinds and others in turn', async () => {
    const kinds = ['unlikeTweet', 'getAssistantStatus', 'getSpace', 'searchTweets', 'explainTweet'];
    const special = new Set(variants(kinds, 2));
    const ids = contract.operations.map(({ id }) => id);
    const others = ids.filter((id) => !special.has(id));
    const tried = new Set([...special, ...inTurn(others, 1)]);
    const selected = ids.filter((id) => tried.has(id));
    // Without a selection it checks the pages and the events too, which `planted-faults` does in each run.
    const operations = isFull ? [] : selected;
    const report = await check({ runs: rounds(8, 1), write: true, costly: 40, operations });
    expect(report.findings).toEqual([]);
    expect(report.operations.map(({ id }) => id)).toEqual(selected);
    for (const { id, requests, checks, notes } of report.operations) {
      expect({ id, enough: requests > 50 && checks > 5 * requests }).toEqual({ id, enough: true });
      expect({ id, notes: notes.filter((note) => !note.startsWith('the budget for calls')) }).toEqual({
        id,
        notes: [],
      });
    }
  });

  nightlyTest.each(inTurn([2, 3], 1))('conforms to it for random calls of seed %i', async (seed) => {
    expect(
      await check({
        seed,
        runs: rounds(30),
        write: true,
        costly: 20,
        operations: ['unlikeTweet', 'getUserMentions'],
      }),
    ).toMatchObject({
      ok: true,
      findings: [],
    });
  });
});

/** What goes through to the service, with how it was answered. */
function recording(): { lie: Lie; seen: { received: ReceivedRequest; status: number }[] } {
  const seen: { received: ReceivedRequest; status: number }[] = [];
  return {
    seen,
    lie: {
      answer: (reply: UpstreamReply, received: ReceivedRequest) => (
        seen.push({ received, status: reply.status }),
        reply
      ),
    },
  };
}

nightlyTest('the same seed results in the same calls, another seed in others', async () => {
  const callsOf = async (seed: number): Promise<string[]> => {
    const { lie, seen } = recording();
    liar.use(lie);
    await check({ base: liar.url, seed, runs: 4, operations: ['getSpace'], concurrency: 1 });
    return seen.map(({ received }) => `${received.method} ${received.target}`);
  };
  const [first, again, other] = [await callsOf(11), await callsOf(11), await callsOf(12)];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
});

test('changes nothing and respects the limit of paid calls', async () => {
  const { lie, seen } = recording();
  liar.use(lie);
  const report = await check({ base: liar.url, operations: ['unlikeTweet', 'explainTweet'], costly: 5 });
  expect(report.findings).toEqual([]);
  const succeeded = (path: string) =>
    seen.filter(({ received, status }) => received.target.startsWith(path) && status === 200).length;
  expect(seen.some(({ received }) => received.target.startsWith('/social/tweet/unlike'))).toBe(true);
  expect(succeeded('/social/tweet/unlike')).toBe(0);
  expect(succeeded('/social/tweet/assistant')).toBeGreaterThan(1);
  expect(succeeded('/social/tweet/assistant')).toBeLessThanOrEqual(6);
  expect(report.operations.map(({ notes }) => notes)).toEqual([
    [expect.stringContaining('--costly')],
    [expect.stringContaining('--write')],
  ]);
});

test('skips and reports operations without a scope', async () => {
  const { stdout } = await run('scripts/cli/keys.ts', ['create', '--name', 'reader', '--scopes', 'read'], {
    DATA_DIR: folder.path,
  });
  const reader = /sd_\S+/.exec(stdout)![0];
  const report = await check({ key: reader, operations: ['getSpace', 'unlikeTweet'], write: true });
  expect(report.findings).toEqual([]);
  expect(report.operations.map(({ notes }) => notes)).toEqual([[], ['not checked: the key lacks the scope (403)']]);
});

nightlyTest('waits for a rate limit', async () => {
  const own = await temporaryFolder();
  const limited = await startLocalServer(own.path, { API_KEYS: key, RATE_LIMIT: '20/1s', FAILED_KEYS: 'off' });
  try {
    const report = await check({ base: limited.url, operations: ['getAssistantStatus'] });
    expect(report.findings).toEqual([]);
    expect(report.waitedMs).toBeGreaterThan(0);
  } finally {
    await limited.end();
    await own.dispose();
  }
});

describe('saved searches', () => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const searches = async (): Promise<{ id: string }[]> => {
    const response = await fetch(`${server.url}/social/searches`, { headers });
    return ((await response.json()) as { searches: { id: string }[] }).searches;
  };
  const saved = async (): Promise<string> => {
    const input = { name: 'Mine', query: 'coffee' };
    const response = await fetch(`${server.url}/social/searches`, {
      ...{ method: 'POST', headers, body: JSON.stringify(input) },
    });
    return ((await response.json()) as { id: string }).id;
  };

  test('conform with generated addresses and queries; what the run makes is deleted, and nothing else', async () => {
    const [named, listed] = [await saved(), await saved()];
    const { lie, seen } = recording();
    liar.use(lie);
    const report = await check({
      ...{ base: liar.url, seed: 3, runs: rounds(20, 4), write: true, concurrency: 2 },
      operations: ['createSavedSearch', 'updateSavedSearch', 'deleteSavedSearch'],
      values: new Map([['search_id', [named]]]),
    });
    expect(report.findings).toEqual([]);
    const count = (method: string, status: number): number =>
      seen.filter(({ received, status: found }) => received.method === method && found === status).length;
    expect(count('POST', 201)).toBeGreaterThan(5);
    expect(count('PATCH', 200)).toBeGreaterThan(5);
    expect(count('DELETE', 204)).toBe(count('POST', 201));
    expect((await searches()).map(({ id }) => id)).toEqual([named, listed]);
    expect(report.operations.find(({ id }) => id === 'deleteSavedSearch')?.notes).toEqual([
      expect.stringContaining('what existed before is not deleted'),
    ]);
    for (const id of [named, listed]) await fetch(`${server.url}/social/searches/${id}`, { method: 'DELETE', headers });
  });

  nightlyTest('are reported where a query of the examples is refused, or what was made cannot be deleted', async () => {
    const failed = (status: number, reply: UpstreamReply): UpstreamReply => ({
      ...error(status)(reply),
      headers: error(status)(reply).headers.filter(([name]) => name.toLowerCase() !== 'location'),
    });
    const refuse: Lie = {
      answer: (reply, { method, body: sent }) => {
        if (method === 'POST' && reply.status === 201 && !sent.includes('"url":"')) return failed(400, reply);
        return method === 'DELETE' && reply.status === 204 ? failed(404, reply) : reply;
      },
    };
    liar.use(refuse);
    const { findings } = await check({ base: liar.url, write: true, runs: 12, operations: ['createSavedSearch'] });
    expect(findings.map(({ operations, actual }) => [operations[0], actual.slice(0, 3)]).toSorted()).toEqual([
      ['createSavedSearch', '400'],
      ['deleteSavedSearch', '404'],
    ]);
  });
});

nightlyTest('opens few streams, so that no limit of connections delays the run', async () => {
  const opened = async (): Promise<number> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return Number(/^http_requests_total\{operation="streamEvents",status="200"\} (\d+)/m.exec(metrics)?.[1] ?? 0);
  };
  const before = await opened();
  const report = await check({ runs: 30, operations: ['streamEvents'] });
  expect(report.findings).toEqual([]);
  expect(report.waitedMs).toBe(0);
  const streams = (await opened()) - before;
  expect(streams).toBeGreaterThan(4);
  expect(streams).toBeLessThan(26);
});

describe('reduces a failure:', () => {
  const smallest = async (lie: Lie, operation: string): Promise<string> => {
    liar.use(lie);
    const { findings } = await check({
      base: liar.url,
      operations: [operation],
      runs: runsAll ? 30 : 3,
      write: true,
      maxFailures: 1,
    });
    expect(findings).toHaveLength(1);
    return findings[0]!.curl.at(-1)!.replace(liar.url, '');
  };
  const when = (applies: (received: ReceivedRequest) => boolean): Lie => ({
    answer: (reply, received) => (applies(received) ? error(500)(reply) : reply),
  });

  test('to the relevant parameter and the required ones', async () => {
    const beyond = asking((query) => query.replace(/limit=101(?=&|$)/, 'limit=100'));
    expect(await smallest(beyond, 'getUserMentions')).toBe(
      `curl -sS -i -H "x-api-key: $API_KEY" '/social/user/mentions?username=mira_codes&limit=101'`,
    );
  });
  nightlyTest('to the relevant text', async () => {
    expect(
      await smallest(
        when(({ target }) => target.includes('%3Cscript')),
        'searchTweets',
      ),
    ).toMatch(/\?query=c&cursor=%3Cscript'$/);
  });
  nightlyTest('to the path', async () => {
    expect(
      await smallest(
        when(({ target }) => target.split('?')[0] === '/social/space/detail/'),
        'getSpace',
      ),
    ).toBe(`curl -sS -i -H "x-api-key: $API_KEY" '/social/space/detail/'`);
  });
  nightlyTest('to the relevant member of the body', async () => {
    expect(
      await smallest(
        when(({ body: sent }) => sent.includes('"__proto__"')),
        'unlikeTweet',
      ),
    ).toBe(
      `curl -sS -i -H "x-api-key: $API_KEY" -H 'content-type: application/json' --data-binary '{"__proto__":1}' '/social/tweet/unlike'`,
    );
  });
});

nightlyTest('reports violations with different causes separately, and those with one cause once', async () => {
  const lie = answering(
    '/social/space/detail',
    body((value) => void Object.assign(value, { extra: 1, state: 'paused' })),
  );
  liar.use(lie);
  const { findings } = await check({ base: liar.url, operations: ['getSpace'] });
  expect(findings.map(({ pointer }) => pointer.split('/').at(-1)).toSorted()).toEqual(['additionalProperties', 'enum']);
  for (const { times } of findings) expect(times).toBeGreaterThan(3);
});

describe('npm run verify', () => {
  /** In this process, which takes a tenth of the time of the command. */
  const command = async (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
    process.env.API_KEY = key;
    const written = { stdout: '', stderr: '' };
    const code = await runVerify(args, {
      log: (text: string) => void (written.stdout += `${text}\n`),
      error: (text: unknown) => void (written.stderr += `${String(text)}\n`),
    });
    return { code, ...written };
  };
  const brief = ['--operation', 'getAssistantStatus', '--runs', '0', '--seed', '5'];

  test('prints its usage', async () => {
    const { code, stdout } = await command('--help');
    expect({ code, reply: stdout.startsWith('Usage: npm run verify -- [options] BASE-URL') }).toEqual({
      code: 0,
      reply: true,
    });
  });
  test.each<[string, string[], RegExp]>([
    ['without a server', [], /the base URL is missing/],
    ['with an unknown option', ['--frobnicate', 'http://127.0.0.1:1'], /--frobnicate[^]*Usage:/],
    ['with an invalid URL', ['localhost:3000'], /expected an http or https URL/],
    [
      'with a number that is none',
      ['--seed', 'x', 'http://127.0.0.1:1'],
      /--seed x: expected an integer of at least 0/,
    ],
    ['with an unknown format', ['--format', 'pdf', 'http://127.0.0.1:1'], /--format pdf: expected text, json, junit/],
    [
      'where nothing listens',
      ['http://127.0.0.1:1'],
      /cannot read the contract http:\/\/127\.0\.0\.1:1\/openapi\.json/,
    ],
    [
      'where nothing listens, with a contract',
      ['--spec', 'generated/openapi.json', 'http://127.0.0.1:1'],
      /http:\/\/127\.0\.0\.1:1 is unreachable/,
    ],
    [
      'with a contract that is none',
      ['--spec', 'package.json', 'http://127.0.0.1:1'],
      /package\.json: the contract is not an OpenAPI 3\.1 document/,
    ],
  ])('%s prints the error, and exits with 2', async (_name, args, says) => {
    const { code, stderr } = await command(...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
    expect(stderr).not.toMatch(/\n\s+at /);
  });
  test('needs a key only where the contract has security', async () => {
    const responses = { 200: { description: 'The time.' } };
    const open = {
      openapi: '3.1.0',
      info: { title: 'Clock', version: '1' },
      paths: { '/time': { get: { responses } } },
    };
    const file = join(folder.path, 'clock.json');
    await writeFile(file, JSON.stringify(open));
    const unreached = ['--key', '', 'http://127.0.0.1:1'];
    expect((await command('--spec', file, ...unreached)).stderr).toContain('is unreachable');
    expect((await command('--spec', 'generated/openapi.json', ...unreached)).stderr).toContain(
      'the API key is missing',
    );
  });
  test('exits with 2 for an invalid key or an unknown operation, as a process too', async () => {
    const wrong = await run('scripts/testing/verify/main.ts', ['--key', 'wrong', server.url], {});
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringMatching(/^verify: .*rejects this key.*\n$/) });
    expect(await command('--key', 'wrong', server.url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('rejects this key'),
    });
    expect(await command('--operation', 'getNothing', server.url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no operation getNothing'),
    });
  });
  nightlyTest('exits with 0 without violations, as a process too', async () => {
    const parameters = [...brief, '--spec', 'spec/openapi.yaml', `${server.url}/`];
    const { code, stdout } = await run('scripts/testing/verify/main.ts', parameters, { API_KEY: key });
    expect(stdout).toMatch(/getAssistantStatus +\d+ +\d+ +-\n[^]*: 0 failures in \d+ requests, .* seed 5\n$/);
    expect(code).toBe(0);
  });
  test('exits with 1 for violations: as text, JSON and CI output', async () => {
    liar.use(
      answering(
        '/social/assistant/status',
        body((value) => void (value.capable = 'five')),
      ),
    );
    const [text, json, junit] = await Promise.all(
      ['text', 'json', 'junit'].map((format) => command(...brief, '--format', format, liar.url)),
    );
    expect([text!.code, json!.code, junit!.code]).toEqual([1, 1, 1]);
    expect(text!.stdout).toMatch(
      /1\. schema: getAssistantStatus, \d+ times\n {3}expected .*\n {3}actual {4}.*\/capable.*\n {3}contract {2}#\/components\/schemas\/PoolStatus\/properties\/capable\/type\n {3}send {6}curl -sS .*\n {3}repeat {4}npm run verify -- http:.* --seed 5 --operation getAssistantStatus\n/,
    );
    expect(text!.stdout).not.toContain(key);
    expect(JSON.parse(json!.stdout)).toMatchObject({
      ok: false,
      seed: 5,
      findings: [{ check: 'schema', operations: ['getAssistantStatus'], repeatable: true }],
    });
    expect(junit!.stdout).toMatch(
      /<testsuite name="getAssistantStatus" tests="1" failures="1">\n {4}<testcase [^>]*><failure message="[^"]*">/,
    );
  });
});
