/** The log with one record for each transaction: its numbers order the transactions, and are the revision of the tables. */
export const commitLog = 'tables';
