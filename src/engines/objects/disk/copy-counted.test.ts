import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { makeMemoryFolder } from '../../../../test/support/memory-folder.ts'
import { copyCounted } from './copy-counted.ts'

describe('a copy that is counted', () => {
  // A file system in memory can't share bytes between files, so they have to be copied.
  const memory = makeMemoryFolder()
  const folder = mkdtempSync(join(memory ?? tmpdir(), 'millrace-copy-'))
  after(() => rmSync(folder, { recursive: true }))
  const [source, target] = [join(folder, 'source'), join(folder, 'target')]

  it('is the same, and tells of every byte on the way', async () => {
    for (const size of [0, 1, 4 * 1024 ** 2, 9 * 1024 ** 2 + 7]) {
      const content = randomBytes(size)
      writeFileSync(source, content)
      const counts: number[] = []
      await copyCounted(source, target, (count) => counts.push(count))
      assert.ok(readFileSync(target).equals(content), `${size} bytes`)
      assert.equal(
        counts.reduce((sum, count) => sum + count, 0),
        size
      )
      if (memory !== undefined && size > 9 * 1024 ** 2) assert.ok(counts.length > 1, 'not only when all is done')
      rmSync(target)
    }
  })

  it('leaves a file alone that has the name, makes none of nothing, and none that is cut off', async () => {
    const ignore = () => {}
    writeFileSync(target, 'mine')
    await assert.rejects(copyCounted(source, target, ignore), { code: 'EEXIST' })
    assert.equal(readFileSync(target, 'utf8'), 'mine')
    rmSync(target)
    await assert.rejects(copyCounted(join(folder, 'none'), target, ignore), { code: 'ENOENT' })
    // A folder can be opened, but not read.
    await assert.rejects(copyCounted(folder, target, ignore), { code: 'EISDIR' })
    assert.ok(!existsSync(target))
  })
})
