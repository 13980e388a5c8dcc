/** The text of a statement as PostgreSQL gets it. */
import { statementOf } from '../../server/engines/postgres/store/postgres-dialect.ts';

export const textOf = (statement: Parameters<typeof statementOf>[0]): string => statementOf(statement).text;
