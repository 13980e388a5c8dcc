/** Formats the results of a round for a terminal. */
import { styleText } from 'node:util';
import type { Level } from '../diff/rules.ts';
import type { ContractChange, Difference, Sign, Subject } from './contract-change.ts';
import type { Started } from './service.ts';
import type { Outcome, ServerPlan } from './session.ts';
import type { TypeFault } from './types.ts';

type Style = Parameters<typeof styleText>[0];
/** Colours the text when standard output is a terminal and NO_COLOR is not set. */
const paint = (style: Style, text: string): string => styleText(style, text);

const signs = { '+': 'green', '-': 'red', '~': 'yellow' } as const satisfies Record<Sign, Style>;
const consequences: Readonly<Record<Level, string>> = {
  breaking: paint(['red', 'bold'], 'breaking'),
  care: paint('yellow', 'needs care'),
  safe: paint('green', 'safe'),
};
/** The maximum numbers of lines per kind and of characters per line. */
const maxSubjects = 12;
const maxDifferences = 6;
const maxFaults = 8;
const maxMessageLength = 140;
const maxTypeLength = 70;
/** The width of the names on the left. */
const gutter = 10;

/** Lines with a name in front of the first one. */
const block = (name: string, lines: readonly string[], style: Style = 'bold'): string[] =>
  lines.map((line, index) => `${index === 0 ? paint(style, name.padEnd(gutter)) : ' '.repeat(gutter)} ${line}`);

/** The first lines, and the number of omitted ones. */
const limited = (lines: readonly string[], most: number, rest: string): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most - 1), paint('dim', `… and ${lines.length - most + 1} more: ${rest}`)];

const differenceText = ({ sign, what, level }: Difference): string =>
  `${paint(signs[sign], sign)} ${what} (${consequences[level]})`;

function subjectText({ sign, name, of, level, differences }: Subject): string {
  const head = `${paint(signs[sign], sign)} ${paint('bold', name)}`;
  const where = of === '' ? '' : paint('dim', ` ${of}`);
  if (differences.length === 0) return `${head}${where} (${consequences[level]})`;
  const shown = limited(differences.map(differenceText), maxDifferences, 'npm run spec:diff');
  return `${head}${where}: ${shown.join(', ')}`;
}

function contractLines({ subjects, version }: ContractChange): string[] {
  const lines = limited(subjects.map(subjectText), maxSubjects, 'npm run spec:diff');
  return block('contract', [
    ...lines,
    ...(version === undefined || subjects.length === 0 ? [] : [paint('yellow', version)]),
  ]);
}

