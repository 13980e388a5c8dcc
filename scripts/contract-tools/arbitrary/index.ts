/** Makes values for schemas: valid ones, and ones with exactly one fault. */
export { type Json, satisfies } from './schema.ts';
export { validValues } from './valid.ts';
