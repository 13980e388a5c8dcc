/** The edit-loop benchmark: from a saved spec to its types and type errors, compared with separate commands. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyProject, save, startLoop } from './edit-loop/loop.ts';
import { plotEditLoop } from './edit-loop/plot.ts';
import { ourselves, type Outcome } from './report/result.ts';
import { markdownTable, median } from './table.ts';

/** Seconds since the save of the spec. */
export interface EditTimes {
  /** Until generated/types.ts is written. */
  readonly generated: number;
  /** Until the type errors of server and client are reported. */
  readonly shown: number;
  /** Until the type errors of the whole project are reported, including tests and scripts. */
  readonly whole: number;
}

const contract = 'spec/openapi.yaml';
const types = 'generated/types.ts';
/** The benchmark renames this field and renames it back, so the handlers that read it fail to compile in every second round. */
const [fieldName, newFieldName] = ['view_count', 'seen_count'] as const;

/** One method of regeneration and type check, with its own copy of the project. */
interface Method {
  /** Saves the text as the spec and waits for the type check. `expectErrors`: whether type errors are expected; throws otherwise. */
  run(text: string, expectErrors: boolean): Promise<EditTimes>;
  end(): Promise<void>;
}

async function watchMode(): Promise<Method> {
  const project = await copyProject('test');
  const loop = startLoop(project.path, ['--no-server']);
  await loop.until(/whole project checked.*\n/);
  return {
    async run(text, expectErrors) {
      const savedAt = Date.now();
      await save(project.path, contract, text);
      const report = await loop.until(/types checked.*\n/);
      const shown = Date.now() - savedAt;
      await loop.until(/whole project checked.*\n/);
      const whole = Date.now() - savedAt;
      if (report.includes('type error') !== expectErrors)
        throw new Error(`unexpected result of the type check:\n${report}`);
      return {
        generated: ((await stat(join(project.path, types))).mtimeMs - savedAt) / 1000,
        shown: shown / 1000,
        whole: whole / 1000,
      };
    },
    async end() {
      await loop.end();
      await project.remove();
    },
  };
}

/** Writes the types without this project's generator, and with the names of the schemas, which the code imports. */
export const peerGenerator = [
  'node_modules/openapi-typescript/bin/cli.js',
  contract,
  '--export-type',
  '--root-types',
  '--root-types-no-schema-prefix',
  '--root-types-keep-casing',
  '-o',
  types,
];

/** What `npm run typecheck` runs. TypeScript 5.9, which takes half a minute for a check, is no longer compared. */
const compiler = 'node_modules/typescript-native/bin/tsc';
const checkers = [
  [compiler, '--incremental', '--tsBuildInfoFile', 'dist/typecheck.tsbuildinfo'],
  [compiler, '-p', 'client'],
];

/** Runs the generators and then the type checkers, one after the other. */
async function commands(generators: readonly string[][]): Promise<Method> {
  const project = await copyProject('test');
  const run = (parameters: readonly string[]): Promise<boolean> =>
    promisify(execFile)(process.execPath, parameters, { cwd: project.path, maxBuffer: 64 << 20 }).then(
      () => true,
      () => false,
    );
  return {
    async run(text, expectErrors) {
      const savedAt = Date.now();
      await save(project.path, contract, text);
      for (const parameters of generators)
        if (!(await run(parameters))) throw new Error(`${parameters.join(' ')} failed`);
      const generated = Date.now() - savedAt;
      let compiles = true;
      for (const parameters of checkers) compiles = (await run(parameters)) && compiles;
      if (compiles === expectErrors) throw new Error(`unexpected result of ${checkers.join(' ')}`);
      // The compiler reports all errors when it exits.
      const shown = (Date.now() - savedAt) / 1000;
      return { generated: generated / 1000, shown, whole: shown };
    },
    end: () => project.remove(),
  };
}

const methods: Record<string, () => Promise<Method>> = {
  'npm run dev': watchMode,
  'npm run generate, npm run typecheck': () => commands([['scripts/spec/generate.ts']]),
  'openapi-typescript, tsc 7': () => commands([peerGenerator]),
};

/** The times in the results, and what they are called. */
const timeNames: Record<keyof EditTimes, string> = {
  generated: 'types regenerated',
  shown: 'type errors shown',
  whole: 'whole project checked',
};

function outcomeOf(results: ReadonlyMap<string, readonly EditTimes[]>): Outcome {
  const [ours] = Object.keys(methods);
  const rows = Array.from(results).flatMap(([method, times]) =>
    (Object.keys(timeNames) as (keyof EditTimes)[]).map((time) => ({
      metric: timeNames[time],
      subject: method === ours ? ourselves : method,
      ...{ unit: 's', better: 'lower' as const, values: times.map((each) => each[time]) },
    })),
  );
  return { rows, details: Object.fromEntries(results) };
}

/** Measures and prints a table. Writes a plot into the folder `plot`. */
export async function benchEditLoop(rounds: number, plot?: string): Promise<Outcome> {
  const running = new Map<string, Method>();
  const results = new Map<string, EditTimes[]>();
  try {
    for (const [name, start] of Object.entries(methods)) running.set(name, await start());
    const original = await readFile(new URL(`../../${contract}`, import.meta.url), 'utf8');
    const renamed = original.replaceAll(fieldName, newFieldName);
    // Round 0 is the warm-up; its results are discarded.
    for (let round = 0; round <= rounds; round++) {
      console.error(round === 0 ? 'edit-loop: warming up' : `edit-loop: round ${round} of ${rounds}`);
      const expectErrors = round % 2 === 0;
      for (const [name, method] of [...running].toSorted(() => Math.random() - 0.5)) {
        const times = await method.run(expectErrors ? renamed : original, expectErrors);
        if (round > 0) results.set(name, [...(results.get(name) ?? []), times]);
      }
    }
  } finally {
    await Promise.all([...running.values()].map((method) => method.end()));
  }
  const rows = Object.keys(methods).map((method) => {
    const of = (figure: keyof EditTimes): number => median(results.get(method)!.map((times) => times[figure]));
    return { way: method, generated: of('generated'), shown: of('shown'), whole: of('whole') };
  });
  const [ours] = rows;
  console.log(`\nEdit loop: rename of a field of the spec; seconds since the save, medians of ${rounds} rounds`);
  console.log(
    markdownTable(
      rows.map(({ way, generated, shown, whole }) => ({
        command: way,
        'types regenerated': generated.toFixed(2),
        'type errors shown': shown.toFixed(2),
        'whole project checked': whole.toFixed(2),
        ratio: (shown / ours!.shown).toFixed(1),
      })),
    ),
  );
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'edit-loop.svg'), plotEditLoop(rows));
  }
  return outcomeOf(results);
}
