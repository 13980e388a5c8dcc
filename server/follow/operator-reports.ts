/** What the operator reads of the followers: lines of the start, then lines of the log. */
import type { Logger } from 'pino';
import type { FollowerReporter } from './follower.ts';
import { duration, followed } from './status.ts';
import { sourceTitle } from '../config/targets.ts';

export class OperatorReports {
  readonly #logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly #announce: (line: string) => void;
  /** What was announced: sources, and targets that cannot be followed. */
  readonly #announced = new Set<string>();

  /** `announce` prints a line of the start. */
  constructor(logger: Pick<Logger, 'info' | 'warn' | 'error'>, announce: (line: string) => void) {
    this.#logger = logger;
    this.#announce = announce;
  }

  /** Reports a target that these settings do not permit. */
  rejected(target: string, fault: string): void {
    this.#announceOnce(target, `cannot follow ${fault}`);
  }

  /** The reports of the follower of a source. */
  of(source: string): FollowerReporter {
    const logger = this.#logger;
    const title = sourceTitle(source);
    return {
      following: (status) => {
        const lag = status.lagMs === undefined ? '' : `, ${duration(status.lagMs)} behind`;
        const line = `following ${followed(status)}${lag}`;
        if (!this.#announceOnce(source, line)) logger.info({ source }, line);
      },
      away: (_source, reason) => {
        const wasFollowed = this.#announced.has(source);
        const line = `cannot follow ${title}: ${reason}; the service tries again`;
        if (wasFollowed || !this.#announceOnce(`${source} away`, line))
          logger.warn({ source, reason }, `${title} is away; the service tries again`);
      },
      failed: (target, reason) => {
        if (!this.#announceOnce(target, `cannot follow ${target}: ${reason}; the service tries again`))
          logger.warn({ target, reason }, 'a target cannot be followed; the service tries again');
      },
      complianceFailed: (_source, reason) =>
        logger.warn({ source, reason }, 'the compliance check failed; the service tries again'),
      invalid: (_source, reason) =>
        logger.warn(
          { source, reason },
          'a record violates the native format; follow_rejected_total counts further ones',
        ),
      archiveFailed: (_source, error) =>
        error === undefined
          ? logger.info({ source }, 'the archive accepts the data of the source again')
          : logger.error({ source, err: error }, 'the archive rejects the data of the source; it is tried again'),
    };
  }

  /** Prints a line the first time. */
  #announceOnce(about: string, line: string): boolean {
    if (this.#announced.has(about)) return false;
    this.#announced.add(about);
    this.#announce(line);
    return true;
  }
}
