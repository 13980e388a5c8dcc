/** The benchmarks by name. Each is loaded when it runs, because they load the service. */
import type { Command } from './options.ts';
import type { Outcome } from './result.ts';

export interface Bench {
  /** What it measures, for the usage. */
  readonly text: string;
  /** `--all` ends it after so many minutes. */
  readonly limitMinutes: number;
  /** Whether it runs only when it is named, and with `--all`. */
  readonly isNamedOnly?: true;
  run(command: Command): Promise<Outcome>;
}

export const benches: Readonly<Record<string, Bench>> = {
  http: {
    text: 'pages and small responses, compared with bare node:http and other frameworks',
    limitMinutes: 30,
    run: async (command) => (await import('./http.ts')).benchHttp(command),
  },
  stream: {
    text: 'events to many listeners, compared with a bare ws loop',
    limitMinutes: 30,
    run: async (command) => (await import('./stream.ts')).benchStream(command),
  },
  search: {
    text: 'mixed queries, compared with a linear scan and search libraries',
    limitMinutes: 60,
    run: async (command) => (await import('./search.ts')).benchSearch(command),
  },
  archive: {
    text: 'import, start, memory, disk, searches and durable writes',
    limitMinutes: 60,
    run: async (command) => (await import('./archive.ts')).benchArchive(command),
  },
  assistant: {
    text: 'answers of the local assistant: p50, p95 and CPU',
    limitMinutes: 20,
    run: async (command) => (await import('./assistant.ts')).benchAssistant(command),
  },
  background: {
    text: 'requests beside a backup, an import, deletions and searches by engagement',
    limitMinutes: 45,
    run: async (command) => (await import('./background.ts')).benchBackground(command),
  },
  client: {
    text: 'the client package, compared with fetch, openapi-fetch and two SDKs',
    limitMinutes: 20,
    run: async (command) => (await import('./client.ts')).benchClient(command),
  },
  soak: {
    text: 'mixed load for minutes: no errors and constant memory; only when it is named, and with --all',
    limitMinutes: 75,
    isNamedOnly: true,
    run: async (command) => (await import('./soak.ts')).benchSoak(command),
  },
};
