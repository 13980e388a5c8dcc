/** Checks a running server against its contract, as an external client. `npm run verify` calls this function. */
import { baseCall, formed } from './base-call.ts';
import { createFindViolations } from './violations.ts';
import { withParameter } from './call.ts';
import { anyOperation, type Contract, type Operation, type Unsupported } from './contract.ts';
import { curlOf } from './curl.ts';
import { checkDocuments } from './documents.ts';
import { checkEvents } from './events.ts';
import { collectKnownValues } from './collect-known-values.ts';
import type { Check, Failure } from './check-response.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { MadeResources } from './made-resources.ts';
import { seedOf, testCasesOf, type TestCase } from './plan.ts';
import { attempted, attemptedLater, deletesMade, singleCall, type Session } from './probes.ts';
import { causeOf, reduce } from './reduce.ts';
import { ResponseWatch } from './response-watch.ts';
import { Sender } from './send.ts';

export interface VerifyOptions {
  readonly base: string;
  readonly contract: Contract;
  readonly key: string;
  readonly seed: number;
  /** The number of random calls per operation. */
  readonly runs: number;
  /** Restricts the check to these operations; empty means all. */
  readonly operations?: readonly string[];
  /** Permits valid calls of operations that change data. */
  readonly write?: boolean;
  /** The maximum number of successful calls of operations with a cost. Default 10. */
  readonly costly?: number;
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** Stops after this number of failures with different causes; unlimited by default. */
  readonly maxFailures?: number;
  /** Existing values by parameter name, in addition to the examples of the contract. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
  /** The known values of an earlier run on the same data; without it, this run collects them. */
  readonly known?: KnownValues;
  /** Headers that a proxy between this client and the server adds. */
  readonly allowedHeaders?: readonly string[];
  readonly signal?: AbortSignal;
  /** Makes the checks of a client that was generated from the contract; none by default. */
  readonly createClientChecks?: (session: Session) => ClientChecks;
  readonly onProgress?: (done: number, all: number, operation: string) => void;
}

/** Calls through a generated client: what it sends must mean the values that it was given. */
export interface ClientChecks {
  /** The failures of an operation. The same seed gives the same calls. */
  check(operation: Operation, seed: number): Promise<Failure[]>;
}

export interface Finding {
  readonly check: Check;
  /** The affected operations; the smallest call is of the first one. */
  readonly operations: readonly string[];
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** curl commands that reproduce the failure, in order; the last one shows it. */
  readonly curl: readonly string[];
  /** The total number of calls that failed this way. */
  readonly times: number;
  /** Whether the smallest call failed again when it was repeated. */
  readonly repeatable: boolean;
}
export interface OperationReport {
  readonly id: string;
  readonly requests: number;
  readonly checks: number;
  readonly failures: number;
  /** The checks that were not possible, with the reason. */
  readonly notes: readonly string[];
}
export interface Report {
  readonly base: string;
  readonly seed: number;
  readonly ok: boolean;
  readonly operations: readonly OperationReport[];
  /** The operations that were not checked, with the part of the contract that is not supported. */
  readonly unsupported: readonly Unsupported[];
  readonly findings: readonly Finding[];
  readonly known: KnownValues;
  readonly requests: number;
  /** Total wait after responses with status 429, in milliseconds. */
  readonly waitedMs: number;
  readonly seconds: number;
}

/** The server rejects the API key, so the check cannot run. */
export class KeyRejectedError extends Error {
  override readonly name = 'KeyRefused';
}

/** Runs the work with at most `limit` concurrent items; the results keep the order of the work. */
async function inParallel<In, Out>(
  work: readonly In[],
  limit: number,
  run: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(work.length);
  const queue = work.entries();
  await Promise.all(
    Array.from({ length: limit }, async () => {
      for (const [index, item] of queue) results[index] = await run(item);
    }),
  );
  return results;
}

/** The number of test cases per batch; the failures of a batch are reduced after it. */
const batchSize = 32;

