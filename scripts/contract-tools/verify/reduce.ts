/** Reduces a failing call to the smallest call with the same failure (test case reduction). */
import { baseCall, bareCall } from './base-call.ts';
import { parametersOf, type Call, type KeyUse, type QueryPart } from './call.ts';
import type { Operation } from './contract.ts';
import type { Failure } from './check-response.ts';
import type { Session, Probe } from './probes.ts';

/** The maximum number of calls; the reduction then returns the smallest call so far. */
const maxCalls = 250;

/** The key of the cause of a failure. */
export const causeOf = ({ check, pointer, kind }: Failure): string => `${check} ${pointer} ${kind}`;

/** The size order: number of parts, then length, then simplicity of characters. */
function sizeOf(call: Call): number[] {
  const { query, headers, keys, body } = call;
  const texts = [
    ...query.map((part) => ('raw' in part ? part.raw : `${part.name}=${part.value}`)),
    ...headers.map((pair) => pair.join()),
    body ?? '',
  ];
  const all = texts.join('');
  const number = query.reduce(
    (sum, part) => sum + ('name' in part && /^\d{1,15}$/.test(part.value) ? Number(part.value) : 0),
    0,
  );
  const parts = query.length + headers.length + (body === undefined ? 0 : 1);
  const oddKeys =
    keys.filter(({ replacement: instead }) => instead !== undefined).length +
    (keys.length === 1 && keys[0]?.location.in === 'query' ? 1 : 0);
  return [
    keys.length === 0 ? 3 : keys.length,
    parts,
    call.path.length,
    all.length,
    oddKeys,
    [...all].filter((character) => !/[\w=/-]/.test(character)).length,
    number,
  ];
}
function smaller(a: Call, b: Call): boolean {
  const [x, y] = [sizeOf(a), sizeOf(b)];
  for (const [index, value] of x.entries()) {
    const other = y[index] ?? 0;
    if (value !== other) return value < other;
  }
  return false;
}

/** Shorter and simpler texts, the shortest first. */
function* simpler(text: string): Generator<string> {
  if (text.length > 1) yield text.charAt(0);
  for (let part = 2; part <= 8 && text.length >= part; part *= 2) {
    const length = Math.ceil(text.length / part);
    for (let from = 0; from < text.length; from += length) yield text.slice(0, from) + text.slice(from + length);
  }
  if (text.length <= 24) {
    for (let index = 0; index < text.length; index++) yield text.slice(0, index) + text.slice(index + 1);
    for (let index = 0; index < text.length; index++) yield `${text.slice(0, index)}a${text.slice(index + 1)}`;
  }
  if (/^\d{1,15}$/.test(text))
    for (const number of [Math.floor(Number(text) / 2), Number(text) - 1]) if (number >= 0) yield String(number);
}

function* simplerJson(text: string): Generator<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) yield JSON.stringify(value.toSpliced(index, 1));
    return;
  }
  for (const name of Object.keys(value))
    yield JSON.stringify(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)));
  for (const [name, member] of Object.entries(value)) {
    const plain = typeof member === 'string' ? [...simpler(member)] : [1, '', null].filter((each) => each !== member);
    for (const each of plain) yield JSON.stringify({ ...value, [name]: each });
  }
}

/** Calls with one part removed or simplified. */
function* candidates(session: Session, operation: Operation, call: Call): Generator<Call> {
  const { query, headers, keys, body } = call;
  const bare = bareCall(session, operation);
  yield { ...bare, method: call.method, path: call.path };
  const base = baseCall(session, operation);
  yield { ...call, query: base.query, headers: base.headers, keys: base.keys };
  for (let index = 0; index < query.length; index++) yield { ...call, query: query.toSpliced(index, 1) };
  for (let index = 0; index < headers.length; index++) yield { ...call, headers: headers.toSpliced(index, 1) };
  for (let index = 0; index < keys.length; index++)
    if (keys.length > 1) yield { ...call, keys: keys.toSpliced(index, 1) };
  if (keys.length > 0) yield { ...call, keys: bare.keys };
  if (body !== undefined) {
    const { body: _, ...bodiless } = call;
    yield bodiless;
    if (base.body !== undefined && base.body !== body) yield { ...call, body: base.body };
  }
  const defaults = parametersOf(base);
  const replaced = (index: number, part: QueryPart): Call => ({ ...call, query: query.with(index, part) });
  for (const [index, part] of query.entries()) {
    if ('raw' in part) {
      for (const raw of simpler(part.raw)) yield replaced(index, { raw });
      continue;
    }
    const [value] = defaults.get(part.name) ?? [];
    if (value !== undefined && value !== part.value) yield replaced(index, { ...part, value });
    for (const text of simpler(part.value)) yield replaced(index, { ...part, value: text });
    if (!operation.parameters.has(part.name))
      for (const name of simpler(part.name)) yield replaced(index, { ...part, name });
  }
  if (body !== undefined) {
    for (const text of simplerJson(body)) yield { ...call, body: text };
    for (const text of simpler(body)) yield { ...call, body: text };
  }
  for (const [index, use] of keys.entries())
    if (use.replacement) yield { ...call, keys: keys.with(index, { ...use, replacement: '' } satisfies KeyUse) };
}

/** The smallest call with this failure, and the failure; undefined when the call does not fail again. */
export async function reduce(
  session: Session,
  operation: Operation,
  probe: Probe,
  call: Call,
  failure: Failure,
): Promise<{ call: Call; failure: Failure } | undefined> {
  const cause = causeOf(failure);
  const fails = async (candidate: Call): Promise<Failure | undefined> =>
    (await probe(session, candidate)).find((each) => causeOf(each) === cause);
  const repeated = await fails(call);
  if (!repeated) return undefined;
  let best = { call, failure: repeated };
  const tried = new Set([JSON.stringify(call)]);
  for (let progress = true; progress && tried.size < maxCalls;) {
    progress = false;
    for (const candidate of candidates(session, operation, best.call)) {
      if (tried.size >= maxCalls) break;
      const text = JSON.stringify(candidate);
      if (tried.has(text) || !smaller(candidate, best.call)) continue;
      tried.add(text);
      const found = await fails(candidate);
      if (!found) continue;
      best = { call: candidate, failure: found };
      progress = true;
      break;
    }
  }
  // The reported call must fail once more. An operation with a cost is not called again.
  const last = operation.costs ? best.failure : await fails(best.call);
  return last && { call: best.call, failure: last };
}
