/** The position in the event log, and the user agent. */

/** The later one of two positions of the event log, `<epoch>.<number>`; the second one if the log was replaced. */
export function laterCursor(known: string | undefined, next: string | null | undefined): string | undefined {
  if (!next) return known;
  const [epoch, number] = next.split('.');
  const [knownEpoch, knownNumber] = String(known).split('.');
  return epoch === knownEpoch && Number(number) < Number(knownNumber) ? known : next;
}

/** The build replaces it with the version of the package. */
declare const CLIENT_VERSION: string | undefined;
/** The version of this package; `dev` before it is built. */
export const version: string = typeof CLIENT_VERSION === 'string' ? CLIENT_VERSION : 'dev';

/** The user agent; undefined in browsers and React Native, which send their own. */
export function userAgent(): string | undefined {
  const { navigator }: { readonly navigator?: { readonly userAgent?: string } } = globalThis;
  // Node 20 has no navigator. React Native has one without a user agent.
  const agent = navigator ? navigator.userAgent : 'Node.js';
  return !agent || agent.startsWith('Mozilla') ? undefined : `social-data-client/${version} ${agent}`;
}
