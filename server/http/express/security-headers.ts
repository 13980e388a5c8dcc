/** Security headers, which restrict the use of a response in a browser. */
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { themeSource } from './theme-script.ts';

type Sources = Record<string, string[]>;

/**
 * Sets no Strict-Transport-Security and no upgrade-insecure-requests: the service speaks plain HTTP, and the proxy that
 * adds TLS decides about these.
 */
const protect = (directives: Sources): RequestHandler =>
  helmet({ strictTransportSecurity: false, contentSecurityPolicy: { useDefaults: false, directives } });

/**
 * For data: a browser may load nothing from it and may not frame it. Headers that only concern pages are omitted,
 * because most responses are shorter than these headers.
 */
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

const pageDirectives: Sources = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'"],
  scriptSrc: ["'self'", themeSource],
  styleSrc: ["'self'"],
};

/** For the pages of this server: they may load resources from this server only, and send requests to it only. */
export const protectPages = protect(pageDirectives);

/**
 * For the pages that show tweets: with the consent of the reader, they load pictures and videos from the hosts that the tweets
 * name. Anything else comes from this server.
 */
export const protectApps = protect({
  ...pageDirectives,
  imgSrc: ["'self'", 'data:', 'https:'],
  mediaSrc: ["'self'", 'https:'],
});

/** For Swagger UI, which adds inline styles and data URLs of small images to its page. */
export const protectSwagger = protect({
  ...pageDirectives,
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
});
