/** Reads a received request as a call of the contract. */
import { basePaths, withoutBasePath, type DocumentWithServers } from '../../../server/contract/base-path.ts';
import { bySpecificity, parametersOfPath } from '../../../server/contract/path-template.ts';
import type { Call, KeyUse, QueryPart } from '../verify/call.ts';
import type { Contract, Operation } from '../verify/contract.ts';
import type { KeyLocation } from '../verify/security.ts';

/** A request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer | undefined;
}

/** A request as a call, with its operation and its credentials. */
export interface ObservedCall {
  readonly call: Call;
  /** Undefined where the contract has no such path and method. */
  readonly operation: Operation | undefined;
  /** The credentials of the request, which no report may show. */
  readonly secrets: readonly string[];
}

/** A path of the contract as an expression whose groups are the values of its parameters. */
function patternOf(template: string): RegExp {
  const source = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (/^\{.*\}$/.test(part) ? '([^/]+)' : part.replace(/[^\w/]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Finds the operations of requests. */
export class CallReader {
  readonly #contract: Contract;
  readonly #bases: readonly string[];
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];

  constructor(contract: Contract) {
    this.#contract = contract;
    this.#bases = basePaths(contract.document as DocumentWithServers);
    this.#paths = [...new Set(contract.operations.map(({ path }) => path))]
      .toSorted(bySpecificity)
      .map((template) => ({ template, pattern: patternOf(template) }));
  }

  /** The call of a request. A path that the contract does not have stays as it is. */
  read({ method, target, rawHeaders, body }: ReceivedRequest): ObservedCall {
    const [path = '', ...rest] = (withoutBasePath(target, this.#bases) ?? target).split('?');
    const found = this.#paths.flatMap(({ template, pattern }) => {
      const match = pattern.exec(path);
      return match === null ? [] : [{ template, values: match.slice(1) }];
    })[0];
    const wanted = method === 'HEAD' ? 'GET' : method;
    const operation = this.#contract.operations.find((each) => each.path === found?.template && each.method === wanted);
    const headers: [string, string][] = [];
    for (let index = 0; index < rawHeaders.length; index += 2)
      headers.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
    const pairs = rest
      .join('?')
      .split('&')
      .filter((pair) => pair !== '');
    const locations = operation?.keyLocations ?? this.#contract.operations.flatMap(({ keyLocations }) => keyLocations);
    const credentials = new Credentials(headers, pairs, locations);
    const names = parametersOfPath(found?.template ?? '');
    const query: QueryPart[] = [
      ...names.map((name, index) => ({
        name,
        value: decoded(found?.values[index] ?? ''),
        encoded: found?.values[index] ?? '',
      })),
      ...pairs.filter((pair) => !credentials.isKey(pair)).map((raw) => ({ raw })),
    ];
    const call = {
      method,
      path: found?.template ?? path,
      query,
      headers,
      keys: credentials.keys,
      ...(body !== undefined && { body: body.toString('latin1') }),
    };
    return { call, operation, secrets: credentials.secrets };
  }
}

/** The credentials of a request, by the locations of the contract. */
class Credentials {
  readonly keys: readonly KeyUse[];
  /** Every value of a header or parameter that can hold a credential, also where the contract has none there. */
  readonly secrets: readonly string[];
  readonly #names: readonly string[];

  constructor(
    headers: readonly (readonly [string, string])[],
    pairs: readonly string[],
    locations: readonly KeyLocation[],
  ) {
    this.#names = locations.filter((each) => each.in === 'query').map(({ name }) => name);
    const valuesOf = (wanted: string): string[] =>
      headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase()).map(([, value]) => value);
    const fromQuery = pairs
      .filter((pair) => this.isKey(pair))
      .map((pair) => decoded(pair.slice(pair.indexOf('=') + 1)));
    const cookies = valuesOf('cookie').flatMap((value) => value.split(/;\s*/));
    const distinct = [...new Map(locations.map((each) => [JSON.stringify(each), each])).values()];
    this.keys = distinct.flatMap((location): KeyUse[] => {
      if (location.in === 'query')
        return pairs.filter((pair) => nameOf(pair) === location.name).map(() => ({ location }));
      if (location.in === 'cookie')
        return cookies.filter((cookie) => nameOf(cookie) === location.name).map(() => ({ location }));
      return (
        valuesOf(location.name)
          // A header ends without spaces, also after a scheme.
          .filter((value) => `${value} `.toLowerCase().startsWith(location.prefix.toLowerCase()))
          .map(() => ({ location }))
      );
    });
    const named = distinct.filter((each) => each.in === 'header').flatMap(({ name }) => valuesOf(name));
    const all = [...fromQuery, ...named, ...valuesOf('authorization'), ...valuesOf('proxy-authorization'), ...cookies];
    this.secrets = all
      .flatMap((value) => [value, value.replace(/^\S+\s+|^[^=]*=/, '')])
      .filter((value) => value.length > 3);
  }

  /** Whether a pair of the query is a key. */
  isKey(pair: string): boolean {
    return this.#names.includes(nameOf(pair));
  }
}
const nameOf = (pair: string): string => decoded(pair.split('=', 1)[0] ?? '');
