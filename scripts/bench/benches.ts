/** The benchmarks by name. */
import { benchArchive } from './archive.ts';
import { benchAssistant } from './assistant.ts';
import { benchBackground } from './background.ts';
import type { Command } from './cli-options.ts';
import { benchClient } from './client.ts';
import { benchCluster } from './cluster.ts';
import { benchDelete } from './delete.ts';
import { benchEditLoop } from './edit-loop.ts';
import { benchFollow } from './follow.ts';
import { benchNetwork } from './follow/network.ts';
import { benchHttp } from './http.ts';
import { benchMatcher } from './matcher.ts';
import { benchPages } from './pages.ts';
import type { Outcome } from './report/result.ts';
import { benchSearch } from './search.ts';
import { benchSoak } from './soak.ts';
import { benchStream } from './stream.ts';

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
  archive: { run: (command) => benchArchive(command.numbers('tweets')), runs: 3, limitMinutes: 15 },
  delete: {
    run: (command) => benchDelete(command.numbers('tweets'), command.number('rounds')),
    ...{ runs: 1, limitMinutes: 45 },
  },
  background: {
    run: (command) =>
      benchBackground({
        tweets: command.numbers('tweets')[0] ?? 0,
        rounds: command.number('rounds'),
        seconds: 3 * command.number('seconds'),
      }),
    ...{ runs: 1, limitMinutes: 30 },
  },
  search: {
    run: (command) =>
      benchSearch({
        ...{ sizes: command.numbers('tweets'), engines: command.engines, plot: command.values.plot },
        queriesOfEachKind: command.number('queries'),
      }),
    ...{ runs: 1, limitMinutes: 60 },
  },
  matcher: {
    run: (command) =>
      benchMatcher({
        tweets: Math.min(...command.numbers('tweets'), 50_000),
        queries: command.values.quick ? [100] : [10_000, 100_000],
        rounds: command.number('rounds'),
      }),
    ...{ runs: 1, limitMinutes: 10 },
  },
  http: {
    run: (command) =>
      benchHttp(
        {
          rounds: command.number('rounds'),
          seconds: command.number('seconds'),
          connections: command.number('connections'),
          platform: command.values.platform === 'postgres' ? 'postgres' : 'archive',
        },
        command.values.plot,
      ),
    ...{ runs: 1, limitMinutes: 30 },
  },
  stream: {
    run: (command) =>
      benchStream(
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
    run: (command) =>
      command.values.hours === undefined
        ? benchFollow(command.number('events'), command.number('rounds'))
        : benchNetwork(command.number('hours'), 500 / command.number('compression'), command.values.plot),
    ...{ runs: 1, limitMinutes: 30 },
  },
  assistant: {
    run: (command) => benchAssistant({ rounds: command.number('rounds'), calls: command.number('calls') }),
    ...{ runs: 1, limitMinutes: 15 },
  },
  client: {
    run: (command) =>
      benchClient({ rounds: command.number('rounds'), calls: command.number('requests'), concurrencies: [1, 16] }),
    ...{ runs: 1, limitMinutes: 20 },
  },
  pages: { run: (command) => benchPages(command.number('rounds')), runs: 1, limitMinutes: 20 },
  'edit-loop': {
    run: (command) => benchEditLoop(command.number('rounds'), command.values.plot),
    ...{ runs: 1, limitMinutes: 20 },
  },
  cluster: {
    run: (command) =>
      benchCluster({
        ...{ tweets: command.number('tweets'), rounds: command.number('rounds'), seconds: command.number('seconds') },
        ...{ connections: command.number('connections'), revocations: command.number('revocations') },
      }),
    ...{ runs: 3, limitMinutes: 15, isNamedOnly: true },
  },
  soak: {
    run: (command) => {
      const [minutes, rate, tweets] = [
        command.number('minutes'),
        command.number('rate'),
        command.values.quick ? 5_000 : 20_000,
      ];
      return benchSoak(
        { minutes, rate, listeners: command.values.quick ? 2 : 20, tweets, followed: 20 },
        command.values.plot,
      );
    },
    ...{ runs: 1, limitMinutes: 75, isNamedOnly: true },
  },
};
