/** Model servers at their usual ports, which other programs of the machine may use: connections to these go to ports of the test. */
import net from 'node:net';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { syncBuiltinESMExports } from 'node:module';

/** What each server answers to `GET /v1/models`, as it does it itself. */
const lists: Readonly<Record<number, object>> = {
  11434: { object: 'list', data: [{ id: 'qwen3:8b', object: 'model', created: 1, owned_by: 'library' }] },
  1234: { data: [{ id: 'gemma-3-12b', object: 'model', owned_by: 'organization_owner' }], object: 'list' },
  8080: {
    models: [{ name: 'phi.gguf', model: 'phi.gguf', type: 'model', capabilities: ['completion'] }],
    object: 'list',
    data: [{ id: 'phi.gguf', object: 'model', owned_by: 'llamacpp', meta: { n_ctx_train: 4096 } }],
  },
  8000: { object: 'list', data: [{ id: 'org/mistral', object: 'model', root: 'org/mistral', max_model_len: 4096 }] },
};

export interface ModelServers {
  /** The usual ports of the servers, with the ports at which they listen. */
  readonly ports: ReadonlyMap<number, number>;
  /** Method, path and key of each request, by the usual port. */
  readonly asked: [port: number, request: string, key: string | undefined][];
  /** Stops the server of a usual port. */
  stop(port: number): void;
  close(): void;
}

/** Starts a server for each of these usual ports. It answers each question with the name of its port. */
export async function startModelServers(usual = Object.keys(lists).map(Number)): Promise<ModelServers> {
  const asked: ModelServers['asked'] = [];
  const ports = new Map<number, number>();
  const answer = async (port: number, request: IncomingMessage): Promise<object> => {
    asked.push([port, `${request.method} ${request.url}`, request.headers.authorization]);
    if (request.url === '/v1/models') return lists[port]!;
    const isProbe = (await text(request)).includes('{\\\\\\"ok\\\\\\": true}');
    const message = { role: 'assistant', content: isProbe ? '{"ok": true}' : `I am at ${port}.` };
    return { id: '1', object: 'chat.completion', model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
  };
  const servers = usual.map((port) =>
    createServer((request, response) => {
      void answer(port, request).then((body) =>
        response.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
      );
    }),
  );
  for (const [n, server] of servers.entries()) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ports.set(usual[n]!, (server.address() as AddressInfo).port);
  }
  const stop = (port: number): void => servers[usual.indexOf(port)]?.close().closeAllConnections();
  return { ...{ ports, asked, stop }, close: () => void usual.forEach(stop) };
}

/** Leads connections of this process to usual ports of this machine to others; to those that have none, to a closed port. Returns the way back. */
export function redirectUsualPorts(ports: ReadonlyMap<number, number>): () => void {
  const { connect } = net;
  net.connect = ((to: net.NetConnectOpts, ...rest: []) => {
    const port = typeof to === 'object' && 'port' in to ? Number(to.port) : Number.NaN;
    return connect(port in lists ? { ...to, port: ports.get(port) ?? 1 } : to, ...rest);
  }) as typeof net.connect;
  syncBuiltinESMExports();
  return () => {
    net.connect = connect;
    syncBuiltinESMExports();
  };
}
