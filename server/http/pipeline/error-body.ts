/** The headers and the body of every error response, also where Express has no response object. */

export interface ErrorResponse {
  /** The headers of every error response. */
  readonly headers: Readonly<Record<'Cache-Control' | 'Content-Length', string> & { 'Content-Type'?: string }>;
  /** The error in UTF-8. */
  readonly body: Buffer;
}

/** The error response with a body of a media type; without a body where the media type is undefined. */
export function errorResponseOf(mediaType: string | undefined, value: unknown): ErrorResponse {
  const isText = mediaType?.startsWith('text/') === true;
  const body = mediaType === undefined ? Buffer.alloc(0) : Buffer.from(isText ? String(value) : JSON.stringify(value));
  const charset = isText || mediaType === 'application/json' ? '; charset=utf-8' : '';
  return {
    headers: {
      ...(mediaType !== undefined && { 'Content-Type': `${mediaType}${charset}` }),
      'Cache-Control': 'no-store',
      'Content-Length': String(body.length),
    },
    body,
  };
}

/** The error response with this message, in the form of the service's own contract. */
export const errorResponse = (message: string): ErrorResponse =>
  errorResponseOf('application/json', { error: message });
