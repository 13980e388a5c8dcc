/** Formats the results of a round for a terminal. */
import { styleText } from 'node:util';
import type { Level } from '../../contract-tools/diff/index.ts';
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
const limited = (lines: readonly string[], max: number, command: string): string[] =>
  lines.length <= max
    ? [...lines]
    : [...lines.slice(0, max - 1), paint('dim', `… and ${lines.length - max + 1} more: ${command}`)];

const differenceText = ({ sign, text, level }: Difference): string =>
  `${paint(signs[sign], sign)} ${text} (${consequences[level]})`;

function subjectText({ sign, name, context, level, differences }: Subject): string {
  const head = `${paint(signs[sign], sign)} ${paint('bold', name)}`;
  const where = context === '' ? '' : paint('dim', ` ${context}`);
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

/** Shortens a compiler message: omits long types. */
export function shortened(message: string): string {
  const text = message.replace(/'[^']{40,}'/g, (quoted) =>
    quoted.startsWith("'{") ? "'{…}'" : quoted.length > maxTypeLength ? `${quoted.slice(0, maxTypeLength)}…'` : quoted,
  );
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength - 1)}…`;
}

const parts: readonly (readonly [name: string, contains: (file: string) => boolean])[] = [
  ['handlers', (file) => file.startsWith('server/operations/')],
  ['server', (file) => file.startsWith('server/') && !file.startsWith('server/operations/')],
  ['client', (file) => file.startsWith('client/')],
  ['tests', (file) => file.startsWith('test/')],
  ['other', (file) => !/^(server|client|test)\//.test(file)],
];

/** Whether the fault is in the table of all handlers. */
const isTable = ({ file }: TypeFault): boolean => file === 'server/operations/index.ts';

/** The type errors by part of the project. */
function typeLines(faults: readonly TypeFault[]): string[] {
  if (faults.length === 0) return [];
  const lines = parts.flatMap(([name, contains]) => {
    // The table of handlers comes first: a missing handler belongs to a new operation.
    const own = faults.filter(({ file }) => contains(file)).toSorted((a, b) => Number(isTable(b)) - Number(isTable(a)));
    const texts = own.map(
      ({ file, line, column, message }) =>
        `${paint('cyan', line === 0 ? file : `${file}:${line}:${column}`)}  ${shortened(message)}`,
    );
    return block(name, limited(texts, maxFaults, 'npm run typecheck'), ['red', 'bold']);
  });
  const count = faults.length === 1 ? '1 type error' : `${faults.length} type errors`;
  return [paint('red', count), ...lines];
}

function serverLines(server: ServerPlan): string[] {
  if (server.plan !== 'held') return [];
  const state = server.url === undefined ? 'not started' : `${server.url} still runs the previous code`;
  return block('server', [`${state}; it restarts when its code compiles`]);
}

/** The next steps in order. */
export function nextSteps({ specFaults, contract, typeFaults, files }: Outcome): string[] {
  if (specFaults !== undefined)
    return ['correct the faults of the spec above; generated/ and the server are unchanged'];
  if (typeFaults === undefined) return [];
  const steps: string[] = [];
  const removed = contract?.subjects.some(({ sign, differences }) => sign === '-' && differences.length === 0);
  const unhandled = typeFaults.some((fault) => isTable(fault) && fault.message.includes('missing'));
  if (unhandled) steps.push('npm run scaffold   creates the handler and a test of each new operation');
  else if (removed && typeFaults.length > 0)
    steps.push('npm run scaffold   lists the unused files of removed operations');
  if (typeFaults.length > 0)
    steps.push(`correct the ${steps.length > 0 ? 'other type errors' : 'type errors'} and save`);
  if (contract?.version !== undefined)
    steps.push('npm run spec:diff  explains the consequences for callers; then set info.version');
  if (files.some((file) => file.startsWith('scripts/spec/dev/')))
    steps.push('npm run dev        restart it, because its own code has changed');
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
  const fileList = files.length > 4 ? [...files.slice(0, 3), `${files.length - 3} more`] : files;
  const title = paint('dim', `── ${now.toTimeString().slice(0, 8)} ${fileList.join(', ')}`);
  return [
    ...(files.length === 0 ? [] : ['', title]),
    ...(specFaults === undefined ? [] : [specFaults]),
    ...(faultsRemain ? [paint('red', 'the spec still has the faults reported above; generated/ is unchanged')] : []),
    ...(contract === undefined ? [] : contractLines(contract)),
    ...typeLines(typeFaults ?? []),
    ...serverLines(server),
    ...(typeFaults?.length === 0 ? [`${paint('green', '✓')} server and client compile`] : []),
    ...(specFaults === undefined && !faultsRemain && typeFaults === undefined && server.plan !== 'restart'
      ? ['no relevant change']
      : []),
    ...block('next', nextSteps(outcome)),
    ...timeLine(outcome),
  ].join('\n');
}

/** The end of a round: the type errors outside server and client. `productCompiles`: whether server and client compile. */
export function restText(faults: readonly TypeFault[], productCompiles: boolean, ms: number): string {
  const time = paint('dim', `whole project checked ${seconds(ms)}`);
  if (faults.length > 0)
    return [
      ...typeLines(faults),
      ...(productCompiles ? block('next', ['correct the tests and scripts and save']) : []),
      time,
    ].join('\n');
  return productCompiles
    ? [`${paint('green', '✓')} everything compiles`, ...block('next', ['npm test']), time].join('\n')
    : time;
}

/** The result of the server start, with the milliseconds since the save. */
export function startText(result: Started, ms: number): string {
  if ('url' in result) return `${paint('green', '✓')} server ready ${seconds(ms)}  ${paint('cyan', result.url)}`;
  return `${paint('red', '✗ the server did not start')}; the next change starts it again:\n${result.failure.replaceAll(/^/gm, '  ')}`;
}
