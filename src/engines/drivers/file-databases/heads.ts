export type DatabaseKind = 'sqlite' | 'duckdb'

/** What is looked at of a file before anything opens it. */
export const HEAD_BYTES = 100

/** Why a file can be no whole database, by its first bytes and its size; undefined where nothing speaks against it. */
export function headFault(kind: DatabaseKind, head: Buffer, size: number): string | undefined {
  return kind === 'sqlite' ? sqliteFault(head, size) : duckdbFault(head)
}

function sqliteFault(head: Buffer, size: number): string | undefined {
  if (head.length < HEAD_BYTES || head.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    return 'The file is no SQLite database'
  }
  const told = head.readUInt16BE(16)
  const pageBytes = told === 1 ? 65_536 : told
  // How many pages there are is told only where the same version wrote all of it.
  const isCounted = head.readUInt32BE(24) === head.readUInt32BE(92)
  const expected = isCounted ? head.readUInt32BE(28) * pageBytes : 0
  return size < expected ? `The file is cut off: it has ${size} of ${expected} bytes` : undefined
}

function duckdbFault(head: Buffer): string | undefined {
  return head.toString('latin1', 8, 12) === 'DUCK' ? undefined : 'The file is no DuckDB database'
}
