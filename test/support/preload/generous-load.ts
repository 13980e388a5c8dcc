/**
 * A module to import before the service starts, or with `--import`: no turn of the event loop is too long. On a slow machine a burst of
 * requests of a test would take the server beyond its limits, and it would reject some with 503.
 */
import { defaultLoadLimits } from '../../../server/http/server/load-monitor.ts';
import { generousLimits } from '../generous-limits.ts';

Object.assign(defaultLoadLimits, generousLimits);
