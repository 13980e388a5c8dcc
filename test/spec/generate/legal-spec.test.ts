// Not in `npm run test:fast`: it derives everything from many documents.
/**
 * Whatever legal OpenAPI 3.1 the contract becomes, every command works with it or says in a line where it cannot: never by an error
 * that the code did not foresee.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { inTurn } from '../../support/rounds.ts';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { compareContracts } from '../../../scripts/contract-tools/diff/contract.ts';
import { parseRevision } from '../../../scripts/contract-tools/diff/document.ts';
import { bundleOf } from '../../../scripts/contract-tools/files/bundle.ts';
import { checkVersion } from '../../../scripts/contract-tools/diff/version.ts';
import type { Document } from '../../../scripts/spec/contract-document.ts';
import { deriveFrom } from '../../../scripts/spec/generate.ts';
import { lintSpec } from '../../../scripts/spec/lint/lint.ts';
import { createMock, mockKeys } from '../../../scripts/testing/mock/app.ts';
import { readSpec, serving, SpecFault } from '../../../scripts/testing/mock/spec.ts';
import { operationsOf } from '../../../scripts/spec/scaffold/operation.ts';
import { faultOf, SpecError } from '../../../scripts/spec/spec-error.ts';
import { yamlValue } from '../../../scripts/contract-tools/files/yaml.ts';
import { ContractError, readContract } from '../../../scripts/contract-tools/verify/contract.ts';
import { Metrics } from '../../../server/http/pipeline/request-metrics.ts';
import { mutations, type Pick } from './mutations.ts';

const spec = new URL('../../../spec/', import.meta.url);
const contract = 'spec/openapi.yaml';
let folder: string;
let sources: Record<'openapi' | 'asyncapi' | 'archive', string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'legal-'));
  await cp(spec, join(folder, 'spec'), { recursive: true });
  const read = (name: string): Promise<string> => readFile(new URL(`${name}.yaml`, spec), 'utf8');
  sources = { openapi: await read('openapi'), asyncapi: await read('asyncapi'), archive: await read('archive') };
});
afterAll(() => rm(folder, { recursive: true }));

/** What went wrong in a way that the code does not foresee; undefined where it worked, or said what it cannot work with. */
async function surprise(work: () => unknown, isForeseen: (error: Error) => boolean): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof Error && isForeseen(error) ? undefined : ((error as Error).stack ?? String(error));
  }
}
const structural = ['struct', 'no-unresolved-refs', 'spec-ref-siblings'];
/** A line that names a place in the file. */
const namesPlace = (text: string): boolean => /openapi\.yaml:\d+:\d+/.test(text);

/** Everything that the commands do with a contract; the surprises, by command. */
async function surprises(text: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const attempt = async (
    command: string,
    work: () => unknown,
    isForeseen: (error: Error) => boolean,
  ): Promise<void> => {
    const wrong = await surprise(work, isForeseen);
    if (wrong !== undefined) found[command] = wrong;
  };
  const file = join(folder, contract);
  await writeFile(file, text);
  let isSound = false;
  await attempt(
    'lint',
    async () => {
      const { faults } = await lintSpec(folder);
      isSound = faults.every(({ rule }) => !structural.includes(rule));
      for (const fault of faults)
        expect(fault).toMatchObject({
          file: expect.stringMatching(/^spec\//),
          line: expect.any(Number),
          message: expect.not.stringMatching(/\n\s+at /),
        });
    },
    () => false,
  );
  const document = yamlValue(text) as Document;
  // The commands stop at any fault; here only faults of the form do, so that they hide fewer of the other changes.
  if (isSound) {
    await attempt(
      'generate',
      () => deriveFrom({ ...sources, openapi: text }),
      (error) => {
        if (!(error instanceof SpecError)) return false;
        const { line, message } = faultOf(
          error,
          bundleOf({ entry: contract, texts: new Map([[contract, text]]) }).place,
        );
        return line > 1 && !message.includes('\n');
      },
    );
    await attempt(
      'scaffold',
      () => operationsOf(document),
      (error) => error instanceof SpecError,
    );
  }
  await attempt(
    'mock',
    async () => {
      const options = {
        items: undefined,
        seed: 1,
        delayMs: 0,
        rateLimit: 'off',
        corsOrigins: '*',
        keys: mockKeys([]),
        logger: pino({ level: 'silent' }),
        metrics: new Metrics(),
        eventCursor: () => 'mock.0',
      } as const;
      const spec = await readSpec(file);
      await serving(spec, () => createMock(spec, options));
    },
    (error) => error instanceof SpecFault && namesPlace(error.message),
  );
  await attempt(
    'spec:diff',
    () => {
      const [before, after] = [parseRevision(contract, sources.openapi), parseRevision(contract, text)];
      checkVersion(before, after, compareContracts(before, after));
      checkVersion(after, before, compareContracts(after, before));
    },
    ({ message }) => namesPlace(message),
  );
  await attempt(
    'verify',
    () => readContract(document),
    (error) => error instanceof ContractError,
  );
  return found;
}

function mutated(names: readonly string[], choices: Iterator<number>): string {
  const document = yamlValue(sources.openapi) as Record<string, unknown>;
  const pick: Pick = (items) => items[(choices.next().value as number) % items.length]!;
  for (const name of names) mutations[name]!(document, pick);
  return stringify(document, { aliasDuplicateObjects: false });
}
const endless = function* (seed: number): Generator<number, never> {
  for (let value = seed; ; value = (value * 48_271 + 11) % 2_147_483_647) yield value;
};

/**
 * Each mutation once, in groups in a random order; each alone with SPEC_MUTATIONS=each. One of the groups, all of them in a full run
 * and where a variable asks for them.
 */
const groupSize = process.env.SPEC_MUTATIONS === 'each' ? 1 : 6;
const rounds = Number(process.env.SPEC_ROUNDS ?? 1);
const groups = fc
  .sample(fc.shuffledSubarray(Object.keys(mutations), { minLength: Object.keys(mutations).length }), {
    numRuns: rounds,
    seed: 15,
  })
  .flatMap((names) =>
    Array.from({ length: Math.ceil(names.length / groupSize) }, (_, index) =>
      names.slice(index * groupSize, (index + 1) * groupSize),
    ),
  );
const cases = groups.map((names, index) => [names.join(', '), names, index + 1] as const);
const isAsked = process.env.SPEC_MUTATIONS !== undefined || process.env.SPEC_ROUNDS !== undefined;
test.each(isAsked ? cases : inTurn(cases, 1))('%s', async (_title, names, seed) => {
  expect(await surprises(mutated(names, endless(seed)))).toEqual({});
});
