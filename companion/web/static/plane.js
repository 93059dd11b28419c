// Homographies: maps points of a plane into its picture, given four known points (plane projective mapping,
// P. Heckbert 1989).

/**
 * The mapping of [x, y] that takes the four points `from` to the four points `to`; none exists if three are
 * collinear.
 */
export function homography(from, to) {
  const rows = from.flatMap(([x, y], n) => {
    const [u, v] = to[n];
    return [
      [x, y, 1, 0, 0, 0, -x * u, -y * u, u],
      [0, 0, 0, x, y, 1, -x * v, -y * v, v],
    ];
  });
  const [a, b, c, d, e, f, g, i] = solve(rows);
  return ([x, y]) => {
    const divisor = g * x + i * y + 1;
    return [(a * x + b * y + c) / divisor, (d * x + e * y + f) / divisor];
  };
}

/** Solve by Gaussian elimination with partial pivoting; each row ends with its right-hand side. */
function solve(rows) {
  const size = rows.length;
  for (let column = 0; column < size; column++) {
    const rest = rows.slice(column);
    const best = rest.reduce((best, candidate) =>
      Math.abs(candidate[column]) > Math.abs(best[column]) ? candidate : best,
    );
    rows.splice(rows.indexOf(best), 1);
    rows.splice(
      column,
      0,
      best.map((value) => value / best[column]),
    );
    for (let index = 0; index < size; index++) {
      if (index === column) continue;
      const times = rows[index][column];
      rows[index] = rows[index].map((value, n) => value - times * rows[column][n]);
    }
  }
  return rows.map((row) => row[size]);
}
