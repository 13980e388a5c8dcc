/** The log of the measurement, and a record of it: the time of its append by the clock of the machine, in microseconds. */
export const benchLog = 'bench';
export interface SentRecord {
  readonly sent: number;
}
