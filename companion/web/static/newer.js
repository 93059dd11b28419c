// Answers overtake each other: which of two views of the table is the older one.

/** Whether `view` is older than the one that is `shown`. Numbers are of one start of the table's computer: after another
    they may begin lower, as its clock may have been set back. */
export const isOlder = (view, shown) => Boolean(shown) && view.start === shown.start && view.rev < shown.rev;

/** Of which table a view is, and up to which event: another table may have as many. */
export const momentOf = (view) => `${view.table} ${view.expected}`;

/** Whether what is `offered` is offered at the moment of this view; of a later one the view is on its way. */
export const isOf = (offered, view) => offered.start === view.start && offered.expected === view.expected;
