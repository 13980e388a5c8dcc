/** What an error looks like when it leaves, whoever writes it: the app, or what stands before it and has no response of Express. */

export interface ErrorResponse {
  /** The headers that every error has. */
  readonly head: Readonly<Record<'Content-Type' | 'Cache-Control' | 'Content-Length', string>>;
  /** The contract's Error, in UTF-8 JSON. */
  readonly body: Buffer;
}

/** The answer that tells `message`. */
export function errorResponse(message: string): ErrorResponse {
  const body = Buffer.from(JSON.stringify({ error: message }));
  const length = String(body.length);
  return {
    head: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', 'Content-Length': length },
    body,
  };
}
