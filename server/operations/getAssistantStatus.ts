import type { Handler } from '../contract.ts';
import { notImplemented } from '../errors.ts';

/** Capacity of the assistant pool. Answers 501 while the server has no assistant. */
export const getAssistantStatus = (): Handler<'getAssistantStatus'> => () => {
  throw notImplemented('this server has no assistant');
};
