/** An account pool against a provider that counts at the worst moments, with crashes at any moment. */
import { expect } from '@jest/globals';
import fc from '../support/property.ts';
import { ServiceError } from '../../server/contract/service-error.ts';
import type { AccountPool, CallOutcome, Lease } from '../../server/ports/account-pool.ts';

export interface PoolTestOptions {
  readonly quota: number;
  readonly deadlineMs: number;
  readonly now: () => number;
}

/** A pool as one process has it. */
export interface OpenedPool {
  readonly pool: AccountPool;
  /** Makes the held writes durable. */
  flush(): void;
  /** Resolves when the results that were reported before are visible; undefined where they are at once. */
  readonly settled?: () => Promise<void>;
  /** Ends the process as kill -9 does; `survivors` of the held writes reach the storage all the same. */
  crash(survivors: number): Promise<void>;
  close(): Promise<void>;
}

/** Storage that outlives the pools that are opened on it. */
export interface PoolStorage {
  /** Opens the pool, as a new process does. */
  open(options: PoolTestOptions): Promise<OpenedPool>;
  /** Every write fails from now on, until `repairWrites`. */
  failWrites(): void | Promise<void>;
  repairWrites(): void | Promise<void>;
  dispose(): Promise<void>;
}

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
const deadlineMs = 60 * second;
const accounts = ['a', 'b', 'c'];

type Command =
  /** `durable: false` leaves the reservation on its way to the disk. */
  | { do: 'ask'; cost: number; durable: boolean }
  | { do: 'probe'; account: string }
  /** How the nth open question ends; `counted` of what it cost is what the provider counts. */
  | { do: 'end'; nth: number; outcome: CallOutcome; counted: number; retryAfterMs: number | undefined }
  | { do: 'wait'; ms: number }
  | { do: 'flush' }
  /** `skew` is how far the clock of the next run is off; `survivors` records reached the disk without being acknowledged. */
  | { do: 'kill'; survivors: number; skew: number }
  | { do: 'remove' | 'add'; account: string };

const outcomes: CallOutcome[] = [
  'answered',
  'answered',
  'answered',
  'unauthorized',
  'limited',
  'unreached',
  'failed',
  'timeout',
  'aborted',
  'rejected',
];
const account = fc.constantFrom(...accounts);
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('ask' as const), cost: fc.constantFrom(1, 1, 2), durable: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('probe' as const), account }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      nth: fc.nat(9),
      outcome: fc.constantFrom(...outcomes),
      counted: fc.nat(2),
      retryAfterMs: fc.option(fc.nat(2 * day), { nil: undefined }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(
        fc.nat(deadlineMs),
        fc.nat(hour),
        fc.nat(13 * hour),
        fc.integer({ min: day - second, max: day + 3 * deadlineMs }),
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      survivors: fc.nat(4),
      skew: fc.integer({ min: -30 * second, max: 30 * second }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('remove' as const, 'add' as const), account }) },
);

/** The provider: when it counted which account, by the true time. */
class Upstream {
  readonly counts = new Map<string, number[]>(accounts.map((id) => [id, []]));

  count(id: string, at: number, questions: number): void {
    for (let n = 0; n < questions; n++) this.counts.get(id)!.push(at);
  }

  within(id: string, end: number): number {
    return this.counts.get(id)!.filter((at) => at > end - day && at <= end).length;
  }

  /** The largest number that it counted for one account in any window. */
  most(): number {
    return Math.max(0, ...accounts.flatMap((id) => this.counts.get(id)!.map((at) => this.within(id, at))));
  }
}

interface Run extends OpenedPool {
  /** Questions that were sent and have no end yet. */
  readonly open: { lease: Lease; deadline: number }[];
}

/** Any commands for `checkQuota`. */
export const commands = fc.array(command, { maxLength: 60, size: 'max' });

