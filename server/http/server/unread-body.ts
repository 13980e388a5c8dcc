/** What becomes of a connection when a request is answered before its body has been read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import { closeLingering } from './lingering-close.ts';

/** A rest of a body that is no longer than this is read and dropped, and the connection is kept, in bytes. */
const mostDropped = 16 * 1024;

/** Whether the head of a request announces a body. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Whether the caller waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1; HTTP/1.0 has no such
 * response).
 */
export const expectsContinue = ({ headers, httpVersion }: Pick<IncomingMessage, 'headers' | 'httpVersion'>): boolean =>
  httpVersion === '1.1' && /(?:^|,)\s*100-continue\s*(?:,|$)/i.test(headers.expect ?? '');

/**
 * Whether nobody knows that the body is short, or that it will be sent at all: the next request could not be told from
 * it.
 */
function isUnbounded(request: IncomingMessage): boolean {
  const { headers } = request;
  if (headers['transfer-encoding'] !== undefined || expectsContinue(request)) return true;
  return Number(headers['content-length']) > mostDropped;
}

/**
 * Closes the connection after the response when the body of the request has not been read by then, unless the body is
 * short. Without this Node would read the body to its end, however long it is. To be called before anything is done
 * for the request.
 */
export function closeOnUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  if (!hasBody(request) || !isUnbounded(request)) return;
  onHeaders(response, () => {
    if (request.complete) return;
    const { socket } = request;
    response.setHeader('Connection', response.hasHeader('Upgrade') ? 'close, Upgrade' : 'close');
    // Node calls this after a response that closes the connection; its own version closes the socket over unread bytes.
    socket.destroySoon = () => closeLingering(socket);
  });
}
