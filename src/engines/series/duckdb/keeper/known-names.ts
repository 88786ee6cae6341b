import { PointBatch } from '../../parse/points.ts'
import type { LogRecord } from './log-records.ts'

/**
 * Which numbers of tags have a name. Points of others come from a log whose record with the name is damaged: they
 * can't be shown, and their number must not be given to another tag.
 */
export class KnownNames {
  /** Whether no record is missing, so that points need not be checked. */
  isSure = true
  /** Numbers below this were given to tags. */
  end: number
  readonly #given: number
  readonly #named = new Set<number>()

  /** `given`: how many numbers the index has given, also to tags that are gone. */
  constructor(given: number) {
    this.#given = given
    this.end = given
  }

  /** The records of a log without nameless points, and how many of those there were. */
  known(records: readonly LogRecord[]): { records: readonly LogRecord[]; nameless: number } {
    let nameless = 0
    const known = records.flatMap((record): LogRecord[] => {
      if (record.kind === 'tags') for (const { id } of record.tags) this.#named.add(id)
      if (record.kind !== 'points' || this.isSure) return [record]
      const batch = this.#withNames(record.batch)
      nameless += record.batch.length - batch.length
      return batch.length === 0 ? [] : [{ kind: 'points', batch }]
    })
    return { records: known, nameless }
  }

  #withNames(batch: PointBatch): PointBatch {
    const rows: number[] = []
    for (let row = 0; row < batch.length; row++) {
      const id = batch.tags[row] as number
      this.end = Math.max(this.end, id + 1)
      if (id < this.#given || this.#named.has(id)) rows.push(row)
    }
    return rows.length === batch.length ? batch : pick(batch, rows)
  }
}

function pick(from: PointBatch, rows: readonly number[]): PointBatch {
  const to = new PointBatch()
  to.reserve(rows.length)
  to.length = rows.length
  rows.forEach((row, at) => {
    to.tags[at] = from.tags[row] as number
    to.days[at] = from.days[row] as number
    to.ns[at] = from.ns[row] as number
    to.values[at] = from.values[row] as number
    to.flags[at] = from.flags[row] as number
    const exact = from.exact.get(row)
    if (exact !== undefined) to.exact.set(at, exact)
  })
  return to
}
