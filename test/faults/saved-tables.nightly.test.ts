/** A process that dies while it saves the tables, or purges, leaves a data directory that starts with all that was acknowledged. */
import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Archive } from '../../server/platforms/archive/archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import type { Store } from '../../server/ports/storage.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { postgresStorage, testDatabaseUrl } from '../ports/postgres.ts';
import { dyingAt, moments } from '../support/crash-injection.ts';
import { temporaryFolder } from '../support/folder.ts';
import { random } from '../support/random.ts';
import { rounds } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const script = 'test/platforms/archive/fixtures/saving.ts';

/** A storage that outlives the processes. */
interface Place {
  /** About the number of operations on files that the script makes. */
  readonly operations: number;
  /** The arguments of the script behind the number. */
  readonly scriptArguments: readonly string[];
  open(directory: string): Promise<Store>;
  /** The part of a directory without removed texts as soon as a purge has ended. */
  purgedPart(directory: string): string;
  dispose(): Promise<void>;
}

const onDirectory = async (): Promise<Place> => ({
  ...{ operations: 70, scriptArguments: [], open: (directory) => openLowdbStore(directory) },
  purgedPart: (directory) => directory,
  dispose: async () => {},
});

async function onDatabase(): Promise<Place> {
  const storage = await postgresStorage();
  return {
    ...{ operations: 30, scriptArguments: [`${storage.url}?schema=${storage.schema}`] },
    open: (directory) => storage.open({ copies: { folder: directory, logs: ['archive'] } }),
    // The copy of the log follows a purge later, at the latest at the next start.
    purgedPart: (directory) => join(directory, 'tables'),
    dispose: () => storage.dispose(),
  };
}

const content = (archive: Archive): string[] =>
  Array.from(archive.changes(), (change) => JSON.stringify(change)).toSorted();

/** Opens a storage; returns what it holds, and the last record that it took from saved tables. */
async function opened(opening: Promise<Store>): Promise<{ held: string[]; words: number[]; restoredSeq: number }> {
  const store = await opening;
  try {
    const { archive, restoredSeq } = await openArchive(store);
    const ids = Array.from(archive.ordinals(), (ordinal) => Number(archive.id(ordinal))).sort((a, b) => a - b);
    const words = ids.filter((id) => archive.index.frequency(`word${id}`) === 1);
    return { held: content(archive), words, restoredSeq };
  } finally {
    await store.close();
  }
}

async function filesWith(directory: string, text: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found = await Promise.all(paths.map(async (path) => ((await readFile(path)).includes(text) ? [path] : [])));
  return found.flat();
}

/** Adds what the script has printed to what is acknowledged. Returns the tweets that it has purged. */
function readAcknowledged(stdout: string, acknowledged: Set<number>): number[] {
  const purged: number[] = [];
  for (const line of stdout.split('\n').filter((each) => each !== '')) {
    const number = Number(line.replace('purged ', ''));
    if (line.startsWith('purged')) purged.push(number);
    else if (number < 0) acknowledged.delete(-number);
    else for (let id = number - 19; id <= number; id++) acknowledged.add(id);
  }
  return purged;
}

const places = [
  { name: 'in a data directory', create: onDirectory },
  ...(testDatabaseUrl === undefined ? [] : [{ name: 'of an instance', create: onDatabase }]),
];

test.each(places)(
  'a kill at any operation on files $name loses nothing that was acknowledged, with or without saved tables',
  async ({ create }) => {
    const folder = await temporaryFolder();
    const place = await create();
    const data = join(folder.path, 'data');
    const draw = random(20_261_122);
    let [next, restores, kills] = [1, 0, 0];
    const acknowledged = new Set<number>();
    try {
      for (let round = 0; round < rounds(60, 7); round++) {
        const { code, stdout } = await run(
          script,
          [data, String(next), ...place.scriptArguments],
          dyingAt(1 + draw(place.operations), moments[draw(3)]!),
        );
        if (code !== 0) kills++;
        const purged = readAcknowledged(stdout, acknowledged);
        for (const id of purged) expect(await filesWith(place.purgedPart(data), `word${id} `)).toEqual([]);
        const copy = join(folder.path, 'copy');
        await cp(data, copy, { recursive: true });
        await rm(join(copy, 'tables'), { recursive: true, force: true });
        const replayed = await opened(place.open(copy));
        expect(replayed.restoredSeq).toBe(0);
        await rm(copy, { recursive: true });
        const restored = await opened(place.open(data));
        expect({ ...restored, restoredSeq: 0 }).toEqual(replayed);
        for (const id of purged) expect(await filesWith(data, `word${id} `)).toEqual([]);
        // A deletion that was not acknowledged may have been durable.
        expect([...acknowledged].filter((id) => !restored.words.includes(id)).length).toBeLessThanOrEqual(
          code === 0 ? 0 : 1,
        );
        for (const id of acknowledged) if (!restored.words.includes(id)) acknowledged.delete(id);
        if (restored.restoredSeq > 0) restores++;
        next += 100;
      }
      expect(kills).toBeGreaterThan(0);
      expect(restores).toBeGreaterThan(0);
    } finally {
      await place.dispose();
      await folder.dispose();
    }
  },
);
