/** A PostgreSQL that only one test uses. */
export interface Engine {
  /** The database of a role that is no superuser. */
  readonly url: string;
  /** The process id of the server. */
  readonly pid: number | undefined;
  start(): Promise<void>;
  /** Ends all its processes at once, as a crash does. */
  kill(): Promise<void>;
  /** The folder of its Unix socket. */
  readonly folder: string;
  readonly port: number;
  /** Starts a standby from a base backup. From then on, a commit waits until a synchronous one has it, as by default. */
  createStandby(options?: { readonly name?: string; readonly isSynchronous?: boolean }): Promise<Engine>;
  /** Makes a standby the primary. Resolves when it accepts writes. */
  promote(): Promise<void>;
  /** Runs statements as the superuser. */
  administrate(...statements: string[]): Promise<void>;
  /** The rows of a statement of the superuser in the database of the tests. */
  query<Row extends object>(statement: string): Promise<readonly Row[]>;
  /** Ends it, and removes its files. */
  stop(): Promise<void>;
}

/** Starts an engine on a free port. Installs its package at the first call. `fsync`: off by default, which only a power failure shows. `settings`: those of PostgreSQL by name. */
export function startEngine(options?: {
  readonly fsync?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}): Promise<Engine>;
