/** A PostgreSQL of a test's own. */
export interface Engine {
  /** The database of a role that is no superuser. */
  readonly url: string;
  /** The process id of the server. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** Ends all its processes at once, as a crash does. */
  kill(): Promise<void>;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/** Starts an engine on a free port. Installs its package at the first call. `fsync`: off by default, which only a power failure shows. */
export function startEngine(options?: { readonly fsync?: boolean }): Promise<Engine>;
