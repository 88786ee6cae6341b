import { access } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { atItsPlace } from './at-its-place.ts'
import type { ObjectRow } from './database.ts'
import { layoutOf } from './layout.ts'

export interface Inspection {
  readonly count: number
  readonly sizeBytes: number
  /** Of those looked at, the ones whose content is not there, as bucket and key. */
  readonly missing: readonly string[]
}

type SampleRow = Pick<ObjectRow, 'bucket' | 'key'> & { readonly file: string }

/** Looks at a store without changing anything; it may be in use. */
export async function inspectStore(folder: string, sampleSize: number): Promise<Inspection> {
  const layout = layoutOf(folder)
  const index = new DatabaseSync(layout.index, { readOnly: true, timeout: 5000 })
  try {
    const total = index.prepare('select count(*) as n, total(size) as bytes from objects').get()
    const sample = index
      .prepare('select bucket, key, file from objects where file is not null order by random() limit ?')
      .all(sampleSize) as unknown as SampleRow[]
    const isStill = index.prepare('select 1 from objects where bucket = ? and key = ? and file = ?')
    const missing: string[] = []
    for (const { bucket, key, file } of sample) {
      const isThere = await atItsPlace(layout, file, async (path) => {
        await access(path)
        return true
      })
      // It may have been replaced since its row was read.
      if (isThere !== true && isStill.get(bucket, key, file) !== undefined) missing.push(`${bucket}/${key}`)
    }
    return { count: total?.n as number, sizeBytes: total?.bytes as number, missing }
  } finally {
    index.close()
  }
}
