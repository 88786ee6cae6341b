import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { Reserve } from './reserve.ts'

const WHOLE_BYTES = 4 * 1024 * 1024

describe('a reserve', () => {
  let folder: string
  let file: string
  let reserve: Reserve

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-reserve-'))
    file = join(folder, 'some.db-reserve')
    reserve = new Reserve(join(folder, 'some.db'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('takes room beside its database, for its owner alone, and the rest of it where some is there', () => {
    assert.equal(reserve.isWhole, false)
    reserve.fill()
    assert.deepEqual([reserve.isWhole, statSync(file).size], [true, WHOLE_BYTES])
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.ok(statSync(file).blocks * 512 >= WHOLE_BYTES, 'it is really taken')
    truncateSync(file, 100_001)
    const next = new Reserve(join(folder, 'some.db'))
    next.fill()
    assert.deepEqual([next.isWhole, statSync(file).size], [true, WHOLE_BYTES])
  })

  it('is away while it is used, and there again however that ends', () => {
    reserve.fill()
    assert.equal(
      reserve.use(() => existsSync(file)),
      false
    )
    assert.equal(statSync(file).size, WHOLE_BYTES)
    assert.throws(
      () =>
        reserve.use(() => {
          throw new Error('still full')
        }),
      /still full/
    )
    assert.deepEqual([reserve.isWhole, statSync(file).size], [true, WHOLE_BYTES])
  })

  it('is not whole where it can’t be written, which is no failure', () => {
    const nowhere = new Reserve(join(folder, 'no-folder', 'some.db'))
    nowhere.fill()
    assert.equal(nowhere.isWhole, false)
    nowhere.release()
  })
})
