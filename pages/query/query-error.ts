/** The errors of the query parser, by their messages. */
import { badRequest, type ServiceError } from '../../server/contract/service-error.ts';

export interface QueryError {
  readonly offset: number | undefined;
  /** The unknown name at the offset, and the suggested name. */
  readonly wrong: string | undefined;
  readonly suggestion: string | undefined;
}

/** Parses an error message of the query parser. */
export function parseQueryError(message: string): QueryError {
  const offset = /^'query' cannot be read at (\d+): /.exec(message)?.[1];
  const [, wrong, suggestion] = /: unknown (?:filter|operator) '(.*?)': did you mean '([^']*)'\?/s.exec(message) ?? [];
  return { offset: offset === undefined ? undefined : Number(offset), wrong, suggestion };
}

export const tooLong = (length: number, max: number): ServiceError =>
  badRequest(`'query' has ${length} characters; at most ${max} are read`);
