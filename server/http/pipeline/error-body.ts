/** The headers and the body of every error response, also where Express has no response object. */

export interface ErrorResponse {
  /** The headers of every error response. */
  readonly headers: Readonly<Record<'Content-Type' | 'Cache-Control' | 'Content-Length', string>>;
  /** The contract's Error as JSON in UTF-8. */
  readonly body: Buffer;
}

/** The error response with this message. */
export function errorResponse(message: string): ErrorResponse {
  const body = Buffer.from(JSON.stringify({ error: message }));
  const length = String(body.length);
  return {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Length': length,
    },
    body,
  };
}
