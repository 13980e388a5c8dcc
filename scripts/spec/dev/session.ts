/** The loop: what follows from a change, one round after the other, and what each round has found. */
import { isInstallation, isServed, isSpec, isTyped, merged, type ChangeKind, type Changes } from './changes.ts';
import type { ContractChange } from './contract-change.ts';
import type { Service, Started } from './service.ts';
import type { SpecWork } from './spec.ts';
import type { TypeChecker, TypeFault } from './types.ts';

/** Milliseconds from the save until a part was done. */
export interface Times {
  readonly generated?: number;
  readonly checked?: number;
}

/** What a round has found. */
export interface Outcome {
  readonly files: readonly string[];
  /** The faults of the spec as text, where it was read and has any: then generated/ is as it was. */
  readonly specFaults: string | undefined;
  /** Whether the spec has faults that an earlier round has told. */
  readonly faultsRemain: boolean;
  /** Undefined where the spec was not generated from. */
  readonly contract: ContractChange | undefined;
  readonly written: readonly string[];
  /** Those of server and client; undefined where nothing was checked. */
  readonly typeFaults: readonly TypeFault[] | undefined;
  readonly server: ServerPlan;
  readonly times: Times;
}

/**
 * What happens to the server: `restart` follows the report; `held` keeps the old one, because its own code does not compile;
 * `same` has nothing new to read; `off` was never wanted.
 */
export type ServerPlan =
  | { readonly plan: 'restart' | 'same' | 'off' }
  | { readonly plan: 'held'; readonly url: string | undefined };

/** Who is told what. */
export interface Told {
  /** A round is over, but for the server, which may have to be started again. */
  report(outcome: Outcome): void;
  /** The server of a round has started, or not, so long after the save. */
  started(how: Started, ms: number): void;
  /** The end of a round that checked types: what else does not compile, and whether server and client do; so long after the save. */
  rest(faults: readonly TypeFault[], product: boolean, ms: number): void;
  /** A part of the loop has failed; the next change tries it again. */
  failed(error: Error): void;
}

export interface Session {
  /** Takes changes in; those that come during a round make the next one. */
  take(changes: Changes): void;
}

/** Faults of these are faults of what the server runs. */
const runsInServer = ({ file }: TypeFault): boolean => /^(server|generated)\/|^tsconfig\.json$/.test(file);

export function createSession(
  { spec, types, service }: { spec: SpecWork; types: TypeChecker; service: Service | undefined },
  told: Told,
): Session {
  let waiting: Changes | undefined;
  let running = false;
  let begun = false;
  /** generated/ does not follow from the spec as it is: it has not been read yet, or has faults. */
  let specBehind = true;
  /** The server has not read what there is now. */
  let serverDue = true;
  /** Written since types were checked last. */
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

    // The comparison runs in its thread while the checker runs in its process.
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
