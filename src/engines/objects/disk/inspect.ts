import { access } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { withContentFile } from './content-file.ts'
import type { ObjectRow } from './database.ts'
import { type ExaminedRow, examine } from './examine.ts'
import { requireIndex, type UnknownContents, unknownContents } from './known-contents.ts'
import { layoutOf } from './layout.ts'
import { type DamagedObject, damagedIn } from './marks.ts'

export interface Inspection {
  readonly count: number
  readonly sizeBytes: number
  /** Objects of the sample whose content is missing, as bucket and key. */
  readonly missing: readonly string[]
  /** Damage that was found before. */
  readonly damaged: readonly DamagedObject[]
  /** Files of the sample that belong to no object. */
  readonly unknown: UnknownContents
}

type SampleRow = Pick<ObjectRow, 'bucket' | 'key'> & { readonly file: string }

/** Looks at a store without changing anything; it may be in use. */
export async function inspectStore(folder: string, sampleSize: number): Promise<Inspection> {
  const layout = layoutOf(folder)
  requireIndex(layout)
  const index = new DatabaseSync(layout.index, { readOnly: true, timeout: 5000 })
  try {
    const total = index.prepare('select count(*) as n, total(size) as bytes from objects').get()
    const sample = index
      .prepare('select bucket, key, file from objects where file is not null order by random() limit ?')
      .all(sampleSize) as unknown as SampleRow[]
    const isStill = index.prepare('select 1 from objects where bucket = ? and key = ? and file = ?')
    const missing: string[] = []
    for (const { bucket, key, file } of sample) {
      const isThere = await withContentFile(layout, file, async (path) => {
        await access(path)
        return true
      })
      // The object may have been replaced since its row was read.
      if (isThere !== true && isStill.get(bucket, key, file) !== undefined) missing.push(`${bucket}/${key}`)
    }
    return {
      count: total?.n as number,
      sizeBytes: total?.bytes as number,
      missing,
      damaged: damagedIn(index, sampleSize),
      unknown: unknownContents(layout, index, sampleSize)
    }
  } finally {
    index.close()
  }
}

type ReadRow = ExaminedRow & Pick<ObjectRow, 'bucket' | 'key'>

/** Reads every content and the index, and reports what is damaged. The store may be in use. */
export async function readWholeStore(folder: string, tell: ReadTeller): Promise<void> {
  const layout = layoutOf(folder)
  requireIndex(layout)
  const index = new DatabaseSync(layout.index, { readOnly: true, timeout: 5000 })
  try {
    const [verdict] = index.prepare('pragma integrity_check(1)').all()
    if (verdict?.integrity_check !== 'ok') throw new Error(`index.db is damaged: ${verdict?.integrity_check}`)
    const next = index.prepare(
      `select bucket, key, size, sha256, file, content from objects left join inlined on id = inline
      where (bucket, key) > (?, ?) order by bucket, key limit 1`
    )
    const isStill = index.prepare('select 1 from objects where bucket = ? and key = ? and sha256 = ?')
    for (let row = next.get('', '') as ReadRow | undefined; row !== undefined; ) {
      const { bucket, key, size, sha256 } = row
      const found = await examine(layout, row)
      // The object may have been replaced since its row was read.
      if ('fault' in found && isStill.get(bucket, key, sha256) !== undefined) {
        tell.damaged(`the content of the object ${JSON.stringify(`${bucket}/${key}`)} ${found.fault}`)
      }
      tell.read(size)
      row = next.get(bucket, key) as ReadRow | undefined
    }
    tell.unknown(unknownContents(layout, index, Number.POSITIVE_INFINITY))
  } finally {
    index.close()
  }
}

export interface ReadTeller {
  /** Called with a sentence without a full stop. */
  damaged(what: string): void
  read(sizeBytes: number): void
  /** Called with files that belong to no object. */
  unknown(contents: UnknownContents): void
}
