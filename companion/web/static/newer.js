// Comparing views of the table, since answers may overtake each other.

/**
 * Whether `view` is older than the `shown` one. Revisions are comparable only within one start of the server:
 * after a restart they may begin lower, as its clock may have been set back.
 */
export const isOlder = (view, shown) => Boolean(shown) && view.start === shown.start && view.rev < shown.rev;

/** A view's table and newest event, as a key; the event number alone is ambiguous between tables. */
export const momentKey = (view) => `${view.table} ${view.expected}`;

/** Whether `offered` belongs to the moment of this view; if it is later, its view is still to come. */
export const isOfMoment = (offered, view) =>
  offered.start === view.start && offered.expected === view.expected;

/**
 * The throw that a view awaits, or the last one if none is awaited, as a key: while it is the same, whatever
 * else happens at the table leaves alone what a person is entering.
 */
export const throwKey = ({ table, game }) =>
  JSON.stringify([table, game?.throw, game?.awaited, game?.staged, game?.last, game?.throws]);
