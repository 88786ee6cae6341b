// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { WEIGHTS } from '../../src/areas/quality/scores/score.ts'
import { DIMENSIONS, RULE_TYPES, STATUSES } from '../../src/areas/quality/words.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { assertShows, runInShell, stepsIn } from '../support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/quality.md'), 'utf8')

describe('the guide to quality', () => {
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
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 3)
  })

  it('has a row for every type and status, and every dimension and weight', () => {
    for (const word of [...RULE_TYPES, ...STATUSES]) {
      assert.match(guide, new RegExp(`^\\| \`${word}\` `, 'm'), `docs/quality.md needs a row for ${word}`)
    }
    for (const dimension of DIMENSIONS) assert.ok(guide.includes(`\`${dimension}\``), dimension)
    for (const [severity, weight] of Object.entries(WEIGHTS))
      assert.ok(guide.includes(`\`${severity}\` ${weight}`), severity)
  })
})
