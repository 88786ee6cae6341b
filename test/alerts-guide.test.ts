// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { WINDOW_FUNCTIONS } from '../src/areas/alerts/rules/words.ts'
import { startTestApp, type TestApp } from './support/app.ts'
import { assertShows, runInShell, stepsIn } from './support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/alerts.md'), 'utf8')

describe('the guide to alerts', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'
  it('shows what the commands in it answer', { skip }, async () => {
    const steps = stepsIn(guide)
    const env = { BASE: test.url, TOKEN: await test.token('ada', 'admin') }
    const answers = await runInShell(
      steps.map(({ script }) => script),
      env
    )
    steps.forEach(({ script, answer }, index) => {
      if (answer !== undefined) assertShows(JSON.parse(answers[index] as string), answer, script)
    })
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 5)
  })

  it('names every function that a condition may have', () => {
    assert.ok(guide.includes(`\`${WINDOW_FUNCTIONS.join(' ')}\``))
  })
})
