/** The search of this service in tables of PostgreSQL. */
import type { Engine } from './engine.ts';
import { createStoredEngine } from './stored.ts';

export const createEngine = (): Promise<Engine> => createStoredEngine('postgres');
