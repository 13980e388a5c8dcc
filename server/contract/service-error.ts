/** The errors that a caller can see. Everything else that is thrown becomes a 500 with a neutral message. */

export type ErrorStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 409
  | 410
  | 412
  | 413
  | 415
  | 426
  | 429
  | 500
  | 501
  | 502
  | 503
  | 504;

/** An error with a status of the contract and a message that is safe to send. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly status: ErrorStatus;
  /** Extra response headers, such as Allow or Retry-After (whole seconds, at least 1). */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export const badRequest = (message: string): ServiceError => new ServiceError(400, message);
export const notFound = (subject: string): ServiceError => new ServiceError(404, `${subject} not found`);
/** 403 for an API key without the required scope (RFC 6750 §3.1). `realm`: that of `Security`. */
export const forbidden = (scope: string, realm: string): ServiceError =>
  new ServiceError(403, `this API key lacks the scope '${scope}'`, {
    'WWW-Authenticate': `Bearer realm="${realm}", error="insufficient_scope", scope="${scope}"`,
  });
/** 412 for a request whose If-Match does not match (RFC 9110 §13.1.1). */
export const preconditionFailed = (): ServiceError =>
  new ServiceError(
    412,
    'If-Match does not match: send a GET with If-None-Match to find out whether the response has changed',
  );
/** 503; `seconds` is the delay before a retry makes sense, rounded up to at least 1. */
export const unavailable = (message: string, seconds: number): ServiceError =>
  new ServiceError(503, message, { 'Retry-After': String(Math.max(1, Math.ceil(seconds))) });
