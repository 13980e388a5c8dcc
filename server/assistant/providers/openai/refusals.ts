/** Recognises what part of a request an endpoint refuses, from the words of its error. */
import { contentRejection, StatusError, UpstreamFailure, wordsOf } from './faults.ts';
import type { Feature } from './form.ts';

/** What parts of requests are called in errors. */
const names: Readonly<Record<Feature, RegExp>> = {
  choice: /tool[-_ ]?choice/i,
  tools: /\btools?\b|\btool[-_ ]?(?:choice|calls?|calling|use)\b|\bfunctions?\b|\bfunction[-_ ]?call/i,
  schema:
    /response[-_ ]?format|json[-_ ]?(?:schema|mode|object|output)|\btext\.format|structured|guided|grammar|\bschema\b/i,
  // A role that is not the one for results of tools; or the member of the APIs that have one for the instructions.
  system:
    /\bsystem[-_ ]?(?:roles?|messages?|prompts?|instructions?)\b|["'`]system["'`]|\bsystem\b.{0,40}\brole\b|\bdeveloper[-_ ](?:role|message|instruction)|\binstructions\b|\brole\b(?!.{0,20}\b(?:tool|function))|\broles must\b|\broles are\b|\bbody system\b|(?:^|supplied|argument|parameter|field|property)\W*system\b/i,
  usage: /stream[-_ ]?options|include[-_ ]?usage/i,
  stream: /\bstream(?:ing|ed)?\b(?![-_ ]?options)/i,
  store: /\bstore\b/i,
  null: /\bcontent\b/i,
};
const refusing =
  /\b(?:not|never|cannot|no|only|must|without|extra|unknown|unsupported|unrecogni[sz]ed|unexpected|unavailable|forbidden|invalid|illegal|disabled|missing|requires?|required|should be|expected|additional propert)|n't\b|_(?:forbidden|unsupported|unknown)|\bnull\b|\bnil\b|(?:forbidden|unsupported|unknown)_|unimplemented/i;
/** Errors about the account, the length or the content of a question: they refuse no part of it. */
const otherStatuses = new Set<unknown>([401, 402, 408, 429]);
const otherReasons =
  /context (?:length|window|size)|(?:maximum|max|too many) .{0,30}tokens|too (?:long|large)|rate.?limit|quota/i;

/**
 * The part of a request that an error refuses, of those that it had; undefined if there is none. The words decide, not the
 * status: llama.cpp refuses tools with 500, vLLM with 400, servers with FastAPI with 422. Where several parts are named, as in
 * a list of what is allowed, the first one counts.
 */
export function refusedFeature(error: unknown, sent: readonly Feature[]): Feature | undefined {
  const isStatus = error instanceof StatusError;
  if (!isStatus && !(error instanceof UpstreamFailure)) return undefined;
  if (otherStatuses.has(isStatus ? error.status : error.code)) return undefined;
  const words = isStatus ? wordsOf(error.reported) : `${String(error.code)} ${error.words}`;
  const param = isStatus ? (error.reported.param ?? '') : '';
  if (contentRejection.test(words) || otherReasons.test(words)) return undefined;
  if (!refusing.test(words) && param === '') return undefined;
  const found = sent
    .map((feature) => ({ feature, at: words.search(names[feature]) }))
    .filter(({ at }) => at !== -1)
    .toSorted((a, b) => a.at - b.at);
  return found[0]?.feature;
}
