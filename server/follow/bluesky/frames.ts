/** The events of Jetstream (v1 wire): one JSON object a WebSocket message. */
import { fields, freeText, isFields, type Fields } from '../../formats/recognised.ts';
import { isDid, isRecordKey } from '../../domain/at-uri.ts';

interface EventBase {
  readonly did: string;
  /** When the server saw the event, in microseconds since the epoch: the cursor. */
  readonly time: number;
}

export interface CommitEvent extends EventBase {
  readonly kind: 'commit';
  readonly operation: 'create' | 'update' | 'delete';
  readonly collection: string;
  readonly rkey: string;
  /** Empty for a deletion. */
  readonly record: Fields;
}

export interface IdentityEvent extends EventBase {
  readonly kind: 'identity';
  /** As the host of the account states it; not verified. */
  readonly handle: string | undefined;
}

export interface AccountEvent extends EventBase {
  readonly kind: 'account';
  readonly active: boolean;
  readonly status: string | undefined;
}

export type StreamEvent = CommitEvent | IdentityEvent | AccountEvent;

/** Why a frame has no usable event. */
export type FrameFault = 'too large' | 'unreadable' | 'unknown event';

/** The server is requested to omit frames above this size, in bytes. */
export const maxFrameBytes = 65_536;

/** Reads a frame. Never throws. */
export function readFrame(frame: Buffer): StreamEvent | FrameFault {
  if (frame.length > maxFrameBytes) return 'too large';
  let value: unknown;
  try {
    value = JSON.parse(frame.toString());
  } catch {
    return 'unreadable';
  }
  return isFields(value) ? (eventOf(value) ?? 'unknown event') : 'unreadable';
}

function eventOf(value: Fields): StreamEvent | undefined {
  const { did, time_us: time, kind } = value;
  if (!isDid(did) || typeof time !== 'number' || !Number.isSafeInteger(time) || time <= 0) return undefined;
  if (kind === 'commit') return commitOf(fields(value.commit), did, time);
  if (kind === 'identity') return { kind, did, time, handle: freeText(fields(value.identity).handle) };
  const { active, status } = fields(value.account);
  if (kind !== 'account' || typeof active !== 'boolean') return undefined;
  return { kind, did, time, active, status: freeText(status) };
}

function commitOf(commit: Fields, did: string, time: number): CommitEvent | undefined {
  const { operation, collection, rkey, record } = commit;
  if (typeof collection !== 'string' || !isRecordKey(rkey)) return undefined;
  const base = { kind: 'commit', did, time, collection, rkey } as const;
  if (operation === 'delete') return { ...base, operation, record: {} };
  if ((operation !== 'create' && operation !== 'update') || !isFields(record)) return undefined;
  return { ...base, operation, record };
}
