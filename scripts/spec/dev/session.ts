/** The development loop: processes each change in a round and reports the results. */
import {
  isGenerated,
  isInstallation,
  isPage,
  isServed,
  isSpec,
  isTyped,
  merged,
  type ChangeKind,
  type Changes,
} from './changes.ts';
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
export interface SessionListener {
  /** A round has finished, except for the restart of the server. */
  onReport(outcome: Outcome): void;
  /** The server of a round has started or failed, with the time since the save. */
  onStart(started: Started, ms: number): void;
  /** The whole type check has finished: the errors outside the product, whether the product compiles, the time since the save. */
  onTypesChecked(faults: readonly TypeFault[], productCompiles: boolean, ms: number): void;
  /** The spec consists of these files. Changes of those outside of the watched folders must be reported too. */
  onSources(files: readonly string[]): void;
  /** A step of the loop has failed; the next change repeats it. */
  onFailure(error: Error): void;
}

/** The tools of a session; without `service` it runs no server. */
export interface SessionTools {
  readonly spec: SpecWork;
  readonly types: TypeChecker;
  readonly service: Service | undefined;
}

/** A type error in these files prevents a restart of the server. */
const runsInServer = ({ file }: TypeFault): boolean => /^(server|generated)\/|^tsconfig\.json$/.test(file);

/** The result of the generation step; empty when the round does not generate. */
interface Generated {
  readonly specFaults?: string | undefined;
  readonly written: readonly string[];
  readonly succeeded: boolean;
}

export class Session {
  readonly #tools: SessionTools;
  readonly #listener: SessionListener;
  #waiting: Changes | undefined;
  #isRunning = false;
  #isFirstRound = true;
  /** Whether generated/ is out of date: the spec is unread or has faults. */
  #isSpecStale = true;
  /** Whether the server runs outdated files. */
  #isServerStale = true;
  /** The files changed since the last type check. */
  #unchecked = new Map<string, ChangeKind>();
  #typeFaults: readonly TypeFault[] = [];
  /** The files of the spec, as the last generation found them. */
  #sources: readonly string[] = [];

  constructor(tools: SessionTools, listener: SessionListener) {
    this.#tools = tools;
    this.#listener = listener;
  }

  /** Adds changes. Changes during a round start the next round. */
  add(changes: Changes): void {
    void this.#addForeign(changes);
  }

  /** Leaves out the own writes at once: after the round, others can have written the same files. */
  async #addForeign(changes: Changes): Promise<void> {
    const foreign = await this.#withoutOwnWrites(changes);
    if (foreign === undefined) return;
    this.#waiting = merged(this.#waiting, foreign);
    if (!this.#isRunning) void this.#runRounds();
  }

  async #runRounds(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting !== undefined) {
      const changes = this.#waiting;
      this.#waiting = undefined;
      const foreign = await this.#withoutOwnWrites(changes);
      if (foreign !== undefined)
        await this.#round(foreign).catch((error: unknown) => this.#listener.onFailure(error as Error));
    }
    this.#isRunning = false;
  }

  /**
   * The changes that others made: version control writes generated/ too. Undefined if this loop made all of them: it reports
   * its own writes in the round that wrote them.
   */
  async #withoutOwnWrites({ files, savedAt }: Changes): Promise<Changes | undefined> {
    const { spec } = this.#tools;
    const foreign = new Map(files);
    for (const file of [...files.keys()].filter(isGenerated)) if (await spec.isOwnWrite(file)) foreign.delete(file);
    return foreign.size === 0 && files.size > 0 ? undefined : { files: foreign, savedAt };
  }

  async #round({ files, savedAt }: Changes): Promise<void> {
    const { spec, types } = this.#tools;
    const elapsed = (): number => Date.now() - savedAt;
    const names = [...files.keys()];
    const needsSpec = await this.#noteChanges(files, names);

    const times: { generated?: number; checked?: number } = {};
    const { specFaults, written, succeeded } = needsSpec ? await this.#generate() : nothingGenerated;
    if (succeeded) times.generated = elapsed();

    // The comparison thread and the type checker process run in parallel.
    const comparison = succeeded ? spec.compare() : undefined;
    const due = this.#unchecked;
    this.#unchecked = new Map();
    const checked = due.size > 0 || this.#isFirstRound ? await types.check(due) : undefined;
    if (checked !== undefined) {
      this.#typeFaults = checked.product;
      times.checked = elapsed();
    }
    this.#isFirstRound = false;
    const contract = await comparison;
    const server = this.#serverPlan();
    this.#listener.onReport({
      files: names,
      specFaults,
      faultsRemain: this.#isSpecStale && specFaults === undefined,
      contract,
      written,
      typeFaults: checked?.product,
      server,
      times,
    });
    const rest = checked?.rest.then((faults) => ({ faults, ms: elapsed() }));
    const [others] = await Promise.all([rest, server.plan === 'restart' ? this.#restart(elapsed) : undefined]);
    if (others !== undefined) this.#listener.onTypesChecked(others.faults, this.#typeFaults.length === 0, others.ms);
  }

  /** Records what the changed files make stale. Returns whether the round generates. */
  async #noteChanges(files: Changes['files'], names: readonly string[]): Promise<boolean> {
    const { spec } = this.#tools;
    const reloads = names.some(isInstallation) || spec.isMadeBy(names);
    if (reloads) await spec.reload();
    const isSource = (file: string): boolean =>
      isSpec(file) || isPage(file) || isGenerated(file) || this.#sources.includes(file);
    const needsSpec = this.#isFirstRound || reloads || names.some(isSource);
    this.#isSpecStale ||= needsSpec;
    for (const [file, kind] of files) if (isTyped(file)) this.#unchecked.set(file, kind);
    this.#isServerStale ||= names.some(isServed);
    return needsSpec;
  }

  async #generate(): Promise<Generated> {
    const generated = await this.#tools.spec.generate();
    this.#sources = generated.sources;
    this.#listener.onSources(generated.sources);
    if ('report' in generated) return { specFaults: generated.report, written: [], succeeded: false };
    const { written } = generated;
    this.#isSpecStale = false;
    for (const file of written.filter(isTyped)) this.#unchecked.set(file, 'changed');
    this.#isServerStale ||= written.some(isServed);
    return { written, succeeded: true };
  }

  async #restart(elapsed: () => number): Promise<void> {
    const started = await this.#tools.service?.restart();
    if (started === undefined) return;
    if ('url' in started) this.#isServerStale = false;
    this.#listener.onStart(started, elapsed());
  }

  #serverPlan(): ServerPlan {
    const { service } = this.#tools;
    if (service === undefined) return { plan: 'off' };
    if (!this.#isServerStale && service.url !== undefined) return { plan: 'same' };
    return this.#typeFaults.some(runsInServer) ? { plan: 'held', url: service.url } : { plan: 'restart' };
  }
}

const nothingGenerated: Generated = { written: [], succeeded: false };