/** Runs commands, and checks the quota and the figures of the pool after each one. */
export async function checkQuota(commands: readonly Command[], quota: number, storage: PoolStorage): Promise<void> {
  let time = Date.UTC(2026, 8, 1);
  let skew = 0;
  const upstream = new Upstream();
  const present = new Set(accounts);

  async function start(): Promise<Run> {
    const opened = await storage.open({ quota, deadlineMs, now: () => time + skew });
    for (const id of present) opened.pool.add({ id }, id === 'c' ? 'untested' : 'capable');
    return { ...opened, open: [] };
  }
  let run = await start();
  const flush = (): void => run.flush();
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  /** What is sent once the reservation is durable, which it may become in another command. */
  function send({ open }: Run, reservation: Promise<Lease | undefined>): Promise<void> {
    return reservation.then(
      (lease) => {
        if (lease !== undefined) open.push({ lease, deadline: time + lease.remainingMs() });
      },
      (error: unknown) => expect(error).toBeInstanceOf(ServiceError),
    );
  }

  async function kill(survivors: number): Promise<void> {
    // The provider counts what was sent all the same, as late as it may.
    for (const { lease, deadline } of run.open.splice(0)) upstream.count(lease.account.id, deadline, lease.questions);
    await run.crash(survivors);
  }

  /** Those that are past their deadline were aborted then. */
  function timeOut(): void {
    for (const { lease, deadline } of run.open.splice(0)) {
      if (deadline > time) run.open.push({ lease, deadline });
      else {
        upstream.count(lease.account.id, deadline, lease.questions);
        lease.settle({ outcome: 'timeout', counted: lease.questions });
      }
    }
  }

  async function execute(each: Command): Promise<void> {
    switch (each.do) {
      case 'ask': {
        const { available } = run.pool.status();
        const sent = run.pool.reserve(each.cost);
        if (each.cost === 1)
          expect(
            await Promise.race([
              sent.then(
                () => true,
                () => false,
              ),
              settled().then(() => true),
            ]),
          ).toBe(available > 0);
        const done = send(run, sent);
        if (each.durable) {
          flush();
          await done;
        }
        return;
      }
      case 'probe': {
        const done = send(run, run.pool.reserveProbe(each.account));
        flush();
        return done;
      }
      case 'end': {
        const [ending] = run.open.splice(each.nth % Math.max(1, run.open.length), 1);
        if (ending === undefined) return;
        const { lease, deadline } = ending;
        const counted =
          each.outcome === 'answered'
            ? lease.questions
            : each.outcome === 'unreached'
              ? 0
              : Math.min(each.counted, lease.questions);
        // Without an answer it may still be counted later.
        upstream.count(lease.account.id, each.outcome === 'answered' ? time : deadline, counted);
        return lease.settle({ outcome: each.outcome, counted, retryAfterMs: each.retryAfterMs });
      }
      case 'wait':
        time += each.ms;
        return timeOut();
      case 'flush':
        return flush();
      case 'kill':
        await kill(each.survivors);
        skew = each.skew;
        run = await start();
        return;
      case 'remove':
        present.delete(each.account);
        return void run.pool.remove(each.account);
      case 'add':
        present.add(each.account);
        return run.pool.add({ id: each.account }, each.account === 'c' ? 'untested' : 'capable');
    }
  }

  function check(): void {
    expect(upstream.most()).toBeLessThanOrEqual(quota);
    const { capable, available, cooling, untested, incapable, capacity } = run.pool.status();
    expect(available + cooling).toBe(capable);
    expect(capable + untested + incapable).toBe(present.size);
    expect(capacity).toMatchObject({ capable, usable_now: available, daily_capacity: capable * quota });
    expect(capacity.used_24h + capacity.remaining_now).toBe(capacity.daily_capacity);
    for (const value of [available, cooling, capacity.used_24h, capacity.remaining_now])
      expect(value).toBeGreaterThanOrEqual(0);
    // Never more is promised than the provider would still answer.
    for (const { id, used } of run.pool.list()) expect(used).toBeGreaterThanOrEqual(upstream.within(id, time));
  }

  for (const each of commands) {
    await execute(each);
    await settled();
    check();
  }
  // Nothing is stuck: when all is over, each account has its whole quota.
  await kill(0);
  time += 4 * day;
  skew = 0;
  run = await start();
  expect(run.pool.list().map(({ used }) => used)).toEqual([...present].map(() => 0));
  await run.close();
}
