/** `npm run scaffold`: creates the missing files of new operations and lists the remaining code of removed ones. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { operationTable } from '../../../server/contract/operation-table.ts';
import { generate, generated, generateFault, lint, readContract } from '../generate.ts';
import { handled, leftoversOf, listings, sourcesOf, type Leftovers } from './leftovers.ts';
import { callTypes } from './call-types.ts';
import { checkName, checkNames, handlerFile, handlerName, handlerText } from './handler.ts';
import { operationsOf, type Operation } from './operation.ts';
import { scaffoldForeign } from './foreign.ts';
import { testFile, testText } from './operation-test.ts';
import { withOperation } from './spec-entry.ts';
import { handLines, readTable, tableFile, withHandler } from './table.ts';

const usage = `Usage: npm run scaffold -- [--dry-run | --check]
       npm run scaffold -- --operation 'GET /social/user/blocks'
       npm run scaffold -- --spec FILE [--operation 'GET /path']

For each new operation of spec/openapi.yaml it writes a typed handler, which answers 501, and a test, which fails until the
handler is written, and names the handler in ${tableFile}. generated/ is brought up to date first.
For each operation that is gone it says what to delete. It deletes nothing, and overwrites nothing.

  --operation  first writes an entry for the operation into spec/openapi.yaml: one that passes the lint, with the errors of
               the operation that is most like it
  --spec     lists the operations of any other contract with their parameters, and with --operation adds an entry to it
  --dry-run  says what it would do, and does nothing
  --check    the same, and exits with 1 where there is something to do
  --help     shows this

Exit code: 0, 1 when the spec has faults or \`--check\` found something, 2 for a wrong call or a failure.`;

const root = new URL('../../../', import.meta.url).pathname;

/** A file to write. */
interface Skeleton {
  readonly file: string;
  readonly text: string;
  readonly says: string;
}
/** What an operation needs. */
interface Need {
  readonly operation: Operation;
  readonly skeletons: readonly Skeleton[];
  readonly wired: boolean;
}

/** Whether the project has what the tests of operations use. */
const hasTests = (sources: ReadonlyMap<string, string>): boolean => sources.has('test/support/operation.ts');

/** What a new operation needs; undefined where it has all. What is there is left as it is. */
function needOf(operation: Operation, sources: ReadonlyMap<string, string>): Need | undefined {
  checkName(operation.id, sources.get(handlerFile(operation.id)));
  const { id } = operation;
  const table = readTable(sources.get(tableFile) ?? '');
  const names = (mentions: readonly { id: string }[], name: string): boolean => mentions.some((one) => one.id === name);
  const wired = table
    ? names(table.imports, handlerName(id)) && names(table.entries, id)
    : new RegExp(`\\b${id}\\b`).test(sources.get(tableFile) ?? '');
  // The test goes with the handler: operations that are older than this command have theirs elsewhere.
  const skeletons = sources.has(handlerFile(id))
    ? []
    : [
        ...(hasTests(sources)
          ? [{ file: testFile(id), text: testText(operation), says: 'fails until the handler is written' }]
          : []),
        { file: handlerFile(id), text: handlerText(operation), says: 'answers 501 until it is written' },
      ].filter(({ file }) => !sources.has(file));
  return wired && skeletons.length === 0 ? undefined : { operation, skeletons, wired };
}

/** Writes a file that is not there yet, in the format of the project. */
async function writeNew({ file, text }: Skeleton): Promise<void> {
  const path = join(root, file);
  const [{ format }, { $schema: _, ignorePatterns: __, ...style }] = await Promise.all([
    import('oxfmt'),
    readFile(join(root, '.oxfmtrc.json'), 'utf8').then(
      (source) => JSON.parse(source) as Record<string, unknown>,
      () => ({}) as Record<string, unknown>,
    ),
  ]);
  const { code } = await format(file, text, style);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, code, { flag: 'wx' });
}

const row = (what: string, ...rest: string[]): string => `  ${what.padEnd(8)} ${rest.join('  ')}`.trimEnd();
const short = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function leftoverReport({ id, files, lines, named, uncalled }: Leftovers): string[] {
  return [
    `gone  ${id}`,
    ...files.map((file) => row('delete', file)),
    ...lines.map(({ file, line, text }) => row('delete', `${file}:${line}`, text)),
    ...uncalled.flatMap(({ method, places }) => [
      row('delete?', `nothing else calls ${method}`),
      ...places.map(({ file, line, text }) => row('', `${file}:${line}`, short(text))),
    ]),
    ...named.map(({ file, line, text }) => row('names it', `${file}:${line}`, short(text))),
    '',
  ];
}

