/** Types of the package on-headers, which ships none. */
declare module 'on-headers' {
  import type { ServerResponse } from 'node:http';

  /**
   * Calls the listener once, immediately before the headers of the response are written; headers that it sets are still
   * sent.
   */
  export default function onHeaders(response: ServerResponse, listener: () => void): void;
}
