/** The bundled sample: what an empty archive is filled with, so that a newcomer has something to look at. */
import { fileURLToPath } from 'node:url';
import { importInput } from './import.ts';
import { openInputs } from './input.ts';
import type { ImportSink } from './sink.ts';

const file = fileURLToPath(new URL('../../generated/sample.jsonl.gz', import.meta.url));

/** Takes the sample in. Throws where its file is damaged. */
export async function seedSample(sink: ImportSink): Promise<void> {
  for (const input of await openInputs(file)) {
    const { fault } = await importInput(input, sink);
    if (fault !== undefined) throw new Error(`${file}: ${fault}`);
  }
}
