var __defProp = Object.defineProperty;
var __getOwnPropNames = Object.getOwnPropertyNames;
var __esm = (fn, res, err) => function __init() {
  if (err) throw err[0];
  try {
    return fn && (res = (0, fn[__getOwnPropNames(fn)[0]])(fn = 0)), res;
  } catch (e) {
    throw err = [e], e;
  }
};
var __export = (target, all) => {
  for (var name in all)
    __defProp(target, name, { get: all[name], enumerable: true });
};

// client/src/failure.ts
function hider(key) {
  if (!key) return String;
  const encoded = isWellFormed(key) ? encodeURIComponent(key) : key;
  return (text) => text.replaceAll(key, "[key]").replaceAll(encoded, "[key]");
}
function classify(error, stage, failed, key) {
  if (error instanceof SocialDataError) return error;
  const cause = withoutKey(error, key);
  const { name } = membersOf(error);
  if (stage === "responded" && name === "SyntaxError")
    return new DecodeError("the response body is not JSON", failed, cause);
  const isBroken = stage === "sent" || stage && /^(Type|Abort)Error$/.test(name ?? "");
  return isBroken ? connectionError(failed, cause) : cause;
}
function connectionError(failed, cause, what = "the connection") {
  let code;
  for (let at = cause, depth = 0; typeof code !== "string" && depth < 5; depth++) {
    const { code: found, cause: inner, errors } = membersOf(at);
    code = found;
    at = inner ?? errors?.[0];
  }
  const known = typeof code === "string" ? code : void 0;
  const host = failed.url && new URL(failed.url).host;
  const message = `${what}${host ? ` to ${host}` : ""} failed${known ? ` (${known})` : ""}`;
  return Object.assign(new ConnectionError(message, failed, cause), { host, code: known });
}
function withoutKey(error, key) {
  const { message, name, cause, code } = membersOf(error);
  if (!key || typeof message !== "string") return error;
  const hide = hider(key);
  const inner = withoutKey(cause, key);
  const members = Object.getOwnPropertyNames(error).map((member) => error[member]);
  const isClean = inner === cause && members.every((value) => typeof value !== "string" || hide(value) === value);
  return isClean ? error : Object.assign(new Error(hide(message), { cause: inner }), { name, code });
}
var SocialDataError, UsageError, ConnectionError, TimeoutError, AbortError, DecodeError, PagingError, StreamError, membersOf, isWellFormed;
var init_failure = __esm({
  "client/src/failure.ts"() {
    "use strict";
    SocialDataError = class extends Error {
      /** The name of the class. It is the same in every copy of the package, and minifiers do not change it. */
      static socialDataError = "SocialDataError";
      constructor(message, failed, cause) {
        super(message, cause === void 0 ? void 0 : { cause });
        this.name = new.target.socialDataError;
        Object.assign(this, failed);
      }
      /** Accepts errors of every copy of the package. */
      static [Symbol.hasInstance](value) {
        if (!Object.hasOwn(this, "socialDataError")) return super[Symbol.hasInstance](value);
        let type = value?.constructor;
        while (type && type.socialDataError !== this.socialDataError) type = Object.getPrototypeOf(type);
        return Boolean(type);
      }
    };
    UsageError = class extends SocialDataError {
      static socialDataError = "UsageError";
    };
    ConnectionError = class extends SocialDataError {
      static socialDataError = "ConnectionError";
    };
    TimeoutError = class extends SocialDataError {
      static socialDataError = "TimeoutError";
    };
    AbortError = class extends SocialDataError {
      static socialDataError = "AbortError";
    };
    DecodeError = class extends SocialDataError {
      static socialDataError = "DecodeError";
    };
    PagingError = class extends SocialDataError {
      static socialDataError = "PagingError";
    };
    StreamError = class extends SocialDataError {
      static socialDataError = "StreamError";
      constructor(code, message, failed, status) {
        super(message, failed);
        Object.assign(this, { code, status });
      }
    };
    membersOf = (error) => Object(error);
    isWellFormed = (text) => !/[\ud800-\udfff]/u.test(text);
  }
});

// client/src/defined.ts
function defined(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== void 0));
}
function checkNumber(name, value) {
  if (typeof value !== "number" || !(value >= 0)) throw usageError(`'${name}' must be a number from 0 on`);
}
var usageError;
var init_defined = __esm({
  "client/src/defined.ts"() {
    "use strict";
    init_failure();
    usageError = (message, cause) => new UsageError(message, { operation: "options", attempts: 0 }, cause);
  }
});

// client/src/abort.ts
function onAbort(signal, callback) {
  if (!signal) return () => {
  };
  let waiting = callbacks.get(signal);
  if (waiting === void 0) {
    const added = /* @__PURE__ */ new Set();
    callbacks.set(signal, waiting = added);
    signal.addEventListener("abort", () => added.forEach((each) => each()), { once: true });
  }
  waiting.add(callback);
  return () => void waiting.delete(callback);
}
function sleep(ms, signal) {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer2);
      forget();
      resolve();
    };
    const timer2 = setTimeout(finish, signal?.aborted ? 0 : ms);
    const forget = onAbort(signal, finish);
  });
}
var abortError, callbacks;
var init_abort = __esm({
  "client/src/abort.ts"() {
    "use strict";
    init_failure();
    abortError = (what, failed, reason) => new AbortError(`the caller aborted the ${what}`, failed, reason);
    callbacks = /* @__PURE__ */ new WeakMap();
  }
});

