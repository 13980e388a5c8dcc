/** The bodies of the calls on the control socket: JSON, or the format of messages between threads, for large arrays of numbers. */
import { deserialize, serialize } from 'node:v8';

const binaryType = 'application/octet-stream';

export interface CallBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: string | Buffer;
}

export const jsonBody = (value: unknown): CallBody => ({
  headers: { 'content-type': 'application/json' },
  bytes: JSON.stringify(value),
});

/** A value of anything that a message between threads can have. Both processes must run the same version of Node. */
export const binaryBody = (value: unknown): CallBody => ({
  headers: { 'content-type': binaryType },
  bytes: serialize(value),
});

/** The value of a body. Throws an Error if it is broken. Only for the bodies of operators, who can do more harm in other ways. */
export const decodeBody = (contentType: string | undefined, bytes: Buffer): unknown =>
  contentType === binaryType ? deserialize(bytes) : JSON.parse(bytes.toString());
