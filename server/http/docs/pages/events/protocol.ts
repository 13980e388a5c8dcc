/** The part of asyncapi.yaml that the page reads. */
import { readFile } from 'node:fs/promises';
import type { OperationId, Schemas } from '../../../../contract/operations.ts';
import type { Reference } from '../../../../contract/openapi.ts';

export interface Message {
  /** The value of `type` in the message. */
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly payload: Reference;
  readonly examples: readonly { readonly summary?: string; readonly payload: object }[];
}
export interface Operation {
  readonly action: 'receive' | 'send';
  readonly messages: readonly Reference[];
  readonly reply?: { readonly messages: readonly Reference[] };
}
export interface Channel {
  readonly description: string;
  readonly params: readonly string[];
  readonly example: object;
  readonly events: readonly Schemas['WsEventName'][];
  readonly data: string;
  readonly kind: 'log' | 'state';
  readonly rest: OperationId;
}
export interface Close {
  readonly reason: string;
  readonly when: string;
  readonly reconnect: 'never' | 'later' | 'now';
  readonly then: string;
}
export interface Protocol {
  readonly info: { readonly description: string };
  readonly channels: {
    readonly events: {
      readonly address: string;
      readonly description: string;
      readonly 'x-channels': Readonly<Record<Schemas['WsChannel'], Channel>>;
      readonly 'x-events': Readonly<Record<Schemas['WsEventName'], string>>;
      readonly 'x-error-codes': Readonly<
        Record<
          Schemas['WsError']['code'],
          { readonly status: readonly number[]; readonly when: string; readonly then: string }
        >
      >;
      readonly 'x-close-codes': Readonly<Record<string, Close>>;
      readonly 'x-limits': Readonly<
        Record<string, { readonly value: number; readonly means: string; readonly beyond: string }>
      >;
    };
  };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly components: {
    readonly messages: Readonly<Record<string, Message>>;
    readonly securitySchemes: Readonly<
      Record<
        string,
        { readonly name?: string; readonly in?: string; readonly scheme?: string; readonly description: string }
      >
    >;
  };
}

/** Reads the generated document. */
export async function readProtocol(): Promise<Protocol> {
  return JSON.parse(
    await readFile(new URL('../../../../../generated/asyncapi.json', import.meta.url), 'utf8'),
  ) as Protocol;
}
