/** Validates a response against the contract. */
import { declaredMediaType, mediaKind } from '../../../server/contract/media-type.ts';
import type { SchemaNode } from '../arbitrary/schema.ts';
import type { FindViolations } from './violations.ts';
import type { Call } from './call.ts';
import { isJsonType, type DeclaredResponse } from './contract.ts';
import type { Expectation } from './oracle.ts';
import { readField, type ParameterForm } from './parameter-form.ts';
import { headerOf, type HttpResponse } from './send.ts';
import { parseBody } from './parse-body.ts';
import { isStream, itemTexts } from './stream-items.ts';
import { list, shorten } from './report-text.ts';

/** The checks; reports contain these names. */
export const checks = [
  'response',
  'status',
  'declared status',
  'media type',
  'schema',
  'headers',
  'error',
  'HEAD',
  'conditional',
  'pages',
  'links',
  'defaults',
  'documents',
  'events',
  'client',
] as const;
export type Check = (typeof checks)[number];

/** A violation of the contract by the server. */
export interface Failure {
  readonly check: Check;
  /** The JSON Pointer of the violated part of the contract. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** Identifies the cause together with check and pointer: the actual result without its variable parts. */
  readonly kind: string;
  /** The calls that reproduce the failure, in order. */
  readonly calls: readonly Call[];
}

/**
 * Headers of HTTP, caching, CORS and browser security, which proxies also add. The contract need not declare them; it must
 * declare every other header.
 */
const protocolHeaders = new Set(
  `accept-ranges age alt-svc cache-control connection content-encoding content-language content-length content-type date expires
  deprecation keep-alive pragma server sunset trailer transfer-encoding upgrade vary via
  content-security-policy content-security-policy-report-only cross-origin-embedder-policy cross-origin-opener-policy
  cross-origin-resource-policy nel origin-agent-cluster permissions-policy referrer-policy report-to reporting-endpoints
  strict-transport-security x-content-type-options x-dns-prefetch-control x-download-options x-frame-options
  x-permitted-cross-domain-policies x-xss-protection`.split(/\s+/),
);
const isProtocol = (name: string): boolean => protocolHeaders.has(name) || name.startsWith('access-control-');

/** The headers that HTTP itself demands or permits with a status (RFC 9110), also where a range or `default` declares it. */
const ofStatus: Readonly<Record<number, readonly string[]>> = {
  401: ['www-authenticate'],
  405: ['allow'],
  429: ['retry-after'],
  503: ['retry-after'],
};

/** Internal details that an error message must not contain. */
const leak = /\n\s+at |node_modules|\.[cm]?[jt]s:\d+|\bTypeError\b|\bReferenceError\b|ECONN|ENOENT/;

/** The number of items of a stream that are checked. */
const maxItems = 200;

export interface ResponseRules {
  readonly responses: object;
  /** Finds violations of schemas of responses. */
  readonly findInResponses: FindViolations;
  /** Headers that a proxy between this client and the server adds, in lower case. */
  readonly allowedHeaders: ReadonlySet<string>;
  /** Whether the contract must declare every header that is no header of HTTP itself. */
  readonly declaresHeaders: boolean;
}

/** The media type of a response without its parameters; empty where it has none. */
const mediaTypeIn = (response: HttpResponse): string =>
  (headerOf(response, 'content-type') ?? '').toLowerCase().split(';', 1)[0]?.trim() ?? '';

/** Checks one response; collects the failures. */
class ResponseCheck {
  readonly failures: Failure[] = [];
  readonly #rules: ResponseRules;
  readonly #call: Call;
  readonly #expectation: Expectation;
  readonly #response: HttpResponse;

  constructor(rules: ResponseRules, call: Call, expectation: Expectation, response: HttpResponse) {
    this.#rules = rules;
    this.#call = call;
    this.#expectation = expectation;
    this.#response = response;
  }

