/** The event stream that the mock of this project has beside its operations; a project without one exports undefined. */
import type { Protocol } from '../../../server/http/docs/pages/events/protocol.ts';
import type { OpenStream } from './app.ts';
import { MockEvents } from './events.ts';

export const openStream: OpenStream | undefined = ({ protocol, ...parts }) =>
  new MockEvents({ ...parts, protocol: protocol as Protocol });
