/** Runs the validation proxy: a live log, and a report at the end. */
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import type { Contract } from '../verify/contract.ts';
import { ValidationProxy, type Exchange } from './proxy.ts';
import { summaryOf, trafficReports } from './report.ts';

export interface ProxyCommand {
  readonly contract: Contract;
  readonly upstream: string;
  readonly host: string;
  readonly port: number;
  /** A file for the report: JSON or HTML by its name, else text. */
  readonly report: string | undefined;
  readonly print: (line: string) => void;
}

/** A running proxy. */
export interface RunningProxy {
  readonly url: string;
  /** Ends the proxy and writes the report. Returns whether both sides kept to the contract. */
  stop(): Promise<boolean>;
}

/** An exchange as lines of the log. */
export function exchangeLines({ method, path, status, ms, violations }: Exchange): string[] {
  const result = violations.length === 0 ? (status === undefined ? 'no response' : 'ok') : 'VIOLATION';
  return [
    `${status ?? '---'} ${method} ${path} ${Math.round(ms)} ms ${result}`,
    ...violations.map(({ side, message, pointer }) => `    ${side}: ${message} (#${pointer})`),
  ];
}

/** The form of the report in a file. */
function formOf(file: string): keyof typeof trafficReports {
  const extension = extname(file);
  return extension === '.json' ? 'json' : extension === '.html' ? 'html' : 'text';
}

/** Starts the proxy. Rejects when the port is not free. */
export async function startProxy({
  contract,
  upstream,
  host,
  port,
  report,
  print,
}: ProxyCommand): Promise<RunningProxy> {
  const proxy = new ValidationProxy({
    contract,
    upstream,
    onExchange: (exchange) => exchangeLines(exchange).forEach(print),
  });
  const server = createServer(proxy.handle).on('upgrade', proxy.upgrade);
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      const result = await proxy.report();
      proxy.close();
      if (report === undefined) print(`\n${trafficReports.text(result)}`);
      else {
        await writeFile(report, trafficReports[formOf(report)](result));
        print(`\n${summaryOf(result)}: ${report}`);
      }
      return result.violations.length === 0;
    },
  };
}
