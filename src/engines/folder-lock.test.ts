import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { FolderInUse, lockFolder } from './folder-lock.ts'

describe('the lock on a data folder', () => {
  let parent: string
  let folder: string
  let number = 0

  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'millrace-lock-'))
  })
  after(() => rmSync(parent, { recursive: true, force: true }))
  const fresh = () => {
    folder = join(parent, 'deep', String(number++))
    return folder
  }

  it('makes the folder, is held by one, and can be had again', () => {
    const unlock = lockFolder(fresh())
    for (let time = 0; time < 2; time++) {
      assert.throws(
        () => lockFolder(folder),
        (error: Error) => {
          assert.ok(error instanceof FolderInUse)
          assert.match(error.message, /is in use by another millrace process\. Stop it, or set DATA_DIR/)
          assert.ok(error.message.includes(folder))
          return true
        }
      )
    }
    unlock()
    lockFolder(folder)()
  })

  it('is for one folder', () => {
    const unlock = lockFolder(fresh())
    lockFolder(fresh())()
    unlock()
  })

  it('goes with the process that held it, even when that is killed', async () => {
    fresh()
    const program = `
      import { lockFolder } from ${JSON.stringify(new URL('./folder-lock.ts', import.meta.url).href)}
      lockFolder(${JSON.stringify(folder)})
      process.stdout.write('locked')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const ended = once(child, 'exit')
    try {
      assert.equal(String((await once(child.stdout, 'data'))[0]), 'locked')
      assert.throws(() => lockFolder(folder), FolderInUse)
    } finally {
      child.kill('SIGKILL')
      await ended
    }
    const unlock = await eventually(() => lockFolder(folder))
    unlock()
  })
})
