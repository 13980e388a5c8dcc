/** A thread that copies segments of the content of a database file into tables of PostgreSQL. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Segment } from '../archive/upkeep/contents.ts';
import { messageOf } from '../text/error-text.ts';
import { openSegmentCopy, type SegmentCopySettings } from './segment-copy.ts';

/** The number of copied changes, or why a segment could not be copied. */
export type SegmentAnswer = { readonly changes: number } | { readonly failure: string };

const port = parentPort;
if (port === null) throw new Error('this module runs in a thread');
const copy = openSegmentCopy(workerData as SegmentCopySettings);

async function answer(segment: Segment): Promise<SegmentAnswer> {
  try {
    return { changes: await copy.copy(segment) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

// Undefined: there are no more segments.
port.on('message', (segment: Segment | undefined) => {
  if (segment !== undefined) void answer(segment).then((message) => port.postMessage(message));
  else void copy.close().then(() => port.close());
});
