import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Capacity of the assistant pool. */
export const getAssistantStatus =
  ({ assistant }: Parts): Handler<'getAssistantStatus'> =>
  () =>
    assistant.status();
