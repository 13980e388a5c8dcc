// Not in `npm run test:fast`: it generates from many contracts, and type checks what was generated.
/**
 * Whatever legal contract a team writes: `generate` refuses it with its place before it writes anything, or types, client, server, mock
 * and `verify` all work with it, and each side receives what the other one has sent.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import type { OperationRow } from '../../../client/src/contract.ts';
import { methodNameOf } from '../../../client/src/method-name.ts';
import { createRuntimeClient, type KeyNames } from '../../../client/src/runtime.ts';
import { callShape, type CallShape } from '../../../scripts/spec/client-call.ts';
import { placed, type Document } from '../../../scripts/spec/contract-document.ts';
import { generateForeign } from '../../../scripts/spec/generate-foreign.ts';
import { keysOf } from '../../../scripts/contract-tools/files/pointer.ts';
import { UnsatisfiableSchema } from '../../../scripts/contract-tools/arbitrary/height.ts';
import { valueAt, type SchemaNode } from '../../../scripts/contract-tools/arbitrary/schema.ts';
import { validValues } from '../../../scripts/contract-tools/arbitrary/valid.ts';
import { ContractMock } from '../../../scripts/contract-tools/mock/contract-mock.ts';
import { readContract, type Contract, type Operation } from '../../../scripts/contract-tools/verify/contract.ts';
import { verify } from '../../../scripts/testing/verify/verify.ts';
import { refusals } from '../../../server/http/unsupported-parts.ts';
import { mediaKind } from '../../../server/contract/media-type.ts';
import { operationTable } from '../../../server/contract/operation-table.ts';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { Handlers } from '../../../server/contract/operations.ts';
import { normaliseDocument } from '../../../server/contract/plain-document.ts';
import { isObject, memberOf } from '../../../server/text/object.ts';
import type { AnyCall } from '../../support/extended-contract.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { root, runTool } from '../../support/packed.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { key, startService } from '../../support/service.ts';
import { plain } from '../../support/wire-values.ts';
import { contracts, type Json, type RandomContract } from './random-contract.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());
afterEach(() => void jest.restoreAllMocks());

interface Answered {
  readonly data: unknown;
  readonly response: Response;
}
type Method = (given: object) => { withResponse(): Promise<Answered> };
type Client = Readonly<Record<string, Readonly<Record<string, Method>>>>;

/** The table of the generated client, by method and path. */
function tableOf(source: string): { table: Readonly<Record<string, OperationRow>>; keyNames: KeyNames } {
  const [, rows] = /^export const table = (\{.*?^\}) as const;$/ms.exec(source)!;
  const [, names] = /^export const keyNames = (.*) as const;$/m.exec(source)!;
  return runInContext(`({ table: ${rows}, keyNames: ${names} })`, createContext({})) as ReturnType<typeof tableOf>;
}

/** One operation under test. */
interface Case {
  readonly operation: Operation;
  readonly shape: CallShape;
  /** By place and name. */
  readonly parameters: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  readonly body: fc.Arbitrary<unknown> | undefined;
  readonly call: (client: Client, argument: object) => Promise<Answered>;
}
const sampleOf = <Value>(values: fc.Arbitrary<Value>, seed: number): Value =>
  fc.sample(values, { seed, numRuns: 1 })[0] as Value;
const setOwn = (object: object, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });

/** The argument of a call, and what the handler must get. */
function argumentOf({ operation, shape, parameters, body }: Case, { requests }: Contract, seed: number) {
  const argument: Json = {};
  const received = { path: {}, query: {}, headers: {}, cookies: {} };
  const placeOf = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const;
  for (const [index, { key: member, name, in: place, required }] of shape.parameters.entries()) {
    if (!required && (seed + index) % 3 === 0) continue;
    const value = sampleOf(parameters[`${place} ${name}`]!, seed + index);
    setOwn(argument, member, value);
    setOwn(received[placeOf[place]], name, value);
  }
  let sent: unknown;
  if (operation.body !== undefined && shape.body !== undefined && (operation.body.required || seed % 4 !== 0)) {
    const [node] = operation.body.content.values();
    sent = sampleOf(body ?? validValues(requests, node!), seed);
    if (shape.body.members === undefined) setOwn(argument, 'body', sent);
    else for (const [name, value] of Object.entries(sent as Json)) setOwn(argument, name, value);
    // An optional body without members is not sent.
    if (shape.body.members !== undefined && !operation.body.required && Object.keys(sent as Json).length === 0)
      sent = undefined;
  }
  return { argument, received, sent };
}

