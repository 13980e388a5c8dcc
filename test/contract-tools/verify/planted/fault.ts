/** What a planted fault is, and how verify must report it. */
import type { Lie, UpstreamReply } from '../faulty-service.ts';

export interface PlantedFault {
  readonly lie: Lie;
  readonly operation: string;
  readonly check: string;
  /** The end of the place in the contract that the fault breaks. */
  readonly pointer: string | RegExp;
  /** What the output of the line for curl shows: head and body of the answer. */
  readonly shows: RegExp;
  /** For how long verify waits for an answer. */
  readonly timeoutMs?: number;
}

/** The key of the service in which faults are planted. */
export const key = 'sd_test0001_QmVhbnNUb21hdG9lc09uaW9ucw';
export const space = '/social/space/detail';
export const media = '/social/community/media';
export const members = '/social/community/members';
export const search = '/social/tweet/advanced_search';
export const pool = '/social/assistant/status';

/** Changes the answers to these targets. */
export const when = (applies: (target: string) => boolean, change: (reply: UpstreamReply) => UpstreamReply): Lie => ({
  answer: (reply, { target }) => (applies(target) ? change(reply) : reply),
});
/** Changes the body that is sent. */
export const bodyOfAsked = (change: (text: string) => string): Lie => ({
  ask: (received) => ({ ...received, body: Buffer.from(change(received.body.toString())) }),
});
