/** The control command that rotates the secrets. */
import type { Secrets } from '../ports/secrets.ts';
import type { Routes } from './control-server.ts';

export const secretRoutes = (secrets: Secrets): Routes => ({ 'secrets/rotate': () => secrets.rotate() });
