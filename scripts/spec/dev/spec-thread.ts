/** The thread in which the spec is linted, derived from and compared, beside the one that watches. What it has loaded stays warm. */
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { SpecFiles } from '../../contract-tools/files/index.ts';
import type { Compared, Generated, SpecRequest } from './spec.ts';

const { root, lastGood } = workerData as { root: string; lastGood: SpecFiles | undefined };

/** Faults of the spec that are shown at once. */
const maxFaults = 4;

/** The files of the project that this thread runs, by path from the folder. */
const loaded = new Set<string>();
registerHooks({
  load(url, context, next) {
    const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
    if (file !== '' && !file.startsWith('..') && !file.includes('node_modules')) loaded.add(file);
    return next(url, context);
  },
});

// Imported only now, so that the hook sees what they load.
const { generate } = await import('../generate.ts');
const { faultReport, loadedSpec } = await import('../../contract-tools/files/index.ts');
const { lintSpec } = await import('../lint/lint.ts');
const { faultOf } = await import('../spec-error.ts');
const { revisionIn } = await import('../../contract-tools/diff/index.ts');
const { changeOf } = await import('./contract-change.ts');

let before = lastGood === undefined ? undefined : revisionIn('the last save', loadedSpec(lastGood));
let last: SpecFiles | undefined;

async function generated(): Promise<Generated> {
  const { faults, texts, contract } = await lintSpec(root);
  const sources = [...texts.keys()];
  if (faults.length > 0)
    return { faults: faults.length, report: faultReport(faults, texts, { most: maxFaults }), sources };
  last = contract;
  try {
    return { written: await generate(), contract, modules: [...loaded], sources };
  } catch (error) {
    // The spec is valid, but the generators cannot make what the service and its client need of it.
    return { faults: 1, report: faultReport([faultOf(error, loadedSpec(contract).place)], texts), sources };
  }
}

async function compared(): Promise<Compared> {
  if (last === undefined) throw new Error('nothing was generated yet');
  const after = revisionIn('the spec', loadedSpec(last));
  const change = await changeOf(before, after);
  before = after;
  return change;
}

parentPort!.on('message', (request: SpecRequest) => {
  const answer = request === 'generate' ? generated() : compared();
  answer.then(
    (value) => parentPort!.postMessage({ value }),
    (error: unknown) => parentPort!.postMessage({ error: (error as Error).stack ?? String(error) }),
  );
});
