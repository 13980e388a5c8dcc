/** Where the requests of an operation have their credentials, by `securitySchemes` and `security` of the contract. */
import { requirementsOf, securitySchemes, type SecurityScheme } from '../contract/security-schemes.ts';
import type { Authenticator } from '../ports/authenticator.ts';
import { isObject, memberOf } from '../text/object.ts';

/** Where a request has a credential. Schemes with the same place share one object of a contract. */
export interface CredentialPlace {
  readonly in: 'header' | 'query' | 'cookie';
  /** The name of the header in lower case, of the query parameter, or of the cookie. */
  readonly name: string;
  /** The authentication scheme of `Authorization` in lower case; undefined for an API key. */
  readonly scheme: string | undefined;
  /** The words for it in the description of an error. */
  readonly words: string;
}

/** How a caller can authenticate. */
export interface AcceptedScheme {
  readonly place: CredentialPlace;
  readonly described: SecurityScheme;
  /** What authenticates it; undefined for the API keys. */
  readonly authenticator: Authenticator | undefined;
}

/** What a request needs. */
export interface Security {
  /** The alternatives; empty for a public operation. */
  readonly schemes: readonly AcceptedScheme[];
  /** Whether a request may have no credential. */
  readonly isOptional: boolean;
  /** The places of the schemes. */
  readonly places: ReadonlySet<CredentialPlace>;
  /** The schemes that other authenticators decide about than that of the API keys. */
  readonly others: readonly AcceptedScheme[];
  /** The realm of the challenges (RFC 9110 §11.5), the same for the whole contract. */
  readonly realm: string;
}

/** What a request needs that has these alternatives. */
export const securityOf = (schemes: readonly AcceptedScheme[], isOptional: boolean, realm: string): Security => ({
  ...{ schemes, isOptional, realm },
  places: new Set(schemes.map(({ place }) => place)),
  others: schemes.filter(({ authenticator }) => authenticator !== undefined),
});

/** The security of a contract: of each operation, and what all of them accept. */
export interface ContractSecurity {
  /** Every place at which a credential can be: no other part of the server sees what is there. */
  readonly places: readonly CredentialPlace[];
  /** What a request needs that belongs to no operation: any credential of the contract. */
  readonly any: Security;
  of(path: string, method: string): Security;
}

interface Document {
  readonly info?: unknown;
  readonly paths: Readonly<Record<string, unknown>>;
  readonly security?: unknown;
  readonly components?: unknown;
}

const order = { query: 0, header: 1, cookie: 2 } as const;
const wordsOf = {
  header: (name: string) => `the header ${name}`,
  query: (name: string) => `the query parameter ${name}`,
  cookie: (name: string) => `the cookie ${name}`,
} as const;

function isPlace(place: unknown): place is CredentialPlace['in'] {
  return place === 'header' || place === 'query' || place === 'cookie';
}

const authorization = (scheme: string): CredentialPlace => ({
  in: 'header',
  name: 'authorization',
  scheme: scheme.toLowerCase(),
  words: 'the header Authorization',
});

/** The place of a bearer token, which the operator's interface and the API keys share. */
export const bearerPlace = authorization('bearer');

/** Where the credential of a scheme is; undefined where no request has it, as with mutual TLS. */
export function placeOf({ type, name = '', in: place, scheme = '' }: SecurityScheme): CredentialPlace | undefined {
  if (type === 'http') return scheme === '' ? undefined : authorization(scheme);
  if (type === 'oauth2' || type === 'openIdConnect') return bearerPlace;
  if (type !== 'apiKey' || !isPlace(place) || name === '') return undefined;
  return {
    in: place,
    name: place === 'header' ? name.toLowerCase() : name,
    scheme: undefined,
    words: wordsOf[place](place === 'header' ? name.toLowerCase() : name),
  };
}

/** Whether the API keys of the service authenticate the callers of a scheme. */
const isOfApiKeys = ({ type, in: place, name = '', scheme = '' }: SecurityScheme): boolean =>
  type === 'apiKey'
    ? (place === 'header' && name.toLowerCase() !== 'authorization') || place === 'query'
    : type === 'http' && scheme.toLowerCase() === 'bearer';

/** How the callers of a scheme authenticate; undefined if the server has no authenticator for it. */
export function acceptedScheme(
  described: SecurityScheme,
  authenticators: readonly Authenticator[],
): AcceptedScheme | undefined {
  const place = placeOf(described);
  if (place === undefined) return undefined;
  const authenticator = authenticators.find((each) => each.accepts(described));
  return authenticator === undefined && !isOfApiKeys(described) ? undefined : { place, described, authenticator };
}

const samePlace = (one: CredentialPlace, other: CredentialPlace): boolean =>
  one.in === other.in && one.name === other.name && one.scheme === other.scheme;

/** The title of the contract in ASCII, such as `social-data`: no character of it must be escaped in a header. */
export function realmOf({ info }: Pick<Document, 'info'>): string {
  const words = String(memberOf(info, 'title') ?? '')
    .normalize('NFKD')
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ['api'];
  return words.join('-');
}

/** The security of a contract. The start has checked that each scheme which an operation names has an authenticator. */
export function contractSecurity(document: Document, authenticators: readonly Authenticator[]): ContractSecurity {
  const places: CredentialPlace[] = [];
  const schemes = new Map<string, AcceptedScheme>();
  for (const [name, described] of securitySchemes(document)) {
    const scheme = acceptedScheme(described, authenticators);
    if (scheme === undefined) continue;
    const known = places.find((each) => samePlace(each, scheme.place));
    if (known === undefined) places.push(scheme.place);
    schemes.set(name, { ...scheme, place: known ?? scheme.place });
  }
  const inOrder = (one: Pick<AcceptedScheme, 'place'>, other: Pick<AcceptedScheme, 'place'>): number =>
    order[one.place.in] - order[other.place.in];
  const realm = realmOf(document);
  const ofOperation = (operation: unknown): Security => {
    const requirements = requirementsOf(document, operation);
    const isOptional = requirements.length === 0 || requirements.some((each) => Object.keys(each).length === 0);
    const named = requirements.flatMap((each) => Object.keys(each)).flatMap((name) => schemes.get(name) ?? []);
    return securityOf([...new Set(named)].sort(inOrder), isOptional, realm);
  };
  return {
    places: places.sort((one, other) => order[one.in] - order[other.in]),
    any: securityOf([...schemes.values()].sort(inOrder), schemes.size === 0, realm),
    of(path, method) {
      const item = document.paths[path];
      return ofOperation(isObject(item) ? item[method] : undefined);
    },
  };
}
