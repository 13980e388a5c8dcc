/** Checks a running server against its contract from outside: what `npm run verify` does, as a function. */
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
  /** Random calls of each operation. */
  readonly runs: number;
  /** Only these operations; all when empty. */
  readonly operations?: readonly string[];
  /** Whether calls may change something. */
  readonly write?: boolean;
  /** Calls that succeed where success costs something, at most. */
  readonly costly?: number;
  readonly timeoutMs?: number;
  readonly concurrency?: number;
  /** Ends when so many failures of different causes were found; never when left out. */
  readonly maxFailures?: number;
  /** Real values by the name of a parameter, beside the examples of the contract. */
  readonly values?: ReadonlyMap<string, readonly string[]>;
  /** Real values that an earlier run has learnt of the same data; learnt anew when left out. */
  readonly known?: KnownValues;
  /** Headers that something between us and the server adds. */
  readonly allowedHeaders?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, all: number, operation: string) => void;
}
export interface Finding {
  readonly check: Check;
  /** The operations that show it; the first is where it was made small. */
  readonly operations: readonly string[];
  readonly pointer: string;
  readonly expected: string;
  readonly came: string;
  /** What to send, in order; the last shows it. */
  readonly curl: readonly string[];
  /** Calls that showed it in all. */
  readonly times: number;
  /** Whether it came again when the smallest call was sent again. */
  readonly repeatable: boolean;
}
export interface OperationReport {
  readonly id: string;
  readonly requests: number;
  readonly checks: number;
  readonly failures: number;
  /** What could not be checked, and why. */
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
  /** How long 429 made us wait, in milliseconds. */
  readonly waitedMs: number;
  readonly seconds: number;
}

/** The server does not take the key, so that little could be said of it. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
}

/** Runs the work with so many at once; the results are in the order of the work. */
async function inParallel<In, Out>(
  work: readonly In[],
  atOnce: number,
  run: (item: In) => Promise<Out>,
): Promise<Out[]> {
  const results = new Array<Out>(work.length);
  const queue = work.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of queue) results[index] = await run(item);
    }),
  );
  return results;
}

/** So many tries are made before what they found is made small. */
const together = 32;

interface Found {
  readonly operation: Operation;
  readonly failure: Failure;
  readonly also: Set<string>;
  readonly repeatable: boolean;
  times: number;
}

/**
 * Learns real values, then tries every operation. Rejects with Unreachable where there is no server, with KeyRefused where the key is wrong,
 * and with a RangeError for an operation that the contract does not have.
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

  const began = performance.now();
  const { costly = 10 } = options;
  /** Kept for making failures small. */
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
  const found = new Map<string, Found>();
  const notes = new Map<string, string[]>();

  const enough = (): boolean => found.size >= (options.maxFailures ?? Number.POSITIVE_INFINITY);
  const take = async (operation: Operation, { probe, call }: Try, failures: readonly Failure[]): Promise<void> => {
    for (const failure of failures) {
      if (enough()) return;
      const cause = causeOf(failure);
      const known = found.get(cause);
      if (known) {
        known.times += 1;
        known.also.add(operation.id);
        continue;
      }
      bench.budget.left += reserve;
      reserve = 0;
      const small = await reduce(bench, operation, probe, call, failure);
      found.set(cause, {
        operation,
        failure: small?.failure ?? failure,
        also: new Set([operation.id]),
        repeatable: small !== undefined,
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
      // A call that must be refused anyway: it neither costs nor changes anything.
      const refused = withParameter(baseCall(bench, operation), 'verify', '1');
      const answer = await sender.send(refused);
      if ('status' in answer && answer.status === 403) bench.forbidden.add(operation);
    }
    if (bench.forbidden.size === contract.operations.length)
      throw new KeyRefused('the key may call no operation: all answered 403');
    const learnt = options.known === undefined ? await harvest(bench) : new Map<Operation, Failure[]>();
    let done = 0;
    const plans = chosen.map((operation) => ({
      operation,
      tries: triesOf(bench, operation, seedOf(seed, operation.id), runs),
    }));
    const all = plans.reduce((sum, { tries }) => sum + tries.length, 0);
    for (const { operation, tries } of plans) {
      const inHarvest = learnt.get(operation) ?? [];
      for (const failure of inHarvest)
        await take(operation, { probe: oneAnswer, call: failure.calls.at(-1)! }, [failure]);
      for (let from = 0; from < tries.length && !enough(); from += together) {
        const some = tries.slice(from, from + together);
        // What may be spent is spent in order, so that the same calls are made again.
        const results = await inParallel(some, operation.costs ? 1 : concurrency, async (each) => {
          const failures = await each.probe(bench, each.call);
          options.onProgress?.(++done, all, operation.id);
          return failures;
        });
        for (const [index, failures] of results.entries()) await take(operation, some[index]!, failures);
      }
      notes.set(operation.id, notesOf(bench, operation));
    }
  } finally {
    sender.close();
  }

  const findings = [...found.values()].map(({ failure, also, times, repeatable }): Finding => {
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
    seconds: (performance.now() - began) / 1000,
  };
}

/** What of an operation could not be tried. */
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