interface Reply {
  readonly status: number;
  readonly headers: Json;
  readonly contentType?: string;
  readonly body?: unknown;
}
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]);

/** A reply that the contract has. */
function replyOf({ pointer }: Operation, { document, responses }: Contract, seed: number): Reply {
  const declared = valueAt(document, `${pointer}/responses`) as Readonly<Record<string, Json>>;
  const successes = Object.keys(declared).filter((name) => name.startsWith('2'));
  const names = successes.length > 0 ? successes : ['default'];
  const name = names[seed % names.length]!;
  const status = /^\d+$/.test(name) ? Number(name) : 203;
  const valuesAt = (place: string): unknown => {
    const schema = valueAt(responses, place);
    const node: SchemaNode = { schema: (schema ?? {}) as never, pointer: place };
    return schema === undefined ? { any: [1, null] } : sampleOf(validValues(responses, node), seed);
  };
  const at = `${pointer}/responses/${name}`;
  const headers = Object.fromEntries(
    Object.entries((declared[name]!.headers ?? {}) as Record<string, Json>).map(([header, described]) => [
      header,
      valuesAt(`${at}/headers/${header}${'content' in described ? '/content/application~1json' : ''}/schema`),
    ]),
  );
  const types = Object.keys((declared[name]!.content ?? {}) as Json);
  const type = types[seed % types.length];
  if (type === undefined) return { status, headers };
  const schemaAt = `${at}/content/${type.replaceAll('/', '~1')}/schema`;
  const kind = mediaKind(type);
  const body =
    kind === 'json'
      ? valuesAt(schemaAt)
      : kind === 'text'
        ? `a;b\n${seed};ü`
        : kind === 'binary'
          ? png
          : [valuesAt(schemaAt), valuesAt(schemaAt)];
  return { status, headers, contentType: type, body };
}

/** What a client has got, as values. */
async function gotten(value: unknown): Promise<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    const items: unknown[] = [];
    for await (const each of value as AsyncIterable<unknown>) items.push(each);
    return items;
  }
  return value instanceof Blob ? new Uint8Array(await value.arrayBuffer()) : value;
}
const asJson = (value: unknown): unknown =>
  value === undefined || value instanceof Uint8Array ? value : (JSON.parse(JSON.stringify(value)) as unknown);

/** A body without the members that were not sent: the server adds the defaults of the contract. */
function withoutDefaults(received: unknown, sent: unknown): unknown {
  if (Array.isArray(received) && Array.isArray(sent))
    return received.map((each, index) => withoutDefaults(each, sent[index]));
  if (!isObject(received) || !isObject(sent)) return received;
  const members = Object.entries(received).filter(([name]) => Object.hasOwn(sent, name));
  return Object.fromEntries(members.map(([name, each]) => [name, withoutDefaults(each, sent[name])]));
}

/** A difference, as text; undefined where there is none. */
function difference(actual: unknown, expected: unknown): string | undefined {
  try {
    expect(actual).toEqual(expected);
    return undefined;
  } catch {
    return `got ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`;
  }
}

