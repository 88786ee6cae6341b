// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { EDGE_TYPES, HOWS, MAPPING_KINDS } from '../../src/areas/lineage/schema.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { assertShows, runInShell, stepsIn } from '../support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/lineage.md'), 'utf8')

describe('the guide to lineage', () => {
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

  it('has a row for every type of edge, every way to know of it, and everything that becomes of columns', () => {
    for (const word of [...EDGE_TYPES, ...HOWS]) {
      assert.match(guide, new RegExp(`^\\| \`${word}\` `, 'm'), `docs/lineage.md needs a row for ${word}`)
    }
    for (const kind of MAPPING_KINDS) assert.ok(guide.includes(`\`${kind}\``), kind)
  })
})
