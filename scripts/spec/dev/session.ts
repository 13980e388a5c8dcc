/** The development loop: processes each change in a round and reports the results. */
import { isInstallation, isServed, isSpec, isTyped, merged, type ChangeKind, type Changes } from './changes.ts';
import type { ContractChange } from './contract-change.ts';
import type { Service, Started } from './service.ts';
import type { SpecWork } from './spec.ts';
import type { TypeChecker, TypeFault } from './types.ts';

/** Milliseconds from the save to the end of each step. */
export interface Times {
  readonly generated?: number;
  readonly checked?: number;
}

/** The results of a round. */
export interface Outcome {
  readonly files: readonly string[];
  /** The faults of the spec as text, if any; generated/ is then unchanged. */
  readonly specFaults: string | undefined;
  /** Whether the spec has faults that an earlier round reported. */
  readonly faultsRemain: boolean;
  /** Undefined when the round generated nothing. */
  readonly contract: ContractChange | undefined;
  readonly written: readonly string[];
  /** The type errors of server and client; undefined when the round checked no types. */
  readonly typeFaults: readonly TypeFault[] | undefined;
  readonly server: ServerPlan;
  readonly times: Times;
}

/**
 * The action on the server: `restart` restarts it after the report; `held` keeps the old process, because its code does not
 * compile; `same` needs no restart; `off` means that the session runs no server.
 */
export type ServerPlan =
  | { readonly plan: 'restart' | 'same' | 'off' }
  | { readonly plan: 'held'; readonly url: string | undefined };

/** The callbacks of a session. */
export interface Told {
  /** A round has finished, except for the restart of the server. */
  report(outcome: Outcome): void;
  /** The server of a round has started or failed, with the time since the save. */
  started(how: Started, ms: number): void;
  /** The type check of a round has finished: the other type errors, the product's state, and the time since the save. */
  rest(faults: readonly TypeFault[], product: boolean, ms: number): void;
  /** A step of the loop has failed; the next change repeats it. */
  failed(error: Error): void;
}

export interface Session {
  /** Adds changes. Changes during a round start the next round. */
  take(changes: Changes): void;
}

/** A type error in these files prevents a restart of the server. */
const runsInServer = ({ file }: TypeFault): boolean => /^(server|generated)\/|^tsconfig\.json$/.test(file);

export function createSession(
  { spec, types, service }: { spec: SpecWork; types: TypeChecker; service: Service | undefined },
  told: Told,
): Session {
  let waiting: Changes | undefined;
  let running = false;
  let begun = false;
  /** Whether generated/ is out of date: the spec is unread or has faults. */
  let specBehind = true;
  /** Whether the server runs outdated files. */
  let serverDue = true;
  /** The files changed since the last type check. */
  let unchecked = new Map<string, ChangeKind>();
  let typeFaults: readonly TypeFault[] = [];

  async function round({ files, savedAt }: Changes): Promise<void> {
    const since = (): number => Date.now() - savedAt;
    const names = [...files.keys()];
    const reloads = names.some(isInstallation) || spec.isMadeBy(names);
    if (reloads) await spec.reload();
    const specDue = !begun || reloads || names.some(isSpec);
    specBehind ||= specDue;
    for (const [file, kind] of files) if (isTyped(file)) unchecked.set(file, kind);
    serverDue ||= names.some(isServed);

    const times: { generated?: number; checked?: number } = {};
    const generated = specDue ? await spec.generate() : undefined;
    const specFaults = generated !== undefined && 'report' in generated ? generated.report : undefined;
    const written = generated !== undefined && 'written' in generated ? generated.written : [];
    if (generated !== undefined && specFaults === undefined) {
      specBehind = false;
      times.generated = since();
    }
    for (const file of written.filter(isTyped)) unchecked.set(file, 'changed');
    serverDue ||= written.some(isServed);

    // The comparison thread and the type checker process run in parallel.
    const compared = generated !== undefined && specFaults === undefined ? spec.compare() : undefined;
    const due = unchecked;
    unchecked = new Map();
    const checked = due.size > 0 || !begun ? await types.check(due) : undefined;
    if (checked !== undefined) {
      typeFaults = checked.product;
      times.checked = since();
    }
    begun = true;
    const contract = await compared;
    const plan = planOf();
    const faultsRemain = specBehind && specFaults === undefined;
    told.report({
      files: names,
      specFaults,
      faultsRemain,
      contract,
      written,
      typeFaults: checked?.product,
      server: plan,
      times,
    });
    const rest = checked?.rest.then((faults) => ({ faults, ms: since() }));
    const [others] = await Promise.all([rest, plan.plan === 'restart' ? restart(since) : undefined]);
    if (others !== undefined) told.rest(others.faults, typeFaults.length === 0, others.ms);
  }

  async function restart(since: () => number): Promise<void> {
    const how = await service!.restart();
    if ('url' in how) serverDue = false;
    told.started(how, since());
  }

  function planOf(): ServerPlan {
    if (service === undefined) return { plan: 'off' };
    if (!serverDue && service.url !== undefined) return { plan: 'same' };
    return typeFaults.some(runsInServer) ? { plan: 'held', url: service.url } : { plan: 'restart' };
  }

  async function rounds(): Promise<void> {
    running = true;
    while (waiting !== undefined) {
      const changes = waiting;
      waiting = undefined;
      await round(changes).catch((error: unknown) => told.failed(error as Error));
    }
    running = false;
  }

  return {
    take(changes) {
      waiting = merged(waiting, changes);
      if (!running) void rounds();
    },
  };
}
