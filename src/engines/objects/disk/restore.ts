import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { ContentFault, type CopyOptions, changed, copyContents } from './copy-contents.ts'
import type { ObjectRow } from './database.ts'
import { layoutOf } from './layout.ts'
import { isMarked } from './marks.ts'

const ROWS_AT_ONCE = 500

type InlinedRow = Pick<ObjectRow, 'bucket' | 'key' | 'size' | 'sha256'> & {
  readonly content: Uint8Array | null
  /** What was known to be damaged when the backup was made. */
  readonly damaged: string | null
}

const isSound = ({ content, size, sha256 }: InlinedRow) =>
  content !== null && content.length === size && hash('sha256', content) === sha256

/** Copies the contents of a backup beside the index, which is already in `target`, and compares each with it. */
export async function restoreStore(folder: string, target: string, options: CopyOptions): Promise<void> {
  const to = layoutOf(target)
  await checkInlined(to.index, options)
  await copyContents(layoutOf(folder), to, options)
}

/** Checks small contents, which are in the index. */
export async function checkInlined(file: string, { progress, onDamaged }: CopyOptions): Promise<void> {
  const index = new DatabaseSync(file, { readOnly: true })
  try {
    const total = index.prepare('select count(*) as n, total(size) as bytes from objects where file is null').get()
    progress.expect(total?.n as number, total?.bytes as number)
    const rows = index
      .prepare(
        `select bucket, key, size, sha256, content, ${isMarked(index)} as damaged
        from objects left join inlined on id = inline where file is null`
      )
      .iterate() as Iterable<unknown> as Iterable<InlinedRow>
    let count = 0
    for (const row of rows) {
      if (row.damaged === null && !isSound(row)) {
        if (onDamaged === undefined) throw row.content === null ? new ContentFault(row, 'is missing') : changed(row)
        onDamaged(row)
      }
      progress.advance(row.size)
      progress.finish()
      if (++count % ROWS_AT_ONCE === 0) await othersFirst()
    }
  } finally {
    index.close()
  }
}
