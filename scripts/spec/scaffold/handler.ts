/** The skeleton of a handler: it compiles and responds with 501 until it is implemented. */
import { quoted, type Operation } from './operation.ts';

/** Words that no constant of a module can have as its name. */
const reserved = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally ' +
    'for function if implements import in instanceof interface let new null package private protected public return static super ' +
    'switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** The name of the handler of an operation: its operationId, or a name in TypeScript that is made from it, as getUser from `get-user`. */
export function handlerName(id: string): string {
  if (/^[A-Za-z_]\w*$/.test(id) && !reserved.has(id)) return id;
  const [first = '', ...others] = id.split(/\W+/).filter((word) => word !== '');
  const name = [first, ...others.map((word) => word[0]!.toUpperCase() + word.slice(1))].join('');
  return /^[A-Za-z_]/.test(name) && !reserved.has(name)
    ? name
    : `handle${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

/** Where the handler of an operation stands. */
export const handlerFile = (id: string): string => `server/operations/${handlerName(id)}.ts`;

/** Throws an Error for the user where two operations have one name for their handlers. */
export function checkNames(ids: readonly string[]): void {
  for (const id of ids) {
    const other = ids.find((each) => each !== id && handlerName(each) === handlerName(id));
    if (other !== undefined)
      throw new Error(`operationIds '${id}' and '${other}' give one name to two handlers; rename one of them`);
  }
}

/**
 * Throws an Error for the user where something else has the name of an operation's handler; `present` is the text of the file that
 * stands where the handler would.
 */
export function checkName(id: string, present: string | undefined): void {
  if (present !== undefined && !new RegExp(`\\bexport .*\\b${handlerName(id)}\\b`).test(present))
    throw new Error(`operationId '${id}': ${handlerFile(id)} is something else already; name the operation otherwise`);
}

const comment = (text: string): string =>
  text.trim().replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').replace(/\.?$/, '.');
/** The error of a handler that is not written yet, as an expression. */
const notYet = (id: string): string => `new ServiceError(501, ${quoted(`${id} is not written yet`)})`;

/** A text in a comment of one line. */
const inLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** What the call brings, as comments. */
function brought({ parameters, exactlyOneOf, body }: Operation): string[] {
  const lines = (['path', 'query', 'headers', 'cookies'] as const).flatMap((place) => {
    const rule = place === 'query' && exactlyOneOf.length > 0 ? `, of ${exactlyOneOf.join(' and ')} exactly one` : '';
    const members = parameters[place].map(
      ({ name, type, always }) => `  //   ${inLine(name)}${always ? '' : '?'}: ${type}`,
    );
    return members.length === 0 ? [] : [`  // \`${place}\`, validated${rule}:`, ...members];
  });
  if (body === undefined) return lines.length === 0 ? ['  // The call has no parameters.'] : lines;
  const of = Array.from(body, ([mediaType, type]) => `  //   ${mediaType}: ${type}`);
  const which = body.size > 1 ? ', and `contentType`, which says which one it is' : '';
  return [...lines, `  // \`body\`, validated${which}:`, ...of];
}

/** How a handler answers that has no plain body. */
const replied = ({ replies, status }: Operation): string =>
  replies
    ? `\n  // It returns a reply, such as { status: ${status === '2XX' ? 200 : status}, headers: { … }, body: … }: the compiler knows what the contract allows.`
    : '';

function single(operation: Operation): string {
  const { id, summary, body, parameters } = operation;
  const places = (['path', 'query', 'headers', 'cookies'] as const).filter((place) => parameters[place].length > 0);
  const members = [
    ...places,
    ...(body === undefined ? [] : ['body']),
    ...(body !== undefined && body.size > 1 ? ['contentType'] : []),
  ];
  const input = members.length === 0 ? '()' : `({ ${members.join(', ')} })`;
  return `import type { Handler } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { Parts } from './parts.ts';

/** ${comment(summary)} */
export const ${handlerName(id)} = (_parts: Parts): Handler<${quoted(id)}> => async (_call) => {
  // To be written as (parts: Parts): Handler<${quoted(id)}> => async ${input} => …; parts.ts says what there is.
${brought(operation).join('\n')}${replied(operation)}
  throw ${notYet(id)};
};
`;
}

function list(operation: Operation, items: string): string {
  const { id, summary } = operation;
  return `import type { Answer, Handler } from '../contract/operations.ts';
import { ServiceError } from '../contract/service-error.ts';
import { paged } from './page.ts';
import type { Parts } from './parts.ts';

type Item = Answer<${quoted(id)}>['${items}'][number];

/** ${comment(summary)} */
export const ${handlerName(id)} = ({ cursors }: Parts): Handler<${quoted(id)}> => async ({ query }) => {
  // To be written: the function that answers a page, from what the parts have, as (page) => platform.…(…, page).
${brought(operation).join('\n')}
  const { items, ...page } = await paged<Item>(cursors, ${quoted(id)}, query, () => {
    throw ${notYet(id)};
  });
  return { ${items === 'items' ? items : `${items}: items`}, ...page };
};
`;
}

/** The text of the handler's file. */
export const handlerText = (operation: Operation): string =>
  operation.items === undefined ? single(operation) : list(operation, operation.items);
