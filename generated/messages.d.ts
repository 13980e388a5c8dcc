// Written by `npm run generate` from spec/. Do not edit.
import type { ValidateFunction } from 'ajv';
import type { components } from './types.ts';

type Validators<Message extends { type: string }> = { readonly [Type in Message['type']]: ValidateFunction<Extract<Message, { type: Type }>> };
/** Validators of the messages that a client may send, by type. */
export const received: Validators<components['schemas']['WsClientMessage']>;
/** Validators of the messages that the server sends, by type. */
export const sent: Validators<components['schemas']['WsServerMessage']>;
