/** What one event may hold. The largest that are seen in the wild have hundreds of data and tens of thousands of mappings. */
export const MAX_DATASETS = 10_000
export const MAX_MAPPINGS = 100_000
export const MAX_COLUMNS = 100_000
export const MAX_OWNERS = 100
export const MAX_ALIASES = 100

/** Of a namespace, a name, a column, a run: two of them have to fit into a row of an index, which takes 2,704 bytes in PostgreSQL. */
export const MAX_NAME_BYTES = 1000
/** Whether a name can be kept as it is. */
export const isFit = (name: string): boolean =>
  name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && name.isWellFormed() && !name.includes('\0')
/** Texts for people are cut rather than refused. */
export const MAX_TEXT_CHARS = 5000
/** A longer statement is left out: a part of it would mean something else. */
export const MAX_STATEMENT_CHARS = 200_000
