import assert from 'node:assert/strict'

const STARTS_MS = Date.UTC(2026, 0, 1, 0, 0, 0, 123)
export const TAG = 'Größe 日本 🚀'

/** A record with a value of every kind, told apart by `n`. */
export interface Sample {
  readonly n: number
  readonly text: string
  readonly amount: number
  readonly flag: boolean
  /** Null in every third sample. */
  readonly maybe: string | null
  readonly time: string
}

export const sample = (n: number): Sample => ({
  n,
  text: `${TAG} ${n}`,
  amount: n * 1.5 - 7.25,
  flag: n % 2 === 0,
  maybe: n % 3 === 0 ? null : `"${n}", 'ok'\n\\`,
  time: new Date(STARTS_MS + n * 1000).toISOString()
})

export const samples = (count: number): Sample[] => Array.from({ length: count }, (_, n) => sample(n))

/** The same fields as DuckDB SQL over a column `n`. */
export const SAMPLE_FIELDS = {
  n: 'n::INTEGER',
  text: `'${TAG} ' || n::INTEGER`,
  amount: 'n * 1.5::DOUBLE - 7.25',
  flag: 'n::INTEGER % 2 = 0',
  maybe: `CASE WHEN n::INTEGER % 3 <> 0 THEN '"' || n::INTEGER || '", ''ok''' || chr(10) || chr(92) END`,
  time: "TIMESTAMP '2026-01-01 00:00:00.123' + to_seconds(n::INTEGER)"
}

/**
 * Compares what arrived, in any order; times may be written in any equivalent way. A JSON field that is null, and
 * that the pipeline does not name, may be missing.
 */
export function assertSamples(found: readonly Sample[], count: number, where: string): void {
  const seen = found
    .map((record) => ({ ...record, maybe: record.maybe ?? null, time: isoOf(record.time) }))
    .sort((a, b) => a.n - b.n)
  assert.equal(seen.length, count, `${where}: how many records`)
  assert.deepEqual(seen, samples(count), where)
}

/** A time without a zone is in UTC. */
function isoOf(text: string): string {
  const isZoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.test(text)
  return new Date(isZoned ? text.replace(/([+-]\d\d)$/, '$1:00') : `${text.replace(' ', 'T')}Z`).toISOString()
}
