/** Values are looked at up to here. */
export const MAX_VALUE_CHARS = 256
/** What is less sure is not suggested. */
export const LEAST_CONFIDENCE = 0.5
