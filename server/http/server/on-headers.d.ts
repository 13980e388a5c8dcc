/** The package ships no types. */
declare module 'on-headers' {
  import type { ServerResponse } from 'node:http';

  /** Calls the listener once, right before the head of the response is written; what it sets is still sent. */
  export default function onHeaders(response: ServerResponse, listener: () => void): void;
}
