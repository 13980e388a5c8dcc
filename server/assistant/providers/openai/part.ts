/** The parts of an answer, independent of the API dialect. */
import type { Schemas } from '../../../contract/operations.ts';

/** How an answer ended: complete, cut at a maximum length, or refused because of its content. */
export type FinishReason = 'whole' | 'cut' | 'refused';

/** A part of an answer. Reasoning, tool calls and search steps are not parts. */
export type Part =
  | { readonly text: string }
  | { readonly source: Schemas['Citation'] }
  | { readonly model: string }
  | { readonly end: FinishReason };

/** A member of an untrusted value; undefined if the value is no object or does not have the member. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The items of an untrusted value; empty if it is no array. */
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value if it is a non-empty string. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function modelIn(answer: unknown): Part[] {
  const model = textIn(member(answer, 'model'));
  return model === undefined || model.length > 200 ? [] : [{ model }];
}
