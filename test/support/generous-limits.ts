/** The limits of load shedding for servers whose load is not the subject. */
import type { LoadLimits } from '../../server/http/server/load-monitor.ts';

export const generousLimits: LoadLimits = { inFlight: 1_000, burstMs: 3_600_000, standingMs: 3_600_000 };
