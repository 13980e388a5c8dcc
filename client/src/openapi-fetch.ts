/**
 * What the client uses of openapi-fetch. No other module knows the package, which gets no updates any more: another one takes its place here
 * (decision record 0031).
 */
export {
  default as openapiFetch,
  createQuerySerializer,
  serializeArrayParam,
  serializeObjectParam,
  serializePrimitiveParam,
} from 'openapi-fetch';
export type { Client, Middleware } from 'openapi-fetch';
