/** Closes connections whose request body is unread at the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import { closeLingering } from './lingering-close.ts';

/** Maximum size in bytes of an unread body that Node reads and drops so that the connection stays open. */
const maxDroppedBytes = 16 * 1024;

/** Whether the headers of a request announce a body. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whether the caller waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1). HTTP/1.0 has no such
 * response.
 */
export const expectsContinue = ({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean =>
  httpVersion === '1.1' && /(?:^|,)\s*100-continue\s*(?:,|$)/i.test(headers.expect ?? '');

/** Whether the body may be long, or may never be sent: then the server cannot find the start of the next request. */
function isUnbounded(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || expectsContinue(request)) return true;
  return Number(headers['content-length']) > maxDroppedBytes;
}

/**
 * Closes the connection after the response if the body of the request is unread by then, unless the body is short.
 * Without this, Node would read the body to its end, whatever its length. Call it before any other work for the
 * request.
 */
export function closeOnUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request) || !isUnbounded(request)) return;
  onHeaders(response, () => {
    if (request.complete) return;
    const { socket } = request;
    response.setHeader('Connection', response.hasHeader('Upgrade') ? 'close, Upgrade' : 'close');
    // Node calls this method after a response that closes the connection. Its own implementation closes the socket
    // although bytes are unread.
    socket.destroySoon = () => closeLingering(socket);
  });
}
