/** Environment variables: their definitions, validation and documentation texts. */

/** Invalid configuration; the message has one line for each invalid value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The definition of a variable: its purpose, its default, the expected format, and its parser (undefined: invalid). */
export interface Variable<T> {
  /** In CommonMark. The documentation and the help show it. */
  readonly description: string;
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
export function choice<const T extends string>(description: string, defaultText: T, values: readonly T[]): Variable<T> {
  const quoted = values.map((value) => `'${value}'`);
  return {
    description,
    defaultText,
    expected: `one of ${quoted.join(', ')}`,
    read: (text) => values.find((value) => value === text),
  };
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'on', 'true', 'yes'].map((text) => [text, true] as const),
  ...['0', 'off', 'false', 'no'].map((text) => [text, false] as const),
]);

/** A variable that is on or off. */
export const toggle = (description: string, defaultText: '0' | '1'): Variable<boolean> => ({
  ...{ description, defaultText, expected: "'1' or '0' (also 'on' or 'off', 'true' or 'false', 'yes' or 'no')" },
  read: (text) => truths.get(text.toLowerCase()),
});

/** A variable with a whole number in a range. */
export function wholeNumber(
  description: string,
  { preset, min, max, unit }: { preset: string; min: number; max: number; unit?: string },
): Variable<number> {
  const read = (text: string): number | undefined =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
  const expected = `a whole number${unit === undefined ? '' : ` of ${unit}`} from ${min} to ${max}`;
  return { description, defaultText: preset, expected, read };
}

/** The documentation of a variable. */
export interface Setting extends Pick<Variable<unknown>, 'defaultText' | 'description' | 'expected'> {
  readonly name: string;
}

type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of variables by their names. */
export type ValuesOf<Of extends Variables> = { [Name in keyof Of]: NonNullable<ReturnType<Of[Name]['read']>> };

/** The documentation of variables, in their order. */
export const settingsOf = (variables: Variables): readonly Setting[] =>
  Object.entries(variables).map(([name, { defaultText, description, expected }]) => {
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
