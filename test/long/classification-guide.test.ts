// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { KINDS } from '../../src/engines/detectors/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { assertShows, runInShell, stepsIn } from '../support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/classification.md'), 'utf8')

describe('the guide to classification', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'
  it('shows what the commands in it answer', { skip }, async () => {
    const steps = stepsIn(guide)
    const env = { BASE: test.url, TOKEN: await test.token('ada', 'admin') }
    const scripts = steps.map(({ script }) => script)
    const answers = await runInShell(scripts, env)
    for (const [index, { script, answer }] of steps.entries()) {
      if (answer !== undefined) assertShows(JSON.parse(answers[index] as string), answer, script)
    }
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 5)
  })

  it('has a row for every kind', () => {
    for (const kind of KINDS) assert.match(guide, new RegExp(`^\\| \`${kind}\` `, 'm'), `it needs a row for ${kind}`)
  })
})
