/** Errors of X as messages for the operator. */
import { fields, isFields, list, text, type Fields } from '../../formats/recognised.ts';
import { SourceError } from '../../ports/live-source.ts';
import { retryAfterMs } from '../../upstream/retry-after.ts';
import type { HttpResponse } from '../http.ts';

/** X answered with an error status. */
export class XError extends SourceError {
  readonly status: number;

  constructor(status: number, message: string, options: { retryAfterMs?: number; isPermanent?: boolean } = {}) {
    super(message, options);
    this.status = status;
  }
}

/** The time to wait after a 429 that names none, and the bounds of the time that a response can ask for, in milliseconds. */
const wait = { fallback: 60_000, min: 1000, max: 24 * 60 * 60 * 1000 } as const;
const maxDetail = 200;

/** The last part of the type of a problem: `resource-not-found`. The host in front of it has changed before. */
export const problemType = (problem: Fields): string => /[^/]*$/.exec(text(problem.type) ?? '')?.[0] ?? '';

/** What X says about a problem, in one line of a bounded length. */
export function problemText(problem: Fields): string {
  const parts = [text(problem.title), text(problem.detail) ?? text(problem.message)].filter(
    (part) => part !== undefined,
  );
  const said = [...new Set(parts)].join(': ').replaceAll(/[\s\p{C}]+/gu, ' ');
  return said.length > maxDetail ? `${said.slice(0, maxDetail)}…` : said;
}

/** The first problem in a body. */
function problemIn(body: string): Fields {
  try {
    const value: unknown = JSON.parse(body);
    if (!isFields(value)) return {};
    return { ...list(value.errors)[0], ...('title' in value || 'detail' in value ? value : {}) };
  } catch {
    return {};
  }
}

/** The time until the limit of a response is over, in milliseconds; undefined where the response names none. */
export function untilReset(response: Pick<HttpResponse, 'header'>, now: number): number | undefined {
  const reset = Number(response.header('x-rate-limit-reset') ?? Number.NaN) * 1000 - now;
  const asked = Number.isFinite(reset) ? reset : retryAfterMs(response.header('retry-after'), now);
  return asked === undefined ? undefined : Math.min(wait.max, Math.max(wait.min, asked));
}

/** The error of a response whose status is not 200. `redact` removes the token from what X says. */
export function errorOf(
  response: Pick<HttpResponse, 'status' | 'header'>,
  body: string,
  now: number,
  redact: (said: string) => string,
): XError {
  const { status } = response;
  const problem = problemIn(body);
  const detail = redact(problemText(problem));
  const said = detail === '' ? '' : `: ${detail}`;
  if (status >= 300 && status < 400)
    return new XError(status, `X answers with a redirect (${status}), which is not followed: check FOLLOW_X_API`, {
      isPermanent: true,
    });
  if (status === 401)
    return new XError(
      status,
      `X rejects the bearer token (401)${said}. Create a new token in the developer console, and set X_BEARER_TOKEN`,
      {
        isPermanent: true,
      },
    );
  if (status === 402)
    return new XError(status, `the credits at X are used up (402)${said}. Buy credits in the developer console`, {
      isPermanent: true,
    });
  if (status === 403)
    return new XError(
      status,
      `X does not permit this request to the app of the token (403)${said}. Check the app and its plan in the developer console`,
      {
        isPermanent: true,
      },
    );
  if (status === 429) {
    const retry = problemType(problem) === 'usage-capped' ? 60 * 60 * 1000 : wait.fallback;
    return new XError(status, `X asks to wait (429)${said}`, { retryAfterMs: untilReset(response, now) ?? retry });
  }
  const retry = status >= 500 ? untilReset(response, now) : undefined;
  return new XError(status, `X answers with status ${status}${said}`, {
    ...(retry === undefined ? {} : { retryAfterMs: retry }),
    isPermanent: status === 400 || status === 404,
  });
}

/** The errors inside a response with status 200. */
export const problemsOf = (response: Fields): Fields[] => list(fields(response).errors);
