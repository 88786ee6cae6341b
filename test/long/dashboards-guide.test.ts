// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { PANEL_FACTS } from '../../src/areas/dashboards/model/panel-types.ts'
import { ERRORS } from '../../src/errors.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { assertShows, runInShell, stepsIn } from '../support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/dashboards.md'), 'utf8')

describe('the guide to dashboards', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
  })
  after(() => test.close())

  it('shows what the commands in it answer', async () => {
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

  it('names every type of panel with its options', () => {
    for (const [type, { options }] of Object.entries(PANEL_FACTS)) {
      const row = guide.split('\n').find((line) => line.startsWith(`| \`${type}\` `))
      assert.ok(row, `docs/dashboards.md needs a row for ${type}`)
      if (!row.includes('the same |') && !row.includes('the same  ')) {
        for (const option of options) assert.ok(row.includes(option), `${type}: ${option}`)
      }
    }
  })

  it('names every reason for which a share is refused', () => {
    const codes = Object.keys(ERRORS).filter((code) => code.startsWith('share_'))
    assert.ok(codes.length >= 10)
    for (const code of codes) assert.match(guide, new RegExp(`^\\| \`${code}\` `, 'm'), code)
  })
})
