/** What a mock serves, loaded again after each save of the contract. */
import type { Spec } from './spec.ts';
import { watchFiles, type FileWatcher } from './watch.ts';

export class Reloaded<Served extends { readonly spec: Spec }> {
  readonly #load: () => Promise<Served>;
  #current: Served;
  #watcher: FileWatcher | undefined;

  private constructor(load: () => Promise<Served>, current: Served) {
    this.#load = load;
    this.#current = current;
  }

  /** Rejects with what `load` rejects with. */
  static async open<Loaded extends { readonly spec: Spec }>(load: () => Promise<Loaded>): Promise<Reloaded<Loaded>> {
    return new Reloaded(load, await load());
  }

  get current(): Served {
    return this.#current;
  }

  /** Watches the files of the contract, and prints the result of each reload; `file` is the name of the contract. */
  async watch(file: string): Promise<void> {
    this.#watcher = await watchFiles(this.#paths, () => this.#reload(file));
  }

  async close(): Promise<void> {
    await this.#watcher?.close();
  }

  get #paths(): string[] {
    return [...this.#current.spec.files.texts.keys()];
  }

  /** Keeps what is served where the contract has a fault. */
  async #reload(file: string): Promise<void> {
    try {
      this.#current = await this.#load();
      this.#watcher?.watch(this.#paths);
      console.log(`took in ${file} as it is now`);
    } catch (error) {
      console.error(`${(error as Error).message}\n\nThe mock goes on with the contract as it was before.`);
    }
  }
}