interface CauseEntry {
  readonly failure: Failure;
  /** The affected operations, or another part of the contract. */
  readonly operations: Set<string>;
  readonly repeatable: boolean;
  times: number;
}

/** The failures of a run by cause; each cause is reduced to its smallest call once. */
class FailureLog {
  readonly #session: Session;
  readonly #maxFailures: number;
  readonly #entries = new Map<string, CauseEntry>();
  /** The part of the budget that is reserved for the reduction of failures. */
  #reserve: number;

  constructor(session: Session, maxFailures: number, reserve: number) {
    this.#session = session;
    this.#maxFailures = maxFailures;
    this.#reserve = reserve;
  }

  isFull(): boolean {
    return this.#entries.size >= this.#maxFailures;
  }

  async add(operation: Operation, { probe, call }: TestCase, failures: readonly Failure[]): Promise<void> {
    for (const failure of failures) {
      if (this.isFull()) return;
      const cause = causeOf(failure);
      const existing = this.#entries.get(cause);
      if (existing) {
        existing.times += 1;
        existing.operations.add(operation.id);
        continue;
      }
      this.#session.budget.left += this.#reserve;
      this.#reserve = 0;
      const reduced = await reduce(this.#session, operation, probe, call, failure);
      this.#entries.set(cause, {
        failure: reduced?.failure ?? failure,
        operations: new Set([operation.id]),
        repeatable: reduced !== undefined,
        times: 1,
      });
    }
  }

  /** Adds a failure of a part of the contract that is no operation. It is not reduced. */
  note(part: string, failure: Failure): void {
    const cause = causeOf(failure);
    if (this.isFull() || this.#entries.has(cause)) return;
    this.#entries.set(cause, { failure, operations: new Set([part]), repeatable: true, times: 1 });
  }

  findings(base: string): Finding[] {
    return [...this.#entries.values()].map(({ failure, operations, times, repeatable }) => {
      const { check, pointer, expected, actual, calls } = failure;
      const curl = calls.map((call) => curlOf(call, base));
      return { check, operations: [...operations], pointer, expected, actual, curl, times, repeatable };
    });
  }
}

/** The number of requests and checks per operation. */
class Tallies {
  readonly #tallies = new Map<string, { requests: number; checks: number }>();

  count(id: string, check: Check): void {
    const { requests, checks } = this.of(id);
    this.#tallies.set(id, { requests: requests + (check === 'response' ? 1 : 0), checks: checks + 1 });
  }

  of(id: string): { readonly requests: number; readonly checks: number } {
    return this.#tallies.get(id) ?? { requests: 0, checks: 0 };
  }
}

/** One run: its session, its failures and its progress. */
class Verification {
  readonly #options: VerifyOptions;
  readonly #operations: readonly Operation[];
  readonly #concurrency: number;
  readonly #sender: Sender;
  readonly #session: Session;
  readonly #failures: FailureLog;
  readonly #tallies = new Tallies();
  readonly #notes = new Map<string, string[]>();
  readonly #startedAt = performance.now();
  #done = 0;

