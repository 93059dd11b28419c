// Laid into every page of a journey before its own scripts: tells `heard` all that the page receives, and
// taps in step with it.
(() => {
  const tell = (text) => window.heard?.(text);
  const realFetch = window.fetch;
  window.fetch = async (...fetchArguments) => {
    const response = await realFetch(...fetchArguments);
    if (
      new URL(response.url).pathname.startsWith("/api/") &&
      !(response.headers.get("Content-Type") ?? "").startsWith("image/")
    )
      tell(await response.clone().text());
    return response;
  };
  window.EventSource = class extends EventSource {
    #listenedKinds = new Set();

    addEventListener(kind, ...rest) {
      if (!this.#listenedKinds.has(kind))
        super.addEventListener(kind, (event) => event.data && tell(event.data));
      this.#listenedKinds.add(kind);
      super.addEventListener(kind, ...rest);
    }
  };

  /** What `find` finds, as soon as it finds something. */
  function until(find) {
    return new Promise((done) => {
      const observer = new MutationObserver(() => check());
      const check = () => {
        const found = find();
        if (!found) return;
        observer.disconnect();
        done(found);
      };
      observer.observe(document.documentElement, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      check();
    });
  }

  const findEnabled = (key) => () => document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);

  /** Puts cards onto spaces, one after the other, and says that all is planned. */
  async function plan(pairs) {
    for (const [space, card] of pairs) {
      (await until(findEnabled(`card-${card}`))).click();
      (await until(findEnabled(`space-${space}`))).click();
      await until(findEnabled(`peek-${space}`));
    }
    const readyOrder =
      '[data-key*=\'"kind":"ready"\'][data-key*=\'"ready":true\'][data-key*=\'"by_cards":false\']';
    (await until(() => document.querySelector(readyOrder))).click();
    await until(() => !document.querySelector(readyOrder));
  }

  window.fingers = { plan };
})();
