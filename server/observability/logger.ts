/** The logger: writes to standard error and never waits for the reader. */
import { pino, type DestinationStream, type Logger } from 'pino';
import { loggedError } from './logged-error.ts';

interface LogOptions {
  /** The file descriptor to write to; by default standard error. */
  readonly fd?: number;
  /** Maximum characters of the log that wait to be written. */
  readonly maxChars?: number;
  /** Converts a JSON line with its newline to the text that is written; by default JSON is written. */
  readonly format?: ((json: string) => string) | undefined;
}

/** Maximum characters of the log that wait to be written. */
const maxBufferedChars = 8 * 1024 * 1024;

/** Creates a logger on a stream. It logs errors without messages that could quote a caller. */
export const createLogger = (level: pino.LevelWithSilent, stream: DestinationStream): Logger =>
  pino({ level, serializers: { err: (error: unknown) => loggedError(error) } }, stream);

/**
 * Creates a logger that writes asynchronously to a file descriptor. When the reader does not read, for example a pipe
 * whose other end hangs, lines above the limit are dropped and counted. The log reports the number as soon as the
 * reader continues.
 */
export function openLog(
  level: pino.LevelWithSilent,
  { fd = 2, maxChars = maxBufferedChars, format }: LogOptions = {},
): Logger {
  const destination = pino.destination({ fd, sync: false, maxLength: maxChars });
  let droppedLines = 0;
  destination.on('drop', () => void droppedLines++);
  const stream: DestinationStream =
    format === undefined ? destination : { write: (json) => void destination.write(format(json)) };
  const logger = createLogger(level, stream);
  destination.on('drain', () => {
    if (droppedLines === 0) return;
    const lines = droppedLines;
    droppedLines = 0;
    logger.warn({ lines }, 'log lines before this line were dropped, because the output was too slow');
  });
  return logger;
}
