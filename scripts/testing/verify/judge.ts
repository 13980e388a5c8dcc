/** Compares an answer with what the contract says of it. */
import type { Place } from '../arbitrary/schema.ts';
import type { FindBreaches } from './breaches.ts';
import type { Call } from './call.ts';
import type { Declared } from './contract.ts';
import { read, type Expectation } from './oracle.ts';
import type { Answer } from './send.ts';
import { list, shorten } from './wording.ts';

/** What was checked; the names stand in reports. */
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

/** Something that the server did and the contract does not allow. */
export interface Failure {
  readonly check: Check;
  /** The part of the contract that says so. */
  readonly pointer: string;
  readonly expected: string;
  readonly came: string;
  /** Tells failures of one cause, together with check and pointer: what came, without what varies. */
  readonly kind: string;
  /** What to send, in order, to see it. */
  readonly calls: readonly Call[];
}

/**
 * Headers of HTTP itself, of caching, of CORS and of browser protection, which hops on the way add too: they need no declaration.
 * Everything else must be declared.
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

/** What only the inside of a server knows. */
const leak = /\n\s+at |node_modules|\.[cm]?[jt]s:\d+|\bTypeError\b|\bReferenceError\b|ECONN|ENOENT/;

export interface Judge {
  readonly document: object;
  readonly breaches: FindBreaches;
  /** Headers that something between us and the server adds, in lower case. */
  readonly allowedHeaders: ReadonlySet<string>;
}

/** The body as JSON in UTF-8, or why it is none. */
export function parseBody(body: Buffer): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? 'no JSON' : 'no UTF-8' };
  }
}

/** The failures of one answer to one call, the gravest first. */
export async function judge(judge: Judge, call: Call, expectation: Expectation, answer: Answer): Promise<Failure[]> {
  const failures: Failure[] = [];
  const { operation, statuses } = expectation;
  const { status } = answer;
  const note = (check: Check, pointer: string, expected: string, came: string, kind = came): void =>
    void failures.push({ check, pointer, expected, came, kind: `${status} ${kind}`, calls: [call] });

  if (!statuses.includes(status)) {
    note(
      'status',
      expectation.pointer,
      `${list(statuses)}, because ${expectation.because}`,
      `${status}${excerpt(answer)}`,
      '',
    );
  }
  const declared = operation.responses.get(status);
  if (!declared) {
    note(
      'declared status',
      `${operation.pointer}/responses`,
      `one of ${[...operation.responses.keys()].join(', ')}`,
      String(status),
    );
    return failures;
  }
  await judgeBody(judge, call, declared, expectation, answer, note);
  await judgeHeaders(judge, declared, expectation, answer, note);
  return failures;
}

type Note = (check: Check, pointer: string, expected: string, came: string, kind?: string) => void;

async function judgeBody(
  { breaches }: Judge,
  call: Call,
  declared: Declared,
  { names, statuses }: Expectation,
  answer: Answer,
  note: Note,
): Promise<void> {
  const { status, body } = answer;
  const bodiless = call.method === 'HEAD' || declared.content.size === 0;
  if (bodiless) {
    if (body.length > 0)
      note('schema', `${declared.pointer}/content`, 'no body', `a body of ${body.length} bytes`, 'a body');
    if (call.method !== 'HEAD') return;
  }
  const [type = '', ...options] = (answer.headers.get('content-type')?.[0] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const place = declared.content.get(type);
  if (!place)
    return note(
      'media type',
      `${declared.pointer}/content`,
      list([...declared.content.keys()]),
      type === '' ? 'no content type' : type,
    );
  const odd = options.find((option) => option !== 'charset=utf-8');
  if (odd !== undefined) note('media type', `${declared.pointer}/content`, `${type} in UTF-8`, odd);
  if (bodiless) return;
  const parsed = parseBody(body);
  if ('fault' in parsed)
    return note(
      'schema',
      `${declared.pointer}/content`,
      'JSON in UTF-8',
      `${parsed.fault}: ${shorten(body.toString())}`,
      parsed.fault,
    );
  for (const { pointer, at, names: members } of await breaches(place, parsed.value)) {
    const where = at === '' ? 'the body' : at;
    note(
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
    note('error', declared.pointer, 'an error that tells nothing of the inside', JSON.stringify(shorten(text)), 'leak');
  if (status === 400 && statuses.includes(400) && names.length > 0 && !names.some((name) => text.includes(name))) {
    note(
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
  note: Note,
): Promise<void> {
  for (const [name, { required, place, pointer }] of declared.headers) {
    const values = answer.headers.get(name) ?? [];
    if (values.length === 0 && required)
      note('headers', `${pointer}/required`, `the header ${name}`, 'no such header', name);
    if (values.length > 1) note('headers', pointer, `the header ${name} once`, `${values.length} times`, name);
    for (const value of values) await judgeHeader(place, name, value);
  }
  for (const name of answer.headers.keys()) {
    if (declared.headers.has(name) || isProtocol(name) || allowedHeaders.has(name)) continue;
    note(
      'headers',
      `${declared.pointer}/headers`,
      'only headers that are declared, or belong to HTTP itself',
      `${name}: ${answer.headers.get(name)!.join(', ')}`,
      name,
    );
  }
  if (allow) {
    const told = (answer.headers.get('allow')?.join(',') ?? '')
      .split(',')
      .map((method) => method.trim())
      .filter((method) => method !== '');
    const same = told.length === allow.length && allow.every((method) => told.includes(method));
    if (!same)
      note(
        'headers',
        declared.headers.get('allow')?.pointer ?? declared.pointer,
        `Allow: ${allow.join(', ')}`,
        `Allow: ${told.join(', ')}`,
        'allow',
      );
  }

  async function judgeHeader(place: Place, name: string, value: string): Promise<void> {
    const parameter = { name, place, required: true, ownSyntax: false, example: undefined, pointer: place.pointer };
    const seen = read(parameter, document, value);
    const fits = seen !== undefined && seen !== 'unclear' && (await breaches(place, seen)).length === 0;
    if (!fits)
      note('headers', place.pointer, `a value of ${name} that fits its schema`, JSON.stringify(shorten(value)), name);
  }
}

/** The beginning of the body, for who reads the report. */
export function excerpt({ body }: Answer): string {
  const text = body.toString().trim();
  return text === '' ? '' : `: ${shorten(text)}`;
}
