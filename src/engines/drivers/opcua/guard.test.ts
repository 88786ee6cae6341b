import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'

const GUARD = pathToFileURL(join(import.meta.dirname, 'guard.ts')).href

describe('what the library throws from its timers', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'millrace-opcua-guard-'))
    for (const name of ['node-opcua-odd', 'another']) {
      const own = join(folder, 'node_modules', name)
      mkdirSync(own, { recursive: true })
      writeFileSync(join(own, 'index.mjs'), "setTimeout(() => { throw new Error('from a timer') })")
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  function ran(name: string) {
    const library = pathToFileURL(join(folder, 'node_modules', name, 'index.mjs')).href
    const script = `
      const { guardProcess, onFailure } = await import(${JSON.stringify(GUARD)})
      guardProcess()
      onFailure(({ code }) => setImmediate(() => console.log('failed', code)))
      await import(${JSON.stringify(library)})`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 30_000
    })
    return { status, stdout: stdout.trim(), stderr }
  }

  it('fails those who use it, and the process goes on', () => {
    assert.deepEqual(ran('node-opcua-odd'), { status: 0, stdout: 'failed unavailable', stderr: '' })
  })

  it('is told from what others throw, which ends the process', () => {
    const { status, stderr } = ran('another')
    assert.notEqual(status, 0)
    assert.match(stderr, /from a timer/)
  })
})
