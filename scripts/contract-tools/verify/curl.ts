/** Formats a call as a curl command line with `$API_KEY` as the key. */
import { headersOf, keyPlaceholder, targetOf, type Call } from './call.ts';

/** The minimum length of a run of one character that is written as a repetition. */
const longRun = 80;

const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Quotes text for bash. The placeholder of the key becomes a variable, and printf generates long runs. */
function quote(text: string): string {
  const pieces = text.split(keyPlaceholder).map((piece) => {
    const runs = [...piece.matchAll(new RegExp(`(.)\\1{${longRun - 1},}`, 'gsu'))];
    let from = 0;
    let quoted = '';
    for (const run of runs) {
      if (run.index > from) quoted += single(piece.slice(from, run.index));
      const times = [...run[0]].length;
      quoted += `"$(printf ${single(`${run[1]!.replaceAll('%', '%%').replaceAll('\\', '\\\\')}%.0s`)} {1..${times}})"`;
      from = run.index + run[0].length;
    }
    return from < piece.length || quoted === ''
      ? quoted + (piece.length > from ? single(piece.slice(from)) : '')
      : quoted;
  });
  return pieces.join(`"${keyPlaceholder}"`) || "''";
}

const isText = (bytes: string): boolean => /^[\t\n\x20-\x7e]*$/.test(bytes);
const octal = (bytes: string): string =>
  [...bytes]
    .map((byte) =>
      /[\x20-\x7e]/.test(byte) && !/['\\%]/.test(byte) ? byte : `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`,
    )
    .join('');

/** The bash command line that sends the call to the base URL and prints the response headers too. */
export function curlOf(call: Call, base: string): string {
  const words = ['curl', '-sS', call.method === 'HEAD' ? '-I' : '-i'];
  const target = targetOf(call, keyPlaceholder);
  if (/\/\.{1,2}(\/|$|\?)/.test(target)) words.push('--path-as-is');
  if (/[[\]{}]/.test(target)) words.push('-g');
  const implied = call.body === undefined ? 'GET' : 'POST';
  if (call.method !== implied && call.method !== 'HEAD') words.push('-X', call.method);
  const basic = call.keys.filter(({ location }) => location.basic);
  for (const { replacement } of basic)
    words.push('-u', replacement === undefined ? `"${keyPlaceholder}"` : quote(replacement));
  const others = call.keys.filter(({ location }) => !location.basic);
  const headers = headersOf({ ...call, keys: others }, keyPlaceholder);
  for (const [name, value] of headers) {
    // curl leaves out a header whose value is empty, unless it ends in a semicolon.
    const line = value === '' ? `${name};` : `${name}: ${value}`;
    words.push('-H', line.includes(keyPlaceholder) && !/["`\\]/.test(line) ? `"${line}"` : quote(line));
  }
  let before = '';
  if (call.body !== undefined) {
    if (!headers.some(([name]) => name.toLowerCase() === 'content-type')) words.push('-H', "'content-type:'");
    if (isText(call.body)) words.push('--data-binary', quote(call.body));
    else {
      before = `printf '${octal(call.body)}' | `;
      words.push('--data-binary', '@-');
    }
  }
  words.push(quote(base + target));
  return before + words.join(' ');
}
