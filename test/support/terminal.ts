/** A terminal: one shell that runs commands one after the other. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Terminal {
  /** Runs a command to its end; answers what it printed on both channels. */
  run(command: string): Promise<string>;
  /** Starts a command that goes on; resolves with what it has printed as soon as `until` holds. Rejects when it ends before. */
  start(command: string, until: (output: string) => boolean): Promise<string>;
  /** Ends the shell, with what runs in it. */
  close(): Promise<void>;
}

const mark = '\u0001';

/** Opens a terminal in a folder. */
export function openTerminal(cwd: string, env: NodeJS.ProcessEnv): Terminal {
  // A process group of its own, so that closing ends what was started in it.
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  shell.stdin.write('exec 2>&1\nstatus=0\n');
  let output = '';
  let changed: () => void = () => {};
  let ended = false;
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    changed();
  });
  const closed = once(shell, 'close').then(() => {
    ended = true;
    changed();
  });

  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      changed = () => {
        if (holds()) resolve();
        else if (ended) reject(new Error(`the shell ended: ${output}`));
      };
      changed();
    });

  /** The shell reads its commands from its standard input: no command may take them from it. `$?` is that of the command before. */
  const give = (command: string): void => {
    output = '';
    shell.stdin.write(`(exit $status); {\n${command}\n} </dev/null; status=$?; printf '${mark}'\n`);
  };

  return {
    async run(command) {
      give(command);
      await until(() => output.includes(mark));
      return output.slice(0, output.indexOf(mark));
    },
    async start(command, holds) {
      give(command);
      await until(() => holds(output) || output.includes(mark));
      if (output.includes(mark)) throw new Error(`${command} ended: ${output}`);
      return output;
    },
    async close() {
      if (!ended) process.kill(-shell.pid!, 'SIGTERM');
      await closed;
    },
  };
}
