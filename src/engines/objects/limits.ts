/** The smallest size of a part that is not the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024
export const MAX_PARTS = 10_000
export const MAX_DELETED_AT_ONCE = 1000