  async run(): Promise<void> {
    const { operation, statuses, pointer, reason, isOtherPath, valid } = this.#expectation;
    const { status } = this.#response;
    // A range or `default` names no success; any of it is one.
    const isNamed = operation.responses.has(status) || operation.responses.get(status) === undefined;
    const isSuccess = valid && status >= 200 && status < 300 && !isNamed;
    if (!statuses.includes(status) && !isSuccess) {
      const actual = `${status}${excerpt(this.#response)}`;
      this.#report('status', pointer, `${list(statuses)}, because ${reason}`, actual, '');
    }
    const declared = operation.responses.get(status);
    // Of another contract: the response belongs to no operation, or the call is one that a server may reject.
    const isOutside = this.#expectation.isOutside === true || (isOtherPath === true && [401, 404].includes(status));
    if (!this.#rules.declaresHeaders && isOutside) return this.#checkAllow(declared);
    if (!declared) {
      if (isOtherPath === true && status === 404) return;
      // Another contract need not declare the errors of a call that a server may reject.
      if (!this.#rules.declaresHeaders && [400, 401, 404, 415].includes(status) && statuses.includes(status)) return;
      const expected = `one of ${operation.responses.names().join(', ')}`;
      this.#report('declared status', `${operation.pointer}/responses`, expected, String(status));
      return;
    }
    await this.#checkBody(declared);
    await this.#checkDeclaredHeaders(declared);
    if (this.#rules.declaresHeaders) this.#checkOtherHeaders(declared);
    this.#checkAllow(declared);
  }

  #report(check: Check, pointer: string, expected: string, actual: string, kind = actual): void {
    const { status } = this.#response;
    this.failures.push({ check, pointer, expected, actual, kind: `${status} ${kind}`, calls: [this.#call] });
  }

  async #checkBody(declared: DeclaredResponse): Promise<void> {
    const { body } = this.#response;
    const pointer = `${declared.pointer}/content`;
    const isBodiless = this.#call.method === 'HEAD' || declared.content.size === 0;
    if (isBodiless) {
      if (body.length > 0) this.#report('schema', pointer, 'no body', `a body of ${body.length} bytes`, 'a body');
      if (this.#call.method !== 'HEAD') return;
    }
    const node = this.#checkMediaType(declared, pointer);
    if (isBodiless || node === undefined) return;
    const mediaType = mediaTypeIn(this.#response);
    if (isStream(mediaType)) return this.#checkItems(node, mediaType, pointer);
    if (!isJsonType(mediaType)) return;
    const parsed = parseBody(body);
    if ('fault' in parsed) {
      const actual = `${parsed.fault}: ${shorten(body.toString())}`;
      return this.#report('schema', pointer, 'JSON in UTF-8', actual, parsed.fault);
    }
    for (const { pointer: keyword, at, names } of await this.#rules.findInResponses(node, parsed.value)) {
      const members = names.length > 0 ? ` (${names.join(', ')})` : '';
      const actual = `${at === '' ? 'the body' : at} violates the schema${members}`;
      this.#report('schema', keyword, 'a body that is valid by the schema', actual, keyword);
    }
    if (this.#response.status >= 400) this.#checkMessage(declared, parsed.value);
  }

  /** Checks each item of a stream, also of one that was cut off. */
  async #checkItems(node: SchemaNode, mediaType: string, pointer: string): Promise<void> {
    const { body, isCutOff } = this.#response;
    const texts = itemTexts(mediaType, body.toString());
    for (const [index, text] of texts.slice(0, maxItems).entries()) {
      const parsed = parseBody(Buffer.from(text));
      if ('fault' in parsed) {
        // The last line of a body that was cut off is incomplete.
        if (isCutOff === true && index === texts.length - 1) return;
        return this.#report('schema', pointer, 'JSON in each item', `${parsed.fault}: ${shorten(text)}`, parsed.fault);
      }
      for (const { pointer: keyword, at } of await this.#rules.findInResponses(node, parsed.value))
        this.#report(
          'schema',
          keyword,
          'items that are valid by the schema',
          `item ${index}${at} violates the schema`,
          keyword,
        );
    }
  }

  /** The schema of the media type; undefined for a media type that the contract does not declare. */
  #checkMediaType(declared: DeclaredResponse, pointer: string): SchemaNode | undefined {
    const [type = '', ...options] = (headerOf(this.#response, 'content-type') ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim());
    const name = declaredMediaType(declared.content.keys(), type);
    const node = name === undefined ? undefined : declared.content.get(name);
    if (node === undefined) {
      const actual = type === '' ? 'no content type' : type;
      this.#report('media type', pointer, list([...declared.content.keys()]), actual);
      return undefined;
    }
    const unexpected = mediaKind(type) === 'json' ? options.find((option) => option !== 'charset=utf-8') : undefined;
    if (unexpected !== undefined) this.#report('media type', pointer, `${type} in UTF-8`, unexpected);
    return node;
  }

  #checkMessage({ pointer }: DeclaredResponse, body: unknown): void {
    const { names, statuses } = this.#expectation;
    const message = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
    if (typeof message !== 'string') return;
    const actual = JSON.stringify(shorten(message));
    if (leak.test(message)) this.#report('error', pointer, 'an error without internal details', actual, 'leak');
    const isNamed = !this.#rules.declaresHeaders || names.length === 0 || names.some((name) => message.includes(name));
    if (this.#response.status === 400 && statuses.includes(400) && !isNamed) {
      const expected = `an error that names ${list(names.map((name) => `'${name}'`))}`;
      this.#report('error', pointer, expected, actual, 'names');
    }
  }

  async #checkDeclaredHeaders(declared: DeclaredResponse): Promise<void> {
    for (const [name, { required, form, node, pointer }] of declared.headers) {
      const values = this.#response.headers.get(name) ?? [];
      if (values.length === 0 && required)
        this.#report('headers', `${pointer}/required`, `the header ${name}`, 'no such header', name);
      if (values.length > 1)
        this.#report('headers', pointer, `the header ${name} once`, `${values.length} times`, name);
      for (const value of values) {
        if (await this.#isValidHeader(node, form, value)) continue;
        const expected = `a value of ${name} that is valid by its schema`;
        this.#report('headers', node.pointer, expected, JSON.stringify(shorten(value)), name);
      }
    }
  }

  async #isValidHeader(node: SchemaNode, form: ParameterForm, text: string): Promise<boolean> {
    // A list without items, and an object without members, are empty texts.
    for (const value of [...readField(form, text), ...(text === '' ? [[], {}] : [])])
      if ((await this.#rules.findInResponses(node, value)).length === 0) return true;
    return false;
  }

  #checkOtherHeaders(declared: DeclaredResponse): void {
    for (const [name, values] of this.#response.headers) {
      if (declared.headers.has(name) || isProtocol(name) || ofStatus[this.#response.status]?.includes(name)) continue;
      if (this.#rules.allowedHeaders.has(name)) continue;
      const expected = 'only headers of the contract or of HTTP itself';
      this.#report('headers', `${declared.pointer}/headers`, expected, `${name}: ${values.join(', ')}`, name);
    }
  }

  #checkAllow(declared: DeclaredResponse | undefined): void {
    const { allow } = this.#expectation;
    if (!allow || this.#response.status !== 405) return;
    const methods = (this.#response.headers.get('allow')?.join(',') ?? '')
      .split(',')
      .map((method) => method.trim())
      .filter((method) => method !== '');
    if (methods.length === allow.length && allow.every((method) => methods.includes(method))) return;
    const pointer = declared?.headers.get('allow')?.pointer ?? declared?.pointer ?? this.#expectation.pointer;
    this.#report('headers', pointer, `Allow: ${allow.join(', ')}`, `Allow: ${methods.join(', ')}`, 'allow');
  }
}

/** Validates the response to one call. Returns the failures, the most severe first. */
export async function checkResponse(
  rules: ResponseRules,
  call: Call,
  expectation: Expectation,
  response: HttpResponse,
): Promise<Failure[]> {
  const check = new ResponseCheck(rules, call, expectation, response);
  await check.run();
  return check.failures;
}

/** The start of the body, for the report. */
export function excerpt({ body }: HttpResponse): string {
  const text = body.toString().trim();
  return text === '' ? '' : `: ${shorten(text)}`;
}
