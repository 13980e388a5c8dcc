/** What a page is made of, sent from memory; Express answers 304 while the caller has the same. */
import type { RequestHandler } from 'express';

export function content(type: string, text: string): RequestHandler {
  const body = Buffer.from(text);
  return (_request, response) => void response.set('Cache-Control', 'no-cache').type(type).send(body);
}