/** A message without the long types in it, which hide more than they say. */
export function brief(message: string): string {
  const text = message.replace(/'[^']{40,}'/g, (quoted) =>
    quoted.startsWith("'{") ? "'{…}'" : quoted.length > maxTypeLength ? `${quoted.slice(0, maxTypeLength)}…'` : quoted,
  );
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength - 1)}…`;
}

const parts: readonly (readonly [name: string, holds: (file: string) => boolean])[] = [
  ['handlers', (file) => file.startsWith('server/operations/')],
  ['server', (file) => file.startsWith('server/') && !file.startsWith('server/operations/')],
  ['client', (file) => file.startsWith('client/')],
  ['tests', (file) => file.startsWith('test/')],
  ['other', (file) => !/^(server|client|test)\//.test(file)],
];

/** Whether it is the table of all handlers that does not compile. */
const isTable = ({ file }: TypeFault): boolean => file === 'server/operations/index.ts';

/** What does not compile, by part of the project. */
function typeLines(faults: readonly TypeFault[]): string[] {
  if (faults.length === 0) return [];
  const lines = parts.flatMap(([name, holds]) => {
    // A handler that is missing comes first: what it misses is the new operation.
    const here = faults.filter(({ file }) => holds(file)).toSorted((a, b) => Number(isTable(b)) - Number(isTable(a)));
    const found = here.map(
      ({ file, line, column, message }) =>
        `${paint('cyan', line === 0 ? file : `${file}:${line}:${column}`)}  ${brief(message)}`,
    );
    return block(name, limited(found, maxFaults, 'npm run typecheck'), ['red', 'bold']);
  });
  const places = faults.length === 1 ? '1 place does' : `${faults.length} places do`;
  return [paint('red', `${places} not compile`), ...lines];
}

function serverLines(server: ServerPlan): string[] {
  if (server.plan !== 'held') return [];
  const state = server.url === undefined ? 'is not started' : `${server.url} runs on as it was`;
  return block('server', [`${state}, until its code compiles`]);
}

/** The next steps in order. */
export function nextSteps({ specFaults, contract, typeFaults, files }: Outcome): string[] {
  if (specFaults !== undefined) return ['mend the spec as it says above: generated/ and the server are as they were'];
  if (typeFaults === undefined) return [];
  const steps: string[] = [];
  const gone = contract?.subjects.some(({ sign, differences }) => sign === '-' && differences.length === 0);
  const unhandled = typeFaults.some((fault) => isTable(fault) && fault.message.includes('missing'));
  if (unhandled) steps.push('npm run scaffold   writes the handler and a test of each new operation');
  else if (gone && typeFaults.length > 0) steps.push('npm run scaffold   says what removed operations leave behind');
  if (typeFaults.length > 0)
    steps.push(`mend ${steps.length > 0 ? 'what is left' : 'what does not compile'}, and save`);
  if (contract?.version !== undefined)
    steps.push('npm run spec:diff  says what the changes mean for callers; then set info.version');
  if (files.some((file) => file.startsWith('scripts/spec/dev/')))
    steps.push('npm run dev        again: its own code has changed');
  return steps;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function timeLine({ times, files }: Outcome): string[] {
  const { generated, checked } = times;
  const source = files.length === 0 ? 'start' : 'spec';
  const parts = [
    ...(generated === undefined ? [] : [`${source} → types ${seconds(generated)}`]),
    ...(checked === undefined ? [] : [`types checked ${seconds(checked)}`]),
  ];
  return parts.length === 0 ? [] : [paint('dim', parts.join(' · '))];
}

/** The report of a round, without the start of the server (see `startText`). */
export function reportText(outcome: Outcome, now = new Date()): string {
  const { files, specFaults, faultsRemain, contract, typeFaults, server } = outcome;
  const named = files.length > 4 ? [...files.slice(0, 3), `${files.length - 3} more`] : files;
  const title = paint('dim', `── ${now.toTimeString().slice(0, 8)} ${named.join(', ')}`);
  return [
    ...(files.length === 0 ? [] : ['', title]),
    ...(specFaults === undefined ? [] : [specFaults]),
    ...(faultsRemain ? [paint('red', 'the spec still has the faults told above: generated/ is as it was')] : []),
    ...(contract === undefined ? [] : contractLines(contract)),
    ...typeLines(typeFaults ?? []),
    ...serverLines(server),
    ...(typeFaults?.length === 0 ? [`${paint('green', '✓')} server and client compile`] : []),
    ...(specFaults === undefined && !faultsRemain && typeFaults === undefined && server.plan !== 'restart'
      ? ['nothing that matters has changed']
      : []),
    ...block('next', nextSteps(outcome)),
    ...timeLine(outcome),
  ].join('\n');
}

/** The end of a round: what does not compile beside server and client; `product`: whether these do. */
export function restText(faults: readonly TypeFault[], product: boolean, ms: number): string {
  const time = paint('dim', `whole project checked ${seconds(ms)}`);
  if (faults.length > 0)
    return [
      ...typeLines(faults),
      ...(product ? block('next', ['mend the tests and scripts, and save']) : []),
      time,
    ].join('\n');
  return product
    ? [`${paint('green', '✓')} everything compiles`, ...block('next', ['npm test']), time].join('\n')
    : time;
}

/** How the server has started, so long after the save. */
export function startText(how: Started, ms: number): string {
  if ('url' in how) return `${paint('green', '✓')} server ready ${seconds(ms)}  ${paint('cyan', how.url)}`;
  return `${paint('red', '✗ the server did not start')}, the next change tries again:\n${how.failure.replaceAll(/^/gm, '  ')}`;
}
