/** The routes of `/operate/api`: the operator's interface, outside the contract. */
import type { IncomingMessage } from 'node:http';
import type { ErrorObject } from 'ajv';
import { Router, type Request, type RequestHandler } from 'express';
import getRawBody from 'raw-body';
import manifest from '../../package.json' with { type: 'json' };
import { badRequest, forbidden, ServiceError } from '../contract/service-error.ts';
import { requirementOf } from '../contract/requirement.ts';
import { schemaCompiler } from '../contract/schema-compiler.ts';
import { readJson } from '../http/express/body.ts';
import '../http/express/locals.ts';
import { methodNotAllowed } from '../http/express/not-found.ts';
import { bearerPlace, securityOf, type ContractSecurity, type Security } from '../http/security.ts';
import { credentialsFor, type Admission } from '../http/pipeline/admission.ts';
import type { Exchange } from '../http/pipeline/exchange.ts';
import type { Origin } from '../http/server/client-address.ts';
import type { AuthenticatedKey } from '../ports/keys.ts';
import type { Action, OperateParts } from './action.ts';
import { actions, runAction } from './actions.ts';
import { memberOf } from '../text/object.ts';
import { Sessions } from './sessions.ts';

/** Maximum size of a part of an upload. */
const maxPartBytes = 4 * 1024 * 1024;

export interface OperateRouteParts {
  readonly operate: OperateParts;
  readonly admission: Admission;
  readonly security: ContractSecurity;
  /** Returns the client address of a request. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Returns the origin by which the caller reaches the service. */
  readonly originOf: (request: IncomingMessage) => Origin;
}

/** What the operator's interface accepts: an API key, where the contract has it, and as a bearer token in any case. */
function operatorSecurity({ any, places }: ContractSecurity): Security {
  const place = places.find(({ scheme }) => scheme === 'bearer') ?? bearerPlace;
  const ofKeys = any.schemes.filter((scheme) => scheme.authenticator === undefined && scheme.place !== place);
  const bearer = { place, described: { type: 'http', scheme: 'bearer' }, authenticator: undefined };
  return securityOf([...ofKeys, bearer], false, any.realm);
}

const noCredentials = ({ any }: ContractSecurity): ServiceError =>
  new ServiceError(401, 'sign in with an operator key (`npm run keys -- create --name NAME --scopes admin`)', {
    'WWW-Authenticate': `Bearer realm="${any.realm}"`,
  });

/**
 * Whether a request comes from a page of this service: browsers state it in Sec-Fetch-Site (Fetch Metadata, W3C), older
 * ones only in Origin.
 */
function isSameOrigin(request: Request, { host, secure }: Origin): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return request.get('origin') === `${secure ? 'https' : 'http'}://${host}`;
}

/** Admits requests with an operator's key in a header, or with a session: authentication, rate limit, scope `admin`. */
class OperatorAdmission {
  readonly #parts: OperateRouteParts;
  readonly #sessions: Sessions;

  constructor(parts: OperateRouteParts, sessions: Sessions) {
    this.#parts = parts;
    this.#sessions = sessions;
  }

  readonly admit: RequestHandler = async (request, response, next) => {
    response.set('Cache-Control', 'no-store');
    try {
      await this.#admitTo(request, response.locals.exchange);
    } catch (error) {
      this.#recordRefusal(request, response.locals.exchange, error);
      throw error;
    }
    next();
  };

  async #admitTo(request: Request, exchange: Exchange): Promise<void> {
    const { admission } = this.#parts;
    const security = operatorSecurity(this.#parts.security);
    if (credentialsFor(exchange, security).length > 0) {
      if (exchange.credentials.some(({ place }) => place.in === 'query'))
        throw new ServiceError(401, "the operator's key must be in a header: URLs are logged", {
          'WWW-Authenticate': `Bearer realm="${security.realm}"`,
        });
      await admission.admit(exchange, security);
    } else await admission.admitKey(exchange, this.#sessionKey(request));
    exchange.applyHeaders();
    if (exchange.key?.scopes.has('admin') !== true) throw forbidden('admin', security.realm);
  }

  /** Records a refused sign-in in the audit log: without the key, which can be nearly that of an operator. */
  #recordRefusal(request: Request, { key }: Exchange, error: unknown): void {
    if (request.method !== 'POST' || request.path !== '/session' || !(error instanceof ServiceError)) return;
    const { operate, addressOf } = this.#parts;
    const reason = error.status === 403 ? 'a key without the scope admin' : `refused with ${error.status}`;
    void operate.audit.refuseSignIn(key?.id ?? '', addressOf(request), reason);
  }

