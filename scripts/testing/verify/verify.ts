/** Checks a running server against its contract, as an external client. `npm run verify` calls this function. */
import { baseCall } from './base-call.ts';
import { createFindBreaches } from './breaches.ts';
import { withParameter } from './call.ts';
import type { Contract, Operation } from './contract.ts';
import { curlOf } from './curl.ts';
import { harvest } from './harvest.ts';
import type { Check, Failure } from './judge.ts';
import { createKnownValues, type KnownValues } from './known-values.ts';
import { seedOf, triesOf, type Try } from './plan.ts';
import { oneAnswer, type Bench } from './probes.ts';
import { causeOf, reduce } from './reduce.ts';
import { createSender } from './send.ts';

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
  readonly onProgress?: (done: number, all: number, operation: string) => void;
}
export interface Finding {
  readonly check: Check;
  /** The affected operations; the smallest call is of the first one. */
  readonly operations: readonly string[];
  readonly pointer: string;
  readonly expected: string;
  readonly came: string;
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
  readonly findings: readonly Finding[];
  readonly known: KnownValues;
  readonly requests: number;
  /** Total wait after responses with status 429, in milliseconds. */
  readonly waitedMs: number;
  readonly seconds: number;
}

/** The server rejects the API key, so the check cannot run. */
export class KeyRefused extends Error {
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

/** The number of tries per batch; the failures of a batch are reduced after it. */
const batchSize = 32;

interface CauseEntry {
  readonly operation: Operation;
  readonly failure: Failure;
  readonly also: Set<string>;
  readonly repeatable: boolean;
  times: number;
}

/**
 * Collects existing values, then checks every operation. Rejects with Unreachable when no server responds, with KeyRefused
 * when the server rejects the key, and with a RangeError for an operation that the contract does not have.
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const {
    base,
    contract,
    key,
    seed,
    runs,
    write = false,
    timeoutMs = 30_000,
    concurrency = 4,
    signal = new AbortController().signal,
  } = options;
  const chosen = contract.operations.filter(({ id }) => !options.operations?.length || options.operations.includes(id));
  const unknown = options.operations?.find((id) => !contract.operations.some((operation) => operation.id === id));
  if (unknown !== undefined)
    throw new RangeError(
      `the contract has no operation ${unknown}: it has ${contract.operations.map(({ id }) => id).join(', ')}`,
    );

  const startedAt = performance.now();
  const { costly = 10 } = options;
  /** The part of the budget that is reserved for the reduction of failures. */
  let reserve = Math.ceil(costly / 3);
  const tallies = new Map(contract.operations.map((operation) => [operation.id, { requests: 0, checks: 0 }]));
  const sender = createSender({ base, key, timeoutMs, concurrency, signal });
  const bench: Bench = {
    contract,
    document: contract.document,
    known: options.known ?? createKnownValues(contract, options.values ?? new Map()),
    breaches: createFindBreaches(contract.document),
    write,
    sender,
    forbidden: new Set(),
    budget: { left: costly - reserve },
    allowedHeaders: new Set((options.allowedHeaders ?? []).map((name) => name.toLowerCase())),
    tally: ({ id }, check) => {
      const tally = tallies.get(id)!;
      tally.checks += 1;
      if (check === 'answers') tally.requests += 1;
    },
  };
  const failuresByCause = new Map<string, CauseEntry>();
  const notes = new Map<string, string[]>();

  const isAtMaxFailures = (): boolean => failuresByCause.size >= (options.maxFailures ?? Number.POSITIVE_INFINITY);
  const recordFailures = async (
    operation: Operation,
    { probe, call }: Try,
    failures: readonly Failure[],
  ): Promise<void> => {
    for (const failure of failures) {
      if (isAtMaxFailures()) return;
      const cause = causeOf(failure);
      const existing = failuresByCause.get(cause);
      if (existing) {
        existing.times += 1;
        existing.also.add(operation.id);
        continue;
      }
      bench.budget.left += reserve;
      reserve = 0;
      const reduced = await reduce(bench, operation, probe, call, failure);
      failuresByCause.set(cause, {
        operation,
        failure: reduced?.failure ?? failure,
        also: new Set([operation.id]),
        repeatable: reduced !== undefined,
        times: 1,
      });
    }
  };

