/** Writes what a process asks of the network by itself, when it ends, into the file that OUTGOING_FILE names: connections and names. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

const asked: string[] = [];
type Operation = (...args: never[]) => unknown;

function record(target: object, name: string): void {
  const methods = target as Record<string, Operation>;
  const original = methods[name]!;
  methods[name] = function (this: unknown, ...args: never[]) {
    asked.push(`${name} ${JSON.stringify(args[0])}`);
    return original.apply(this, args);
  };
}

record(net.Socket.prototype, 'connect');
record(dgram, 'createSocket');
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveTxt']) {
  record(dns, name);
  record(dns.promises, name);
}
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(process.env.OUTGOING_FILE!, JSON.stringify(asked)));
