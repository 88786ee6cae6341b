import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { openIndex } from './database.ts'
import { totalsOf } from './totals.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-totals-'))
after(() => rmSync(folder, { recursive: true }))

const file = join(folder, 'index.db')
const counted = (index: DatabaseSync) => ({
  ...index.prepare('select count(*) as objects, coalesce(sum(size), 0) as bytes from objects').get()
})

describe('the totals of a store', () => {
  it('are what counting would find, whatever is put, put again and deleted', () => {
    assert.equal(totalsOf(folder), undefined, 'no store')
    const change = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      sizes: fc.option(fc.nat(1000), { nil: undefined })
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const index = openIndex(file, 'write')
        // As the writer does it.
        const put = index.prepare(`insert or replace into objects values ('x', ?, ?, '', '', '', '', null, null)`)
        const drop = index.prepare(`delete from objects where bucket = 'x' and key = ?`)
        for (const { key, sizes } of changes) {
          if (sizes === undefined) drop.run(key)
          else put.run(key, sizes)
        }
        const expected = counted(index)
        index.close()
        assert.deepEqual({ ...totalsOf(folder) }, expected)
      }),
      { numRuns: 30 }
    )
  })

  it('are counted once where an older version has made the store', () => {
    const index = openIndex(file, 'write')
    index.exec('drop table totals; drop trigger objects_added; drop trigger objects_removed')
    index.exec(`drop trigger objects_replaced; delete from objects`)
    const put = index.prepare(`insert into objects values ('x', ?, 7, '', '', '', '', null, null)`)
    for (const key of ['a', 'b']) put.run(key)
    index.close()
    assert.equal(totalsOf(folder), undefined)
    openIndex(file, 'write').close()
    assert.deepEqual({ ...totalsOf(folder) }, { objects: 2, bytes: 14 })
  })
})
