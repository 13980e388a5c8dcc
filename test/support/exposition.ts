/** What a server shows Prometheus, read back. */
export interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Exposition {
  /** The type of each metric, by its name. */
  readonly types: ReadonlyMap<string, string>;
  readonly helps: ReadonlyMap<string, string>;
  readonly series: readonly Series[];
}

/** Reads the text format of Prometheus. Throws for a line that is none of it. */
export function readExposition(text: string): Exposition {
  const types = new Map<string, string>();
  const helps = new Map<string, string>();
  const series: Series[] = [];
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const [, kind, about, rest] = /^# (TYPE|HELP) (\S+) (.*)$/.exec(line) ?? [];
    if (kind !== undefined) (kind === 'TYPE' ? types : helps).set(about!, rest!);
    else {
      const [, name, labels = '', value] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`not a line of the text format: ${line}`);
      series.push({
        name,
        labels: Object.fromEntries(
          Array.from(labels.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"(?:,|$)/g), ([, label, text]) => [
            label!,
            text!,
          ]),
        ),
        value: Number(value),
      });
    }
  }
  return { types, helps, series };
}
