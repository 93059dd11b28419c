// Loads the past for a page, newest first, and no more of it than the page shows.
import { send } from "./api.js";

const AT_MOST = 500; // the server's limit per request

export class PastLoader {
  items = [];
  older = 0; // number of earlier items not loaded yet
  isLoading = false; // the last load is under way
  #path;
  #field;
  #hasEnough;
  #pageSize;
  #lastLoad = 0; // counts the loads; only the last may finish

  /**
   * `field`: where an answer of `path` has its items. `hasEnough(loaded)`: whether the page needs no more of
   * them. `pageSize(loaded)`: how many to ask for next.
   */
  constructor(path, field, { hasEnough, pageSize }) {
    [this.#path, this.#field, this.#hasEnough, this.#pageSize] = [path, field, hasEnough, pageSize];
  }

  /** Load anew; resolves to true, to false if refused, or to null if a later load has taken over. */
  reload() {
    return this.#load([], Infinity);
  }

  /** Load on until the page has enough; as `reload` resolves, or null if a load is under way, which goes on. */
  async more() {
    return this.isLoading ? null : this.#load(this.items, this.older);
  }

  async #load(loaded, remaining) {
    const load = (this.#lastLoad += 1);
    this.isLoading = true;
    while (remaining && !this.#hasEnough(loaded)) {
      const last = Math.min(AT_MOST, this.#pageSize(loaded));
      const before = loaded.length ? { before: loaded.at(-1).batch } : {};
      const { ok, body } = await send(`${this.#path}?${new URLSearchParams({ last, ...before })}`);
      if (load !== this.#lastLoad) return null;
      if (!ok) {
        this.isLoading = false;
        return false;
      }
      [loaded, remaining] = [[...loaded, ...body[this.#field]], body.older];
    }
    this.isLoading = false;
    [this.items, this.older] = [loaded, remaining];
    return true;
  }
}
