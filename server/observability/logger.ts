/** Where the log goes: standard error, without ever waiting for whoever reads it. */
import { pino, type DestinationStream, type Logger } from 'pino';

/** Characters of the log that wait to be written, at most. */
const maxBufferedChars = 8 * 1024 * 1024;

/**
 * A logger that writes to a file descriptor from another thread. Where nobody reads what it writes, as from a pipe whose other end hangs, the lines beyond
 * the bound are lost, and counted: the log says how many as soon as it is read again.
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
    logger.warn({ lines }, 'lines of the log are missing before this one: it was not read as fast as it was written');
  });
  return logger;
}