// client/src/rate-limit.ts
function readRateLimit(headers) {
  const state = headers.get("ratelimit");
  const policy = headers.get("ratelimit-policy");
  const remaining = parameterOf(state, "r");
  if (remaining === void 0) return void 0;
  return {
    limit: parameterOf(policy, "q"),
    windowSeconds: parameterOf(policy, "w"),
    remaining,
    resetSeconds: parameterOf(state, "t")
  };
}
function readRetryAfter(headers) {
  const text = headers.get("retry-after")?.trim();
  if (!text) return void 0;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1e3;
  return Number.isNaN(seconds) ? void 0 : Math.max(0, seconds);
}
var parameterOf, readContext, Pauses;
var init_rate_limit = __esm({
  "client/src/rate-limit.ts"() {
    "use strict";
    init_abort();
    parameterOf = (field, name) => {
      const match = new RegExp(`;\\s*${name}=(\\d+)`).exec(field ?? "");
      return match ? Number(match[1]) : void 0;
    };
    readContext = (headers) => ({
      requestId: headers.get("x-request-id") ?? void 0,
      rateLimit: readRateLimit(headers)
    });
    Pauses = class {
      /** Until when calls wait, by path; '' is for all. */
      #until = /* @__PURE__ */ new Map();
      /** Lets new calls wait for `ms`: all of them if the rate limit of the key is used up, else those of the same path. */
      add(path, ms, rateLimit) {
        const scope = rateLimit?.remaining === 0 ? "" : path;
        this.#until.set(scope, Math.max(this.#until.get(scope) ?? 0, Date.now() + ms));
      }
      /** Waits while other calls wait, if the policy of the call permits such a delay. */
      async wait(path, { retries, budgetMs, baseMs }, signal) {
        const until = Math.max(this.#until.get("") ?? 0, this.#until.get(path) ?? 0);
        const waitMs = until - Date.now();
        if (retries > 0 && waitMs > 0 && waitMs <= budgetMs) await sleep(waitMs + Math.random() * baseMs, signal);
      }
    };
  }
});

// client/src/error-of.ts
var error_of_exports = {};
__export(error_of_exports, {
  ApiError: () => ApiError,
  BadGatewayError: () => BadGatewayError,
  BadRequestError: () => BadRequestError,
  ConversationExpiredError: () => ConversationExpiredError,
  ForbiddenError: () => ForbiddenError,
  GatewayTimeoutError: () => GatewayTimeoutError,
  GoneError: () => GoneError,
  InternalError: () => InternalError,
  MethodNotAllowedError: () => MethodNotAllowedError,
  NotFoundError: () => NotFoundError,
  NotImplementedError: () => NotImplementedError,
  NotModifiedError: () => NotModifiedError,
  Pauses: () => Pauses,
  PayloadTooLargeError: () => PayloadTooLargeError,
  PreconditionFailedError: () => PreconditionFailedError,
  RateLimitError: () => RateLimitError,
  RedirectError: () => RedirectError,
  UnauthorizedError: () => UnauthorizedError,
  UnavailableError: () => UnavailableError,
  UnexpectedStatusError: () => UnexpectedStatusError,
  UnsupportedMediaTypeError: () => UnsupportedMediaTypeError,
  errorOf: () => errorOf,
  readContext: () => readContext
});
function errorOf({ status, headers, type }, text, failed, key) {
  const hide = hider(key);
  const body = text === void 0 ? text : hide(text.slice(0, maxBodyChars));
  if (type !== "opaqueredirect" && (status <= 300 || status >= 400)) {
    const Class = byStatus[status] ?? UnexpectedStatusError;
    return new Class(status, messageIn(text) ?? `error ${status}`, { headers, body }, failed);
  }
  const target = headers.get("location") ?? void 0;
  const location2 = target && hide(target);
  const safe = new Headers(headers);
  if (location2) safe.set("location", location2);
  const replied = { headers: safe, body };
  return status === 304 ? new NotModifiedError(status, "the data has not changed", replied, failed) : Object.assign(
    new RedirectError(status, `the service redirects to ${location2 ?? "another address"}`, replied, failed),
    { location: location2 }
  );
}
function messageIn(text) {
  try {
    return textIn(JSON.parse(text ?? ""));
  } catch {
    return void 0;
  }
}
function textIn(body) {
  const members = Object(body);
  const text = textMembers.map((name) => members[name]).find((each) => typeof each === "string" && each !== "");
  if (text !== void 0) return text;
  return typeof members["error"] === "object" && members["error"] !== null ? textIn(members["error"]) : void 0;
}
var ApiError, BadRequestError, UnauthorizedError, ForbiddenError, NotFoundError, MethodNotAllowedError, ConversationExpiredError, GoneError, PreconditionFailedError, PayloadTooLargeError, UnsupportedMediaTypeError, RateLimitError, InternalError, NotImplementedError, BadGatewayError, UnavailableError, GatewayTimeoutError, UnexpectedStatusError, RedirectError, NotModifiedError, byStatus, maxBodyChars, textMembers;
var init_error_of = __esm({
  "client/src/error-of.ts"() {
    "use strict";
    init_failure();
    init_rate_limit();
    ApiError = class extends SocialDataError {
      static socialDataError = "ApiError";
      constructor(status, message, { headers, body }, failed) {
        super(message, failed);
        Object.assign(this, { status, retryAfter: readRetryAfter(headers), ...readContext(headers), headers, body });
      }
    };
    BadRequestError = class extends ApiError {
      static socialDataError = "BadRequestError";
    };
    UnauthorizedError = class extends ApiError {
      static socialDataError = "UnauthorizedError";
    };
    ForbiddenError = class extends ApiError {
      static socialDataError = "ForbiddenError";
    };
    NotFoundError = class extends ApiError {
      static socialDataError = "NotFoundError";
    };
    MethodNotAllowedError = class extends ApiError {
      static socialDataError = "MethodNotAllowedError";
    };
    ConversationExpiredError = class extends ApiError {
      static socialDataError = "ConversationExpiredError";
    };
    GoneError = class extends ApiError {
      static socialDataError = "GoneError";
    };
    PreconditionFailedError = class extends ApiError {
      static socialDataError = "PreconditionFailedError";
    };
    PayloadTooLargeError = class extends ApiError {
      static socialDataError = "PayloadTooLargeError";
    };
    UnsupportedMediaTypeError = class extends ApiError {
      static socialDataError = "UnsupportedMediaTypeError";
    };
    RateLimitError = class extends ApiError {
      static socialDataError = "RateLimitError";
    };
    InternalError = class extends ApiError {
      static socialDataError = "InternalError";
    };
    NotImplementedError = class extends ApiError {
      static socialDataError = "NotImplementedError";
    };
    BadGatewayError = class extends ApiError {
      static socialDataError = "BadGatewayError";
    };
    UnavailableError = class extends ApiError {
      static socialDataError = "UnavailableError";
    };
    GatewayTimeoutError = class extends ApiError {
      static socialDataError = "GatewayTimeoutError";
    };
    UnexpectedStatusError = class extends ApiError {
      static socialDataError = "UnexpectedStatusError";
    };
    RedirectError = class extends ApiError {
      static socialDataError = "RedirectError";
    };
    NotModifiedError = class extends ApiError {
      static socialDataError = "NotModifiedError";
    };
    byStatus = {
      400: BadRequestError,
      401: UnauthorizedError,
      403: ForbiddenError,
      404: NotFoundError,
      405: MethodNotAllowedError,
      409: ConversationExpiredError,
      410: GoneError,
      412: PreconditionFailedError,
      413: PayloadTooLargeError,
      415: UnsupportedMediaTypeError,
      429: RateLimitError,
      500: InternalError,
      501: NotImplementedError,
      502: BadGatewayError,
      503: UnavailableError,
      504: GatewayTimeoutError
    };
    maxBodyChars = 2e3;
    textMembers = ["error", "message", "detail", "title", "error_description"];
  }
});

// client/src/on-demand.ts
function onDemand(load) {
  let loaded;
  return () => loaded ??= load().catch((cause) => {
    loaded = void 0;
    throw connectionError({ operation: "import", attempts: 1 }, cause, "the import of a module");
  });
}
function lazyIterator(open, end, result) {
  let opened;
  let isEnded = false;
  const start = () => opened ??= open();
  const finish = () => {
    isEnded = true;
    opened?.then(
      (iterator2) => iterator2[end](),
      () => {
      }
    );
  };
  const finishAsync = async () => {
    finish();
    return done;
  };
  const iterator = {
    next: async () => isEnded && opened === void 0 ? done : (await start()).next(),
    return: finishAsync,
    async throw(error) {
      finish();
      throw error;
    },
    [end]: finish,
    [result]: async () => (await start())[result](),
    [Symbol.asyncIterator]: () => iterator,
    [asyncDispose]: finishAsync
  };
  return iterator;
}
var errorResponses, done, asyncDispose;
var init_on_demand = __esm({
  "client/src/on-demand.ts"() {
    "use strict";
    init_failure();
    errorResponses = onDemand(() => Promise.resolve().then(() => (init_error_of(), error_of_exports)));
    done = { done: true, value: void 0 };
    ({ asyncDispose = "return" } = Symbol);
  }
});

// client/src/paging.ts
var paging_exports = {};
__export(paging_exports, {
  collect: () => collect,
  itemsOf: () => itemsOf,
  pagesOf: () => pagesOf
});
function checkSignal(signal, failed) {
  if (signal?.aborted) throw abortError("iteration", failed, signal.reason);
}
async function* readPages({
  fetchPage,
  itemsOf: read,
  limit,
  signal
}) {
  const cursors = /* @__PURE__ */ new Set();
  let cursor;
  for (let remaining = limit; remaining > 0; ) {
    try {
      const completed2 = await fetchPage(cursor);
      const { has_next_page: hasNext, next_cursor: next } = completed2.data;
      if (hasNext && next && cursors.has(next))
        throw new PagingError("a page refers to an earlier page", completed2.failed);
      yield completed2;
      checkSignal(signal, completed2.failed);
      remaining -= read(completed2.data).length;
      if (!hasNext || !next) return;
      cursors.add(cursor = next);
    } catch (error) {
      if (error instanceof SocialDataError && cursor !== void 0) error.cursor ??= cursor;
      throw error;
    }
  }
}
async function* pagesOf(paging) {
  for await (const { data } of readPages(paging)) yield data;
}
async function* itemsOf(paging) {
  let remaining = paging.limit;
  for await (const { data, failed } of readPages(paging)) {
    for (const item of paging.itemsOf(data)) {
      checkSignal(paging.signal, failed);
      yield item;
      if (--remaining <= 0) return;
    }
  }
}
async function collect(paging) {
  const all = [];
  for await (const item of itemsOf(paging)) all.push(item);
  return all;
}
var init_paging = __esm({
  "client/src/paging.ts"() {
    "use strict";
    init_abort();
    init_failure();
  }
});

// client/src/follow.ts
var follow_exports = {};
__export(follow_exports, {
  openFollowed: () => openFollowed
});
async function openFollowed(open, { list, itemsOf: itemsOf3, channel: [channel, ...names2], parameters }, options) {
  const { data, response } = await list.withResponse();
  const cursor = response.headers.get("x-event-cursor");
  const event = channel === "community:members" ? "community.joined" : "tweet.created";
  const first = [...itemsOf3(data)].reverse().map((item) => ({
    event,
    data: item,
    cursor,
    seq: Number(cursor?.split(".")[1]),
    event_id: `${event}:${item.id}`,
    replay: true
  }));
  const params = defined(Object.fromEntries(names2.map((name) => [name, parameters[name]])));
  const seen = first.map((each) => each.event_id);
  const stream = open({ channel, params, seen }, { ...options, cursor });
  return {
    async next() {
      const value = first.shift();
      return value === void 0 ? stream.next() : { done: false, value };
    },
    ready: () => stream.ready(),
    close() {
      first.length = 0;
      stream.close();
    }
  };
}
var init_follow = __esm({
  "client/src/follow.ts"() {
    "use strict";
    init_defined();
  }
});

// client/src/coalesce.ts
var coalesce_exports = {};
__export(coalesce_exports, {
  coalesceReads: () => coalesceReads
});
function coalesceReads(send2) {
  const pending = /* @__PURE__ */ new Map();
  return (path, operation, parameters, options) => {
    const isAlone = options !== void 0 || operation.repeat === "refused" || Object(parameters) !== parameters;
    if (isAlone) return send2(path, operation, parameters, options);
    const key = operation.method + path + JSON.stringify(Object.entries(parameters).sort());
    const read = pending.get(key) ?? send2(path, operation, parameters, options).finally(() => pending.delete(key));
    pending.set(key, read);
    return read;
  };
}
var init_coalesce = __esm({
  "client/src/coalesce.ts"() {
    "use strict";
  }
});

// client/src/input.ts
function inputOf({
  path: template,
  operation: { body: hasBody, inQuery: inQuery2 = [], units = {} },
  parameters = {}
}, failed) {
  if (Object(parameters) !== parameters || Array.isArray(parameters))
    throw new UsageError("the parameters must be an object", failed);
  const names2 = namesIn(template);
  const path = emptyMembers();
  const query = emptyMembers();
  const body = hasBody ? emptyMembers() : void 0;
  for (const name of names2)
    if (/^\.{0,2}$/.test(String(parameters[name] ?? "")))
      throw new UsageError(`the parameter '${name}' is missing, or invalid in a path`, failed);
  for (const [name, value] of Object.entries(parameters)) {
    const part2 = names2.includes(name) ? path : body && !inQuery2.includes(name) ? body : query;
    const unit = units[name];
    const isCounted = unit && (value === !!value || value instanceof Date);
    part2[name] = isCounted ? Math.floor(value / unit) : value;
  }
  return { path, query, body };
}
var emptyMembers, namesIn;
var init_input = __esm({
  "client/src/input.ts"() {
    "use strict";
    init_failure();
    emptyMembers = () => /* @__PURE__ */ Object.create(null);
    namesIn = (path) => path.match(/[^{]+(?=\})/g) ?? [];
  }
});

// client/src/cache.ts
var cache_exports = {};
__export(cache_exports, {
  sendCached: () => sendCached
});
async function sendCached(attempt, cache, url, init) {
  const known = init.headers["if-none-match"] === void 0 ? await cache.get(url) : void 0;
  if (known !== void 0) init.headers["if-none-match"] = known.etag;
  const reply = await attempt.send(init);
  const { response, isOk, text } = reply;
  if (known !== void 0 && response.status === 304) return { response, isOk: true, data: JSON.parse(known.text) };
  const etag = response.headers.get("etag");
  if (isOk && etag !== null && text !== void 0) await cache.set(url, { etag, text });
  return reply;
}
var init_cache = __esm({
  "client/src/cache.ts"() {
    "use strict";
  }
});

// client/src/attempt.ts
var cached, withKey, Attempt;
var init_attempt = __esm({
  "client/src/attempt.ts"() {
    "use strict";
    init_failure();
    init_input();
    init_on_demand();
    cached = onDemand(() => Promise.resolve().then(() => (init_cache(), cache_exports)));
    withKey = (url, key, { keyNames: keyNames2 }) => key === void 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${keyNames2.query}=${encodeURIComponent(key)}`;
    Attempt = class {
      failed;
      key;
      transport;
      call;
      #stage;
      /** The URL with the key, if the query has it. */
      #keyedUrl = "";
      /** The key that the service has refused. */
      #refused;
      constructor(transport, call, attempts, refused) {
        this.transport = transport;
        this.#refused = refused;
        this.call = call;
        const { method } = call.operation;
        const operation = `${method} ${call.path}`;
        this.failed = { operation, attempts, method: method.toUpperCase(), url: transport.settings.baseUrl + call.path };
      }
      /** Sends the request; undefined where its key is still the refused one. Rejects with errors of this package, and with those of hooks. */
      async run(signal) {
        const { transport, call } = this;
        try {
          this.key = await transport.key(this.failed, this.#refused);
          if (this.#refused !== void 0 && this.key === this.#refused) return void 0;
          if (call.init || call.operation.wire || transport.middleware.length > 0)
            return await (await transport.fetchClient()).sendWithHooks(this, signal);
          return await this.#direct(signal);
        } catch (error) {
          throw classify(error, this.#stage, this.failed, this.key);
        }
      }
      /** Calls `fetch`. */
      async fetch(url, init, own) {
        const { fetch: configured = globalThis.fetch, fetchOptions } = this.transport.settings;
        const fetch = own ?? configured;
        const options = { ...fetchOptions, ...this.call.options.fetchOptions };
        this.#stage = "sent";
        const response = await fetch(url, { ...options, ...init, redirect: "manual" });
        this.#stage = "responded";
        return response;
      }
      /** The headers of the client, the call and the key. */
      headers(keyIn = this.transport.settings.keyIn) {
        const { agent, cursor, settings } = this.transport;
        const { options, operation } = this.call;
        const headers = {};
        if (agent !== void 0) headers["user-agent"] = agent;
        if (cursor !== void 0 && !operation.ignoresCursor) headers["x-event-cursor"] = cursor;
        const given2 = [settings.headers, options.headers];
        for (const names2 of given2) for (const name in names2) headers[name.toLowerCase()] = names2[name] ?? "";
        try {
          if (given2[0] ?? given2[1]) new Headers(headers);
        } catch (cause) {
          throw new UsageError("a header cannot be sent", this.failed, cause);
        }
        if (this.key !== void 0) {
          if (keyIn === "header") headers[settings.keyNames.header] = this.key;
          else if (keyIn === "bearer") headers["authorization"] = `Bearer ${this.key}`;
          else if (keyIn === "basic") headers["authorization"] = `Basic ${btoa(this.key)}`;
        }
        return headers;
      }
      /** Sends a request, and reads the JSON of its response. */
      async send(init) {
        const response = await this.fetch(this.#keyedUrl, init);
        const text = await response.text();
        const isOk = response.ok;
        return { response, isOk, text, data: isOk ? JSON.parse(text) : void 0 };
      }
      /** Sends the call with `fetch` alone. */
      async #direct(signal) {
        const input = inputOf(this.call, this.failed);
        const { settings } = this.transport;
        const { method } = this.call.operation;
        const url = this.#address(input);
        this.failed = { ...this.failed, url };
        this.#keyedUrl = settings.keyIn === "query" ? withKey(url, this.key, settings) : url;
        const headers = this.headers();
        const init = { method: method.toUpperCase(), headers, signal };
        if (input.body) {
          headers["content-type"] ??= "application/json";
          init.body = JSON.stringify(input.body);
        }
        return settings.cache && method === "get" ? (await cached()).sendCached(this, settings.cache, url, init) : this.send(init);
      }
      /** The URL without the key. */
      #address({ path, query }) {
        const encode = (name, value) => {
          try {
            return encodeURIComponent(String(value));
          } catch (cause) {
            throw new UsageError(`the parameter '${name}' has half of a surrogate pair`, this.failed, cause);
          }
        };
        let url = this.transport.settings.baseUrl;
        url += this.call.path.replace(/\{([^{}]*)\}/g, (_, name) => encode(name, path[name]));
        let separator = "?";
        for (const name in query) {
          const value = query[name];
          if (value === void 0 || value === null) continue;
          url += `${separator}${name}=${encode(name, value)}`;
          separator = "&";
        }
        return url;
      }
    };
  }
});

// client/src/key-source.ts
var key_source_exports = {};
__export(key_source_exports, {
  KeySource: () => KeySource
});
var reserveShare, maxReserveMs, isToken, KeySource;
var init_key_source = __esm({
  "client/src/key-source.ts"() {
    "use strict";
    reserveShare = 0.2;
    maxReserveMs = 6e4;
    isToken = (value) => Object(value) === value;
    KeySource = class {
      #ask;
      /** The last answer with an end. `useUntil`: milliseconds since 1970. */
      #kept;
      /** Calls that need a new token at the same time share it. */
      #asked;
      constructor(ask) {
        this.#ask = ask;
      }
      /** The key, which is not `refused` unless the function answers that again. Rejects with the error of the function. */
      async key(refused) {
        const kept = this.#kept;
        if (kept !== void 0 && kept.key !== refused && Date.now() < kept.useUntil) return kept.key;
        if (kept === void 0) return this.#keep(await this.#ask());
        this.#asked ??= (async () => this.#keep(await this.#ask()))().finally(() => this.#asked = void 0);
        return this.#asked;
      }
      #keep(answer) {
        if (!isToken(answer)) return answer;
        const { token, expires_at: end } = answer;
        const leftMs = end === void 0 ? 0 : Date.parse(end) - Date.now();
        this.#kept = { key: token, useUntil: Date.now() + leftMs - Math.min(maxReserveMs, leftMs * reserveShare) };
        return token;
      }
    };
  }
});

// client/src/diagnostics.ts
var diagnostics_exports = {};
__export(diagnostics_exports, {
  trace: () => trace
});
function trace(channel, { path, operation: { method } }, baseUrl2, run) {
  const context = { operation: `${method} ${path}`, method, url: baseUrl2 + path };
  return channel.tracePromise(async () => {
    const sent = await run();
    context.status = sent.response.status;
    context.attempts = sent.failed.attempts;
    return sent;
  }, context);
}
var init_diagnostics = __esm({
  "client/src/diagnostics.ts"() {
    "use strict";
  }
});

// client/src/media.ts
function kindOf(kinds2, given2) {
  const type = withoutParameters(given2);
  const known = Object.entries(kinds2).map(([each, kind]) => [withoutParameters(each), kind]);
  for (const wanted of [type, `${type.split("/", 1)[0]}/*`, "*/*"])
    for (const [each, kind] of known) if (each === wanted) return kind;
  return void 0;
}
function multipart(value, { encoding = {} }) {
  const form = new FormData();
  for (const [name, member] of Object.entries(value)) {
    const [type = ""] = ownOf(encoding, name) ?? [];
    const isJson = /[/+]json\b/.test(type);
    for (const each of isJson ? [member] : valuesOf(member)) {
      if (each === void 0) continue;
      if (isBlob(each)) form.append(name, each);
      else if (isJson || typeof each === "object")
        form.append(name, new Blob([JSON.stringify(each)], { type: type || "application/json" }));
      else if (type === "" || isRange(type) || type.includes(",")) form.append(name, String(each));
      else form.append(name, new Blob([String(each)], { type }));
    }
  }
  return form;
}
function urlEncoded(value, { encoding = {} }, write) {
  const pairs = Object.entries(value).flatMap(([name, member]) => {
    if (member === void 0 || member === null) return [];
    const [type = "", style, explode = true] = ownOf(encoding, name) ?? [];
    if (style !== void 0) return write(name, member, style, explode);
    const values = /[/+]json\b/.test(type) ? [JSON.stringify(member)] : valuesOf(member).map(textOf);
    return values.map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`);
  });
  return pairs.filter((pair) => pair !== "").join("&");
}
function written(value, wire, named, write, failed) {
  const kinds2 = wire.body ?? { "application/json": "json" };
  const [first = ""] = Object.keys(kinds2);
  const type = named ?? (isBlob(value) && value.type !== "" && kindOf(kinds2, value.type) ? value.type : first);
  const isObject2 = typeof value === "object" && value !== null;
  const kind = kindOf(kinds2, type) ?? "json";
  switch (kind) {
    case "multipart":
      if (isObject2)
        return { body: value instanceof FormData ? value : multipart(value, wire), type: void 0 };
      break;
    case "form":
      if (isObject2) return { body: urlEncoded(value, wire, write), type };
      break;
    case "json":
      return { body: JSON.stringify(value), type };
    case "binary":
      if (isBlob(value)) return { body: value, type: isRange(type) ? value.type || "application/octet-stream" : type };
      return { body: value, type: isRange(type) ? "application/octet-stream" : type };
    default:
      if (typeof value === "string") return { body: value, type: isRange(type) ? "text/plain" : type };
  }
  throw new UsageError(`the body must be ${isObject2 ? "a text" : "an object"} for the media type ${type}`, failed);
}
async function* textsOf(body, isEvents) {
  const separator = isEvents ? blankLine : line;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (; ; ) {
      const { done: done2, value } = await reader.read();
      rest += done2 ? decoder.decode() : decoder.decode(value, { stream: true });
      const isOpen = !done2 && rest.endsWith("\r");
      const parts = (isOpen ? rest.slice(0, -1) : rest).split(separator);
      const last = parts.pop() ?? "";
      yield* parts;
      if (done2) return isEvents ? void 0 : yield last;
      rest = isOpen ? `${last}\r` : last;
    }
  } finally {
    await reader.cancel().catch(() => {
    });
  }
}
function dataOf(event) {
  const lines = event.split(line).flatMap((field) => {
    const match = /^data(?:: ?(.*))?$/s.exec(field);
    return match === null ? [] : [match[1] ?? ""];
  });
  return lines.length === 0 ? void 0 : lines.join("\n");
}
async function* itemsOf2(body, kind, { failed, signal }) {
  if (body === null) return;
  const texts = textsOf(body, kind === "event-stream");
  const aborted = new Promise((_, reject) => {
    const abort = () => reject(abortError("stream", failed, signal?.reason));
    if (signal?.aborted) abort();
    else onAbort(signal, abort);
  });
  aborted.catch(() => {
  });
  try {
    for (; ; ) {
      const next = await Promise.race([texts.next(), aborted]);
      if (next.done) return;
      const text = kind === "event-stream" ? dataOf(next.value) : next.value;
      if (text?.trim()) yield parsed(text, failed);
    }
  } catch (error) {
    throw error instanceof SocialDataError ? error : connectionError(failed, error);
  } finally {
    void texts.return();
  }
}
function parsed(text, failed) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DecodeError("the response body is not JSON", failed, cause);
  }
}
async function valueOf(response, kinds2, reading) {
  const { status, headers } = response;
  const types = Object.keys(kinds2);
  if (status === 204 || status === 205 || types.length === 0) {
    await response.body?.cancel();
    return void 0;
  }
  const type = headers.get("content-type");
  const kind = type === null ? types.length === 1 ? kinds2[types[0]] : void 0 : kindOf(kinds2, type);
  if (kind === void 0 && type === null && headers.get("content-length") === "0") return void 0;
  if (kind === void 0)
    throw new DecodeError(
      `the response has the media type ${type ?? "(none)"}, not ${types.join(" or ")}`,
      reading.failed
    );
  if (kind === "binary") return response.blob();
  if (kind === "json-lines" || kind === "event-stream") return itemsOf2(response.body, kind, reading);
  const text = await response.text();
  return kind === "json" ? parsed(text, reading.failed) : text;
}
var withoutParameters, ownOf, isRange, isBlob, textOf, valuesOf, line, blankLine;
var init_media = __esm({
  "client/src/media.ts"() {
    "use strict";
    init_abort();
    init_failure();
    withoutParameters = (type) => type.split(";", 1)[0].trim().toLowerCase();
    ownOf = (values, name) => Object.hasOwn(values, name) ? values[name] : void 0;
    isRange = (type) => type.includes("*");
    isBlob = (value) => value instanceof Blob;
    textOf = (value) => typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
    valuesOf = (value) => (Array.isArray(value) ? value : [value]).filter((each) => each !== void 0 && each !== null);
    line = /\r\n|\n|\r/;
    blankLine = /(?:\r\n|\n|\r(?!\n)){2}/;
  }
});

// node_modules/openapi-fetch/dist/index.mjs
function randomID() {
  return Math.random().toString(36).slice(2, 11);
}
function createClient(clientOptions) {
  let {
    baseUrl: baseUrl2 = "",
    Request: CustomRequest = globalThis.Request,
    fetch: baseFetch = globalThis.fetch,
    querySerializer: globalQuerySerializer,
    bodySerializer: globalBodySerializer,
    pathSerializer: globalPathSerializer,
    headers: baseHeaders,
    requestInitExt = void 0,
    ...baseOptions
  } = { ...clientOptions };
  requestInitExt = supportsRequestInitExt() ? requestInitExt : void 0;
  baseUrl2 = removeTrailingSlash(baseUrl2);
  const globalMiddlewares = [];
  async function coreFetch(schemaPath, fetchOptions) {
    const {
      baseUrl: localBaseUrl,
      fetch = baseFetch,
      Request = CustomRequest,
      headers,
      params = {},
      parseAs = "json",
      querySerializer: requestQuerySerializer,
      bodySerializer = globalBodySerializer ?? defaultBodySerializer,
      pathSerializer: requestPathSerializer,
      body,
      middleware: requestMiddlewares = [],
      ...init
    } = fetchOptions || {};
    let finalBaseUrl = baseUrl2;
    if (localBaseUrl) {
      finalBaseUrl = removeTrailingSlash(localBaseUrl) ?? baseUrl2;
    }
    let querySerializer = typeof globalQuerySerializer === "function" ? globalQuerySerializer : createQuerySerializer(globalQuerySerializer);
    if (requestQuerySerializer) {
      querySerializer = typeof requestQuerySerializer === "function" ? requestQuerySerializer : createQuerySerializer({
        ...typeof globalQuerySerializer === "object" ? globalQuerySerializer : {},
        ...requestQuerySerializer
      });
    }
    const pathSerializer = requestPathSerializer || globalPathSerializer || defaultPathSerializer;
    const serializedBody = body === void 0 ? void 0 : bodySerializer(
      body,
      // Note: we declare mergeHeaders() both here and below because it’s a bit of a chicken-or-egg situation:
      // bodySerializer() needs all headers so we aren’t dropping ones set by the user, however,
      // the result of this ALSO sets the lowest-priority content-type header. So we re-merge below,
      // setting the content-type at the very beginning to be overwritten.
      // Lastly, based on the way headers work, it’s not a simple “present-or-not” check becauase null intentionally un-sets headers.
      mergeHeaders(baseHeaders, headers, params.header)
    );
    const finalHeaders = mergeHeaders(
      // with no body, we should not to set Content-Type
      serializedBody === void 0 || // if serialized body is FormData; browser will correctly set Content-Type & boundary expression
      serializedBody instanceof FormData ? {} : {
        "Content-Type": "application/json"
      },
      baseHeaders,
      headers,
      params.header
    );
    const finalMiddlewares = [...globalMiddlewares, ...requestMiddlewares];
    const requestInit = {
      redirect: "follow",
      ...baseOptions,
      ...init,
      body: serializedBody,
      headers: finalHeaders
    };
    let id;
    let options;
    let request = new Request(
      createFinalURL(schemaPath, { baseUrl: finalBaseUrl, params, querySerializer, pathSerializer }),
      requestInit
    );
    let response;
    for (const key in init) {
      if (!(key in request)) {
        request[key] = init[key];
      }
    }
    if (finalMiddlewares.length) {
      id = randomID();
      options = Object.freeze({
        baseUrl: finalBaseUrl,
        fetch,
        parseAs,
        querySerializer,
        bodySerializer,
        pathSerializer
      });
      for (const m of finalMiddlewares) {
        if (m && typeof m === "object" && typeof m.onRequest === "function") {
          const result = await m.onRequest({
            request,
            schemaPath,
            params,
            options,
            id
          });
          if (result) {
            if (result instanceof Request) {
              request = result;
            } else if (result instanceof Response) {
              response = result;
              break;
            } else {
              throw new Error("onRequest: must return new Request() or Response() when modifying the request");
            }
          }
        }
      }
    }
    if (!response) {
      try {
        response = await fetch(request, requestInitExt);
      } catch (error2) {
        let errorAfterMiddleware = error2;
        if (finalMiddlewares.length) {
          for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
            const m = finalMiddlewares[i];
            if (m && typeof m === "object" && typeof m.onError === "function") {
              const result = await m.onError({
                request,
                error: errorAfterMiddleware,
                schemaPath,
                params,
                options,
                id
              });
              if (result) {
                if (result instanceof Response) {
                  errorAfterMiddleware = void 0;
                  response = result;
                  break;
                }
                if (result instanceof Error) {
                  errorAfterMiddleware = result;
                  continue;
                }
                throw new Error("onError: must return new Response() or instance of Error");
              }
            }
          }
        }
        if (errorAfterMiddleware) {
          throw errorAfterMiddleware;
        }
      }
      if (finalMiddlewares.length) {
        for (let i = finalMiddlewares.length - 1; i >= 0; i--) {
          const m = finalMiddlewares[i];
          if (m && typeof m === "object" && typeof m.onResponse === "function") {
            const result = await m.onResponse({
              request,
              response,
              schemaPath,
              params,
              options,
              id
            });
            if (result) {
              if (!(result instanceof Response)) {
                throw new Error("onResponse: must return new Response() when modifying the response");
              }
              response = result;
            }
          }
        }
      }
    }
    const contentLength = response.headers.get("Content-Length");
    if (response.status === 204 || request.method === "HEAD" || contentLength === "0" && !response.headers.get("Transfer-Encoding")?.includes("chunked")) {
      return response.ok ? { data: void 0, response } : { error: void 0, response };
    }
    if (response.ok) {
      const getResponseData = async () => {
        if (parseAs === "stream") {
          return response.body;
        }
        if (parseAs === "json" && !contentLength) {
          const raw = await response.text();
          return raw ? JSON.parse(raw) : void 0;
        }
        return await response[parseAs]();
      };
      return { data: await getResponseData(), response };
    }
    let error = await response.text();
    try {
      error = JSON.parse(error);
    } catch {
    }
    return { error, response };
  }
  return {
    request(method, url, init) {
      return coreFetch(url, { ...init, method: method.toUpperCase() });
    },
    /** Call a GET endpoint */
    GET(url, init) {
      return coreFetch(url, { ...init, method: "GET" });
    },
    /** Call a PUT endpoint */
    PUT(url, init) {
      return coreFetch(url, { ...init, method: "PUT" });
    },
    /** Call a POST endpoint */
    POST(url, init) {
      return coreFetch(url, { ...init, method: "POST" });
    },
    /** Call a DELETE endpoint */
    DELETE(url, init) {
      return coreFetch(url, { ...init, method: "DELETE" });
    },
    /** Call a OPTIONS endpoint */
    OPTIONS(url, init) {
      return coreFetch(url, { ...init, method: "OPTIONS" });
    },
    /** Call a HEAD endpoint */
    HEAD(url, init) {
      return coreFetch(url, { ...init, method: "HEAD" });
    },
    /** Call a PATCH endpoint */
    PATCH(url, init) {
      return coreFetch(url, { ...init, method: "PATCH" });
    },
    /** Call a TRACE endpoint */
    TRACE(url, init) {
      return coreFetch(url, { ...init, method: "TRACE" });
    },
    /** Register middleware */
    use(...middleware) {
      for (const m of middleware) {
        if (!m) {
          continue;
        }
        if (typeof m !== "object" || !("onRequest" in m || "onResponse" in m || "onError" in m)) {
          throw new Error("Middleware must be an object with one of `onRequest()`, `onResponse() or `onError()`");
        }
        globalMiddlewares.push(m);
      }
    },
    /** Unregister middleware */
    eject(...middleware) {
      for (const m of middleware) {
        const i = globalMiddlewares.indexOf(m);
        if (i !== -1) {
          globalMiddlewares.splice(i, 1);
        }
      }
    }
  };
}
function serializePrimitiveParam(name, value, options) {
  if (value === void 0 || value === null) {
    return "";
  }
  if (typeof value === "object") {
    throw new Error(
      "Deeply-nested arrays/objects aren’t supported. Provide your own `querySerializer()` to handle these."
    );
  }
  return `${name}=${options?.allowReserved === true ? value : encodeURIComponent(value)}`;
}
function serializeObjectParam(name, value, options) {
  if (!value || typeof value !== "object") {
    return "";
  }
  const values = [];
  const joiner = {
    simple: ",",
    label: ".",
    matrix: ";"
  }[options.style] || "&";
  if (options.style !== "deepObject" && options.explode === false) {
    for (const k in value) {
      values.push(k, options.allowReserved === true ? value[k] : encodeURIComponent(value[k]));
    }
    const final2 = values.join(",");
    switch (options.style) {
      case "form": {
        return `${name}=${final2}`;
      }
      case "label": {
        return `.${final2}`;
      }
      case "matrix": {
        return `;${name}=${final2}`;
      }
      default: {
        return final2;
      }
    }
  }
  for (const k in value) {
    const finalName = options.style === "deepObject" ? `${name}[${k}]` : k;
    values.push(serializePrimitiveParam(finalName, value[k], options));
  }
  const final = values.join(joiner);
  return options.style === "label" || options.style === "matrix" ? `${joiner}${final}` : final;
}
function serializeArrayParam(name, value, options) {
  if (!Array.isArray(value)) {
    return "";
  }
  if (options.explode === false) {
    const joiner2 = { form: ",", spaceDelimited: "%20", pipeDelimited: "|" }[options.style] || ",";
    const final = (options.allowReserved === true ? value : value.map((v) => encodeURIComponent(v))).join(joiner2);
    switch (options.style) {
      case "simple": {
        return final;
      }
      case "label": {
        return `.${final}`;
      }
      case "matrix": {
        return `;${name}=${final}`;
      }
      // case "spaceDelimited":
      // case "pipeDelimited":
      default: {
        return `${name}=${final}`;
      }
    }
  }
  const joiner = { simple: ",", label: ".", matrix: ";" }[options.style] || "&";
  const values = [];
  for (const v of value) {
    if (options.style === "simple" || options.style === "label") {
      values.push(options.allowReserved === true ? v : encodeURIComponent(v));
    } else {
      values.push(serializePrimitiveParam(name, v, options));
    }
  }
  return options.style === "label" || options.style === "matrix" ? `${joiner}${values.join(joiner)}` : values.join(joiner);
}
function createQuerySerializer(options) {
  return function querySerializer(queryParams) {
    const search = [];
    if (queryParams && typeof queryParams === "object") {
      for (const name in queryParams) {
        const value = queryParams[name];
        if (value === void 0 || value === null) {
          continue;
        }
        if (Array.isArray(value)) {
          if (value.length === 0) {
            continue;
          }
          search.push(
            serializeArrayParam(name, value, {
              style: "form",
              explode: true,
              ...options?.array,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        if (typeof value === "object") {
          search.push(
            serializeObjectParam(name, value, {
              style: "deepObject",
              explode: true,
              ...options?.object,
              allowReserved: options?.allowReserved || false
            })
          );
          continue;
        }
        search.push(serializePrimitiveParam(name, value, options));
      }
    }
    return search.join("&");
  };
}
function defaultPathSerializer(pathname, pathParams) {
  let nextURL = pathname;
  for (const match of pathname.match(PATH_PARAM_RE) ?? []) {
    let name = match.substring(1, match.length - 1);
    let explode = false;
    let style = "simple";
    if (name.endsWith("*")) {
      explode = true;
      name = name.substring(0, name.length - 1);
    }
    if (name.startsWith(".")) {
      style = "label";
      name = name.substring(1);
    } else if (name.startsWith(";")) {
      style = "matrix";
      name = name.substring(1);
    }
    if (!pathParams || pathParams[name] === void 0 || pathParams[name] === null) {
      continue;
    }
    const value = pathParams[name];
    if (Array.isArray(value)) {
      nextURL = nextURL.replace(match, serializeArrayParam(name, value, { style, explode }));
      continue;
    }
    if (typeof value === "object") {
      nextURL = nextURL.replace(match, serializeObjectParam(name, value, { style, explode }));
      continue;
    }
    if (style === "matrix") {
      nextURL = nextURL.replace(match, `;${serializePrimitiveParam(name, value)}`);
      continue;
    }
    nextURL = nextURL.replace(match, style === "label" ? `.${encodeURIComponent(value)}` : encodeURIComponent(value));
  }
  return nextURL;
}
function defaultBodySerializer(body, headers) {
  if (body instanceof FormData) {
    return body;
  }
  if (headers) {
    const contentType = headers.get instanceof Function ? headers.get("Content-Type") ?? headers.get("content-type") : headers["Content-Type"] ?? headers["content-type"];
    if (contentType === "application/x-www-form-urlencoded") {
      return new URLSearchParams(body).toString();
    }
  }
  return JSON.stringify(body);
}
function createFinalURL(pathname, options) {
  let finalURL = `${options.baseUrl}${pathname}`;
  if (options.params?.path) {
    finalURL = options.pathSerializer(finalURL, options.params.path);
  }
  let search = options.querySerializer(options.params.query ?? {});
  if (search.startsWith("?")) {
    search = search.substring(1);
  }
  if (search) {
    finalURL += `?${search}`;
  }
  return finalURL;
}
function mergeHeaders(...allHeaders) {
  const finalHeaders = new Headers();
  for (const h of allHeaders) {
    if (!h || typeof h !== "object") {
      continue;
    }
    const iterator = h instanceof Headers ? h.entries() : Object.entries(h);
    for (const [k, v] of iterator) {
      if (v === null) {
        finalHeaders.delete(k);
      } else if (Array.isArray(v)) {
        for (const v2 of v) {
          finalHeaders.append(k, v2);
        }
      } else if (v !== void 0) {
        finalHeaders.set(k, v);
      }
    }
  }
  return finalHeaders;
}
function removeTrailingSlash(url) {
  if (url.endsWith("/")) {
    return url.substring(0, url.length - 1);
  }
  return url;
}
var PATH_PARAM_RE, supportsRequestInitExt;
var init_dist = __esm({
  "node_modules/openapi-fetch/dist/index.mjs"() {
    PATH_PARAM_RE = /\{[^{}]+\}/g;
    supportsRequestInitExt = () => {
      return typeof process === "object" && Number.parseInt(process?.versions?.node?.substring(0, 2)) >= 18 && process.versions.undici;
    };
  }
});

// client/src/openapi-fetch.ts
var init_openapi_fetch = __esm({
  "client/src/openapi-fetch.ts"() {
    "use strict";
    init_dist();
  }
});

// client/src/fetch-client.ts
var fetch_client_exports = {};
__export(fetch_client_exports, {
  sendVerb: () => sendVerb,
  sendWithHooks: () => sendWithHooks
});
function requestWith(middleware, baseUrl2) {
  let request = requests.get(middleware);
  if (request === void 0) {
    const client2 = createFetchClient({ baseUrl: baseUrl2 });
    client2.use(...middleware);
    requests.set(middleware, request = client2.request);
  }
  return request;
}
function inStyle(name, value, style, explode) {
  const key = encodeURIComponent(name);
  const options = { style, explode };
  if (Array.isArray(value)) return value.length === 0 ? "" : serializeArrayParam(key, value, options);
  const delimiter = { spaceDelimited: "%20", pipeDelimited: "|" }[style];
  if (isObject(value) && delimiter !== void 0)
    return `${key}=${Object.entries(value).filter(([, each]) => each !== void 0).flat().map((each) => encodeURIComponent(String(each))).join(delimiter)}`;
  if (isObject(value))
    return serializeObjectParam(key, withEncodedNames(value), options);
  if (style === "simple" || style === "label")
    return `${style === "label" ? "." : ""}${encodeURIComponent(value)}`;
  return `${style === "matrix" ? ";" : ""}${serializePrimitiveParam(key, value)}`;
}
function plainText(value, [, style, explode], encode) {
  if (style === "json") return encode(inAscii(JSON.stringify(value)));
  if (Array.isArray(value)) return value.map((each) => encode(String(each))).join(",");
  if (!isObject(value)) return encode(String(value));
  return Object.entries(value).map(([name, each]) => `${encode(name)}${explode ? "=" : ","}${encode(String(each))}`).join(",");
}
function parameterInit(wire, { path, query, header = {}, cookie = {} }, failed) {
  const forms = formsOf(wire);
  const headers = emptyMembers();
  for (const [name, value] of Object.entries(header)) {
    if (value === void 0 || value === null) continue;
    const text = plainText(value, forms.get(`header ${name}`) ?? ["header", "simple", false], String);
    if (/[^\t -~\x80-\xff]/.test(text))
      throw new UsageError(`the header '${name}' has a character that no header can have`, failed);
    headers[name] = text;
  }
  const cookies = Object.entries(cookie).flatMap(([name, value]) => {
    if (value === void 0 || value === null) return [];
    return `${name}=${plainText(value, forms.get(`cookie ${name}`) ?? ["cookie", "form", false], encodeURIComponent)}`;
  });
  if (cookies.length > 0) headers["cookie"] = cookies.join("; ");
  return {
    params: { path, query, header: headers },
    querySerializer: (given2) => Object.entries(given2).map(([name, value]) => {
      const form = forms.get(`query ${name}`);
      if (form === void 0 || value === void 0 || value === null)
        return inQuery({ [encodeURIComponent(name)]: value });
      if (form[1] === "json") return `${encodeURIComponent(name)}=${encodeURIComponent(JSON.stringify(value))}`;
      return inStyle(name, value, form[1], form[2]);
    }).filter((part2) => part2 !== "").join("&"),
    pathSerializer: (url, given2) => Object.entries(given2).reduce((text, [name, value]) => {
      const [, style, explode] = forms.get(`path ${name}`) ?? ["path", "simple", false];
      const part2 = style === "json" ? encodeURIComponent(JSON.stringify(value)) : inStyle(name, value, style, explode);
      return text.replaceAll(`{${name}}`, () => part2);
    }, url)
  };
}
function bodyInit(wire, body, headers, failed) {
  if (body === void 0) return { init: {}, headers };
  const { body: bytes, type } = written(body, wire, headers["content-type"] ?? null, inStyle, failed);
  const { "content-type": _, ...others } = headers;
  return {
    init: { body, bodySerializer: () => bytes },
    headers: type === void 0 ? others : { ...others, "content-type": type }
  };
}
function partsOf({ call, failed }) {
  const { operation, parameters = {} } = call;
  const { whole, optional, parameters: forms = {} } = operation.wire ?? {};
  if (Object(parameters) !== parameters || Array.isArray(parameters))
    throw new UsageError("the parameters must be an object", failed);
  const usual = emptyMembers();
  const placed = {};
  for (const [key, value] of Object.entries(parameters)) {
    const [place = "usual", , , name = key] = Object.hasOwn(forms, key) ? forms[key] : [];
    if (whole && key === "body") continue;
    if (place === "usual" || place === "path") usual[name] = value;
    else (placed[place] ??= emptyMembers())[name] = value;
  }
  const { body: _, ...others } = operation;
  const { path, query, body } = inputOf({ ...call, operation: whole ? others : operation, parameters: usual }, failed);
  const isEmpty = optional && Object.keys(body ?? {}).length === 0;
  return {
    ...placed,
    path,
    query: { ...query, ...placed["query"] },
    body: whole ? parameters["body"] : isEmpty ? void 0 : body
  };
}
function keyPlaceOf({ transport, call: { operation } }) {
  const { keyIn, keyNames: keyNames2 } = transport.settings;
  const usual = [[keyIn, keyNames2[keyIn]]];
  const keys = operation.wire?.keys ?? usual;
  return keys.find(([place]) => place === keyIn) ?? keys[0] ?? [];
}
function initOf(attempt) {
  const { call, failed } = attempt;
  const { init, operation } = call;
  const [place, name = ""] = keyPlaceOf(attempt);
  const named = attempt.headers(place === "header" ? "query" : place);
  if (place === "header" && attempt.key !== void 0) named[name] = attempt.key;
  if (init !== void 0 && operation.wire === void 0) return { ...init, headers: named };
  const given2 = init === void 0 ? partsOf(attempt) : { ...init["params"], body: init["body"] };
  const { body, ...places } = given2;
  const { wire = {} } = operation;
  const { init: sent, headers } = bodyInit(wire, body, named, failed);
  const serialised = parameterInit(wire, places, failed);
  return { ...serialised, ...init, params: serialised["params"], ...init?.["bodySerializer"] ? {} : sent, headers };
}
async function sendWithHooks(attempt, signal) {
  const { call, transport, failed } = attempt;
  const { path, operation, parameters, init = {} } = call;
  const { baseUrl: baseUrl2 } = transport.settings;
  const [place, name] = keyPlaceOf(attempt);
  if (place === void 0) attempt.key = void 0;
  const { key } = attempt;
  const answers = operation.wire?.answers;
  const input = initOf(attempt);
  const { params } = input;
  const keyed = place === "query" && key !== void 0 ? { params: { ...params, query: { ...params?.query, [name]: key } } } : {};
  const request = requestWith(transport.middleware, baseUrl2);
  const { data, error, response } = await request(operation.method, path, {
    ...input,
    ...keyed,
    ...answers === void 0 || init["parseAs"] !== void 0 ? {} : { parseAs: "stream" },
    signal,
    fetch: (sent) => forward(attempt, sent, signal, init["fetch"])
  }).catch((thrown) => {
    if (!(thrown instanceof URIError)) throw thrown;
    throw new UsageError("a parameter has half of a surrogate pair", failed, thrown);
  });
  const isOk = response.ok;
  if (isOk && answers !== void 0 && init["parseAs"] === void 0)
    return { response, isOk, data: await valueOf(response, answers, { failed, signal: call.options.signal }) };
  if (parameters !== void 0 && isOk && data === void 0)
    throw new DecodeError("the response body is empty", failed);
  const text = typeof error === "string" || error === void 0 ? error : JSON.stringify(error);
  return { response, isOk, data, text, error };
}
async function sendVerb(transport, operations, verb, path, given2 = {}) {
  const method = verb.toLowerCase();
  const operation = { ...operations[`${method} ${path}`] ?? { repeat: "refused" }, method };
  const { signal, timeoutMs, retry, headers, fetchOptions, ...init } = {
    ...given2
  };
  const options = { signal, timeoutMs, retry, headers, fetchOptions };
  const { data, error, response } = await transport.send({ path, operation, options, init });
  return error === void 0 ? { data, response } : { error, response };
}
async function forward(attempt, sent, signal, own) {
  const { method, headers, url } = sent;
  const kinds2 = Object.values(attempt.call.operation.wire?.body ?? {});
  const hasBytes = kinds2.some((kind) => kind === "multipart" || kind === "binary");
  const body = sent.body === null ? {} : { body: hasBytes ? await sent.arrayBuffer() : await sent.text() };
  return attempt.fetch(url, { method, headers: Object.fromEntries(headers), ...body, signal }, own);
}
var createFetchClient, requests, isObject, withEncodedNames, formsOf, inQuery, inAscii;
var init_fetch_client = __esm({
  "client/src/fetch-client.ts"() {
    "use strict";
    init_failure();
    init_input();
    init_media();
    init_openapi_fetch();
    createFetchClient = createClient.default ?? createClient;
    requests = /* @__PURE__ */ new WeakMap();
    isObject = (value) => typeof value === "object" && value !== null;
    withEncodedNames = (value) => Object.fromEntries(
      Object.entries(value).flatMap(([name, each]) => each === void 0 ? [] : [[encodeURIComponent(name), each]])
    );
    formsOf = ({ parameters = {} }) => new Map(Object.entries(parameters).map(([key, form]) => [`${form[0]} ${form[3] ?? key}`, form]));
    inQuery = createQuerySerializer();
    inAscii = (json) => json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  }
});

// client/src/node-socket.ts
var node_socket_exports = {};
__export(node_socket_exports, {
  openSocket: () => openSocket
});
function socketClass(failed) {
  if (runtime2.WebSocket !== void 0) return runtime2.WebSocket;
  try {
    const { createRequire } = runtime2.process?.getBuiltinModule?.("node:module") ?? {};
    const found = createRequire?.(import.meta.url)("ws");
    if (found !== void 0) return found;
    throw new Error("createRequire is missing");
  } catch (error) {
    const message = "this runtime has no WebSocket: use Node 22, or install ws and pass its class as the option WebSocket";
    throw Object.assign(usageError(message, error), failed);
  }
}
function openSocket(url, keyed, key, { keyIn, keyNames: keyNames2 }, failed) {
  const Class = socketClass(failed);
  const headers = keyIn === "bearer" ? { authorization: `Bearer ${key}` } : { [keyNames2.header]: key };
  return key === void 0 || keyIn === "query" ? new Class(keyed) : new Class(url, { headers });
}
var runtime2;
var init_node_socket = __esm({
  "client/src/node-socket.ts"() {
    "use strict";
    init_defined();
    runtime2 = globalThis;
  }
});

// client/src/link.ts
var unsubscribe, Hub, Link;
var init_link = __esm({
  "client/src/link.ts"() {
    "use strict";
    init_failure();
    init_attempt();
    unsubscribe = (sub) => ({ type: "unsubscribe", sub });
    Hub = class {
      transport;
      links = /* @__PURE__ */ new Set();
      /** What the service announced on the newest connection that it accepted. */
      connected;
      constructor(transport) {
        this.transport = transport;
      }
      /** The context of an error. */
      context(operation, attempts) {
        return { operation, attempts, url: `${this.transport.settings.baseUrl}/ws` };
      }
      /** Adds a member to a connection that has room, or to a new one. */
      add(member, Class) {
        const room = this.connected?.limits?.subscriptions ?? 100;
        for (const link of this.links) if (link.Class === Class && link.members.size < room) return link.start(member);
        return new Link(this, Class).start(member);
      }
    };
    Link = class {
      Class;
      /** The members with the id of their command, and later of their subscription; '' before they start. */
      members = /* @__PURE__ */ new Map();
      #hub;
      #socket;
      /** The number of the next command; 0 before the service has accepted the connection. */
      #nextId = 0;
      #failures = 0;
      #timer;
      #key;
      /** The key that the service has refused; undefined once it has accepted one. */
      #refused;
      constructor(hub, Class) {
        this.#hub = hub;
        this.Class = Class;
        hub.links.add(this);
        void this.#open();
      }
      /** Ends a member. The connection closes after the last one. */
      leave(member) {
        this.pause(member);
        this.members.delete(member);
        if (this.members.size) return;
        this.#hub.links.delete(this);
        this.#close();
      }
      /** Sends the command of a member that is not paused. Adds a new member. A subscription starts at its position. */
      start(member) {
        this.members.set(member, member.isPaused ? "" : this.#send(member.command()));
        return this;
      }
      /** Ends the subscription or question of a member; what still comes for it is ignored. */
      pause(member) {
        const key = this.members.get(member);
        if (!key) return;
        this.members.set(member, "");
        this.#send(member.endCommand?.(key) ?? unsubscribe(key));
      }
      /** Sends a command, and returns its id; '' while the connection is not open. */
      #send(command) {
        if (!this.#nextId) return "";
        const id = `c${this.#nextId++}`;
        this.#socket?.send(JSON.stringify({ id, ...command }));
        return id;
      }
      async #open() {
        const { transport } = this.#hub;
        const failed = this.#hub.context("events", this.#failures + 1);
        let key;
        try {
          const { settings, agent } = transport;
          key = await transport.limited(
            { failed, run: () => transport.key(failed, this.#refused) },
            settings.timeoutMs ?? 3e4
          );
          if (this.#refused !== void 0 && key === this.#refused)
            return this.#fail(new StreamError("4001", "the API key is not valid", failed));
          this.#key = key;
          const url = failed.url.replace("http", "ws");
          const Class = this.Class ?? (!/ (Node|Deno|Bun)/.test(agent) && globalThis.WebSocket);
          const node = !Class && await Promise.resolve().then(() => (init_node_socket(), node_socket_exports));
          if (!this.members.size) return;
          const keyed = withKey(url, key, settings);
          const socket = this.#socket = node ? node.openSocket(url, keyed, key, settings, failed) : new Class(keyed);
          socket.onmessage = ({ data }) => {
            try {
              this.#receive(data);
            } catch (error) {
              this.#fail(new DecodeError("invalid message", failed, error));
            }
          };
          socket.onclose = ({ code, reason }) => this.#lose(code, reason);
          socket.onerror = () => {
          };
          this.#watch();
        } catch (error) {
          this.#fail(classify(error, "sent", failed, key));
        }
      }
      /** The connection is dead when no message arrives for more than two heartbeat intervals. */
      #watch() {
        const defaultMs = 2.25 * (this.#hub.connected?.heartbeat_interval_ms ?? 2e4);
        const limits = Array.from(this.members.keys(), ({ options }) => options.heartbeatTimeoutMs ?? defaultMs);
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#lose(1006), Math.min(...limits));
      }
      #fail(error) {
        for (const [member] of this.members) member.fail(error);
      }
      #receive(text) {
        const message = JSON.parse(text);
        const { type, id, sub, cursor } = message;
        if (type === "going_away") return this.#lose(4200, "", message.reconnect_after_ms);
        if (type === "connected") {
          this.#hub.connected = message;
          this.#refused = void 0;
          this.#nextId = 1;
          for (const [member] of this.members) this.start(member);
        } else {
          this.#hub.transport.noteCursor(cursor);
          if (cursor && !id) this.#failures = 0;
          const keys = type === "event" ? message.subs : [id, sub];
          let copy = message;
          for (const [member, key] of this.members) {
            if (type !== "heartbeat" && !keys.includes(key)) continue;
            if (id && type !== "answer") this.members.set(member, sub ?? "");
            member.receive(copy ?? JSON.parse(text));
            copy = void 0;
          }
          if (copy && type === "subscribed") this.#send(unsubscribe(sub));
        }
        if (this.#socket) this.#watch();
      }
      /**
       * The connection is closed: opens it again after a delay, or ends it when the close code forbids that. The default delay has
       * full jitter; the codes of the service require at least one second.
       */
      #lose(code, reason, delayMs = (code >= 4e3 ? 1e3 : 0) + Math.random() * Math.min(3e4, 250 * 2 ** this.#failures)) {
        this.#close();
        const asksAgain = code === 4202 || code === 4001 && this.#refused === void 0 && typeof this.#hub.transport.settings.apiKey === "function";
        if (asksAgain) this.#refused = this.#key;
        const isFinal = !asksAgain && /^(40..|100[237-9]|1010)$/.test(`${code}`) && !(code === 4003 && this.#hub.connected);
        const lost = { closeCode: code, failures: ++this.#failures, delayMs };
        this.#timer = setTimeout(() => void this.#open(), delayMs);
        for (const [member] of this.members)
          if (isFinal) member.fail(new StreamError(`${code}`, reason || `code ${code}`, member.context()));
          else member.lost(lost);
      }
      #close() {
        clearTimeout(this.#timer);
        this.#nextId = 0;
        const socket = this.#socket;
        this.#socket = void 0;
        if (!socket) return;
        socket.onmessage = socket.onclose = null;
        socket.close();
      }
    };
  }
});

// client/src/events.ts
var events_exports = {};
__export(events_exports, {
  Hub: () => Hub,
  openStream: () => openStream
});
function subscriptionTo(selection) {
  for (const [member, to] of Object.entries(channels)) {
    const value = Object(selection) === selection ? selection[member] : void 0;
    const [channel = "", parameter] = to.split(" ");
    if (value !== void 0) return { channel, params: parameter ? { [parameter]: value } : {} };
  }
  throw usageError(`select one of ${Object.keys(channels).join(", ")}`);
}
var channels, Stream, openStream;
var init_events = __esm({
  "client/src/events.ts"() {
    "use strict";
    init_abort();
    init_defined();
    init_failure();
    init_link();
    channels = {
      /** Tweets that match a query, in the syntax of `tweet.advancedSearch`. */
      search: "search:tweets query",
      /** Tweets of a user, by username. */
      user: "user:tweets username",
      /** Tweets of a user, by id. */
      userId: "user:tweets user_id",
      /** Tweets that mention a user, by username. */
      mentions: "user:mentions username",
      /** Replies to a tweet, by its id. Ends when the tweet is deleted. */
      replies: "tweet:replies tweet_id",
      /** The counts of a tweet, by its id. Ends when the tweet is deleted. */
      engagement: "tweet:engagement tweet_id",
      /** Tweets of a community, by its id. */
      community: "community:tweets id",
      /** The communities that a user joins and leaves, by username. */
      memberships: "community:members username",
      /** The capacity of the assistant; the value is `true`. */
      pool: "assistant:pool"
    };
    Stream = class {
      options;
      isPaused;
      #hub;
      #to;
      /** The ids of the newest 10,000 events: a new epoch of the event log may repeat events. */
      #seen;
      #forget;
      #events = this.#read();
      #link;
      #inbox = [];
      /** The position behind everything that the reader got. */
      #cursor;
      /** The position behind everything that the reader got or that is in the inbox. */
      #received;
      /** Whether the service has confirmed the subscription, so that heartbeats move its position. */
      #isSubscribed;
      #isClosed;
      /** An error, or what a callback has thrown. */
      #error;
      #attempts = 1;
      #opened;
      #waiting = [];
      constructor(hub, to, options) {
        const { cursor, signal } = options;
        this.#hub = hub;
        this.#to = to;
        this.options = options;
        this.#cursor = this.#received = cursor ?? void 0;
        this.#seen = new Set(to.seen);
        const abort = () => this.close(abortError("stream", this.context(), signal?.reason));
        this.#forget = onAbort(signal, abort);
        if (signal?.aborted) abort();
        else this.#link = hub.add(this, options.WebSocket);
      }
      next() {
        return this.#events.next();
      }
      /** Ends the stream at once. Unread events are not delivered. */
      close(error) {
        this.#inbox = [];
        this.fail(error);
      }
      async ready() {
        while (!this.#opened) {
          if (this.#isClosed) this.#throw(this.#error ?? abortError("stream", this.context()));
          await this.#change();
        }
        return this.#opened;
      }
      /** The events that the reader gets. The position of the stream follows them. */
      async *#read() {
        for (; ; ) {
          const message = this.#inbox.shift();
          if (message) {
            this.#cursor = message.cursor ?? message.to ?? this.#cursor;
            if (message.type === "gap") this.#notify(this.options.onGap, message);
            if (message.type === "event") {
              const { type: _type, subs: _subs, channel: _channel, ...event } = message;
              yield event;
            }
          } else if (this.#isClosed) {
            if (this.#error !== void 0) this.#throw(this.#error);
            return;
          } else {
            if (this.isPaused) {
              this.isPaused = false;
              this.#link?.start(this);
            }
            await this.#change();
          }
        }
      }
      /** Whether the stream has not got an event before. */
      #isNew({ event, event_id: id, data }) {
        const seen = this.#seen;
        if (seen.has(id)) return false;
        const [oldest = ""] = seen.add(id);
        if (seen.size > 1e4) seen.delete(oldest);
        if (event === "tweet.deleted") {
          const { id: deleted } = data;
          seen.delete(`tweet.created:${deleted}`);
          if (deleted === this.#to.params["tweet_id"]) this.fail();
        }
        return true;
      }
      /** Throws an error; one of this package has the position to resume from. */
      #throw(error) {
        if (error instanceof SocialDataError && this.#cursor) error.cursor = this.#cursor;
        throw error;
      }
      #change() {
        return new Promise((resolve) => this.#waiting.push(resolve));
      }
      #wake() {
        for (const wake of this.#waiting.splice(0)) wake();
      }
      command() {
        this.#isSubscribed = false;
        const onGap = this.options.onGap && "continue";
        return { type: "subscribe", ...this.#to, seen: void 0, on_gap: onGap, cursor: this.#received };
      }
      /** Takes a message of the connection. Pauses the subscription when the inbox is full. */
      receive(message) {
        const { type, cursor } = message;
        if (type === "subscribed") {
          this.#isSubscribed = true;
          this.#cursor ??= cursor;
          this.#received ??= cursor;
          this.#opened = { cursor: message.cursor };
          this.#notify(this.options.onOpen, this.#opened);
        } else if (type === "error") this.#refuse(message);
        else if (type === "unsubscribed") this.fail();
        else if (type === "gap" && !this.options.onGap)
          this.fail(new StreamError(type, `missing events: ${message.hint}`, this.context()));
        else if (type !== "heartbeat" || this.#isSubscribed) {
          this.#received = cursor ?? message.to ?? this.#received;
          if ((type !== "event" || this.#isNew(message)) && this.#inbox.push(message) >= (this.options.maxBuffered ?? 1e3)) {
            this.isPaused = true;
            this.#isSubscribed = false;
            this.#link?.pause(this);
          }
        }
        this.#wake();
      }
      /** Starts again later where the same command may succeed then; else ends the stream. */
      #refuse({ code, error, status, retry_after_s: delay = status >= 500 ? 1 : -1 }) {
        if (delay >= 0 && this.#attempts++ <= (this.options.retries ?? 30))
          setTimeout(() => this.#isClosed || this.#link?.start(this), delay * 1e3);
        else this.fail(new StreamError(code, error, this.context(), status));
      }
      /** Ends the stream. The reader gets the error after the events that came before. */
      fail(error) {
        if (this.#isClosed) return;
        this.#isClosed = true;
        this.#error = error;
        this.#forget();
        this.#link?.leave(this);
        this.#wake();
      }
      /** Calls a function of the caller; its error ends the stream. */
      #notify(callback, value) {
        try {
          callback?.(value);
        } catch (error) {
          this.close(error);
        }
      }
      /** The connection is lost, and opens again after a delay. */
      lost(lost) {
        if (lost.failures > (this.options.retries ?? 30)) return this.fail(connectionError(this.context()));
        this.#attempts = lost.failures + 1;
        this.#notify(this.options.onReconnect, { ...lost, cursor: this.#cursor });
      }
      context() {
        return this.#hub.context(`events ${this.#to.channel}`, this.#attempts);
      }
    };
    openStream = (hub, to, options) => new Stream(hub, "channel" in Object(to) ? to : subscriptionTo(to), options);
  }
});

// client/src/ask.ts
var ask_exports = {};
__export(ask_exports, {
  openQuestion: () => openQuestion
});
var randomKey, Question, Cancelled, openQuestion;
var init_ask = __esm({
  "client/src/ask.ts"() {
    "use strict";
    init_abort();
    init_failure();
    init_on_demand();
    randomKey = () => Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join("");
    Question = class {
      #params;
      options;
      #key = randomKey();
      #hub;
      #parts = [];
      #text = "";
      #attempts = 1;
      /** Whether the question was sent again: its parts repeat, so only the complete answer counts. */
      #isRepeated = false;
      #link;
      #answer;
      #error;
      #isEnded = false;
      #wake = [];
      #forget;
      constructor(hub, params, options) {
        const { signal } = options;
        this.#hub = hub;
        this.#params = params;
        this.options = options;
        const abort = () => this.fail(abortError("question", this.context(), signal?.reason));
        this.#forget = onAbort(signal, abort);
        if (signal?.aborted) abort();
        else this.#link = hub.add(this);
      }
      [Symbol.asyncIterator]() {
        return this;
      }
      async next() {
        for (; ; ) {
          const part2 = this.#parts.shift();
          if (part2 !== void 0) return { done: false, value: part2 };
          if (this.#error !== void 0 && !(this.#error instanceof Cancelled)) throw this.#error;
          if (this.#isEnded) return { done: true, value: void 0 };
          await this.#change();
        }
      }
      return() {
        this.cancel();
        return Promise.resolve({ done: true, value: void 0 });
      }
      async answer() {
        while (!this.#isEnded) await this.#change();
        if (this.#answer === void 0) throw this.#error;
        return this.#answer;
      }
      /** Ends the question. The connection sends `cancel`. */
      cancel() {
        this.#parts.length = 0;
        this.fail(new Cancelled("the question was cancelled", this.context()));
      }
      command() {
        return { type: "ask", params: this.#params, idempotency_key: this.#key };
      }
      endCommand(id) {
        return { type: "cancel", id };
      }
      receive(message) {
        if (message.type === "answer" && !this.#isRepeated) this.#add(message.delta);
        else if (message.type === "answered") {
          const { summary } = this.#answer = message.result;
          if (summary.startsWith(this.#text)) this.#add(summary.slice(this.#text.length));
          this.#end();
        } else if (message.type === "cancelled") this.cancel();
        else if (message.type === "error") void this.#refuse(message);
      }
      /** Ends the question with the error that the response of REST would be. */
      async #refuse(message) {
        const { retry_after_s: delay, status } = message;
        const headers = new Headers(delay === void 0 ? {} : { "retry-after": String(delay) });
        try {
          const { errorOf: errorOf2 } = await errorResponses();
          this.fail(errorOf2({ status, headers }, JSON.stringify(message), this.context()));
        } catch (error) {
          this.fail(error);
        }
      }
      lost({ failures }) {
        this.#attempts = failures + 1;
        this.#isRepeated = true;
        if (failures > (this.options.retries ?? 5)) this.fail(connectionError(this.context()));
      }
      fail(error) {
        if (this.#isEnded) return;
        this.#error = error;
        this.#end();
      }
      #add(part2) {
        if (part2 === "") return;
        this.#text += part2;
        this.#parts.push(part2);
        this.#notify();
      }
      #end() {
        this.#isEnded = true;
        this.#forget();
        this.#link?.leave(this);
        this.#notify();
      }
      #change() {
        return new Promise((resolve) => this.#wake.push(resolve));
      }
      #notify() {
        for (const wake of this.#wake.splice(0)) wake();
      }
      context() {
        return this.#hub.context("events ask", this.#attempts);
      }
    };
    Cancelled = class extends AbortError {
    };
    openQuestion = (hub, params, options) => new Question(hub, params, options);
  }
});

// pages/kit/index.ts
export * from "./frame.js";

// generated/client.ts
var table = {
  "get /social/tweet/assistant": { repeat: "refused", timeoutSeconds: 150, has: "tweet_id", ignoresCursor: true },
  "get /social/assistant/status": { has: "capable", ignoresCursor: true },
  "get /social/user/info": { has: "user" },
  "get /social/users": { name: "users.getUsers", has: "users", wire: { "parameters": { "ids": ["query", "form", false], "usernames": ["query", "form", false] } } },
  "get /social/user/last_tweets": { items: "tweets", follow: ["user:tweets", "username", "user_id"], units: { "include_replies": 1 } },
  "get /social/user/highlights": { items: "tweets" },
  "get /social/user/followers": { items: "followers" },
  "get /social/user/followings": { items: "following" },
  "get /social/user/mentions": { items: "tweets", follow: ["user:mentions", "username"], units: { "since_time": 1e3, "until_time": 1e3 } },
  "get /social/tweet/info": { has: "tweet" },
  "get /social/tweets": { name: "tweets.getTweets", has: "tweets", wire: { "parameters": { "ids": ["query", "form", false] } } },
  "get /social/tweet/thread": { items: "tweets" },
  "get /social/tweet/quotes": { items: "quotes" },
  "get /social/tweet/replies": { items: "replies", follow: ["tweet:replies", "tweet_id"] },
  "get /social/tweet/retweeters": { items: "retweeters" },
  "get /social/tweet/advanced_search": { items: "tweets", follow: ["search:tweets", "query"] },
  "get /social/tweet/counts": { units: { "since_time": 1e3, "until_time": 1e3 }, has: "counts" },
  "get /social/community/info": { has: "community" },
  "get /social/community/discover": { items: "tweets", follow: ["community:tweets", "id"] },
  "get /social/community/media": { items: "tweets" },
  "get /social/community/members": { items: "communities", follow: ["community:members", "username"] },
  "get /social/space/detail": { has: "id" },
  "post /social/tweet/unlike": { repeat: "refused", body: true, has: "success", ignoresCursor: true },
  "get /feeds/user": { name: "feeds.getUserFeed", units: { "include_replies": 1 }, ignoresCursor: true, wire: { "answers": { "application/atom+xml": "text", "application/feed+json": "json" } } },
  "get /feeds/search": { name: "feeds.getSearchFeed", ignoresCursor: true, wire: { "answers": { "application/atom+xml": "text", "application/feed+json": "json" } } },
  "get /feeds/saved_search": { name: "feeds.getSavedSearchFeed", ignoresCursor: true, wire: { "answers": { "application/atom+xml": "text", "application/feed+json": "json" } } },
  "get /social/events": { name: "streams.streamEvents", ignoresCursor: true, wire: { "parameters": { "last-event-id": ["header", "simple", false] }, "answers": { "text/event-stream": "event-stream" } } },
  "post /social/token/create": { body: true, has: "token", ignoresCursor: true },
  "post /social/feed_token/create": { name: "feedToken.create", repeat: "refused", body: true, has: "id", ignoresCursor: true },
  "get /social/feed_token/list": { name: "feedToken.list", has: "feed_tokens", ignoresCursor: true },
  "post /social/feed_token/revoke": { name: "feedToken.revoke", body: true, has: "success", ignoresCursor: true },
  "get /social/searches": { name: "searches.listSavedSearches", has: "searches", ignoresCursor: true },
  "post /social/searches": { name: "searches.createSavedSearch", repeat: "refused", body: true, has: "id", ignoresCursor: true },
  "get /social/searches/{search_id}": { name: "searches.getSavedSearch", has: "id", ignoresCursor: true },
  "patch /social/searches/{search_id}": { name: "searches.updateSavedSearch", repeat: "refused", body: true, has: "id", ignoresCursor: true },
  "delete /social/searches/{search_id}": { name: "searches.deleteSavedSearch", repeat: "refused", ignoresCursor: true, wire: { "answers": {} } },
  "post /social/searches/{search_id}/secret": { name: "searches.rotateWebhookSecret", repeat: "refused", has: "secret", ignoresCursor: true },
  "post /social/searches/{search_id}/test": { name: "searches.sendTestWebhook", repeat: "refused", has: "at", ignoresCursor: true },
  "post /social/searches/{search_id}/resume": { name: "searches.resumeWebhook", repeat: "refused", has: "id", ignoresCursor: true },
  "get /social/searches/{search_id}/attempts": { name: "searches.listWebhookAttempts", has: "attempts", ignoresCursor: true }
};
var keyNames = { "header": "x-api-key", "query": "api_key", "in": "header" };

// client/src/assistant.ts
function assistantOf(explain2, stream) {
  function chatOf(conversationId, answer) {
    const chat = {
      conversationId,
      answer,
      async ask(prompt, parameters = {}, options) {
        const next = await explain2({ ...parameters, conversation_id: chat.conversationId, prompt }, options);
        chat.answer = next;
        chat.conversationId = next.conversation_id;
        return next;
      }
    };
    return chat;
  }
  return {
    stream,
    async explain(tweetId, parameters = {}, options) {
      const answer = await explain2({ ...parameters, tweet_id: tweetId }, options);
      return chatOf(answer.conversation_id, answer);
    },
    resume: (conversationId) => chatOf(conversationId, void 0)
  };
}

// client/src/client.ts
init_defined();
init_on_demand();

// client/src/call.ts
init_failure();
init_on_demand();
function callOnce(start) {
  let started;
  return () => started ??= start();
}
function callOf(start) {
  const startOnce = callOnce(start);
  const body = () => startOnce().then(({ data }) => data);
  return {
    then: (fulfilled, rejected) => body().then(fulfilled, rejected),
    catch: (rejected) => body().catch(rejected),
    finally: (settled) => body().finally(settled),
    [Symbol.toStringTag]: "Promise",
    async withResponse() {
      const { data, response } = await startOnce();
      return { data, response, ...(await errorResponses()).readContext(response.headers) };
    },
    async result() {
      try {
        return { ok: true, data: await body() };
      } catch (error) {
        if (error instanceof SocialDataError) return { ok: false, error };
        throw error;
      }
    }
  };
}
var iteration = onDemand(() => Promise.resolve().then(() => (init_paging(), paging_exports)));
function listOf(paging) {
  const first = callOnce(() => paging.fetchPage());
  const source = {
    ...paging,
    fetchPage: (cursor) => cursor === void 0 ? first() : paging.fetchPage(cursor)
  };
  async function* items() {
    yield* (await iteration()).itemsOf(source);
  }
  return Object.assign(callOf(first), {
    async *pages() {
      yield* (await iteration()).pagesOf(source);
    },
    [Symbol.asyncIterator]: items,
    toArray: async () => (await iteration()).collect(source)
  });
}

// client/src/methods.ts
init_defined();
init_failure();

// client/src/method-name.ts
function methodNameOf(path, given2) {
  const [group, name] = given2?.split(".") ?? path.split("/").slice(-2);
  return [group, name.replace(/_(.)/g, (_, letter) => letter.toUpperCase())];
}

// client/src/methods.ts
init_on_demand();

// client/src/options.ts
init_defined();
var runtime = globalThis;
function environment(name) {
  try {
    return runtime.process?.env?.[name] || void 0;
  } catch {
    return void 0;
  }
}
function settingsOf(options, keyNames2) {
  const {
    baseUrl: baseUrl2 = environment("SOCIAL_DATA_BASE_URL"),
    apiKey = environment("SOCIAL_DATA_API_KEY"),
    timeoutMs = 0
  } = options;
  const missing = (name, hint) => usageError(`'${name}' is missing: pass it, or set SOCIAL_DATA_${hint}`);
  if (baseUrl2 === void 0) throw missing("baseUrl", "BASE_URL");
  if (apiKey === void 0) throw missing("apiKey", "API_KEY; null sends no key");
  checkNumber("timeoutMs", timeoutMs);
  return { ...defined(options), keyIn: options.keyIn ?? keyNames2.in, keyNames: keyNames2, baseUrl: absoluteUrl(baseUrl2), apiKey };
}
function absoluteUrl(baseUrl2) {
  try {
    const base = runtime.location?.href.replace("blob:", "");
    const { origin, pathname, protocol, username: username2, password } = new URL(baseUrl2, base);
    if (/^https?:$/.test(protocol) && !/[?#]/.test(baseUrl2) && !(username2 + password))
      return origin + pathname.replace(/\/+$/, "");
  } catch {
  }
  throw usageError("'baseUrl' must be an absolute http(s) URL without password, query and fragment");
}

// client/src/methods.ts
var following = onDemand(() => Promise.resolve().then(() => (init_follow(), follow_exports)));
var verbs = "GET PUT POST DELETE OPTIONS HEAD PATCH TRACE".split(" ");
var createSend = (transport) => async (path, operation, parameters, options = {}) => {
  const { response, data, failure, failed } = await transport.send({ path, operation, parameters, options });
  if (failure) throw failure;
  const fault = shapeFault(operation, data) ?? transport.settings.validate?.(path, operation.method, data);
  if (fault !== void 0) throw new DecodeError(`the response has an unexpected shape: ${fault}`, failed);
  return { data, response, failed };
};
function shapeFault({ items, has = items, wire }, body) {
  const members = Object(body);
  const value = members[has ?? ""];
  const isPlausible = items ? Array.isArray(value) : has ? value !== void 0 : wire || members === body;
  return isPlausible ? void 0 : `'${has ?? "the body"}' is missing or invalid`;
}
function methodOf({ send: send2, stream }, path, operation) {
  const { items, pageSize = 100 } = operation;
  return (parameters = {}, options) => {
    if (items === void 0) {
      const started = send2(path, operation, parameters, options);
      return callOf(() => started);
    }
    const { limit = Infinity, signal } = options ?? {};
    checkNumber("limit", limit);
    const isSized = Object(parameters) === parameters && parameters["limit"] === void 0;
    const sized = limit > 0 && limit < Infinity && isSized ? { ...parameters, limit: Math.min(Math.ceil(limit), pageSize) } : parameters;
    const itemsOf3 = (page) => page[items] ?? [];
    const list = listOf({
      fetchPage: (cursor) => send2(path, operation, cursor === void 0 ? sized : { ...sized, cursor }, options),
      itemsOf: itemsOf3,
      limit,
      signal
    });
    const { follow: channel } = operation;
    if (!channel || !stream) return list;
    const follow = (eventOptions) => stream(
      async (open) => (await following()).openFollowed(open, { list, itemsOf: itemsOf3, channel, parameters }, { signal, ...eventOptions })
    );
    return Object.assign(list, { follow });
  };
}
function clientOf(table2, transport, { coalesce }, openLater) {
  const sendOne = createSend(transport);
  const coalescing = onDemand(async () => (await Promise.resolve().then(() => (init_coalesce(), coalesce_exports))).coalesceReads(sendOne));
  const coalesced = async (...call) => (await coalescing())(...call);
  const building = { send: coalesce ? coalesced : sendOne, stream: openLater };
  const request = async (verb, path, init) => (await transport.fetchClient()).sendVerb(transport, table2, verb, path, init);
  const client2 = {
    request,
    use: (...added) => void (transport.middleware = transport.middleware.concat(added)),
    eject: (...removed) => void (transport.middleware = transport.middleware.filter((each) => !removed.includes(each)))
  };
  for (const verb of verbs) client2[verb] = (path, init) => request(verb, path, init);
  for (const [key, row] of Object.entries(table2)) {
    const [method, path] = key.split(" ");
    const [group, name] = methodNameOf(path, row.name);
    const methods = client2[group] ??= {};
    methods[name] = methodOf(building, path, { ...row, method });
  }
  return client2;
}

// client/src/transport.ts
init_abort();
init_attempt();
init_defined();
init_failure();

// client/src/headers.ts
function laterCursor(known, next) {
  if (!next) return known;
  const [epoch, number] = next.split(".");
  const [knownEpoch, knownNumber] = String(known).split(".");
  return epoch === knownEpoch && Number(number) < Number(knownNumber) ? known : next;
}
var version = typeof CLIENT_VERSION === "string" ? CLIENT_VERSION : "dev";
function userAgent() {
  const { navigator: navigator2 } = globalThis;
  const agent = navigator2 ? navigator2.userAgent : "Node.js";
  return !agent || agent.startsWith("Mozilla") ? void 0 : `social-data-client/${version} ${agent}`;
}

// client/src/log.ts
var levels = ["off", "warn", "info", "debug"];
function logTo(logger = console, level = "warn") {
  const index = levels.indexOf(level);
  const limit = index < 0 ? 1 : index;
  return (each, message) => {
    if (levels.indexOf(each) <= limit) logger[each](`social-data: ${message()}`);
  };
}

// client/src/transport.ts
init_on_demand();

// client/src/retry.ts
init_defined();
var defaultRetry = { retries: 3, baseMs: 250, capMs: 8e3, budgetMs: 6e4 };
function retryOf(option, base) {
  if (option === void 0) return base;
  const given2 = defined(typeof option === "object" ? option : { retries: Number(option) });
  for (const [name, value] of Object.entries(given2)) if (name !== "repeat") checkNumber(`retry.${name}`, value);
  return Object.assign({ ...base }, given2);
}
var transient = /* @__PURE__ */ new Set([429, 502, 503, 504]);
var requestedMs = ({ retryAfter, rateLimit }) => 1e3 * (retryAfter ?? (rateLimit?.remaining === 0 ? rateLimit.resetSeconds : 0) ?? 0);
function delayBefore(error, repeat, retry, repeats, spentMs) {
  const { status = 429 } = error;
  const isRepeatable = (retry.repeat ?? repeat) === "refused" ? error.status === 429 : transient.has(status);
  const wait2 = requestedMs(error) + Math.random() * Math.min(retry.capMs, retry.baseMs * 2 ** repeats);
  return repeats < retry.retries && isRepeatable && spentMs + wait2 <= retry.budgetMs ? wait2 : void 0;
}

// client/src/transport.ts
var { process: process2 } = globalThis;
var keySource = onDemand(() => Promise.resolve().then(() => (init_key_source(), key_source_exports)));
var tracing = onDemand(() => Promise.resolve().then(() => (init_diagnostics(), diagnostics_exports)));
var maxTimerMs = 2 ** 31 - 1;
var Transport = class {
  settings;
  log;
  agent = userAgent();
  /** The latest position of the event log that a response or an event had. */
  cursor;
  /** The hooks. */
  middleware;
  /** The module with openapi-fetch, for hooks and verbs. */
  fetchClient = onDemand(() => Promise.resolve().then(() => (init_fetch_client(), fetch_client_exports)));
  #retry;
  /** Undefined in runtimes without the module. */
  #channel = process2?.getBuiltinModule?.("node:diagnostics_channel")?.tracingChannel("@social-data/client:call");
  /** What calls wait for; undefined before the first 429. */
  #pauses;
  #deprecated = /* @__PURE__ */ new Set();
  /** The keys of a function; undefined before the first one. */
  #keys;
  /** Throws a UsageError for options that make no sense. */
  constructor(settings) {
    this.settings = settings;
    this.middleware = settings.middleware ?? [];
    this.#retry = retryOf(settings.retry, defaultRetry);
    this.log = logTo(settings.logger, settings.logLevel ?? environment("SOCIAL_DATA_LOG"));
  }
  /** The current key; another one than `refused` if the function of the key has one. Throws a UsageError when the function of the key fails, or a header cannot contain the key. */
  async key(failed, refused) {
    const { apiKey, keyIn } = this.settings;
    let key = apiKey;
    try {
      if (typeof apiKey === "function")
        key = await (await (this.#keys ??= keySource().then(({ KeySource: KeySource2 }) => new KeySource2(apiKey)))).key(refused);
    } catch (error) {
      throw new UsageError("the function apiKey failed", failed, error);
    }
    if (key === null || key === void 0) return void 0;
    if (typeof key === "string" && (keyIn === "query" ? isWellFormed(key) : /^[\t\x20-\x7e\x80-\xff]*$/.test(key)))
      return key;
    throw new UsageError("the API key is not a string, or has a character that cannot be sent", failed);
  }
  /**
   * Sends a call, with retries. Resolves also with error responses. Rejects with ConnectionError, TimeoutError, AbortError,
   * DecodeError and UsageError, and with the errors of hooks.
   */
  async send(call) {
    const channel = this.#channel;
    return channel === void 0 || channel.hasSubscribers === false ? this.#send(call) : (await tracing()).trace(channel, call, this.settings.baseUrl, () => this.#send(call));
  }
  async #send(call) {
    const { path, operation, options } = call;
    const timeoutMs = this.#timeoutMs(operation, options);
    const retry = retryOf(options.retry, this.#retry);
    const startedAt = Date.now();
    if (this.#pauses) await this.#pauses.wait(path, retry, options.signal);
    let refused;
    let sent;
    for (let repeats = 0; ; repeats++) {
      const attempt = new Attempt(this, call, repeats + 1, refused);
      let error;
      try {
        const reply = await this.limited(attempt, timeoutMs, options.signal);
        if (reply === void 0) return sent;
        sent = void 0;
        const { failed } = attempt;
        this.#note(attempt, reply, startedAt);
        if (reply.isOk) return { ...reply, failed };
        const { errorOf: errorOf2, Pauses: Pauses2 } = await errorResponses();
        const failure = error = errorOf2(reply.response, reply.text, failed, attempt.key);
        sent = { ...reply, failed, failure };
        if (failure.status === 401 && refused === void 0 && typeof this.settings.apiKey === "function") {
          refused = attempt.key;
          if (refused !== void 0) continue;
        }
        if (failure.status === 429) (this.#pauses ??= new Pauses2()).add(path, requestedMs(failure), failure.rateLimit);
      } catch (thrown) {
        if (!(thrown instanceof ConnectionError || thrown instanceof TimeoutError)) throw thrown;
        error = thrown;
      }
      const delayMs = delayBefore(error, operation.repeat, retry, repeats, Date.now() - startedAt);
      if (delayMs === void 0) {
        if (sent === void 0) throw error;
        return sent;
      }
      const { message } = error;
      this.log("info", () => `${attempt.failed.operation}: ${message}; retry in ${Math.round(delayMs)} ms`);
      this.settings.onRetry?.({ ...attempt.failed, delayMs, error });
      await sleep(delayMs, options.signal);
    }
  }
  /** The attempt, or an error when the time is over or the caller aborts, whatever the attempt still waits for. */
  limited(attempt, timeoutMs, signal) {
    const controller = new AbortController();
    let timer2;
    let forget;
    return new Promise((resolve, reject) => {
      const stop = (error) => {
        reject(error);
        controller.abort(error);
      };
      const abort = () => stop(abortError("call", attempt.failed, withoutKey(signal?.reason, attempt.key)));
      if (signal?.aborted) return abort();
      forget = onAbort(signal, abort);
      if (timeoutMs > 0 && timeoutMs <= maxTimerMs)
        timer2 = setTimeout(
          () => stop(new TimeoutError(`no complete response within ${timeoutMs} ms`, attempt.failed)),
          timeoutMs
        );
      attempt.run(controller.signal).then(resolve, reject);
    }).finally(() => {
      clearTimeout(timer2);
      forget?.();
    });
  }
  #timeoutMs({ timeoutSeconds = 0 }, options) {
    if (options.timeoutMs !== void 0) {
      checkNumber("timeoutMs", options.timeoutMs);
      return options.timeoutMs;
    }
    const { timeoutMs = timeoutSeconds === 0 ? 3e4 : 1 } = this.settings;
    return timeoutMs === 0 ? 0 : Math.max(timeoutMs, timeoutSeconds * 1e3);
  }
  /** Takes note of a position of the event log. */
  noteCursor(cursor) {
    this.cursor = laterCursor(this.cursor, cursor);
  }
  /** Logs a response; reads the headers that concern later calls. */
  #note({ failed: { operation, attempts } }, { response: { status, headers } }, startedAt) {
    this.log("debug", () => `${operation}: ${status} after ${Date.now() - startedAt} ms, attempt ${attempts}`);
    this.noteCursor(headers.get("x-event-cursor"));
    const sunset = headers.get("sunset");
    if (!(sunset || headers.has("deprecation")) || this.#deprecated.has(operation)) return;
    this.#deprecated.add(operation);
    this.log("warn", () => `${operation} is deprecated${sunset ? `, and ends on ${sunset}` : ""}`);
  }
};

// client/src/client.ts
var events = onDemand(() => Promise.resolve().then(() => (init_events(), events_exports)));
var asking = onDemand(() => Promise.resolve().then(() => (init_ask(), ask_exports)));
function streamsOf(transport) {
  const connections = onDemand(async () => new (await events()).Hub(transport));
  const openLater = (open) => {
    const start = async () => {
      const [hub, { openStream: openStream2 }] = await Promise.all([connections(), events()]);
      return open((to, eventOptions) => openStream2(hub, to, eventOptions));
    };
    return lazyIterator(start, "close", "ready");
  };
  const ask = (parameters, askOptions = {}) => {
    const opened = connections().then(async (hub) => (await asking()).openQuestion(hub, parameters, askOptions));
    opened.catch(() => {
    });
    return lazyIterator(() => opened, "cancel", "answer");
  };
  return { openLater, ask };
}
function createClient2(options = {}) {
  const transport = new Transport(settingsOf(options, keyNames));
  const { openLater, ask } = streamsOf(transport);
  const client2 = clientOf(table, transport, options, openLater);
  Object.assign(client2, {
    events: (selection, eventOptions = {}) => openLater((open) => open(selection, eventOptions)),
    withOptions: (changed) => createClient2({ ...options, ...defined(changed) })
  });
  const socialDataClient = client2;
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant, ask));
  return socialDataClient;
}

// client/src/post-url.ts
var digits = "234567abcdefghijklmnopqrstuvwxyz";
function recordKey(id) {
  let rest = BigInt(id);
  if (rest >= 9223372036854775808n) return void 0;
  let key = "";
  for (; key.length < 13; rest >>= 5n) key = digits.charAt(Number(rest & 31n)) + key;
  return key;
}
function postUrl({ id, author: { username: username2 }, retweeted_tweet: retweeted }) {
  if (retweeted) return postUrl(retweeted);
  if (username2 === "" || username2.endsWith(".invalid")) return void 0;
  if (!username2.includes(".")) return `https://x.com/${username2}/status/${id}`;
  const key = recordKey(id);
  return key === void 0 ? void 0 : `https://bsky.app/profile/${username2}/post/${key}`;
}

// client/src/errors.ts
init_failure();
init_error_of();

// pages/kit/address.ts
import { root } from "./frame.js";
var baseUrl = root.replace(/\/$/, "");
var part = encodeURIComponent;
var userHref = (username2) => `${root}u/${part(username2.replace(/^@/, ""))}`;
var tweetHref = (id) => `${root}t/${part(id)}`;
var tweetPartHref = (id, tab) => `${tweetHref(id)}${tab === "Replies" ? "" : `?tab=${tab}`}#parts`;
var communityHref = (id) => `${root}c/${part(id)}`;
var spaceHref = (id) => `${root}s/${part(id)}`;
function placeOf(url) {
  const found = /^https?:\/\/(?:www\.)?(?:x|twitter)\.com\/i\/(?:spaces\/([A-Za-z0-9]{1,32})|communities\/(\d{1,19}))(?:[/?#]|$)/.exec(
    url
  );
  const [, space, community] = found ?? [];
  if (space !== void 0) return { href: spaceHref(space), words: "Audio room" };
  return community === void 0 ? void 0 : { href: communityHref(community), words: "Community" };
}
var searchHref = (query, order = "Latest") => `${root}explore?${new URLSearchParams({ q: query, ...order === "Top" ? { order: "top" } : {} })}`;
var askHref = (id) => `${root}ask?${new URLSearchParams({ tweet: id })}`;
function subject() {
  const last = location.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

// pages/kit/api.ts
import { useEffect, useState } from "./frame.js";
import { enteredKey, useKey } from "./frame.js";
var client = createClient2({
  baseUrl,
  apiKey: enteredKey,
  retry: { retries: 2, budgetMs: 4e3 }
});
function useLoaded(id, load) {
  const key = useKey();
  const [round, setRound] = useState(0);
  const [state, setState] = useState({ is: "loading" });
  useEffect(() => {
    const aborting = new AbortController();
    const { signal } = aborting;
    setState({ is: "loading" });
    load(signal).then(
      (data) => void (signal.aborted || setState({ is: "ready", data })),
      (error) => void (signal.aborted || setState({ is: "failed", error, retry: () => setRound((before) => before + 1) }))
    );
    return () => aborting.abort();
  }, [id, key, round]);
  return state;
}

// pages/kit/faults.tsx
import { useEffect as useEffect2, useState as useState2 } from "./frame.js";
import { askForKey, enteredKey as enteredKey2 } from "./frame.js";
import { jsx, jsxs } from "./frame.js";
var wait = (seconds) => seconds === void 0 ? {} : { waitSeconds: Math.max(1, Math.ceil(seconds)) };
function explainUnauthorized() {
  return enteredKey2() === "" ? { title: "Enter an API key", text: "Everything on this service is read with an API key.", remedy: "key" } : {
    title: "The key is not valid here",
    text: "It may be mistyped, revoked or expired. Enter another key.",
    remedy: "key"
  };
}
var sentence = (message) => {
  const text = message.trim();
  return text === "" ? "" : `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
};
function explain(error) {
  if (error instanceof UnauthorizedError) return explainUnauthorized();
  if (error instanceof ForbiddenError)
    return {
      title: "This key may not do this",
      text: `${sentence(error.message)} Ask the operator for a key with this scope.`,
      remedy: "key"
    };
  if (error instanceof NotFoundError)
    return {
      title: "Not here",
      text: `${sentence(error.message)} This service has only what was imported or followed.`,
      remedy: "none"
    };
  if (error instanceof BadRequestError)
    return { title: "This request cannot be read", text: sentence(error.message), remedy: "none" };
  if (error instanceof ConversationExpiredError)
    return {
      title: "This conversation has expired",
      text: "Conversations end some time after their last question. Start a new one about the tweet.",
      remedy: "none"
    };
  if (error instanceof RateLimitError)
    return {
      title: "Too many requests",
      text: "This key has used up its rate limit. It can go on soon.",
      remedy: "retry",
      ...wait(error.retryAfter)
    };
  if (error instanceof UnavailableError)
    return { title: "Not available now", text: sentence(error.message), remedy: "retry", ...wait(error.retryAfter) };
  if (error instanceof NotImplementedError)
    return { title: "This platform does not have it", text: sentence(error.message), remedy: "none" };
  if (error instanceof ApiError)
    return { title: `The service answered ${error.status}`, text: sentence(error.message), remedy: "retry" };
  if (error instanceof StreamError)
    return { title: "The event stream ended", text: sentence(error.message), remedy: "retry" };
  if (error instanceof ConnectionError || error instanceof TimeoutError)
    return navigator.onLine ? {
      title: "The service does not answer",
      text: "It may be starting, or the network may be down. Start it with npm start, or try again.",
      remedy: "retry"
    } : { title: "You are offline", text: "The page continues when the network is back.", remedy: "retry" };
  return { title: "Something went wrong", text: "The browser console has the details.", remedy: "retry" };
}
function Retry({ retry, waitSeconds = 0 }) {
  const [left, setLeft] = useState2(waitSeconds);
  useEffect2(() => {
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [retry]);
  useEffect2(() => {
    if (left <= 0) return void 0;
    const timer2 = setTimeout(() => setLeft(left - 1), 1e3);
    return () => clearTimeout(timer2);
  }, [left]);
  return /* @__PURE__ */ jsx("button", { type: "button", class: "primary", disabled: left > 0, onClick: retry, children: left > 0 ? `Try again in ${left} s` : "Try again" });
}
function Fault({ error, retry }) {
  const { title, text, remedy, waitSeconds } = explain(error);
  const requestId = error instanceof ApiError ? error.requestId : void 0;
  return /* @__PURE__ */ jsxs("div", { class: "panel fault", role: "alert", children: [
    /* @__PURE__ */ jsx("h2", { children: title }),
    /* @__PURE__ */ jsx("p", { children: text }),
    remedy === "key" && /* @__PURE__ */ jsx("button", { type: "button", class: "primary", onClick: () => askForKey(), children: "Enter a key" }),
    remedy === "retry" && retry !== void 0 && /* @__PURE__ */ jsx(Retry, { retry, waitSeconds }),
    requestId !== void 0 && remedy === "retry" && /* @__PURE__ */ jsxs("p", { class: "hint", children: [
      "Request id: ",
      requestId
    ] })
  ] });
}

// pages/kit/full-tweets.ts
var maxIds = 100;
var isShort = (item) => typeof item === "object" && item !== null && "text" in item && "created_at" in item && !("media" in item);
async function completed(items, signal) {
  const ids = items.filter(isShort).map(({ id }) => id);
  const full = /* @__PURE__ */ new Map();
  for (let from = 0; from < ids.length; from += maxIds) {
    const request = client.tweets.getTweets(
      { ids: ids.slice(from, from + maxIds) },
      signal === void 0 ? {} : { signal }
    );
    const { tweets } = await request.catch(() => ({ tweets: [] }));
    for (const tweet of tweets) full.set(tweet.id, tweet);
  }
  return items.map((item) => isShort(item) ? full.get(item.id) ?? item : item);
}

// pages/kit/list.tsx
import { useCallback, useEffect as useEffect3, useRef, useState as useState3 } from "./frame.js";
import { useKey as useKey2 } from "./frame.js";
import { Loading, Nothing } from "./frame.js";
import { Fragment, jsx as jsx2, jsxs as jsxs2 } from "./frame.js";
async function send({ path, parameters }, signal, cursor) {
  const [group, name] = methodNameOf(path);
  const methods = client[group];
  const given2 = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== void 0));
  const method = methods?.[name];
  if (method === void 0) throw new Error(`the client has no method for ${path}`);
  return await method({ ...given2, ...cursor === void 0 ? {} : { cursor } }, { signal });
}
var untouched = { items: [], cursor: void 0, isLoading: true, error: void 0 };
var withoutRepeats = (items) => [
  ...new Map(items.map((item) => [item.id, item])).values()
];
function useList(request, member) {
  const key = useKey2();
  const [pages, setPages] = useState3(untouched);
  const aborting = useRef(void 0);
  const id = JSON.stringify(request) + key;
  const load = useCallback(
    (cursor) => {
      aborting.current?.abort();
      const { signal } = aborting.current = new AbortController();
      setPages((before) => ({ ...before, isLoading: true, error: void 0 }));
      const read = async () => {
        const page = await send(request, signal, cursor);
        return [page, await completed(page[member], signal)];
      };
      read().then(
        ([page, items]) => {
          if (signal.aborted) return;
          setPages((before) => ({
            items: withoutRepeats([...before.items, ...items]),
            cursor: page.next_cursor,
            isLoading: false,
            error: void 0
          }));
        },
        (error) => void (signal.aborted || setPages((before) => ({ ...before, isLoading: false, error })))
      );
    },
    [id]
  );
  useEffect3(() => {
    setPages(untouched);
    load(void 0);
    return () => aborting.current?.abort();
  }, [load]);
  return {
    ...pages,
    hasMore: pages.cursor !== null,
    more: () => void (pages.isLoading || pages.cursor === null || load(pages.cursor)),
    prepend: (items) => void completed(items).then(
      (full) => setPages((before) => ({ ...before, items: withoutRepeats([...full, ...before.items]) }))
    )
  };
}
function Sentinel({ reached }) {
  const place = useRef(null);
  useEffect3(() => {
    if (place.current === null) return void 0;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reached();
      },
      { rootMargin: "600px" }
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  });
  return /* @__PURE__ */ jsx2("div", { ref: place });
}
function ListView(props) {
  const { list, name, draw, empty, continues = "near", layout = "" } = props;
  const { items, isLoading, error, hasMore, more } = list;
  const failed = error !== void 0;
  return /* @__PURE__ */ jsxs2(Fragment, { children: [
    items.length > 0 && /* @__PURE__ */ jsx2("ol", { class: `feed ${layout}`, "aria-label": name, children: items.map((item) => /* @__PURE__ */ jsx2("li", { children: draw(item) }, item.id)) }),
    failed && /* @__PURE__ */ jsx2(Fault, { error, retry: more }),
    isLoading && /* @__PURE__ */ jsx2("div", { class: items.length === 0 ? "whole-screen" : "", children: /* @__PURE__ */ jsx2(Loading, { rows: items.length === 0 ? 4 : 1, name: `Loading ${name.toLowerCase()}` }) }),
    !isLoading && !failed && hasMore && /* @__PURE__ */ jsxs2(Fragment, { children: [
      continues === "near" && /* @__PURE__ */ jsx2(Sentinel, { reached: more }),
      /* @__PURE__ */ jsx2("button", { type: "button", class: "more", onClick: more, children: "Show more" })
    ] }),
    !isLoading && !failed && items.length === 0 && (typeof empty === "string" ? /* @__PURE__ */ jsx2(Nothing, { title: empty }) : empty)
  ] });
}
var listOf2 = (member, drawing) => ({ request }) => /* @__PURE__ */ jsx2(ListView, { list: useList(request, member), ...drawing });

// pages/kit/live.tsx
import { useEffect as useEffect4, useRef as useRef2, useState as useState4 } from "./frame.js";
import { useKey as useKey3 } from "./frame.js";
import { jsx as jsx3, jsxs as jsxs3 } from "./frame.js";
function useEvents(selection, receive) {
  const key = useKey3();
  const [state, setState] = useState4("off");
  const receiver = useRef2(receive);
  receiver.current = receive;
  const id = selection === void 0 || key === "" ? void 0 : JSON.stringify(selection);
  useEffect4(() => {
    if (id === void 0) return setState("off");
    let cursor;
    let stream;
    const listen = async () => {
      const own = stream = client.events(JSON.parse(id), {
        cursor,
        onGap: () => {
        },
        onReconnect: () => setState("lost")
      });
      setState("connected");
      try {
        for await (const event of own) {
          setState("connected");
          cursor = event.cursor;
          receiver.current(event);
        }
      } catch {
        if (stream === own) setState("off");
      }
    };
    const follow = () => {
      if (document.hidden) {
        stream?.close();
        stream = void 0;
      } else if (stream === void 0) void listen();
    };
    const leave2 = () => {
      stream?.close();
      stream = void 0;
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    addEventListener("pagehide", leave2);
    addEventListener("pageshow", follow);
    return () => {
      leave2();
      document.removeEventListener("visibilitychange", follow);
      removeEventListener("pagehide", leave2);
      removeEventListener("pageshow", follow);
    };
  }, [id, key]);
  return state;
}
var maxWaiting = 200;
function useArrivals(selection) {
  const [waiting, setWaiting] = useState4([]);
  useEffect4(() => setWaiting([]), [JSON.stringify(selection)]);
  const state = useEvents(selection, ({ event, data }) => {
    if (event === "tweet.created" && "text" in data)
      setWaiting((before) => [data, ...before.filter(({ id }) => id !== data.id)].slice(0, maxWaiting));
    if (event === "tweet.deleted" && "id" in data) setWaiting((before) => before.filter(({ id }) => id !== data.id));
  });
  return {
    state,
    waiting,
    take() {
      setWaiting([]);
      return waiting;
    }
  };
}
function LiveBar({
  arrivals,
  show
}) {
  const { state, waiting, take } = arrivals;
  return /* @__PURE__ */ jsxs3("div", { class: "live-bar", "aria-live": "polite", children: [
    waiting.length > 0 && /* @__PURE__ */ jsxs3("button", { type: "button", class: "pill", onClick: () => show(take()), children: [
      waiting.length === maxWaiting ? `${maxWaiting}+` : waiting.length,
      " new"
    ] }),
    state === "lost" && /* @__PURE__ */ jsx3("span", { class: "live-lost", children: "Connection lost. It reconnects by itself." })
  ] });
}
var LiveDot = ({ state }) => state === "off" ? null : /* @__PURE__ */ jsx3(
  "span",
  {
    class: `live-dot ${state}`,
    title: state === "connected" ? "New tweets appear by themselves" : "Reconnecting",
    children: state === "connected" ? "Live" : "Reconnecting"
  }
);

// pages/kit/media.tsx
import { useEffect as useEffect5, useState as useState5 } from "./frame.js";
import { Fragment as Fragment2, jsx as jsx4, jsxs as jsxs4 } from "./frame.js";
var choiceName = "social-data.pictures";
var choiceChanged = "social-data:pictures";
function storedChoice() {
  try {
    const stored = localStorage.getItem(choiceName);
    return stored === null ? void 0 : stored === "yes";
  } catch {
    return void 0;
  }
}
function choose(agrees) {
  try {
    localStorage.setItem(choiceName, agrees ? "yes" : "no");
  } catch {
  }
  dispatchEvent(new CustomEvent(choiceChanged, { detail: agrees }));
}
function usePictures() {
  const [agrees, setAgrees] = useState5(storedChoice);
  useEffect5(() => {
    const update = (event) => setAgrees(event.detail);
    addEventListener(choiceChanged, update);
    return () => removeEventListener(choiceChanged, update);
  }, []);
  return agrees;
}
var isWeb = (url) => /^https:\/\//i.test(url);
var isOwn = (url) => url.startsWith("/media/");
var addressOf = (url) => isOwn(url) ? `${baseUrl}${url}` : url;
var hostOf = (url) => {
  try {
    return new URL(url).hostname;
  } catch {
    return "";
  }
};
var isInvented = (url) => /(?:^|\.)example(?:\.(?:com|net|org))?$/.test(hostOf(url));
var numberOf = (text, count) => [...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) % 9973, 7) % count;
var tones = 6;
function Drawn({ seed, alt }) {
  const [x, y, height] = [numberOf(`${seed}x`, 60) + 20, numberOf(`${seed}y`, 24) + 14, numberOf(`${seed}h`, 18)];
  return /* @__PURE__ */ jsxs4(
    "svg",
    {
      class: `drawn tone-${numberOf(seed, tones)}`,
      viewBox: "0 0 100 64",
      preserveAspectRatio: "xMidYMid slice",
      ...alt === "" ? { "aria-hidden": true } : { role: "img", "aria-label": alt },
      children: [
        /* @__PURE__ */ jsx4("circle", { cx: x, cy: y, r: "8", class: "drawn-sun" }),
        /* @__PURE__ */ jsx4(
          "path",
          {
            class: "drawn-far",
            d: `M0 ${46 - height} Q 25 ${22 + height} 50 ${40 - height / 2} T 100 ${30 + height / 2} V64 H0Z`
          }
        ),
        /* @__PURE__ */ jsx4(
          "path",
          {
            class: "drawn-near",
            d: `M0 ${52 - height / 3} Q 30 ${36 + height} 60 ${50 - height / 4} T 100 ${44 + height / 3} V64 H0Z`
          }
        )
      ]
    }
  );
}
var canShow = (url, agrees) => isOwn(url) || agrees === true && isWeb(url) && !isInvented(url);
function Picture({ url, alt }) {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState5(false);
  if (isInvented(url)) return /* @__PURE__ */ jsx4(Drawn, { seed: url, alt });
  const isShown = canShow(url, agrees);
  if (alt === "" && (isMissing || !isShown)) return null;
  if (isMissing) return /* @__PURE__ */ jsxs4("span", { class: "no-picture", children: [
    "The picture could not be loaded. ",
    alt
  ] });
  if (!isShown) return /* @__PURE__ */ jsx4("span", { class: "no-picture", children: alt });
  return /* @__PURE__ */ jsx4(
    "img",
    {
      src: addressOf(url),
      alt,
      loading: "lazy",
      decoding: "async",
      referrerpolicy: "no-referrer",
      onError: () => setMissing(true)
    }
  );
}
function Shown({ media, name, isWhole = false }) {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState5(false);
  const { type, url, video_url: video, alt_text: alt = name } = media;
  if (type === "photo" || video === void 0 || !canShow(video, agrees))
    return /* @__PURE__ */ jsxs4(Fragment2, { children: [
      /* @__PURE__ */ jsx4(Picture, { url, alt }),
      isWhole && type !== "photo" && /* @__PURE__ */ jsx4("p", { class: "hint", children: "The video itself is not here." })
    ] });
  if (isMissing) return /* @__PURE__ */ jsxs4("span", { class: "no-picture", children: [
    "The video could not be loaded. ",
    alt
  ] });
  return /* @__PURE__ */ jsx4(
    "video",
    {
      src: addressOf(video),
      poster: canShow(url, agrees) ? addressOf(url) : void 0,
      "aria-label": alt,
      controls: true,
      playsInline: true,
      preload: "none",
      loop: type === "animated_gif",
      onError: () => setMissing(true)
    }
  );
}
function Avatar({
  user,
  size = ""
}) {
  const agrees = usePictures();
  const [isMissing, setMissing] = useState5(false);
  const url = user.profile_image;
  const words = (user.name.trim() || user.username || "?").split(/\s+/u);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...word ?? ""][0] ?? "").join("");
  const showsPicture = agrees === true && !isMissing && isWeb(url) && !isInvented(url);
  return /* @__PURE__ */ jsx4("span", { class: `avatar ${size} tone-${numberOf(user.username, tones)}`, "aria-hidden": "true", children: showsPicture ? /* @__PURE__ */ jsx4("img", { src: url, alt: "", loading: "lazy", referrerpolicy: "no-referrer", onError: () => setMissing(true) }) : initials.toLocaleUpperCase("en") || "?" });
}
var names = { photo: "Photo", video: "Video", animated_gif: "GIF" };
function PictureConsent({ urls }) {
  const agrees = usePictures();
  if (agrees !== void 0 || !urls.some((url) => isWeb(url) && !isInvented(url))) return null;
  return /* @__PURE__ */ jsxs4("p", { class: "consent hint", children: [
    "Pictures come from other hosts, which then see your address.",
    " ",
    /* @__PURE__ */ jsx4("button", { type: "button", class: "small", onClick: () => choose(true), children: "Show pictures" }),
    " ",
    /* @__PURE__ */ jsx4("button", { type: "button", class: "small", onClick: () => choose(false), children: "Keep them off" })
  ] });
}
function Description({ of, text }) {
  return /* @__PURE__ */ jsxs4("details", { class: "alt", children: [
    /* @__PURE__ */ jsx4("summary", { "aria-label": `ALT, description of ${of}`, children: "ALT" }),
    /* @__PURE__ */ jsx4("p", { dir: "auto", children: text })
  ] });
}
var mediaName = ({ type }, at, of) => `${names[type]}${of > 1 ? ` ${at + 1} of ${of}` : ""}`;
var outwardAddress = ({ url, expanded_url: page }) => isInvented(url) ? void 0 : [page, url].find((each) => each !== void 0 && isWeb(each));
var lightbox = "./lightbox.js";
var showMedia = (all, first) => void import(lightbox).then((loaded) => loaded.showMedia(all, first));
function Cell({ all, at }) {
  const agrees = usePictures();
  const media = all[at];
  if (media === void 0) return null;
  const name = mediaName(media, at, all.length);
  const { type, video_url: video, alt_text: alt } = media;
  const plays = type !== "photo" && video !== void 0 && canShow(video, agrees);
  return /* @__PURE__ */ jsxs4("li", { children: [
    plays ? /* @__PURE__ */ jsx4(Shown, { media, name }) : /* @__PURE__ */ jsxs4(
      "button",
      {
        type: "button",
        class: "cell",
        onClick: () => showMedia(
          all.map((each) => ({ media: each })),
          at
        ),
        children: [
          /* @__PURE__ */ jsx4(Picture, { url: media.url, alt: alt ?? name }),
          /* @__PURE__ */ jsx4("span", { class: "media-kind", children: type === "photo" ? name : `▶ ${name}` })
        ]
      }
    ),
    alt === void 0 ? null : /* @__PURE__ */ jsx4(Description, { of: name, text: alt })
  ] });
}
function MediaGrid({ media }) {
  if (media.length === 0) return null;
  return /* @__PURE__ */ jsxs4(Fragment2, { children: [
    /* @__PURE__ */ jsx4("ul", { class: `media-grid of-${Math.min(media.length, 4)}`, "aria-label": "Media", children: media.map(({ url }, at) => /* @__PURE__ */ jsx4(Cell, { all: media, at }, url)) }),
    /* @__PURE__ */ jsx4(PictureConsent, { urls: media.map(({ url }) => url) })
  ] });
}

// pages/kit/request.tsx
import { useState as useState6 } from "./frame.js";
import { enteredKey as enteredKey3 } from "./frame.js";
import { Choice } from "./frame.js";
import { Code, CopyButton } from "./frame.js";
import { jsx as jsx5, jsxs as jsxs5 } from "./frame.js";
var given = ({ parameters }) => Object.entries(parameters).flatMap(([name, value]) => value === void 0 ? [] : [[name, value]]);
var targetOf = (request) => {
  const query = new URLSearchParams(given(request).map(([name, value]) => [name, String(value)])).toString();
  return query === "" ? request.path : `${request.path}?${query}`;
};
var quote = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
var writers = {
  curl: (request, key) => [
    `curl -G ${quote(baseUrl + request.path)}`,
    `-H ${key === void 0 ? '"x-api-key: $API_KEY"' : quote(`x-api-key: ${key}`)}`,
    ...given(request).map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`)
  ].join(" \\\n  "),
  TypeScript: (request, key) => `import { createClient } from '@social-data/client';

const client = createClient({
  baseUrl: ${JSON.stringify(baseUrl)},
  apiKey: ${key === void 0 ? "process.env.API_KEY" : JSON.stringify(key)},
});
const answer = await client.${methodNameOf(request.path).join(".")}(${JSON.stringify(Object.fromEntries(given(request)))});
console.log(answer);`,
  Python: (request, key) => `import os, requests

answer = requests.get(
    ${JSON.stringify(baseUrl + request.path)},
    params=${JSON.stringify(Object.fromEntries(given(request)))},
    headers={"x-api-key": ${key === void 0 ? 'os.environ["API_KEY"]' : JSON.stringify(key)}},
)
print(answer.json())`
};
var languages = Object.keys(writers);
var written2 = (language, request, key) => writers[language](request, key);
function RequestBox({ request }) {
  const [language, setLanguage] = useState6("curl");
  const [isClear, setClear] = useState6(false);
  const key = isClear ? enteredKey3() : void 0;
  const text = written2(language, request, key);
  return /* @__PURE__ */ jsxs5("div", { class: "request-box", children: [
    /* @__PURE__ */ jsxs5("div", { class: "row", children: [
      /* @__PURE__ */ jsx5(Choice, { name: "Language", values: languages, value: language, choose: setLanguage }),
      /* @__PURE__ */ jsx5(CopyButton, { text: () => text })
    ] }),
    /* @__PURE__ */ jsx5(Code, { text, name: `The request in ${language}` }),
    enteredKey3() !== "" && /* @__PURE__ */ jsxs5("label", { class: "check", children: [
      /* @__PURE__ */ jsx5("input", { type: "checkbox", checked: isClear, onChange: () => setClear(!isClear) }),
      " Show my key in it"
    ] })
  ] });
}
var RequestLine = ({ request }) => /* @__PURE__ */ jsxs5("details", { class: "request-line", children: [
  /* @__PURE__ */ jsxs5("summary", { children: [
    /* @__PURE__ */ jsx5("b", { children: "GET" }),
    " ",
    /* @__PURE__ */ jsx5("code", { children: targetOf(request) })
  ] }),
  /* @__PURE__ */ jsx5(RequestBox, { request })
] });

// pages/kit/tweet.tsx
import { useState as useState7 } from "./frame.js";
import { age, compact as compact2, longTime, plural } from "./frame.js";

// pages/kit/link-text.ts
var maxWords = 80;
var hidden = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
function hostOf2(url) {
  const parsed2 = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : void 0;
  return parsed2 === void 0 || parsed2.hostname === "" ? void 0 : parsed2.hostname;
}
var withoutScheme = (text) => text.replace(/^https?:\/\//i, "");
var withoutWww = (host) => host.replace(/^www\./, "");
var shownHost = (words) => (/^[^/?#]*/.exec(words)?.[0] ?? "").replace(/:\d{1,5}$/, "").toLowerCase();
function linkText(url, words = url) {
  const host = hostOf2(url);
  const visible = withoutScheme(words.replace(hidden, "").trim());
  const short = visible.length > maxWords ? `${visible.slice(0, maxWords)}…` : visible;
  if (host === void 0) return short;
  const isSame = shownHost(visible) === host || withoutWww(shownHost(visible)) === withoutWww(host);
  if (isSame) return short;
  return short === "" ? host : `${short} (${host})`;
}

// server/text/username.ts
var label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var lastLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
var handlePattern = String.raw`(?:${label}\.){1,126}${lastLabel}`;
var username = new RegExp(`^(?:[A-Za-z0-9_]{1,15}|${handlePattern})$`);

// pages/kit/text-pieces.ts
var linkPattern = new RegExp(
  [
    String.raw`(?<link>https?://[^\s<>"“”]*[^\s<>"“”.,:;!?'’)\]}…。、])`,
    String.raw`(?<![\p{L}\p{M}\p{N}_&/@#])(?:(?<mention>@(?:${handlePattern}(?!\.?[\w@])|\w{1,15}(?![\w@])))|(?<hashtag>#[\p{L}\p{M}\p{N}_]*[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*))`,
    String.raw`(?<![\p{L}\p{M}\p{N}_$])(?<cashtag>\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?![\p{L}\p{N}_])`
  ].join("|"),
  "gu"
);
var kinds = ["link", "mention", "hashtag", "cashtag"];
function piecesOf(text) {
  const pieces = [];
  let end = 0;
  const addPlainText = (until) => void (until > end && pieces.push({ is: "plain", text: text.slice(end, until) }));
  for (const { index, 0: match, groups } of text.matchAll(linkPattern)) {
    const is = kinds.find((kind) => groups?.[kind] !== void 0) ?? "plain";
    addPlainText(index);
    pieces.push({ is, text: match });
    end = index + match.length;
  }
  addPlainText(text.length);
  return pieces;
}

// pages/kit/user.tsx
import { compact } from "./frame.js";

// pages/kit/hover.ts
var cardAttribute = "data-user";
var selector = `a[${cardAttribute}]`;
var restMs = 450;
var focusMs = 250;
var script = "./person.js";
var timer;
var current;
var linkAt = (target) => (target instanceof Element ? target.closest(selector) : void 0) ?? void 0;
function want(link, ms, isStill) {
  if (link === current) return;
  clearTimeout(timer);
  current = link;
  if (link === void 0) return;
  timer = setTimeout(() => {
    void import(script).then(({ showPerson }) => {
      if (current === link && link.isConnected && isStill(link))
        showPerson(link, link.getAttribute(cardAttribute) ?? "");
    });
  }, ms);
}
var leave = () => want(void 0, 0, () => false);
document.addEventListener("pointerover", ({ target, pointerType }) => {
  if (pointerType !== "touch") want(linkAt(target), restMs, (link) => link.matches(":hover"));
});
document.addEventListener("focusin", ({ target }) => {
  const link = linkAt(target);
  if (link?.matches(":focus-visible") === true) want(link, focusMs, (each) => each === document.activeElement);
});
document.addEventListener("focusout", leave);
document.addEventListener("pointerdown", leave);

// pages/kit/user.tsx
import { jsx as jsx6, jsxs as jsxs6 } from "./frame.js";
var Verified = () => /* @__PURE__ */ jsxs6("svg", { class: "verified", role: "img", "aria-label": "verified", viewBox: "0 0 24 24", children: [
  /* @__PURE__ */ jsx6("circle", { cx: "12", cy: "12", r: "11" }),
  /* @__PURE__ */ jsx6("path", { d: "m7 12.5 3.3 3.3L17 9" })
] });
var nameOf = ({ name, username: username2 }) => name || username2 || "Unknown author";
var UserLink = ({
  user,
  children,
  ...attributes
}) => user.username === "" ? /* @__PURE__ */ jsx6("span", { ...attributes, children }) : /* @__PURE__ */ jsx6("a", { ...attributes, ...{ [cardAttribute]: user.username }, href: userHref(user.username), children });
var UserName = ({ user }) => /* @__PURE__ */ jsxs6(UserLink, { class: "user-name", user, children: [
  /* @__PURE__ */ jsx6("bdi", { class: "name", children: nameOf(user) }),
  user.verified === true && /* @__PURE__ */ jsx6(Verified, {}),
  " ",
  user.username !== "" && /* @__PURE__ */ jsxs6("span", { class: "username", children: [
    "@",
    user.username
  ] })
] });
var UserRow = ({ user }) => /* @__PURE__ */ jsxs6("article", { class: "tweet-card user-row", children: [
  /* @__PURE__ */ jsx6(UserLink, { class: "face", user, tabIndex: -1, "aria-hidden": true, children: /* @__PURE__ */ jsx6(Avatar, { user }) }),
  /* @__PURE__ */ jsxs6("div", { children: [
    /* @__PURE__ */ jsx6(UserName, { user }),
    user.description !== "" && /* @__PURE__ */ jsx6("p", { class: "text", dir: "auto", children: user.description }),
    /* @__PURE__ */ jsxs6("p", { class: "facts", children: [
      /* @__PURE__ */ jsxs6("a", { href: `${userHref(user.username)}?tab=Followers`, children: [
        /* @__PURE__ */ jsx6("b", { children: compact(user.followers_count) }),
        " followers"
      ] }),
      user.location !== "" && /* @__PURE__ */ jsx6("span", { children: user.location })
    ] })
  ] })
] });

// pages/kit/tweet.tsx
import { Fragment as Fragment3, jsx as jsx7, jsxs as jsxs7 } from "./frame.js";
var isFull = (tweet) => "media" in tweet;
var External = ({ href, children }) => /* @__PURE__ */ jsx7("a", { href, target: "_blank", rel: "noopener noreferrer nofollow", children });
function PieceView({ piece, links }) {
  const { is, text } = piece;
  if (is === "plain") return /* @__PURE__ */ jsx7(Fragment3, { children: text });
  const place = is === "link" ? placeOf(text) : void 0;
  if (place !== void 0) return /* @__PURE__ */ jsx7("a", { href: place.href, children: place.words });
  if (is === "link")
    return /* @__PURE__ */ jsx7(External, { href: text, children: linkText(text, links.find(({ url }) => url === text)?.display_url) });
  return /* @__PURE__ */ jsx7("a", { href: text.startsWith("@") ? userHref(text) : searchHref(text), children: text });
}
var LinkedText = ({ text, links = [] }) => /* @__PURE__ */ jsx7("p", { class: "text", dir: "auto", children: piecesOf(text).map((piece, index) => /* @__PURE__ */ jsx7(PieceView, { piece, links }, index)) });
var TweetText = ({ tweet }) => /* @__PURE__ */ jsx7(LinkedText, { text: tweet.text, links: isFull(tweet) ? tweet.entities.urls : [] });
var [longCharacters, longLines] = [600, 12];
function FoldedText({ tweet }) {
  const [isOpen, setOpen] = useState7(false);
  const isLong = tweet.text.length > longCharacters || tweet.text.split("\n").length > longLines;
  if (!isLong || isOpen) return /* @__PURE__ */ jsx7(TweetText, { tweet });
  return /* @__PURE__ */ jsxs7(Fragment3, { children: [
    /* @__PURE__ */ jsx7("div", { class: "folded", children: /* @__PURE__ */ jsx7(TweetText, { tweet }) }),
    /* @__PURE__ */ jsx7("button", { type: "button", class: "small", onClick: () => setOpen(true), children: "Show the whole text" })
  ] });
}
function CardView({ card }) {
  const content = /* @__PURE__ */ jsxs7(Fragment3, { children: [
    card.image !== void 0 && /* @__PURE__ */ jsx7("span", { class: "card-image", children: /* @__PURE__ */ jsx7(Picture, { url: card.image, alt: "" }) }),
    /* @__PURE__ */ jsxs7("span", { class: "card-text", children: [
      /* @__PURE__ */ jsx7("span", { class: "hint", children: linkText(card.url, card.domain) }),
      /* @__PURE__ */ jsx7("bdi", { class: "name", children: card.title }),
      card.description !== void 0 && /* @__PURE__ */ jsx7("bdi", { class: "card-description", children: card.description })
    ] })
  ] });
  return /^https?:\/\//i.test(card.url) ? /* @__PURE__ */ jsx7("a", { class: "link-card", href: card.url, target: "_blank", rel: "noopener noreferrer nofollow", children: content }) : /* @__PURE__ */ jsx7("div", { class: "link-card", children: content });
}
var ownClicks = "a, button, summary, details, input, video, dialog";
function opening(href) {
  const open = (event) => {
    const { currentTarget, button, ctrlKey, metaKey, shiftKey } = event;
    if (button > 1 || event.defaultPrevented || getSelection()?.isCollapsed === false) return;
    const path = event.composedPath();
    const inside = path.slice(0, path.indexOf(currentTarget));
    if (inside.some((each) => each instanceof Element && each.matches(ownClicks))) return;
    event.preventDefault();
    if (button === 1 || ctrlKey || metaKey || shiftKey) window.open(href, "_blank", "noopener");
    else location.assign(href);
  };
  return { onClick: open, onAuxClick: open };
}
var Quoted = ({ tweet }) => /* @__PURE__ */ jsxs7("blockquote", { class: "quoted", ...opening(tweetHref(tweet.id)), children: [
  /* @__PURE__ */ jsxs7("div", { class: "by", children: [
    /* @__PURE__ */ jsx7(Avatar, { user: tweet.author, size: "small" }),
    /* @__PURE__ */ jsx7(UserName, { user: tweet.author }),
    /* @__PURE__ */ jsx7("a", { class: "time", href: tweetHref(tweet.id), title: longTime(tweet.created_at), children: age(tweet.created_at) })
  ] }),
  /* @__PURE__ */ jsx7(FoldedText, { tweet }),
  /* @__PURE__ */ jsx7(MediaGrid, { media: tweet.media }),
  tweet.card !== void 0 && /* @__PURE__ */ jsx7(CardView, { card: tweet.card })
] });
var counts = [
  ["reply_count", "reply", "replies", "Replies"],
  ["retweet_count", "retweet", "retweets", "Retweeters"],
  ["quote_count", "quote", "quotes", "Quotes"],
  ["like_count", "like", "likes", void 0],
  ["bookmark_count", "bookmark", "bookmarks", void 0],
  ["view_count", "view", "views", void 0]
];
var Counts = ({ tweet, unknown }) => /* @__PURE__ */ jsx7("div", { class: "facts", children: counts.filter(([name]) => tweet[name] > 0 || unknown?.includes(name) === false).map(([name, one, many, tab]) => {
  const words = /* @__PURE__ */ jsxs7(Fragment3, { children: [
    /* @__PURE__ */ jsx7("b", { children: compact2(tweet[name]) }),
    " ",
    tweet[name] === 1 ? one : many
  ] });
  const title = plural(tweet[name], one, many);
  return tab === void 0 ? /* @__PURE__ */ jsx7("span", { title, children: words }, name) : /* @__PURE__ */ jsx7("a", { title, href: tweetPartHref(tweet.id, tab), children: words }, name);
}) });
var originOf = (tweet) => isInvented(tweet.author.profile_image) ? void 0 : postUrl(tweet);
function Actions({ tweet }) {
  const origin = originOf(tweet);
  return /* @__PURE__ */ jsxs7("div", { class: "actions", children: [
    /* @__PURE__ */ jsx7("a", { href: askHref(tweet.id), children: "Ask about it" }),
    origin !== void 0 && /* @__PURE__ */ jsx7(External, { href: origin, children: "Original" })
  ] });
}
var TweetExtras = ({ tweet }) => isFull(tweet) ? /* @__PURE__ */ jsxs7(Fragment3, { children: [
  /* @__PURE__ */ jsx7(MediaGrid, { media: tweet.media }),
  tweet.card !== void 0 && /* @__PURE__ */ jsx7(CardView, { card: tweet.card }),
  tweet.article !== void 0 && /* @__PURE__ */ jsxs7("details", { class: "article", children: [
    /* @__PURE__ */ jsxs7("summary", { children: [
      "Article: ",
      /* @__PURE__ */ jsx7("bdi", { class: "name", children: tweet.article.title })
    ] }),
    /* @__PURE__ */ jsx7("p", { class: "text", dir: "auto", children: tweet.article.text })
  ] }),
  tweet.quoted_tweet !== null && /* @__PURE__ */ jsx7(Quoted, { tweet: tweet.quoted_tweet })
] }) : null;
function TweetCard({ tweet, isNew = false }) {
  const repeated = isFull(tweet) ? tweet.retweeted_tweet : null;
  const shown = repeated ?? tweet;
  return /* @__PURE__ */ jsxs7("article", { class: isNew ? "tweet-card new" : "tweet-card", ...opening(tweetHref(shown.id)), children: [
    repeated !== null && /* @__PURE__ */ jsx7("p", { class: "retweeted", children: /* @__PURE__ */ jsxs7(UserLink, { user: tweet.author, children: [
      /* @__PURE__ */ jsx7("bdi", { children: nameOf(tweet.author) }),
      " retweeted"
    ] }) }),
    /* @__PURE__ */ jsx7(UserLink, { class: "face", user: shown.author, tabIndex: -1, "aria-hidden": true, children: /* @__PURE__ */ jsx7(Avatar, { user: shown.author }) }),
    /* @__PURE__ */ jsxs7("div", { class: "tweet-body", children: [
      /* @__PURE__ */ jsxs7("div", { class: "by", children: [
        /* @__PURE__ */ jsx7(UserName, { user: shown.author }),
        /* @__PURE__ */ jsx7("a", { class: "time", href: tweetHref(shown.id), title: longTime(shown.created_at), children: /* @__PURE__ */ jsx7("time", { dateTime: shown.created_at, children: age(shown.created_at) }) })
      ] }),
      /* @__PURE__ */ jsx7(FoldedText, { tweet: shown }),
      /* @__PURE__ */ jsx7(TweetExtras, { tweet: shown }),
      /* @__PURE__ */ jsxs7("div", { class: "below", children: [
        /* @__PURE__ */ jsx7(Counts, { tweet: shown }),
        /* @__PURE__ */ jsx7(Actions, { tweet: shown })
      ] })
    ] })
  ] });
}
export {
  Avatar,
  BadRequestError,
  Counts,
  Fault,
  LinkedText,
  ListView,
  LiveBar,
  LiveDot,
  MediaGrid,
  NotFoundError,
  Picture,
  PictureConsent,
  RequestBox,
  RequestLine,
  Shown,
  TweetCard,
  TweetExtras,
  TweetText,
  UnauthorizedError,
  UserLink,
  UserName,
  UserRow,
  Verified,
  askHref,
  baseUrl,
  client,
  communityHref,
  completed,
  explain,
  isInvented,
  languages,
  linkText,
  listOf2 as listOf,
  mediaName,
  nameOf,
  numberOf,
  originOf,
  outwardAddress,
  piecesOf,
  placeOf,
  searchHref,
  send,
  sentence,
  showMedia,
  spaceHref,
  subject,
  targetOf,
  tweetHref,
  tweetPartHref,
  useArrivals,
  useEvents,
  useList,
  useLoaded,
  userHref,
  written2 as written
};
