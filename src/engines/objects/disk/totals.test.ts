import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { openIndex } from './database.ts'
import type { NewObject } from './requests.ts'
import { totalsOf } from './totals.ts'
import { emptyBatch, IndexWriter } from './writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-totals-'))
after(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'index.db')
const objectOf = (key: string, size: number): NewObject => {
  const content = new Uint8Array()
  return { bucket: 'x', key, size, modifiedAt: '', md5: '', sha256: '', contentType: '', content, sums: undefined }
}
const counted = (index: DatabaseSync) => ({
  ...index.prepare('select count(*) as objects, coalesce(sum(size), 0) as bytes from objects').get()
})

describe('the totals of a store', () => {
  it('are what counting would find, whatever is put, put again and deleted', () => {
    assert.equal(totalsOf(folder), undefined, 'no store')
    const change = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      size: fc.option(fc.nat(1000), { nil: undefined })
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const index = openIndex(file, 'write')
        const writer = new IndexWriter(index)
        const batch = emptyBatch()
        writer.run({ op: 'createBucket', bucket: 'x' }, batch)
        for (const { key, size } of changes) {
          if (size === undefined) writer.run({ op: 'delete', bucket: 'x', keys: [key] }, batch)
          else writer.run({ op: 'put', object: objectOf(key, size), conditions: {} }, batch)
        }
        writer.keepTotals(batch)
        const expected = counted(index)
        index.close()
        assert.deepEqual({ ...totalsOf(folder) }, expected)
      }),
      { numRuns: 30 }
    )
  })

  it('are counted once where an older version has made the store', () => {
    const index = openIndex(file, 'write')
    index.exec('drop table totals; delete from objects')
    const put = index.prepare(`insert into objects values ('x', ?, 7, '', '', '', '', null, null)`)
    for (const key of ['a', 'b']) put.run(key)
    index.close()
    assert.equal(totalsOf(folder), undefined)
    openIndex(file, 'write').close()
    assert.deepEqual({ ...totalsOf(folder) }, { objects: 2, bytes: 14 })
  })
})
