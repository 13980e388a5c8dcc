/** Faults planted in a running service, one at a time: each must be found, with a line for curl that shows it. */
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import { checkDocuments, linkedPages } from '../../../scripts/contract-tools/verify/documents.ts';
import { checkEvents } from '../../../scripts/contract-tools/verify/events.ts';
import type { KnownValues } from '../../../scripts/contract-tools/verify/known-values.ts';
import type { Session } from '../../../scripts/contract-tools/verify/probes.ts';
import { Sender } from '../../../scripts/contract-tools/verify/send.ts';
import { verify } from '../../../scripts/testing/verify/verify.ts';
import { createFindViolations } from '../../../scripts/contract-tools/verify/violations.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../../support/local-server.ts';
import { nightlyTest } from '../../support/nightly.ts';
import { inTurn } from '../../support/rounds.ts';
import { openTerminal, type Terminal } from '../../support/terminal.ts';
import { error, startLiar, type Lie } from './faulty-service.ts';
import { faultsOfAccess } from './planted/access.ts';
import { faultsOfEvents } from './planted/events.ts';
import { key, when, type PlantedFault } from './planted/fault.ts';
import { faultsOfPages } from './planted/pages.ts';
import { faultsOfRequests } from './planted/requests.ts';
import { faultsOfResponses } from './planted/responses.ts';

const contract = readContract(
  JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as object,
);

let server: LocalServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
/** Learnt of the service before anything is planted in it. */
let known: KnownValues;
let liar: Awaited<ReturnType<typeof startLiar>>;
const hasCurl = existsSync('/usr/bin/curl') && existsSync('/bin/bash');
/** Runs the lines for curl as a person would. Each start of a program from the large process of the tests would take ten times as long. */
let terminal: Terminal | undefined;
beforeAll(async () => {
  if (hasCurl) terminal = openTerminal('/', { ...process.env, API_KEY: key });
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, {
    // More connections than usual: a stream of events is called many times.
    ...{ API_KEYS: key, WS_CONNECTIONS: '100' },
    RATE_LIMIT: 'off',
    FAILED_KEYS: 'off',
    ASSISTANT_QUOTA: '1000',
  });
  liar = await startLiar(server.url);
  ({ known } = await verify({ base: server.url, contract, key, seed: 1, runs: 0, operations: ['getAssistantStatus'] }));
});
afterAll(async () => {
  await terminal?.close();
  await liar?.stop();
  await server?.end();
  await folder?.dispose();
});

/** Returns nothing if the fault is found; else what was found instead. */
type Attempt = () => Promise<string | undefined>;

/** Runs verify on one operation of the faulty service. */
const reportOf = (operation: string, timeoutMs = 20_000) =>
  verify({
    ...{ base: liar.url, contract, key, known, seed: 1, runs: 0, timeoutMs },
    ...{ operations: [operation], write: true, costly: 9, maxFailures: 1 },
  });

const planted =
  ({ lie, operation, check, pointer, shows, timeoutMs }: PlantedFault): Attempt =>
  async () => {
    liar.use(lie);
    const [finding] = (await reportOf(operation, timeoutMs)).findings;
    const matches = typeof pointer === 'string' ? finding?.pointer === pointer : pointer.test(finding?.pointer ?? '');
    if (finding?.check !== check || !finding.repeatable || !matches) return JSON.stringify(finding) ?? 'nothing';
    // A service that never answers is the fault only where a time is given.
    const seconds = timeoutMs === undefined ? 30 : timeoutMs / 1_000;
    const line = (finding.curl.at(-1) ?? '').replace(/\bcurl /, `curl --max-time ${seconds} `);
    const output = await terminal?.run(line);
    return output === undefined || shows.test(output) ? undefined : `${line}: ${output}`;
  };

/** Runs a check that belongs to no operation on the faulty service. */
async function withSession<Result>(use: (session: Session) => Promise<Result>): Promise<Result> {
  const { signal } = new AbortController();
  const sender = new Sender({ base: liar.url, key, timeoutMs: 20_000, concurrency: 1, signal });
  const session = { contract, sender, findViolations: createFindViolations(contract.document) } as unknown as Session;
  return use(session).finally(() => sender.close());
}
const pageFailures = () => withSession(checkDocuments);
const eventFailures = async (timeoutMs: number): Promise<string> => {
  const found = await withSession((session) => checkEvents(session, { base: liar.url, key, timeoutMs }));
  return found.map(({ expected, actual }) => `${expected} | ${actual}`).join('\n');
};

