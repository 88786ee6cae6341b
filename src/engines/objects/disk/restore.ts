import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { ContentFault, type CopyOptions, type CopyProgress, changed, copyContents } from './copy-contents.ts'
import type { ObjectRow } from './database.ts'
import { layoutOf } from './layout.ts'

const ROWS_AT_ONCE = 500

type InlinedRow = Pick<ObjectRow, 'bucket' | 'key' | 'size' | 'sha256'> & { readonly content: Uint8Array | null }

/** Copies the contents of a backup beside the index, which is in `target` already, and compares each with it. */
export async function restoreStore(folder: string, target: string, options: Required<CopyOptions>): Promise<void> {
  const to = layoutOf(target)
  await checkInlined(to.index, options.progress)
  await copyContents(layoutOf(folder), to, options)
}

async function checkInlined(file: string, progress: CopyProgress): Promise<void> {
  const index = new DatabaseSync(file, { readOnly: true })
  try {
    const total = index.prepare('select count(*) as n, total(size) as bytes from objects where file is null').get()
    progress.expect(total?.n as number, total?.bytes as number)
    const rows = index
      .prepare(
        'select bucket, key, size, sha256, content from objects left join inlined on id = inline where file is null'
      )
      .iterate() as Iterable<unknown> as Iterable<InlinedRow>
    let count = 0
    for (const row of rows) {
      if (row.content === null) throw new ContentFault(row, 'is missing')
      const sha256 = hash('sha256', row.content)
      if (row.content.length !== row.size || sha256 !== row.sha256) throw changed(row)
      progress.advance(row.size)
      if (++count % ROWS_AT_ONCE === 0) await othersFirst()
    }
  } finally {
    index.close()
  }
}
