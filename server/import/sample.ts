/** The bundled sample: what an empty archive is filled with, so that a newcomer has something to look at. */
import { importInput } from './import.ts';
import { openInputs } from './input.ts';
import type { ImportSink } from './sink.ts';

const file = new URL('../../generated/sample.jsonl.gz', import.meta.url).pathname;

/** Takes the sample in. */
export async function seedSample(sink: ImportSink): Promise<void> {
  for (const input of await openInputs(file)) await importInput(input, sink);
}
