"use strict";
// What a page complains of, kept for the test that asks afterwards; the first script of every page.
{
  let leaves = false; // what has not come by then is called off
  addEventListener("beforeunload", () => {
    leaves = true;
  });
  const note = (said) => {
    if (leaves) return;
    const heard = JSON.parse(sessionStorage.heard ?? "[]");
    sessionStorage.heard = JSON.stringify([...heard, `${location.pathname}: ${said}`]);
  };
  const what = (it) =>
    it.message ?? it.target?.src ?? it.target?.href ?? String(it.reason?.stack ?? it.reason);
  for (const kind of ["error", "unhandledrejection"])
    addEventListener(kind, (it) => note(`${kind} ${what(it)}`), true);
  addEventListener("securitypolicyviolation", (it) => note(`${it.violatedDirective} ${it.blockedURI}`));
  for (const kind of ["error", "warn"]) {
    const say = console[kind];
    console[kind] = (...said) => {
      note(`console ${kind} ${said.join(" ")}`);
      say.apply(console, said);
    };
  }
}
