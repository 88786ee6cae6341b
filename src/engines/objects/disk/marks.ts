import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ObjectRow } from './database.ts'

/** An object whose content has changed or is missing. */
export interface DamagedObject {
  readonly bucket: string
  readonly key: string
  /** ISO 8601. */
  readonly foundAt: string
  /** What is wrong, as the end of a sentence that begins with the content. */
  readonly what: string
}

/** The content that was checked: the object may have another by now. */
export type SeenContent = Pick<ObjectRow, 'bucket' | 'key' | 'file' | 'inline'>

/** The objects that are known to be damaged. Replacing or deleting an object removes its mark. */
export class Marks {
  readonly #isStill: StatementSync
  readonly #add: StatementSync
  readonly #remove: StatementSync

  constructor(database: DatabaseSync) {
    this.#isStill = database.prepare('select 1 from objects where bucket = ? and key = ? and file is ? and inline is ?')
    this.#add = database.prepare('insert or ignore into damaged values (?, ?, ?, ?)')
    this.#remove = database.prepare('delete from damaged where bucket = ? and key = ?')
  }

  add({ bucket, key, file, inline }: SeenContent, foundAt: string, what: string): void {
    if (this.#isStill.get(bucket, key, file, inline) !== undefined) this.#add.run(bucket, key, foundAt, what)
  }

  remove(bucket: string, key: string): void {
    this.#remove.run(bucket, key)
  }
}

/** The table is missing in a store that only an older version has opened. */
const hasMarks = (index: DatabaseSync) =>
  index.prepare(`select 1 from sqlite_schema where name = 'damaged'`).get() !== undefined

/** A column for queries of objects: what is wrong with each, or null. */
export const isMarked = (index: DatabaseSync) =>
  hasMarks(index)
    ? '(select what from damaged where damaged.bucket = objects.bucket and damaged.key = objects.key)'
    : 'null'

/** At most so many damaged objects. */
export function damagedIn(index: DatabaseSync, limit: number): DamagedObject[] {
  if (!hasMarks(index)) return []
  const rows = index.prepare('select bucket, key, found_at as foundAt, what from damaged limit ?').all(limit)
  return rows as unknown as DamagedObject[]
}
