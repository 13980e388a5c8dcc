/** Tweets in order of time: a list of ordinals kept sorted by (created_at, id), oldest first, read from the newest. */

/** Orders two ordinals by (created_at, id): negative when the first is older. */
export type Order = (a: number, b: number) => number;

export class Timeline {
  #ordinals = new Uint32Array(2);
  #length = 0;
  /** How many at the front are in order; the rest waits for the next reader. */
  #sorted = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a tweet; cheap also where tweets arrive out of order. */
  add(ordinal: number, order: Order): void {
    if (this.#length === this.#ordinals.length) {
      const larger = new Uint32Array(Math.ceil(this.#length * (this.#length < 64 ? 2 : 1.25)));
      larger.set(this.#ordinals);
      this.#ordinals = larger;
    }
    if (this.#sorted === this.#length && (this.#length === 0 || order(this.#ordinals[this.#length - 1]!, ordinal) < 0))
      this.#sorted++;
    this.#ordinals[this.#length++] = ordinal;
  }

  /** Takes tweets out; costs by the length of the list, and is rare. */
  remove(ordinals: Pick<ReadonlySet<number>, 'has'>): void {
    let kept = 0;
    let sorted = 0;
    for (let place = 0; place < this.#length; place++) {
      const ordinal = this.#ordinals[place]!;
      if (ordinals.has(ordinal)) continue;
      this.#ordinals[kept++] = ordinal;
      if (place < this.#sorted) sorted++;
    }
    this.#length = kept;
    this.#sorted = sorted;
  }

  /** Whether everything came in order so far, or has been put in order. */
  get inOrder(): boolean {
    return this.#sorted === this.#length;
  }

  /** The ordinals, oldest first; good until the next change. */
  sorted(order: Order): Uint32Array {
    this.#sort(order);
    return this.#ordinals.subarray(0, this.#length);
  }

  /**
   * The ordinals for which `before` holds, oldest first; `before` must be false for a run of the newest and true for all older ones. Good
   * until the next change.
   */
  upTo(order: Order, before: (ordinal: number) => boolean): Uint32Array {
    this.#sort(order);
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (before(this.#ordinals[middle]!)) low = middle + 1;
      else high = middle;
    }
    return this.#ordinals.subarray(0, low);
  }

  /** Sorts what came out of order and merges it into the sorted front. */
  #sort(order: Order): void {
    if (this.#sorted === this.#length) return;
    const front = this.#ordinals.slice(0, this.#sorted);
    const late = this.#ordinals.slice(this.#sorted, this.#length).sort(order);
    for (let place = this.#length - 1, f = front.length - 1, l = late.length - 1; l >= 0; place--) {
      this.#ordinals[place] = f >= 0 && order(front[f]!, late[l]!) > 0 ? front[f--]! : late[l--]!;
    }
    this.#sorted = this.#length;
  }
}