  /** The key of the session. Throws 401, and 403 for a request that another site has caused. */
  #sessionKey(request: Request): AuthenticatedKey {
    const key = this.#sessions.find(request.headers.cookie);
    if (key === undefined) throw noCredentials(this.#parts.security);
    if (!isSameOrigin(request, this.#parts.originOf(request)))
      throw new ServiceError(
        403,
        'a session works only on the pages of this service; programs send the key in a header',
      );
    return key;
  }
}

/** What is wrong with a body, in words. */
function faultOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the body is not valid';
  const { keyword, params, instancePath } = error;
  if (keyword === 'additionalProperties') return `unknown member '${String(params['additionalProperty'])}'`;
  if (keyword === 'required') return `'${String(params['missingProperty'])}' is required`;
  const name = instancePath.slice(1).replaceAll('/', '.');
  return `${name === '' ? 'the body' : `'${name}'`} ${requirementOf(error)}`;
}

/** Tells a page that there is no session: a page that asks for it is no refused request. */
const withoutSession =
  (sessions: Sessions): RequestHandler =>
  (request, response, next) => {
    const { credentials } = response.locals.exchange;
    if (credentials.length > 0 || sessions.find(request.headers.cookie) !== undefined) return next();
    response.set('Cache-Control', 'no-store').json({ key: null });
  };

/** Reads and validates the body of an action. Throws 400. */
function validated({ body }: Action): RequestHandler[] {
  if (body === undefined) return [];
  const validate = schemaCompiler({ strict: false, verbose: true }).compile(body);
  return [
    readJson,
    (request, _response, next) => {
      if (!validate(request.body)) throw badRequest(faultOf(validate.errors?.[0]));
      next();
    },
  ];
}

const answer =
  (action: Action, parts: OperateParts): RequestHandler =>
  async (request, response) => {
    const keyId = response.locals.exchange.key?.id ?? '';
    const id = String(request.params['id'] ?? '');
    response.json((await runAction(action, { parts, keyId, id, body: request.body })) ?? null);
  };

/** A part of an upload: the bytes from `offset` on. */
const addPart =
  ({ uploads }: OperateParts): RequestHandler =>
  async (request, response) => {
    const offset = String(request.query['offset'] ?? '');
    if (!/^\d{1,15}$/.test(offset)) throw badRequest("'offset' must be the number of the first byte");
    if (request.get('content-type') !== 'application/octet-stream')
      throw new ServiceError(415, 'send a part as application/octet-stream');
    const read = (): Promise<Buffer> =>
      getRawBody(request, { limit: maxPartBytes }).catch((error: unknown) => {
        if (memberOf(error, 'type') === 'entity.too.large')
          throw new ServiceError(413, `a part has at most ${maxPartBytes / 1024 ** 2} MB`);
        throw badRequest('the part could not be read');
      });
    response.json(await uploads.add(String(request.params['id']), Number(offset), read));
  };

/** The description of the interface, in OpenAPI 3.1. */
function description(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, summary, body } of actions) {
    const parameters = path.includes('{id}')
      ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
      : [];
    const requestBody = body && { required: true, content: { 'application/json': { schema: body } } };
    paths[path] = {
      ...paths[path],
      [method]: {
        summary,
        ...(parameters.length > 0 ? { parameters } : {}),
        ...(requestBody === undefined ? {} : { requestBody }),
        responses: { 200: { description: 'JSON' }, default: { description: '`{error}`, as in the contract' } },
      },
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'The operator interface of Social Data', version: manifest.version },
    servers: [{ url: '/operate/api' }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
    security: [{ key: [] }],
    paths,
  };
}

/** Creates the routes of `/operate/api`. */
export function createOperateRoutes(parts: OperateRouteParts): Router {
  const { operate, originOf, addressOf } = parts;
  const sessions = new Sessions((keyId) => operate.keys.has(keyId));
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/session', withoutSession(sessions));
  router.use(new OperatorAdmission(parts, sessions).admit);
  router
    .route('/session')
    .post(async (request, response) => {
      const { exchange } = response.locals;
      const { key } = exchange;
      if (key === undefined || credentialsFor(exchange, operatorSecurity(parts.security)).length === 0)
        throw noCredentials(parts.security);
      await operate.audit.recordSession(key.id, 'POST /session', addressOf(request));
      response.set('Set-Cookie', sessions.begin(key, originOf(request).secure)).json({ key: key.id });
    })
    .get((_request, response) => void response.json({ key: response.locals.exchange.key?.id }))
    .delete(async (request, response) => {
      await operate.audit.recordSession(response.locals.exchange.key?.id ?? '', 'DELETE /session', addressOf(request));
      response.set('Set-Cookie', sessions.end(request.headers.cookie, originOf(request).secure)).json({ ended: true });
    })
    .all(methodNotAllowed(['GET', 'HEAD', 'POST', 'DELETE']));
  router.get('/openapi.json', (_request, response) => void response.json(description()));
  for (const [path, group] of Map.groupBy(actions, (action) => action.path)) {
    const route = router.route(path.replace('{id}', ':id'));
    for (const action of group) route[action.method](...validated(action), answer(action, operate));
    if (path === '/imports/{id}') route.put(addPart(operate));
    const methods = group.map(({ method }) => method.toUpperCase()).concat(path === '/imports/{id}' ? ['PUT'] : []);
    route.all(methodNotAllowed(methods.includes('GET') ? ['HEAD', ...methods] : methods));
  }
  router.use((request) => {
    throw new ServiceError(404, `path '/operate/api${request.path}' not found: see /operate/api/openapi.json`);
  });
  return router;
}