  try {
    const first = await sender.send(
      baseCall(bench, contract.operations.find(({ writes }) => !writes) ?? contract.operations[0]!),
    );
    if ('status' in first && first.status === 401)
      throw new KeyRefused('the server does not take this key: it answered 401');
    for (const operation of contract.operations.filter(({ responses }) => responses.has(403))) {
      // The unknown parameter makes the call invalid, so it has no cost and no side effect.
      const invalidCall = withParameter(baseCall(bench, operation), 'verify', '1');
      const answer = await sender.send(invalidCall);
      if ('status' in answer && answer.status === 403) bench.forbidden.add(operation);
    }
    if (bench.forbidden.size === contract.operations.length)
      throw new KeyRefused('the key may call no operation: all answered 403');
    const harvestFailures = options.known === undefined ? await harvest(bench) : new Map<Operation, Failure[]>();
    let done = 0;
    const plans = chosen.map((operation) => ({
      operation,
      tries: triesOf(bench, operation, seedOf(seed, operation.id), runs),
    }));
    const all = plans.reduce((sum, { tries }) => sum + tries.length, 0);
    for (const { operation, tries } of plans) {
      const earlierFailures = harvestFailures.get(operation) ?? [];
      for (const failure of earlierFailures)
        await recordFailures(operation, { probe: oneAnswer, call: failure.calls.at(-1)! }, [failure]);
      for (let from = 0; from < tries.length && !isAtMaxFailures(); from += batchSize) {
        const some = tries.slice(from, from + batchSize);
        // Operations with a cost run one at a time, so that the same seed spends the budget on the same calls.
        const results = await inParallel(some, operation.costs ? 1 : concurrency, async (each) => {
          const failures = await each.probe(bench, each.call);
          options.onProgress?.(++done, all, operation.id);
          return failures;
        });
        for (const [index, failures] of results.entries()) await recordFailures(operation, some[index]!, failures);
      }
      notes.set(operation.id, notesOf(bench, operation));
    }
  } finally {
    sender.close();
  }

  const findings = [...failuresByCause.values()].map(({ failure, also, times, repeatable }): Finding => {
    const { check, pointer, expected, came, calls } = failure;
    return {
      check,
      operations: [...also],
      pointer,
      expected,
      came,
      curl: calls.map((call) => curlOf(call, base)),
      times,
      repeatable,
    };
  });
  const operations = chosen.map(({ id }): OperationReport => ({
    id,
    ...tallies.get(id)!,
    failures: findings.filter((finding) => finding.operations.includes(id)).length,
    notes: notes.get(id) ?? [],
  }));
  const { sent: requests, waitedMs } = sender.count;
  return {
    base,
    seed,
    ok: findings.length === 0,
    operations,
    findings,
    known: bench.known,
    requests,
    waitedMs,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** The checks of an operation that were not possible, as texts for the report. */
function notesOf({ write, known, budget, forbidden }: Bench, operation: Operation): string[] {
  if (forbidden.has(operation)) return ['nothing was tried: the key may not call it (403)'];
  const notes: string[] = [];
  if (operation.writes && !write) notes.push('only calls that must be refused were made: --write makes valid ones too');
  if (operation.costs && budget.left === 0)
    notes.push('no more calls that cost something were made: --costly N allows more');
  const unreached = [...operation.parameters.keys()].filter(
    (name) => known.isReference(operation, name) && known.of(operation, name).length === 0,
  );
  const any = [...operation.parameters.keys()].some(
    (name) => known.isReference(operation, name) && known.of(operation, name).length > 0,
  );
  if (unreached.length > 0 && !any) notes.push(`no real value is known: --value ${unreached[0]}=… tells one`);
  return notes;
}
