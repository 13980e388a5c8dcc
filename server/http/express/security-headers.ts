/** Headers that narrow what a browser may do with an answer. */
import type { RequestHandler } from 'express';
import helmet from 'helmet';

type Sources = Record<string, string[]>;

/**
 * Without Strict-Transport-Security and upgrade-insecure-requests: the service itself speaks plain HTTP, and the proxy that
 * adds TLS knows best.
 */
const protect = (directives: Sources): RequestHandler =>
  helmet({ strictTransportSecurity: false, contentSecurityPolicy: { useDefaults: false, directives } });

/** For data: nothing may be loaded from it or around it. Without what means something for pages only: most answers are shorter than it. */
export const protectData = helmet({
  strictTransportSecurity: false,
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
});

const page: Sources = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
};

/** For our pages: only what this server itself serves, and requests to this server only. */
export const protectPages = protect(page);

/** For Swagger UI, which writes styles and small pictures into its page. */
export const protectSwagger = protect({
  ...page,
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
});
