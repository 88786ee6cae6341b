/** Values or rows of one statement: well below what a statement of either database may have. */
const AT_ONCE = 500

/** A list in pieces that a statement can have. */
export function* slices<T>(all: readonly T[], size = AT_ONCE): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}