  constructor(options: VerifyOptions) {
    const { base, contract, key, timeoutMs = 30_000, concurrency = 4, costly = 10 } = options;
    const { signal = new AbortController().signal } = options;
    this.#options = options;
    this.#operations = operationsOf(contract, options.operations ?? []);
    this.#concurrency = concurrency;
    this.#sender = new Sender({ base, key, timeoutMs, concurrency, signal });
    const reserve = Math.ceil(costly / 3);
    this.#session = {
      contract,
      responses: contract.responses,
      findInResponses: createFindViolations(contract.responses),
      known: options.known ?? createKnownValues(contract, options.values ?? new Map()),
      findViolations: createFindViolations(contract.requests),
      write: options.write ?? false,
      sender: this.#sender,
      watch: new ResponseWatch(key),
      forbidden: new Set(),
      faults: new Map(),
      budget: { left: costly - reserve },
      streams: new Map(),
      made: new MadeResources(contract, base),
      spared: new Set(),
      declaresHeaders: contract.isStrict,
      allowedHeaders: new Set((options.allowedHeaders ?? []).map((name) => name.toLowerCase())),
      tally: ({ id }, check) => this.#tallies.count(id, check),
    };
    this.#failures = new FailureLog(this.#session, options.maxFailures ?? Number.POSITIVE_INFINITY, reserve);
  }

  async run(): Promise<Report> {
    try {
      await this.#checkKey();
      const earlier = this.#options.known === undefined ? await collectKnownValues(this.#session) : new Map();
      await this.#checkOperations(earlier);
      // With a selection of operations, nothing else is checked.
      if ((this.#options.operations ?? []).length === 0) await this.#checkOthers();
    } finally {
      this.#sender.close();
    }
    return this.#report();
  }

  /** Finds the operations that the key may not call. Throws a KeyRejectedError when the key is useless. */
  async #checkKey(): Promise<void> {
    const { contract, forbidden } = this.#session;
    const reads = contract.operations.filter(({ writes }) => !writes);
    // A value of the path can make it another one, to which a server answers 401 too.
    const operation = reads.find(({ path }) => !path.includes('{')) ?? (contract.isStrict ? reads[0] : undefined);
    const base = operation && attempted(this.#session, operation, () => baseCall(this.#session, operation));
    const first = operation && base && (await this.#sender.send(formed(operation, base)));
    if (first !== undefined && 'status' in first && first.status === 401)
      throw new KeyRejectedError('the server rejects this key with 401');
    // Only a strict server is certain to reject the unknown parameter.
    const scopedOperations = contract.isStrict ? contract.operations.filter(({ responses }) => responses.has(403)) : [];
    for (const scoped of scopedOperations) {
      // The unknown parameter makes the call invalid, so it has no cost and no side effect.
      const valid = attempted(this.#session, scoped, () => baseCall(this.#session, scoped));
      if (valid === undefined) continue;
      const invalidCall = withParameter(valid, 'verify', '1');
      const response = await this.#sender.send(formed(scoped, invalidCall));
      if ('status' in response && response.status === 403) forbidden.add(scoped);
    }
    if (forbidden.size === contract.operations.length)
      throw new KeyRejectedError('the key has no scope: every operation returned 403');
  }

  /** Runs the test cases of every operation, after the failures of the calls that collected values. */
  async #checkOperations(earlier: ReadonlyMap<Operation, readonly Failure[]>): Promise<void> {
    const { seed, runs } = this.#options;
    const plans = this.#operations.map((operation) => ({
      operation,
      cases:
        attempted(this.#session, operation, () =>
          testCasesOf(this.#session, operation, seedOf(seed, operation.id), runs),
        ) ?? [],
    }));
    const client = attempted(this.#session, anyOperation(this.#session.contract), () =>
      this.#options.createClientChecks?.(this.#session),
    );
    const total = plans.reduce((sum, { cases }) => sum + cases.length, 0);
    for (const { operation, cases } of plans) {
      for (const failure of earlier.get(operation) ?? []) {
        const call = failure.calls.at(-1);
        if (call !== undefined) await this.#failures.add(operation, { probe: singleCall, call }, [failure]);
      }
      await this.#runCases(operation, cases, total);
      const seedOfClient = seedOf(seed, operation.id);
      const failures = await attemptedLater(this.#session, operation, async () =>
        client?.check(operation, seedOfClient),
      );
      for (const failure of failures ?? []) this.#failures.note(operation.id, failure);
      this.#notes.set(operation.id, notesOf(this.#session, operation));
    }
  }

  /** Checks what belongs to no operation: the pages that the contract refers to, and the event stream. */
  async #checkOthers(): Promise<void> {
    if (!this.#session.contract.isStrict) return;
    for (const failure of await checkDocuments(this.#session)) this.#failures.note('the pages', failure);
    const { base, key, timeoutMs = 30_000 } = this.#options;
    for (const failure of await checkEvents(this.#session, { base, key, timeoutMs }))
      this.#failures.note('/ws', failure);
  }

  async #runCases(operation: Operation, cases: readonly TestCase[], total: number): Promise<void> {
    // Operations with a cost run one at a time, so that the same seed spends the budget on the same calls.
    // A server may notice later that a caller has left a stream, and permits few of them.
    const concurrency = operation.costs ? 1 : operation.streams ? Math.min(2, this.#concurrency) : this.#concurrency;
    for (let from = 0; from < cases.length && !this.#failures.isFull(); from += batchSize) {
      const batch = cases.slice(from, from + batchSize);
      const results = await inParallel(batch, concurrency, async (testCase) => {
        const failures =
          (await attemptedLater(this.#session, operation, () => testCase.probe(this.#session, testCase.call))) ?? [];
        this.#options.onProgress?.(++this.#done, total, operation.id);
        return { testCase, failures };
      });
      for (const { testCase, failures } of results) await this.#failures.add(operation, testCase, failures);
      await this.#deleteMade();
    }
  }

  /** Deletes what the calls since the last time have made. */
  async #deleteMade(): Promise<void> {
    for (const { operation, call } of this.#session.made.take()) {
      const failures = await attemptedLater(this.#session, operation, () => deletesMade(this.#session, call));
      for (const failure of failures ?? []) this.#failures.note(operation.id, failure);
    }
  }

  #report(): Report {
    const { base, seed } = this.#options;
    const findings = this.#failures.findings(base);
    const operations = this.#operations.map(({ id }) => ({
      id,
      ...this.#tallies.of(id),
      failures: findings.filter((finding) => finding.operations.includes(id)).length,
      notes: this.#notes.get(id) ?? [],
    }));
    const { sent: requests, waitedMs } = this.#sender.count;
    return {
      base,
      seed,
      ok: findings.length === 0,
      operations,
      unsupported: [...this.#session.contract.unsupported, ...this.#session.faults.values()],
      findings,
      known: this.#session.known,
      requests,
      waitedMs,
      seconds: (performance.now() - this.#startedAt) / 1000,
    };
  }
}

/** The operations with these ids, or all. Throws a RangeError for an id that the contract does not have. */
function operationsOf({ operations }: Contract, ids: readonly string[]): readonly Operation[] {
  const unknown = ids.find((id) => !operations.some((operation) => operation.id === id));
  if (unknown !== undefined)
    throw new RangeError(
      `the contract has no operation ${unknown}; its operations are ${operations.map(({ id }) => id).join(', ')}`,
    );
  return ids.length === 0 ? operations : operations.filter(({ id }) => ids.includes(id));
}

/**
 * Collects existing values, then checks every operation. Rejects with UnreachableError when no server responds, with
 * KeyRejectedError when the server rejects the key, and with a RangeError for an operation that the contract does not have.
 */
export const verify = async (options: VerifyOptions): Promise<Report> => new Verification(options).run();

/** The checks of an operation that were not possible, as texts for the report. */
function notesOf({ write, known, budget, forbidden, streams, spared }: Session, operation: Operation): string[] {
  if (forbidden.has(operation)) return ['not checked: the key lacks the scope (403)'];
  const notes: string[] = [];
  if (operation.writes && !write) notes.push('checked only with invalid calls; --write also makes valid calls');
  if (operation.costs && budget.left === 0)
    notes.push('the budget for calls with a cost is spent; --costly N permits more');
  if (streams.get(operation) === 0) notes.push('the budget for calls that open a stream is spent');
  if (spared.has(operation)) notes.push('what existed before is not deleted, only what the calls of this run make');
  const unreached = [...operation.parameters.keys()].filter(
    (name) => known.isReference(operation, name) && known.of(operation, name).length === 0,
  );
  const any = [...operation.parameters.keys()].some(
    (name) => known.isReference(operation, name) && known.of(operation, name).length > 0,
  );
  if (unreached.length > 0 && !any) notes.push(`no existing value is known; set one with --value ${unreached[0]}=…`);
  return notes;
}
