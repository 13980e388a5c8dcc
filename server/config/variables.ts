/** Environment variables: their definitions, validation and documentation texts. */
import { keysOf } from '../text/object.ts';

/** Invalid configuration; the message has one line for each invalid value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The definition of a variable: its default, the expected format, and its parser (undefined: invalid). */
export interface Variable<T> {
  readonly defaultText: string;
  readonly expected: string;
  readonly read: (text: string) => T | undefined;
  /** Whether messages must not contain the value, not even when it is invalid. */
  readonly secret?: boolean;
  /** What is wrong with an invalid value, where that says more than the expected format. */
  readonly fault?: (text: string) => string | undefined;
}

/** The items of a list with commas. */
export const list = (text: string): string[] => text.split(',').map((item) => item.trim());

/** A variable with one of some values. */
export function choice<const T extends string>(defaultText: T, values: readonly T[]): Variable<T> {
  const quoted = values.map((value) => `'${value}'`);
  return {
    defaultText,
    expected: `one of ${quoted.join(', ')}`,
    read: (text) => values.find((value) => value === text),
  };
}

/** A variable with a whole number in a range. */
export function wholeNumber(defaultText: string, min: number, max: number, unit = ''): Variable<number> {
  const read = (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
  return { defaultText, expected: `a whole number${unit} from ${min} to ${max}`, read };
}

/** The documentation of a variable. */
export interface Setting {
  readonly name: string;
  /** The default value; may be empty. */
  readonly defaultText: string;
  /** Its purpose, in CommonMark. */
  readonly description: string;
  /** The expected format. */
  readonly expected: string;
}

type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of variables by their names. */
export type ValuesOf<Of extends Variables> = { [Name in keyof Of]: NonNullable<ReturnType<Of[Name]['read']>> };

/** The documentation of variables, in the order of their descriptions. */
export const settingsOf = <Of extends Variables>(
  variables: Of,
  descriptions: Readonly<Record<keyof Of & string, string>>,
): readonly Setting[] =>
  keysOf(descriptions).map((name) => {
    const { defaultText, expected }: Variable<unknown> = variables[name]!;
    const description = descriptions[name];
    return { name, defaultText, description, expected };
  });

/**
 * Reads variables. An empty variable counts as unset. `problemsOf` says what is wrong with several together; an invalid variable is
 * undefined there. Throws a ConfigError that names every invalid variable, its value, and the expected format.
 */
export function readVariables<Of extends Variables>(
  variables: Of,
  env: Readonly<Record<string, string | undefined>>,
  problemsOf: (values: Partial<ValuesOf<Of>>) => readonly string[] = () => [],
): ValuesOf<Of> {
  const problems: string[] = [];
  const values = Object.fromEntries(
    Object.entries<Variable<unknown>>(variables).map(([name, { defaultText, expected, read, secret, fault }]) => {
      const text = env[name]?.trim() || defaultText;
      const value = read(text);
      if (value === undefined)
        problems.push(fault ? `${name}: ${fault(text)}` : `${name}=${secret ? '…' : text}: expected ${expected}`);
      return [name, value];
    }),
  ) as ValuesOf<Of>;
  problems.push(...problemsOf(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/** Columns of a line of help, and columns before the descriptions. */
const [width, indent] = [125, 25];

/** Wraps a description; the following lines are indented to its first column. */
function wrapText(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line.length + word.length >= width - indent) {
      lines.push(line);
      line = '';
    }
    line = `${line} ${word}`.trimStart();
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}

/** The help text of variables: name, description, default. */
export const settingsText = (settings: readonly Setting[]): string =>
  settings
    .map(
      ({ name, defaultText, description }) =>
        `  ${name} `.padEnd(indent) +
        wrapText(`${description.replaceAll('`', '')}${defaultText === '' ? '' : ` [${defaultText}]`}`),
    )
    .join('\n');