/** Gives an operation what it needs, or says what it would give; answers the text of the table then. */
async function provide(
  { operation, skeletons, wired }: Need,
  table: string,
  order: readonly string[],
  dry: boolean,
): Promise<string> {
  const { id, route, may501 } = operation;
  console.log(`new  ${id}  ${route}`);
  for (const skeleton of skeletons) {
    if (!dry) await writeNew(skeleton);
    console.log(row(dry ? 'to write' : 'wrote', skeleton.file, skeleton.says));
  }
  if (skeletons.length > 0 && !may501)
    console.log(row('note', 'the contract gives it no 501: until the handler is written, callers get 500'));
  if (wired) return table;
  const extended = withHandler(table, id, order);
  if (extended === undefined) {
    console.log(row('by hand', `${tableFile} has a shape of its own; add`));
    for (const line of handLines(id)) console.log(row('', line));
    return table;
  }
  if (!dry) await writeFile(join(root, tableFile), extended);
  console.log(row(dry ? 'to name' : 'named', `it in ${tableFile}`));
  return extended;
}

/** Adds the entry of an operation to the spec. Throws an Error for the user. */
async function addToSpec(route: string, dry: boolean): Promise<void> {
  const file = 'spec/openapi.yaml';
  const { text, operationId } = withOperation(await readFile(join(root, file), 'utf8'), route, await readContract());
  if (!dry) await writeFile(join(root, file), text);
  console.log(
    `${dry ? 'to add' : 'added'} ${operationId} to ${file}: describe it, its parameters and its answer there\n`,
  );
}

/** Runs the command; returns the exit code. Throws an Error with a message for the user. */
async function run(parameters: readonly string[]): Promise<0 | 1> {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      'dry-run': { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      operation: { type: 'string' },
      spec: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const dry = values['dry-run'] || values.check;
  if (values.spec !== undefined) {
    for (const line of await scaffoldForeign(values.spec, values.operation, dry)) console.log(line);
    return 0;
  }
  if (values.operation !== undefined) await addToSpec(values.operation, dry);
  if (!(await lint())) return 1;
  const files = await generate(dry).catch(async (error: unknown) => {
    throw new Error(await generateFault(error), { cause: error });
  });
  console.log(`${dry && files.length > 0 ? `stale: ${files.join(', ')}; npm run generate` : generated(files)}\n`);

  const types = callTypes(await readFile(join(root, 'generated/types.ts'), 'utf8').catch(() => ''));
  const contract = await readContract();
  const operations = operationsOf(contract, types);
  const order = Object.keys(operationTable(contract as Parameters<typeof operationTable>[0]));
  const sources = await sourcesOf(root);
  checkNames(order);
  const needs = operations.flatMap((operation) => needOf(operation, sources) ?? []);
  const known = operations.filter(({ id }) => needs.every(({ operation }) => operation.id !== id));
  const lists = listings(
    sources,
    known.map(({ route }) => route.split(' ')[1]!),
  );
  let table = sources.get(tableFile) ?? '';
  for (const need of needs) {
    const { id } = need.operation;
    table = await provide(need, table, order, dry);
    for (const file of lists) console.log(row('also', `${file} lists the operations`));
    console.log(
      row('next', `write ${handlerFile(id)}${hasTests(sources) ? `, then: npm test -- ${testFile(id)}` : ''}\n`),
    );
  }
  // The lines that it names are those of the file as it is now.
  if (!dry) sources.set(tableFile, table);
  const gone = handled(sources)
    .filter((id) => !order.includes(id))
    .map((id) => leftoversOf(id, sources));
  for (const left of gone) console.log(leftoverReport(left).join('\n'));
  if (needs.length > 0 && gone.length > 0)
    console.log('Was an operation only renamed? Then move its handler over the new skeleton: git mv -f OLD NEW.\n');
  if (needs.length === 0 && gone.length === 0)
    console.log('Every operation has its handler, and every handler its operation.');
  return values.check && files.length + needs.length + gone.length > 0 ? 1 : 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    console.error(`scaffold: ${message}${code?.startsWith('ERR_PARSE_ARGS') ? `\n\n${usage}` : ''}`);
    process.exitCode = 2;
  }
}
