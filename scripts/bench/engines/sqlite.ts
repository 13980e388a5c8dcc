/** The search of this service in a SQLite file. */
import type { Engine } from './engine.ts';
import { createStoredEngine } from './stored.ts';

export const createEngine = (): Promise<Engine> => createStoredEngine('sqlite');
