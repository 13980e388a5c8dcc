/** The edit loop: from the saved spec to its types, and to the errors that follow, beside the same by hand. */
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyProject, save, startLoop } from './edit-loop/loop.ts';
import { plotEditLoop } from './edit-loop/plot.ts';
import { markdownTable, median } from './table.ts';

/** Seconds from the save of the spec. */
export interface EditTimes {
  /** Until generated/types.ts follows from it. */
  readonly generated: number;
  /** Until it is known what no longer compiles of server and client. */
  readonly shown: number;
  /** Until it is known of the whole project, tests and scripts too. */
  readonly whole: number;
}

const contract = 'spec/openapi.yaml';
const types = 'generated/types.ts';
/** One field, by its two names in turn: each change breaks or mends the handlers that read it. */
const [name, otherName] = ['view_count', 'seen_count'] as const;

/** One way from the spec to the errors, in a copy of the project of its own. */
interface Way {
  /** Saves the text as the spec and waits for the errors; `breaks` says whether there are any. */
  run(text: string, breaks: boolean): Promise<EditTimes>;
  end(): Promise<void>;
}

async function warm(): Promise<Way> {
  const place = await copyProject('test');
  const loop = startLoop(place.path, ['--no-server']);
  await loop.until(/whole project checked.*\n/);
  return {
    async run(text, breaks) {
      const savedAt = Date.now();
      await save(place.path, contract, text);
      const report = await loop.until(/types checked.*\n/);
      const shown = Date.now() - savedAt;
      await loop.until(/whole project checked.*\n/);
      const whole = Date.now() - savedAt;
      if (report.includes('not compile') !== breaks)
        throw new Error(`the edit loop said otherwise than expected:\n${report}`);
      return {
        generated: ((await stat(join(place.path, types))).mtimeMs - savedAt) / 1000,
        shown: shown / 1000,
        whole: whole / 1000,
      };
    },
    async end() {
      await loop.end();
      await place.remove();
    },
  };
}

/** Runs programs of installed packages one after the other: those that generate, then those that check. */
async function byHand(generators: readonly string[][], checkers: readonly string[][]): Promise<Way> {
  const place = await copyProject('test');
  const run = (parameters: readonly string[]): Promise<boolean> =>
    promisify(execFile)(process.execPath, parameters, { cwd: place.path, maxBuffer: 64 << 20 }).then(
      () => true,
      () => false,
    );
  return {
    async run(text, breaks) {
      const savedAt = Date.now();
      await save(place.path, contract, text);
      for (const parameters of generators)
        if (!(await run(parameters))) throw new Error(`${parameters.join(' ')} failed`);
      const generated = Date.now() - savedAt;
      let compiles = true;
      for (const parameters of checkers) compiles = (await run(parameters)) && compiles;
      if (compiles === breaks) throw new Error(`${checkers.join(' ')} said otherwise than expected`);
      // The compiler says everything at its end.
      const shown = (Date.now() - savedAt) / 1000;
      return { generated: generated / 1000, shown, whole: shown };
    },
    end: () => place.remove(),
  };
}

const check = (compiler: string): string[][] => [
  [`node_modules/${compiler}/bin/tsc`, '-p', '.'],
  [`node_modules/${compiler}/bin/tsc`, '-p', 'client'],
];
const ways: Record<string, () => Promise<Way>> = {
  'npm run dev': warm,
  'npm run generate, npm run typecheck': () => byHand([['scripts/spec/generate.ts']], check('typescript-native')),
  'openapi-typescript, tsc 7': () =>
    byHand(
      [['node_modules/openapi-typescript/bin/cli.js', contract, '--export-type', '-o', types]],
      check('typescript-native'),
    ),
  'openapi-typescript, tsc 5.9': () =>
    byHand(
      [['node_modules/openapi-typescript/bin/cli.js', contract, '--export-type', '-o', types]],
      check('typescript'),
    ),
};

/** Measures and prints a table; `json`: a file for all the figures, `plot`: a folder for the picture. */
export async function benchEditLoop(
  rounds: number,
  { json, plot }: { readonly json?: string | undefined; readonly plot?: string | undefined },
): Promise<void> {
  const running = new Map<string, Way>();
  const results = new Map<string, EditTimes[]>();
  try {
    for (const [way, start] of Object.entries(ways)) running.set(way, await start());
    const original = await readFile(new URL(`../../${contract}`, import.meta.url), 'utf8');
    const renamed = original.replaceAll(name, otherName);
    // Round 0 warms up what can be warm, and counts for none.
    for (let round = 0; round <= rounds; round++) {
      console.error(round === 0 ? 'edit-loop: warming up' : `edit-loop: round ${round} of ${rounds}`);
      const breaks = round % 2 === 0;
      for (const [way, each] of [...running].toSorted(() => Math.random() - 0.5)) {
        const times = await each.run(breaks ? renamed : original, breaks);
        if (round > 0) results.set(way, [...(results.get(way) ?? []), times]);
      }
    }
  } finally {
    await Promise.all([...running.values()].map((way) => way.end()));
  }
  const rows = Object.keys(ways).map((way) => {
    const of = (figure: keyof EditTimes): number => median(results.get(way)!.map((times) => times[figure]));
    return { way, generated: of('generated'), shown: of('shown'), whole: of('whole') };
  });
  const [ours] = rows;
  console.log(`\nThe edit loop: a field of the spec renamed, seconds from the save; medians of ${rounds} rounds`);
  console.log(
    markdownTable(
      rows.map(({ way, generated, shown, whole }) => ({
        way,
        'types regenerated': generated.toFixed(2),
        'type errors shown': shown.toFixed(2),
        'whole project checked': whole.toFixed(2),
        'times as long': (shown / ours!.shown).toFixed(1),
      })),
    ),
  );
  if (json !== undefined) await writeFile(json, `${JSON.stringify(Object.fromEntries(results), null, 1)}\n`);
  if (plot !== undefined) await writeFile(join(plot, 'edit-loop.svg'), plotEditLoop(rows));
}
