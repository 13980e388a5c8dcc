/** Validates a response against the contract. */
import type { Place } from '../arbitrary/schema.ts';
import type { FindBreaches } from './breaches.ts';
import type { Call } from './call.ts';
import type { Declared } from './contract.ts';
import { read, type Expectation } from './oracle.ts';
import type { Answer } from './send.ts';
import { list, shorten } from './wording.ts';

/** The checks; reports contain these names. */
export const checks = [
  'answers',
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
] as const;
export type Check = (typeof checks)[number];

/** A violation of the contract by the server. */
export interface Failure {
  readonly check: Check;
  /** The JSON Pointer of the violated part of the contract. */
  readonly pointer: string;
  readonly expected: string;
  readonly came: string;
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
  keep-alive pragma server trailer transfer-encoding upgrade vary via
  content-security-policy content-security-policy-report-only cross-origin-embedder-policy cross-origin-opener-policy
  cross-origin-resource-policy nel origin-agent-cluster permissions-policy referrer-policy report-to reporting-endpoints
  strict-transport-security x-content-type-options x-dns-prefetch-control x-download-options x-frame-options
  x-permitted-cross-domain-policies x-xss-protection`.split(/\s+/),
);
const isProtocol = (name: string): boolean => protocolHeaders.has(name) || name.startsWith('access-control-');

/** Internal details that an error message must not contain. */
const leak = /\n\s+at |node_modules|\.[cm]?[jt]s:\d+|\bTypeError\b|\bReferenceError\b|ECONN|ENOENT/;

export interface Judge {
  readonly document: object;
  readonly breaches: FindBreaches;
  /** Headers that a proxy between this client and the server adds, in lower case. */
  readonly allowedHeaders: ReadonlySet<string>;
}

/** Parses the body as JSON in UTF-8, or returns the reason why it is invalid. */
export function parseBody(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? 'no JSON' : 'no UTF-8' };
  }
}

/** Validates the response to one call. Returns the failures, the most severe first. */
export async function judge(judge: Judge, call: Call, expectation: Expectation, answer: Answer): Promise<Failure[]> {
  const failures: Failure[] = [];
  const { operation, statuses } = expectation;
  const { status } = answer;
  const report = (check: Check, pointer: string, expected: string, came: string, kind = came): void =>
    void failures.push({ check, pointer, expected, came, kind: `${status} ${kind}`, calls: [call] });

  if (!statuses.includes(status)) {
    report(
      'status',
      expectation.pointer,
      `${list(statuses)}, because ${expectation.because}`,
      `${status}${excerpt(answer)}`,
      '',
    );
  }
  const declared = operation.responses.get(status);
  if (!declared) {
    report(
      'declared status',
      `${operation.pointer}/responses`,
      `one of ${[...operation.responses.keys()].join(', ')}`,
      String(status),
    );
    return failures;
  }
  await judgeBody(judge, call, declared, expectation, answer, report);
  await judgeHeaders(judge, declared, expectation, answer, report);
  return failures;
}

type ReportFailure = (check: Check, pointer: string, expected: string, came: string, kind?: string) => void;

async function judgeBody(
  { breaches }: Judge,
  call: Call,
  declared: Declared,
  { names, statuses }: Expectation,
  answer: Answer,
  report: ReportFailure,
): Promise<void> {
  const { status, body } = answer;
  const bodiless = call.method === 'HEAD' || declared.content.size === 0;
  if (bodiless) {
    if (body.length > 0)
      report('schema', `${declared.pointer}/content`, 'no body', `a body of ${body.length} bytes`, 'a body');
    if (call.method !== 'HEAD') return;
  }
  const [type = '', ...options] = (answer.headers.get('content-type')?.[0] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const place = declared.content.get(type);
  if (!place)
    return report(
      'media type',
      `${declared.pointer}/content`,
      list([...declared.content.keys()]),
      type === '' ? 'no content type' : type,
    );
  const odd = options.find((option) => option !== 'charset=utf-8');
  if (odd !== undefined) report('media type', `${declared.pointer}/content`, `${type} in UTF-8`, odd);
  if (bodiless) return;
  const parsed = parseBody(body);
  if ('fault' in parsed)
    return report(
      'schema',
      `${declared.pointer}/content`,
      'JSON in UTF-8',
      `${parsed.fault}: ${shorten(body.toString())}`,
      parsed.fault,
    );
  for (const { pointer, at, names: members } of await breaches(place, parsed.value)) {
    const where = at === '' ? 'the body' : at;
    report(
      'schema',
      pointer,
      'a body of the schema',
      `${where} breaks it${members.length > 0 ? ` (${members.join(', ')})` : ''}`,
      pointer,
    );
  }
  if (status < 400) return;
  const text = (parsed.value as { error?: unknown } | null)?.error;
  if (typeof text !== 'string') return;
  if (leak.test(text))
    report(
      'error',
      declared.pointer,
      'an error that tells nothing of the inside',
      JSON.stringify(shorten(text)),
      'leak',
    );
  if (status === 400 && statuses.includes(400) && names.length > 0 && !names.some((name) => text.includes(name))) {
    report(
      'error',
      declared.pointer,
      `an error that names ${list(names.map((name) => `'${name}'`))}`,
      JSON.stringify(shorten(text)),
      'names',
    );
  }
}

async function judgeHeaders(
  { breaches, document, allowedHeaders }: Judge,
  declared: Declared,
  { allow }: Expectation,
  answer: Answer,
  report: ReportFailure,
): Promise<void> {
  for (const [name, { required, place, pointer }] of declared.headers) {
    const values = answer.headers.get(name) ?? [];
    if (values.length === 0 && required)
      report('headers', `${pointer}/required`, `the header ${name}`, 'no such header', name);
    if (values.length > 1) report('headers', pointer, `the header ${name} once`, `${values.length} times`, name);
    for (const value of values) await judgeHeader(place, name, value);
  }
  for (const name of answer.headers.keys()) {
    if (declared.headers.has(name) || isProtocol(name) || allowedHeaders.has(name)) continue;
    report(
      'headers',
      `${declared.pointer}/headers`,
      'only headers that are declared, or belong to HTTP itself',
      `${name}: ${answer.headers.get(name)!.join(', ')}`,
      name,
    );
  }
  if (allow) {
    const allowedMethods = (answer.headers.get('allow')?.join(',') ?? '')
      .split(',')
      .map((method) => method.trim())
      .filter((method) => method !== '');
    const same = allowedMethods.length === allow.length && allow.every((method) => allowedMethods.includes(method));
    if (!same)
      report(
        'headers',
        declared.headers.get('allow')?.pointer ?? declared.pointer,
        `Allow: ${allow.join(', ')}`,
        `Allow: ${allowedMethods.join(', ')}`,
        'allow',
      );
  }

  async function judgeHeader(place: Place, name: string, value: string): Promise<void> {
    const parameter = { name, place, required: true, ownSyntax: false, example: undefined, pointer: place.pointer };
    const seen = read(parameter, document, value);
    const fits = seen !== undefined && seen !== 'unclear' && (await breaches(place, seen)).length === 0;
    if (!fits)
      report('headers', place.pointer, `a value of ${name} that fits its schema`, JSON.stringify(shorten(value)), name);
  }
}

/** The start of the body, for the report. */
export function excerpt({ body }: Answer): string {
  const text = body.toString().trim();
  return text === '' ? '' : `: ${shorten(text)}`;
}
