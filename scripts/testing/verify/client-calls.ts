/**
 * Calls through the client that `npm run generate` makes from the contract: what it sends must mean the values that it was given.
 */
import fc from 'fast-check';
import { bySpecificity } from '../../../server/contract/path-template.ts';
import { createRuntimeClient } from '../../../client/src/runtime.ts';
import { callShape, wireOf, type CallShape } from '../../spec/client-call.ts';
import { placed, type Document } from '../../spec/contract-document.ts';
import { isObject } from '../../../server/text/object.ts';
import { satisfies, type Json, validValues } from '../../contract-tools/arbitrary/index.ts';
import { CallReader } from '../../contract-tools/traffic/index.ts';
import {
  baseCall,
  formed,
  parameterText,
  withBody,
  encodedBody,
  parametersOf,
  withParameter,
  type Call,
  type Failure,
  isJsonType,
  mediaTypeOf,
  type Operation,
  type Parameter,
  readValues,
  parseBody,
  type Session,
  shorten,
} from '../../contract-tools/verify/index.ts';

/** Makes a client from a table of operations. */
export type CreateClient = typeof createRuntimeClient;

/** Number of calls for each operation. */
const callsEach = 4;

type Method = (argument: Record<string, unknown>) => PromiseLike<unknown>;

/** A request of the client, as it would have been sent. */
interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** Calls the operations of a contract through a client. */
export class ClientCalls {
  readonly #session: Session;
  readonly #shapes = new Map<string, CallShape>();
  readonly #client: Record<string, Record<string, Method>>;
  readonly #reader: CallReader;
  #sent: Sent | undefined;

