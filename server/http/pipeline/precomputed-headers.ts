/** The headers that every answer to the same origin has, made once by the steps that would make them for each request. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import type { CorsOrigins } from '../express/cors.ts';

type ConstantHead = (origin: string | undefined) => readonly string[];

/** What the steps set on an answer to a GET, as names and values in turn; with Vary, to which the encoding is added. */
function headBy(steps: readonly RequestHandler[], origin: string | undefined): readonly string[] {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  if (origin !== undefined) request.headers = { origin };
  // The types tell this method of requests only (Node documents it there); every outgoing message has it.
  const response = new ServerResponse(request) as ServerResponse & { getRawHeaderNames(): string[] };
  for (const step of steps)
    step(request as never, response as never, (error?: unknown) => {
      if (error !== undefined) throw error;
    });
  const vary = response.getHeader('vary');
  response.setHeader('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  return response.getRawHeaderNames().flatMap((name) => [name, String(response.getHeader(name))]);
}

/** Runs the steps for no origin and for each that they may tell apart. */
export function createPrecomputedHeaders(steps: readonly RequestHandler[], origins: CorsOrigins): ConstantHead {
  const usual = headBy(steps, undefined);
  if (typeof origins === 'string') return () => usual;
  const heads = new Map(origins.map((origin) => [origin, headBy(steps, origin)]));
  return (origin) => (origin === undefined ? usual : (heads.get(origin) ?? usual));
}
