"use strict";
// What a page complains of, kept for the test that asks afterwards; the first script of every page.
{
  let isLeaving = false; // what has not come by then is called off
  addEventListener("beforeunload", () => {
    isLeaving = true;
  });
  const note = (said) => {
    if (isLeaving) return;
    const complaints = JSON.parse(sessionStorage.heard ?? "[]");
    sessionStorage.heard = JSON.stringify([...complaints, `${location.pathname}: ${said}`]);
  };
  const describe = (event) =>
    event.message ?? event.target?.src ?? event.target?.href ?? String(event.reason?.stack ?? event.reason);
  for (const kind of ["error", "unhandledrejection"])
    addEventListener(kind, (event) => note(`${kind} ${describe(event)}`), true);
  addEventListener("securitypolicyviolation", (event) =>
    note(`${event.violatedDirective} ${event.blockedURI}`),
  );
  for (const kind of ["error", "warn"]) {
    const original = console[kind];
    console[kind] = (...said) => {
      note(`console ${kind} ${said.join(" ")}`);
      original.apply(console, said);
    };
  }
}
