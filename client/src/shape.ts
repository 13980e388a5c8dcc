/**
 * The shape of a value, as `npm run generate` writes it from a schema of the contract: the names of types and other shapes,
 * separated by `|`, or an object.
 */
export type Shape =
  | string
  | {
      /** The names of the types. */
      readonly type?: string;
      readonly enum?: readonly unknown[];
      /** A regular expression. */
      readonly pattern?: string;
      readonly format?: 'date-time';
      readonly min?: number;
      readonly max?: number;
      /** The minimum length of a text or list. */
      readonly minSize?: number;
      /** The maximum length of a text or list. */
      readonly maxSize?: number;
      readonly unique?: true;
      readonly items?: Shape;
      /** The members of an object; the name of an optional one ends in `?`. */
      readonly members?: Readonly<Record<string, Shape>>;
      readonly any?: readonly Shape[];
      readonly all?: readonly Shape[];
    };
