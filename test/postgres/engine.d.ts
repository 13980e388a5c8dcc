/** A PostgreSQL that only one test uses. */
export interface Engine {
  /** The database of a role that is no superuser. */
  readonly url: string;
  /** The process id of the server. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** Ends all its processes at once, as a crash does. */
  kill(): Promise<void>;
  /** Starts a synchronous standby from a base backup. From then on, a commit waits until the standby has it. */
  createStandby(): Promise<Engine>;
  /** Makes a standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Runs statements as the superuser. */
  administrate(...statements: string[]): Promise<void>;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/** Starts an engine on a free port. Installs its package at the first call. `fsync`: off by default, which only a power failure shows. `settings`: those of PostgreSQL by name. */
export function startEngine(options?: {
  readonly fsync?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<Engine>;