  /** Throws for a contract that has no client. */
  constructor(session: Session, create: CreateClient = createRuntimeClient) {
    const document = session.contract.document as Document;
    this.#session = session;
    this.#reader = new CallReader(session.contract);
    const rows = placed(document)
      .toSorted((one, other) => bySpecificity(one.path, other.path))
      .flatMap((each) => {
        const id = each.operation.operationId;
        if (!session.contract.operations.some((operation) => operation.id === id)) return [];
        try {
          const shape = callShape(document, each);
          this.#shapes.set(id, shape);
          const wire = wireOf(document, shape);
          const inQuery = shape.parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
          const row = {
            ...{ name: `operations.${id.replaceAll(/[^A-Za-z0-9]/g, '')}`, repeat: 'refused' as const },
            ...(shape.body !== undefined && { body: true, inQuery }),
            ...(wire !== undefined && { wire }),
          };
          return [[`${each.method} ${each.path}`, row] as const];
        } catch {
          // `generate` refuses the operation with its place.
          return [];
        }
      });
    const keyNames = { header: 'x-api-key', query: 'api_key', in: 'header' };
    this.#client = create(
      { table: Object.fromEntries(rows), keyNames } as never,
      {
        baseUrl: 'http://client.invalid',
        apiKey: 'unused-key-of-the-client',
        fetch: async (input: string | URL | Request, init?: RequestInit) => {
          const request = new Request(input, { ...init, duplex: 'half' } as RequestInit);
          const { pathname, search } = new URL(request.url);
          const bytes = Buffer.from(await request.arrayBuffer());
          this.#sent = {
            method: request.method,
            target: pathname + search,
            // `fetch` of a browser does not send cookies that a program sets; that of Node does.
            headers: new Headers(init?.headers),
            body: bytes.length === 0 ? undefined : bytes,
          };
          const type = request.headers.get('content-type');
          if (type !== null && !this.#sent.headers.has('content-type')) this.#sent.headers.set('content-type', type);
          if (type?.startsWith('multipart/')) this.#sent.headers.set('content-type', type);
          return new Response(null, { status: 204 });
        },
      } as never,
    ) as Record<string, Record<string, Method>>;
  }

  /** The failures of an operation. Each call has random values; the same seed gives the same ones. */
  async check(operation: Operation, seed: number): Promise<Failure[]> {
    const shape = this.#shapes.get(operation.id);
    if (shape === undefined) return [];
    const failures: Failure[] = [];
    for (let index = 0; index < callsEach; index++) {
      failures.push(...(await this.#checkOnce(operation, shape, seed + index)));
      if (failures.length > 0) return failures;
    }
    return failures;
  }

  async #checkOnce(operation: Operation, shape: CallShape, seed: number): Promise<Failure[]> {
    const { requests } = this.#session.contract;
    const values = new Map<Parameter, Json>();
    // Its members can have any name, such as `__proto__`.
    const argument = Object.create(null) as Record<string, unknown>;
    for (const { key, name, in: place } of shape.parameters) {
      const parameter = [...operation.parameters.values()].find(
        (each) => each.in === place && (each.form?.described.name ?? each.name) === name,
      );
      if (parameter === undefined) continue;
      const [value = null] = fc.sample(validValues(requests, parameter.node), { seed, numRuns: 1 });
      if (!isClear(value)) {
        if (parameter.required) return [];
        continue;
      }
      values.set(parameter, value);
      argument[key] = value;
    }
    const body = shape.body === undefined ? undefined : this.#body(operation, seed);
    if (shape.body !== undefined && body !== undefined) {
      if (shape.body.members === undefined) argument['body'] = body;
      else Object.assign(argument, body);
    }
    this.#sent = undefined;
    const method = this.#client['operations']?.[operation.id.replaceAll(/[^A-Za-z0-9]/g, '')];
    if (method === undefined) return [];
    // The response is none of the contract's; what was sent counts.
    const thrown = await Promise.resolve(method(argument)).then(
      () => undefined,
      (error: unknown) => error,
    );
    this.#session.tally(operation, 'client');
    const own = this.#ownCall(operation, values, body);
    if (this.#sent === undefined) {
      const actual = thrown instanceof Error ? thrown.message : 'nothing was sent';
      return [failureOf(operation, own, 'a request', actual)];
    }
    return this.#compare(operation, { values, body }, own, this.#sent);
  }

  /** A JSON body; undefined for other kinds, whose bytes depend on the writer. */
  #body(operation: Operation, seed: number): Json | undefined {
    const { type, node } = mediaTypeOf(operation);
    if (!isJsonType(type) || operation.body?.content.size !== 1) return undefined;
    return fc.sample(validValues(this.#session.contract.requests, node), { seed, numRuns: 1 })[0];
  }

  /** The same call, as verify itself sends it. */
  #ownCall(operation: Operation, values: ReadonlyMap<Parameter, Json>, body: Json | undefined): Call {
    const base = { ...baseCall(this.#session, operation), query: [] };
    const call = [...values].reduce((at: Call, [parameter, value]) => {
      return withParameter(at, parameter.name, parameterText(parameter, value));
    }, base);
    return formed(
      operation,
      body === undefined ? call : withBody(call, operation, encodedBody(this.#session, operation, body)),
    );
  }

  #compare(
    operation: Operation,
    { values, body }: { values: ReadonlyMap<Parameter, Json>; body: Json | undefined },
    own: Call,
    { method, target, headers, body: bytes }: Sent,
  ): Failure[] {
    const { call } = this.#reader.read({ method, target, rawHeaders: [...headers].flat(), body: bytes });
    const { requests } = this.#session.contract;
    for (const [parameter, value] of values) {
      const wanted = readings(requests, parameter, own);
      // What its own form does not tell from another value is no fault of the client.
      if (!wanted.some((each) => isSame(each, value))) continue;
      const found = call.path === operation.path ? readings(requests, parameter, call) : [];
      if (found.some((each) => isSame(each, value)) && isSame(found[0], wanted[0])) continue;
      const actual = found.length === 0 ? 'no valid value' : shorten(JSON.stringify(found[0]));
      return [
        failureOf(
          operation,
          own,
          `the value ${shorten(JSON.stringify(value))} of '${parameter.name}'`,
          `${actual} in ${shorten(target)}`,
          parameter,
        ),
      ];
    }
    if (body === undefined) return [];
    const parsed = bytes === undefined ? undefined : parseBody(bytes);
    if (parsed !== undefined && 'value' in parsed && isSame(parsed.value, body)) return [];
    const isEmpty = isObject(body) && Object.keys(body).length === 0 && operation.body?.required !== true;
    return isEmpty
      ? []
      : [failureOf(operation, own, `the body ${shorten(JSON.stringify(body))}`, shorten(String(bytes)))];
  }
}

/** Whether a value can be told from no value: an empty text, list or object may be left out. */
function isClear(value: Json): boolean {
  if (value === null || value === '') return false;
  const inner = typeof value === 'object' ? Object.values(value) : [];
  if (
    typeof value === 'object' &&
    (inner.length === 0 || !inner.every((each) => each !== '' && typeof each !== 'object'))
  )
    return false;
  return !/[\u0000-\u001f\u007f-\uffff]|^\s|\s$|^\.{1,2}$/.test(
    typeof value === 'string' ? value : JSON.stringify(value),
  );
}

const isSame = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  ) ?? '';

/** The valid values that a call may mean for a parameter. */
function readings(document: object, parameter: Parameter, call: Call): unknown[] {
  const valid = (value: unknown): boolean => satisfies(document, parameter.node, value as Json);
  if (parameter.form !== undefined) {
    const found = readValues(parameter.form, call);
    return found === 'absent' ? [] : found.filter(valid);
  }
  const texts = parametersOf(call).get(parameter.name) ?? [];
  const scalar = (text: string): unknown[] => {
    const number = Number(text);
    return [
      ...(text.trim() !== '' && Number.isFinite(number) ? [number] : []),
      ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
      text,
    ];
  };
  if (parameter.list === undefined) return texts.length === 1 ? scalar(texts[0]!).filter(valid) : [];
  const items = texts.length === 1 ? texts[0]!.split(',') : [];
  return [items.map((text) => scalar(text)[0]), items].filter(valid);
}

function failureOf(operation: Operation, call: Call, expected: string, actual: string, parameter?: Parameter): Failure {
  const pointer = parameter?.pointer ?? `${operation.pointer}`;
  return { check: 'client', pointer, expected: `the client sends ${expected}`, actual, kind: 'client', calls: [call] };
}
