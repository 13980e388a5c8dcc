/** A platform in memory that does what the file PLATFORM_FILE says, as it grows. */
import { readFileSync } from 'node:fs';
import type { HeldRecords } from '../../../server/ports/held-records.ts';
import {
  SourceError,
  type FillSource,
  type LiveSource,
  type SourceObserver,
} from '../../../server/ports/live-source.ts';
import { ReferencePlatform, ReferenceSource } from '../../ports/reference/live-source.ts';
import type { PlatformCommand } from '../../support/platform-file.ts';

const platform = new ReferencePlatform();
for (const account of ['alice.example.com', 'bob.example.com']) platform.addAccount(account);

function run(command: PlatformCommand): void {
  if (command.do === 'publish') platform.publish(command.account, command.text);
  else if (command.do === 'remove') platform.remove(command.id);
  else if (command.do === 'refuse') platform.disturbances.refuse = new SourceError(command.message);
  else if (command.do === 'accept') platform.disturbances.refuse = undefined;
  else platform.cut();
}

let done = 0;
function readFile(): void {
  const lines = readFileSync(process.env['PLATFORM_FILE'] ?? '', 'utf8')
    .split('\n')
    .slice(0, -1);
  for (const line of lines.slice(done)) run(JSON.parse(line) as PlatformCommand);
  done = lines.length;
}
readFile();
setInterval(readFile, 10).unref();
setInterval(() => platform.openConnections > 0 && platform.beat(), 50).unref();

class BudgetedSource extends ReferenceSource {
  readonly readsLeft = 1000;
  /** Nothing can be fetched on request. */
  readonly fills: FillSource = { includes: () => false, read: async () => undefined };
}

export const createBlueskySource = ({
  held,
  observer,
}: {
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
}): LiveSource => new BudgetedSource(platform, held, observer);
