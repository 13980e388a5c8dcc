/** The benchmarks by name. Each is loaded when it runs: all of them load a browser and the service. */
import type { Command } from './cli-options.ts';
import type { Outcome } from './report/result.ts';

export interface Bench {
  run(command: Command): Promise<Outcome>;
  /** How often `--all` runs it: a benchmark without rounds of its own needs several runs to know its spread. */
  readonly runs: number;
  /** After so many minutes, `--all` ends a run. */
  readonly limitMinutes: number;
  /** Whether it runs only when it is named, and with `--all`. */
  readonly isNamedOnly?: true;
}

export const benches: Readonly<Record<string, Bench>> = {
  archive: {
    run: async (command) =>
      command.values.platform === 'postgres'
        ? (await import('./archive-tables.ts')).benchTables({
            ...{ sizes: command.numbers('tweets'), rounds: command.number('rounds') },
            queriesOfEachKind: command.number('queries'),
          })
        : (await import('./archive.ts')).benchArchive(command.numbers('tweets')),
    ...{ runs: 3, limitMinutes: 15 },
  },
  delete: {
    run: async (command) =>
      (await import('./delete.ts')).benchDelete(command.numbers('tweets'), command.number('rounds')),
    ...{ runs: 1, limitMinutes: 45 },
  },
  background: {
    run: async (command) =>
      (await import('./background.ts')).benchBackground({
        tweets: command.numbers('tweets')[0] ?? 0,
        rounds: command.number('rounds'),
        seconds: 4 * command.number('seconds'),
      }),
    ...{ runs: 1, limitMinutes: 30 },
  },
  search: {
    run: async (command) =>
      (await import('./search.ts')).benchSearch({
        ...{ sizes: command.numbers('tweets'), engines: command.engines, plot: command.values.plot },
        queriesOfEachKind: command.number('queries'),
      }),
    ...{ runs: 1, limitMinutes: 60 },
  },
  matcher: {
    run: async (command) =>
      (await import('./matcher.ts')).benchMatcher({
        tweets: Math.min(...command.numbers('tweets'), 50_000),
        queries: command.values.quick ? [100] : [10_000, 100_000],
        rounds: command.number('rounds'),
      }),
    ...{ runs: 1, limitMinutes: 10 },
  },
  http: {
    run: async (command) =>
      (await import('./http.ts')).benchHttp(
        {
          rounds: command.number('rounds'),
          seconds: command.number('seconds'),
          connections: command.number('connections'),
          platform: command.values.platform === 'postgres' ? 'postgres' : 'sqlite',
        },
        command.values.plot,
      ),
    ...{ runs: 1, limitMinutes: 30 },
  },
  stream: {
    run: async (command) =>
      (await import('./stream.ts')).benchStream(
        {
          ...{ listeners: command.number('listeners'), seconds: command.number('seconds') },
          ...{ rounds: command.number('rounds'), replayed: command.number('replayed') },
          ...(command.values.quick ? { replaying: 5, events: 50 } : { replaying: 100 }),
        },
        command.values.plot,
      ),
    ...{ runs: 1, limitMinutes: 30 },
  },
  follow: {
    run: async (command) =>
      command.values.hours === undefined
        ? (await import('./follow.ts')).benchFollow(command.number('events'), command.number('rounds'))
        : (await import('./follow/network.ts')).benchNetwork(
            command.number('hours'),
            500 / command.number('compression'),
            command.values.plot,
          ),
    ...{ runs: 1, limitMinutes: 30 },
  },
  assistant: {
    run: async (command) =>
      (await import('./assistant.ts')).benchAssistant({
        rounds: command.number('rounds'),
        calls: command.number('calls'),
      }),
    ...{ runs: 1, limitMinutes: 15 },
  },
  client: {
    run: async (command) =>
      (await import('./client.ts')).benchClient({
        rounds: command.number('rounds'),
        calls: command.number('requests'),
        concurrencies: [1, 16],
      }),
    ...{ runs: 1, limitMinutes: 20 },
  },
  pages: {
    run: async (command) => (await import('./pages.ts')).benchPages(command.number('rounds')),
    runs: 1,
    limitMinutes: 20,
  },
  'edit-loop': {
    run: async (command) =>
      (await import('./edit-loop.ts')).benchEditLoop(command.number('rounds'), command.values.plot),
    ...{ runs: 1, limitMinutes: 20 },
  },
  cluster: {
    run: async (command) =>
      (await import('./cluster.ts')).benchCluster({
        ...{ tweets: command.number('tweets'), rounds: command.number('rounds'), seconds: command.number('seconds') },
        ...{ connections: command.number('connections'), revocations: command.number('revocations') },
      }),
    ...{ runs: 3, limitMinutes: 15, isNamedOnly: true },
  },
  soak: {
    run: async (command) => {
      const [minutes, rate, tweets] = [
        command.number('minutes'),
        command.number('rate'),
        command.values.quick ? 5_000 : 20_000,
      ];
      return (await import('./soak.ts')).benchSoak(
        { minutes, rate, listeners: command.values.quick ? 2 : 20, tweets, followed: 20 },
        command.values.plot,
      );
    },
    ...{ runs: 1, limitMinutes: 75, isNamedOnly: true },
  },
};