/** The document without the operations that the server refuses, and what is wrong with the refusals. */
function carriedOf(document: Document): { carried: Document; faults: string[] } {
  const faults: string[] = [];
  let carried = document;
  for (const { pointer, message, fix } of refusals(document as unknown as OpenApiDocument)) {
    if (valueAt(document, pointer) === undefined || fix === '' || message === '')
      faults.push(`the refusal of ${pointer} has no place: ${message} ${fix}`);
    const [top, path = ''] = keysOf(pointer);
    if (top !== 'paths') faults.push(`everything is refused: ${pointer} ${message}`);
    const { [path]: _, ...others } = carried.paths;
    carried = { ...carried, paths: others };
  }
  return { carried, faults };
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Generates into `out`. Returns whether it did, and what it has printed. */
async function generated(file: string, out: string): Promise<{ isDone: boolean; printed: string }> {
  const lines: unknown[] = [];
  jest.spyOn(console, 'error').mockImplementation((line) => void lines.push(line));
  jest.spyOn(console, 'log').mockImplementation(() => {});
  const isDone = await generateForeign(file, out);
  jest.restoreAllMocks();
  return { isDone, printed: lines.join('\n') };
}

const callsEach = 3;

/** Everything that goes wrong with one contract. */
class Trial {
  readonly faults: string[] = [];
  readonly #name: string;
  readonly #random: RandomContract;
  readonly #isVerified: boolean;
  calls = 0;

  constructor(name: string, random: RandomContract, isVerified: boolean) {
    this.#name = name;
    this.#random = random;
    this.#isVerified = isVerified;
  }

  /** Runs a step; an error of it is a fault. */
  async #step(name: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof UnsatisfiableSchema) return;
      const { stack, cause } = error as Error;
      this.faults.push(
        `${this.#name} ${name}: ${stack ?? String(error)}${cause === undefined ? '' : ` ${String(cause)}`}`,
      );
    }
  }

  async run(): Promise<boolean> {
    const file = folder.path + `/${this.#name}.json`;
    const out = join(folder.path, this.#name);
    await writeFile(file, JSON.stringify(this.#random.document, undefined, 1));
    let isDone = false;
    await this.#step('generate', async () => {
      const { isDone: wasDone, printed } = await generated(file, out);
      isDone = wasDone;
      if (!isDone && (!/json:\d+:\d+/.test(printed) || existsSync(out))) this.faults.push(`generate: ${printed}`);
    });
    if (!isDone) return false;
    const { carried, faults } = carriedOf(this.#random.document as unknown as Document);
    this.faults.push(...faults);
    if (Object.keys(carried.paths).length === 0) return true;
    const source = await readFile(join(out, 'client.ts'), 'utf8');
    await this.#step('server and mock', () => this.#serve(carried, source));
    return true;
  }

  #cases(document: Document, contract: Contract, { table }: ReturnType<typeof tableOf>): Case[] {
    return placed(document).flatMap((each): Case[] => {
      const route = `${each.method} ${each.path}`;
      const row = table[route];
      const id = each.operation.operationId;
      const operation = contract.operations.find((known) => known.id === id);
      if (row === undefined || operation === undefined) return [];
      const [group, name] = methodNameOf(each.path, row.name);
      const values = this.#random.values.get(route)!;
      return [
        {
          ...{
            operation,
            parameters: values.parameters,
            body: values.body,
          },
          shape: callShape(normaliseDocument(document), each),
          call: (client, argument) => client[group]![name]!(argument).withResponse(),
        },
      ];
    });
  }

  async #serve(document: Document, source: string): Promise<void> {
    const contract = readContract(structuredClone(document));
    const generatedClient = tableOf(source);
    const cases = this.#cases(document, contract, generatedClient);
    const entries = operationTable(normaliseDocument(document) as never);
    /** What the handler has got, and returns. */
    const last: { seen?: AnyCall | undefined; next?: Reply | undefined } = {};
    const replies = new Map<string, Reply>();
    const handlers = Object.fromEntries(
      contract.operations.map((operation) => [
        operation.id,
        async (call: AnyCall) => {
          last.seen = {
            ...call,
            path: call.path,
            query: call.query,
            headers: call.headers,
            cookies: call.cookies,
            body: last.next && (await plain(call.body)),
          } as AnyCall;
          const reply = last.next ?? replies.get(operation.id) ?? replyOf(operation, contract, 5);
          return entries[operation.id]?.success === undefined ? reply : reply.body;
        },
      ]),
    );
    const service = await startService({
      document: structuredClone(document) as unknown as OpenApiDocument,
      handlers: handlers as unknown as Handlers,
      rateLimit: 'off',
    });
    const mock = new ContractMock(
      { document: structuredClone(document) as never, text: '' },
      { seed: 1, items: undefined, delayMs: 0, apiKeys: [key] },
    );
    const mockServer = createServer(mock.handle);
    const mockUrl = await listening(mockServer);
    const hasKey = 'securitySchemes' in (this.#random.document.components as Json);
    let reason: string | null = null;
    const clientAt = (baseUrl: string): Client =>
      createRuntimeClient(generatedClient as never, {
        baseUrl,
        apiKey: hasKey ? key : null,
        retry: false,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          reason = response.headers.get('mock-reason');
          return response;
        },
      }) as Client;
    const [client, mockClient] = [clientAt(service.url), clientAt(mockUrl)];
    try {
      for (const each of cases)
        for (let seed = 1; seed <= callsEach; seed++)
          await this.#step(`${each.operation.method} ${each.operation.path} ${each.operation.id} ${seed}`, async () => {
            const { argument, received, sent } = argumentOf(each, contract, seed);
            const about = JSON.stringify({ argument, operation: valueAt(document, each.operation.pointer) });
            const reply = replyOf(each.operation, contract, seed);
            Object.assign(last, { seen: undefined, next: reply });
            replies.set(each.operation.id, reply);
            this.calls += 1;
            const { data, response } = await each.call(client, argument).catch((error: unknown) => {
              const logged = service.log.filter(({ level }) => level === 'error' || level === 50).at(-1);
              throw new Error(`${about} ${JSON.stringify(reply)} ${JSON.stringify(logged)}`, { cause: error });
            });
            const given = await plain(sent);
            const parts = [
              ...(['path', 'query', 'headers', 'cookies'] as const).map((place) => {
                const own = Object.entries(received[place]);
                const got = Object.fromEntries(own.map(([name]) => [name, memberOf(last.seen?.[place], name)]));
                return difference(got, Object.fromEntries(own));
              }),
              difference(withoutDefaults(last.seen?.body, given), given),
              difference(response.status, reply.status),
              difference(asJson(await gotten(data)), asJson(reply.body)),
            ].filter((fault) => fault !== undefined);
            if (parts.length > 0)
              this.faults.push(`${this.#name} ${each.operation.id}: ${parts.join('; ')} in ${about}`);
            const mocked = await each.call(mockClient, argument).catch((error: unknown) => {
              throw new Error(`the mock: ${reason} ${about}`, { cause: error });
            });
            await gotten(mocked.data);
          });
      last.next = undefined;
      // It sends hundreds of calls.
      if (!this.#isVerified) return;
      for (const [name, base] of [
        ['the server', service.url],
        ['the mock', mockUrl],
      ] as const)
        await this.#step(`verify of ${name}`, async () => {
          const operations = cases.map(({ operation }) => operation.id).filter((id) => replies.has(id));
          const report = await verify({
            operations,
            base,
            contract,
            key: hasKey ? key : '',
            seed: 7,
            runs: 2,
            write: true,
            concurrency: 2,
          });
          for (const finding of report.findings)
            this.faults.push(`${this.#name} verify of ${name}: ${JSON.stringify(finding)}`);
          if (name === 'the server')
            for (const { pointer, message } of report.unsupported)
              if (!message.includes('value')) this.faults.push(`verify does not support ${pointer}: ${message}`);
        });
      for (const { err } of service.log.filter(({ err: error }) => error !== undefined).slice(0, 3))
        this.faults.push(`${this.#name}: the server has logged ${JSON.stringify(err)}`);
    } finally {
      await service.stop(0);
      mockServer.close().closeAllConnections();
    }
  }
}

