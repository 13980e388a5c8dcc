/** The logger: writes to standard error and never waits for the reader. */
import { pino, type DestinationStream, type Logger } from 'pino';

/** Maximum characters of the log that wait to be written. */
const maxBufferedChars = 8 * 1024 * 1024;

/**
 * Creates a logger that writes asynchronously to a file descriptor. When the reader does not read, for example a pipe
 * whose other end hangs, lines above the limit are dropped and counted. The log reports the number as soon as the
 * reader continues.
 */
export function openLog(level: pino.LevelWithSilent, fd = 2, maxChars = maxBufferedChars): Logger {
  const destination = pino.destination({ fd, sync: false, maxLength: maxChars });
  let droppedLines = 0;
  destination.on('drop', () => void droppedLines++);
  const logger = pino({ level }, destination as DestinationStream);
  destination.on('drain', () => {
    if (droppedLines === 0) return;
    const lines = droppedLines;
    droppedLines = 0;
    logger.warn({ lines }, 'log lines before this line were dropped, because the output was too slow');
  });
  return logger;
}