const plantedEvent =
  (lie: Lie, report: RegExp): Attempt =>
  async () => {
    liar.use(lie);
    const found = await eventFailures(1_000);
    return new RegExp(report.source, 'm').test(found) ? undefined : found || 'nothing';
  };

/** A connection that is reset at times, though another attempt succeeds. */
async function findResets(): Promise<string | undefined> {
  let requests = 0;
  liar.use({
    answer: (reply, _received, response) => {
      if ((requests += 1) % 3 !== 0) return reply;
      response.destroy();
      return undefined;
    },
  });
  const [finding] = (await reportOf('getSpace')).findings;
  return finding?.check === 'response' && /ECONNRESET|socket hang up/.test(finding.actual)
    ? undefined
    : (JSON.stringify(finding) ?? 'nothing');
}

async function findFailingPage(): Promise<string | undefined> {
  liar.use(when((target) => target === '/docs/search', error(500)));
  const found = await pageFailures();
  const isFound = found.some(({ expected, actual }) => expected.includes('/docs/search') && actual === '500');
  return isFound ? undefined : (JSON.stringify(found[0]) ?? 'nothing');
}

const attempts: ReadonlyMap<string, Attempt> = new Map<string, Attempt>([
  ...Object.entries({ ...faultsOfResponses, ...faultsOfRequests, ...faultsOfAccess, ...faultsOfPages }).map(
    ([name, fault]): [string, Attempt] => [name, planted(fault)],
  ),
  ...Object.entries(faultsOfEvents).map(([name, [lie, report]]): [string, Attempt] => [
    name,
    plantedEvent(lie, report),
  ]),
  ['a connection that is reset at times', findResets],
  ['a page that answers 500', findFailingPage],
]);

/** One fault of each kind. All others are variants of these. */
const kinds = new Set([
  ...['a count that is a string', 'an item without a member', 'an extra member', 'a value that is not in the list'],
  ...['a time in another format', 'a truncated response', 'an undeclared status for an error', 'an undeclared header'],
  ...['a declared header is missing', 'a header in another format', 'another media type'],
  ...['an error with another schema', 'an error with a stack', 'an error repeats the API key'],
  ...['a 400 that does not name the parameter', '500 at an edge', '500 on a body that is no JSON'],
  ...['no response to unusual input', 'a connection that is reset at times', 'a value above a limit is accepted'],
  ...['an unknown parameter is accepted', 'two mutually exclusive parameters are accepted', 'no key is needed'],
  ...['a wrong key in the query is accepted', '405 without Allow', 'HEAD has another status'],
  ...['an ETag changes each time', 'one ETag for all responses', 'If-None-Match: * does not match'],
  ...['every response has the same X-Request-Id', 'another default than the declared one'],
  ...['small pages lose an item', 'the last page is empty', 'a page repeats an item', 'a link has no target'],
  ...['429 without Retry-After', 'a page that answers 500', 'a message with an unknown member', 'no answer'],
  ...['a cursor that is accepted though it is in the future', 'another close code'],
]);

/** The faults that are not found, with what was found instead. */
async function missed(names: Iterable<string>): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const name of names) {
    const instead = await attempts.get(name)?.();
    if (instead !== undefined || !attempts.has(name)) all[name] = instead ?? 'no such fault';
  }
  return all;
}

test('the service behind the relay has none of the faults', async () => {
  liar.use({});
  expect(linkedPages(contract.document)).toEqual(expect.arrayContaining(['/docs/search', '/docs/events', '/live']));
  expect(await pageFailures()).toEqual([]);
  expect(await eventFailures(20_000)).toBe('');
  expect((await reportOf('getSpace')).findings).toEqual([]);
});

test('of 41 kinds of faults, each that is in turn is found', async () => {
  expect(kinds.size).toBe(41);
  expect(await missed(inTurn([...kinds], 5))).toEqual({});
});

nightlyTest('variants of these faults are found', async () => {
  expect(await missed([...attempts.keys()].filter((name) => !kinds.has(name)))).toEqual({});
});
