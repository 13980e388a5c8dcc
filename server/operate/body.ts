/** Schemas of the bodies of actions. */

export const text = (maxLength: number): object => ({ type: 'string', minLength: 1, maxLength });
export const size = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const object = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

/** What a preview counted. An action that erases is refused where the archive has other counts meanwhile. */
export const expectedCounts = object({ tweets: size, users: size }, ['tweets', 'users']);
