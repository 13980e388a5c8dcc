const { DatabaseSync } = require('node:sqlite');

/** The names of the error codes that the PDS tests. */
const codes = {
  5: 'SQLITE_BUSY',
  517: 'SQLITE_BUSY_SNAPSHOT',
  787: 'SQLITE_CONSTRAINT_FOREIGNKEY',
  1555: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  2067: 'SQLITE_CONSTRAINT_UNIQUE',
};

/** Throws errors with the codes of better-sqlite3. */
function guard(run) {
  try {
    return run();
  } catch (error) {
    if (error.code !== 'ERR_SQLITE_ERROR') throw error;
    throw Object.assign(new Error(error.message), { code: codes[error.errcode] ?? 'SQLITE_ERROR' });
  }
}

const valueOf = (value) => (value instanceof Uint8Array ? Buffer.from(value) : value);
const rowOf = (row) => row && Object.fromEntries(Object.entries(row).map(([name, value]) => [name, valueOf(value)]));
const parametersOf = (given) =>
  (given.length === 1 && Array.isArray(given[0]) ? given[0] : given).map((value) => value ?? null);

class Statement {
  constructor(statement) {
    this.statement = statement;
    this.reader = statement.columns().length > 0;
  }
  all(...parameters) {
    return guard(() => this.statement.all(...parametersOf(parameters)).map(rowOf));
  }
  get(...parameters) {
    return guard(() => rowOf(this.statement.get(...parametersOf(parameters))));
  }
  run(...parameters) {
    return guard(() => {
      const { changes, lastInsertRowid } = this.statement.run(...parametersOf(parameters));
      return { changes: Number(changes), lastInsertRowid };
    });
  }
  *iterate(...parameters) {
    for (const row of this.statement.iterate(...parametersOf(parameters))) yield rowOf(row);
  }
}

class Database {
  constructor(path = ':memory:', { timeout = 5000, readonly = false } = {}) {
    this.database = new DatabaseSync(path, { timeout, readOnly: readonly });
    this.open = true;
  }
  prepare(sql) {
    return guard(() => new Statement(this.database.prepare(sql)));
  }
  exec(sql) {
    guard(() => this.database.exec(sql));
    return this;
  }
  pragma(text) {
    return this.prepare(`PRAGMA ${text}`).all();
  }
  close() {
    if (this.open) this.database.close();
    this.open = false;
    return this;
  }
}

module.exports = Database;
module.exports.default = Database;