const seeds = fc.sample(fc.noBias(fc.nat()), { numRuns: rounds(100, 1) });

test('each contract is refused with its place, or all tools work with it', async () => {
  const faults: string[] = [];
  const names: string[] = [];
  let calls = 0;
  for (const [index, seed] of seeds.entries()) {
    const name = `c${index}s${seed}`;
    const trial = new Trial(name, sampleOf(contracts, seed), index % 4 === 0);
    if (await trial.run()) names.push(name);
    faults.push(...trial.faults);
    calls += trial.calls;
  }
  expect(faults.slice(0, 5)).toEqual([]);
  expect(calls).toBeGreaterThan(seeds.length);
  await typeChecked(names);
});

/** Checks the types of what was generated, in one run of the compiler. */
async function typeChecked(names: readonly string[]): Promise<void> {
  const options = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, verbatimModuleSyntax: true },
    ...{ module: 'esnext', target: 'es2022', moduleResolution: 'bundler', types: [], exactOptionalPropertyTypes: true },
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    paths: { '@social-data/client/runtime': [join(root, 'client/src/runtime.ts')] },
  };
  const files = names.flatMap((name) => ['index', 'mocks', 'operations'].map((module) => `${name}/${module}.ts`));
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
  await runTool(folder.path, 'typescript-native/bin/tsc', '-p', '.');
}
