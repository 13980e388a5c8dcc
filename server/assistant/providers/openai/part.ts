/** What answers of endpoints consist of, whatever form they come in. */
import type { Schemas } from '../../../contract/operations.ts';

/** How an answer ended: whole, cut off at a length, or refused for its content. */
export type FinishReason = 'whole' | 'cut' | 'refused';

/** A piece of an answer. What reasons, calls tools or reports search steps is none. */
export type Part =
  | { readonly text: string }
  | { readonly source: Schemas['Citation'] }
  | { readonly model: string }
  | { readonly end: FinishReason };

/** The member of what may be no object at all: endpoints answer what they like. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** The items of what may be no list. */
export const items = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text where there is one that is not empty. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

export function modelIn(answer: unknown): Part[] {
  const model = textIn(member(answer, 'model'));
  return model === undefined || model.length > 200 ? [] : [{ model }];
}
