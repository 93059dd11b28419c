// Laid into every page of a journey before its own scripts: tells `heard` all that the page receives, and
// taps in step with it.
(() => {
  const tell = (text) => window.heard?.(text);
  const real = window.fetch;
  window.fetch = async (...asked) => {
    const response = await real(...asked);
    if (
      new URL(response.url).pathname.startsWith("/api/") &&
      !(response.headers.get("Content-Type") ?? "").startsWith("image/")
    )
      tell(await response.clone().text());
    return response;
  };
  window.EventSource = class extends EventSource {
    #told = new Set();

    addEventListener(kind, ...rest) {
      if (!this.#told.has(kind)) super.addEventListener(kind, (event) => event.data && tell(event.data));
      this.#told.add(kind);
      super.addEventListener(kind, ...rest);
    }
  };

  /** What `look` finds, as soon as it finds something. */
  function until(look) {
    return new Promise((done) => {
      const watch = new MutationObserver(() => tried());
      const tried = () => {
        const found = look();
        if (!found) return;
        watch.disconnect();
        done(found);
      };
      watch.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      tried();
    });
  }

  const ready = (key) => () => document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);

  /** Puts cards onto spaces, one after the other, and says that all is planned. */
  async function plan(pairs) {
    for (const [space, card] of pairs) {
      (await until(ready(`card-${card}`))).click();
      (await until(ready(`space-${space}`))).click();
      await until(ready(`peek-${space}`));
    }
    const all = '[data-key*=\'"kind":"ready"\'][data-key*=\'"ready":true\'][data-key*=\'"by_cards":false\']';
    (await until(() => document.querySelector(all))).click();
    await until(() => !document.querySelector(all));
  }

  window.fingers = { plan };
})();
