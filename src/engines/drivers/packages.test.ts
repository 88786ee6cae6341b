// Once: no database.
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { runSteps } from './index.ts'
import { loadPackage, packageStep } from './packages.ts'

const NEEDED = { name: '@someone/odd-driver', version: '1.2.3' }

describe('a package that is not shipped', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "odd ' folder-"))
  })
  after(() => rm(folder, { recursive: true }))

  it('is told to be missing with the command that adds it, and used as soon as it is there', async () => {
    const missing = await runSteps([packageStep(NEEDED, folder)], 1000)
    assert.deepEqual([missing.success, missing.checks[0]?.code], [false, 'driver_missing'])
    const quoted = `'${folder.replace("'", `'\\''`)}'`
    assert.ok(missing.message.endsWith(`npm install --prefix ${quoted} @someone/odd-driver@1.2.3`), missing.message)

    const place = join(folder, 'node_modules', NEEDED.name)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'package.json'), '{"main": "main.cjs"}')
    writeFileSync(join(place, 'main.cjs'), 'module.exports = {answer: 42}')
    assert.ok((await runSteps([packageStep(NEEDED, folder)], 1000)).success)
    assert.deepEqual(await loadPackage(NEEDED, folder), { answer: 42 })
  })
})
