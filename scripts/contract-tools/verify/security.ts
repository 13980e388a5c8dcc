/** Where the calls of an operation have their credentials, by the security schemes of the contract. */
import { securitySchemes } from '../../../server/contract/security-schemes.ts';
import { isObject } from '../../../server/contract/values.ts';
import { escapeKey } from '../files/pointer.ts';

/** A location of the credentials in a request. */
export interface KeyLocation {
  readonly in: 'header' | 'query' | 'cookie';
  readonly name: string;
  readonly prefix: string;
  /** Whether the credentials are sent as HTTP Basic: `name:password`, in base64. */
  readonly basic?: true;
}

/** A security scheme that these tools do not support. */
export interface UnsupportedScheme {
  readonly pointer: string;
  readonly message: string;
}

/** The credentials that an operation accepts. */
export interface Security {
  /** The alternatives; empty where calls need no credentials. */
  readonly locations: readonly KeyLocation[];
  readonly isOptional: boolean;
}

const bearer: KeyLocation = { in: 'header', name: 'authorization', prefix: 'Bearer ' };

/** The location of the credentials of a scheme; undefined for a scheme that these tools do not support. */
function locationOf(scheme: unknown): KeyLocation | undefined {
  if (!isObject(scheme)) return undefined;
  const { type, in: place, name } = scheme;
  if (type === 'oauth2' || type === 'openIdConnect') return bearer;
  if (type === 'http') {
    const kind = String(scheme.scheme).toLowerCase();
    if (kind === 'bearer') return bearer;
    if (kind === 'basic') return { in: 'header', name: 'authorization', prefix: 'Basic ', basic: true };
  }
  if (type === 'apiKey' && (place === 'header' || place === 'query' || place === 'cookie'))
    return { in: place, name: String(name), prefix: '' };
  return undefined;
}

/**
 * The credentials by `security` of an operation or of the document. An alternative with several schemes, or with a scheme that
 * is not supported, is left out; where no alternative remains, the result says why.
 */
export function securityOf(document: object, security: unknown): Security | UnsupportedScheme {
  const requirements = Array.isArray(security) ? security.filter(isObject) : [];
  const schemes = securitySchemes(document);
  const locations: KeyLocation[] = [];
  let unsupported: UnsupportedScheme | undefined;
  let isOptional = requirements.length === 0;
  for (const requirement of requirements) {
    const [name, ...others] = Object.keys(requirement);
    if (name === undefined) {
      isOptional = true;
      continue;
    }
    const pointer = `/components/securitySchemes/${escapeKey(name)}`;
    const location = others.length > 0 ? undefined : locationOf(schemes.get(name));
    if (location !== undefined) locations.push(location);
    else if (others.length > 0) unsupported ??= { pointer, message: `${name} together with ${others.join(', ')}` };
    else unsupported ??= { pointer, message: `${name}: no API key, Basic, bearer, OAuth 2 or OpenID Connect` };
  }
  if (unsupported !== undefined && locations.length === 0 && !isOptional) return unsupported;
  // Several schemes can have the same location.
  const distinct = new Map(locations.map((location) => [JSON.stringify(location), location]));
  return { locations: [...distinct.values()], isOptional };
}
