// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { DELIVERY_STATES } from '../src/areas/alerts/notifications/migrations.ts'
import { WINDOW_FUNCTIONS } from '../src/areas/alerts/rules/words.ts'
import { AREAS } from '../src/areas.ts'
import { CHANNEL_KINDS, CONFIG_SCHEMAS } from '../src/engines/channels/index.ts'
import { NAMES } from '../src/engines/channels/templates/data.ts'
import { FILTERS } from '../src/engines/channels/templates/filters.ts'
import { startTestApp, type TestApp } from './support/app.ts'
import { freePort } from './support/free-port.ts'
import { assertShows, runInShell, stepsIn } from './support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/alerts.md'), 'utf8')

describe('the guide to alerts', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  })
  after(() => test.close())

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'
  it('shows what the commands in it answer, the message that arrives among them', { skip }, async () => {
    const steps = stepsIn(guide)
    const token = await test.token('ada', 'admin')
    const env = { BASE: test.url, TOKEN: token, RECEIVER_PORT: String(await freePort()) }
    const answers = await runInShell(
      steps.map(({ script }) => script),
      env
    )
    steps.forEach(({ script, answer }, index) => {
      if (answer !== undefined) assertShows(JSON.parse(answers[index] as string), answer, script)
    })
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 12)
  })

  it('names every function that a condition may have', () => {
    assert.ok(guide.includes(`\`${WINDOW_FUNCTIONS.join(' ')}\``))
  })

  /** The row of a table that begins with this word. */
  const rowOf = (word: string) => {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${word}\` `))
    assert.ok(row, `docs/alerts.md needs a row for ${word}`)
    return row
  }

  it('has a row for every type of channel, with what its configuration holds and which of it is secret', () => {
    for (const kind of CHANNEL_KINDS) {
      const row = rowOf(kind)
      const { properties } = CONFIG_SCHEMAS[kind] as { properties: Record<string, { writeOnly?: boolean }> }
      for (const [field, { writeOnly = false }] of Object.entries(properties)) {
        assert.ok(row.includes(`\`${field}\``), `${kind}: ${field}`)
        assert.equal(row.includes(`**\`${field}\`**`), writeOnly, `${kind}: ${field} is bold where it is secret`)
      }
    }
  })

  it('has a row for everything that happens, with its labels, and for every state of a delivery', () => {
    for (const [event, { labels }] of AREAS.flatMap(({ alertEvents = {} }) => Object.entries(alertEvents))) {
      const row = rowOf(event)
      for (const label of labels) assert.ok(row.includes(`\`${label}\``), `${event}: ${label}`)
    }
    for (const state of DELIVERY_STATES) rowOf(state)
  })

  it('names all that templates know', () => {
    for (const name of NAMES) assert.ok(guide.includes(`\`${name}\``), name)
    for (const filter of FILTERS.keys()) assert.match(guide, new RegExp(`\`${filter}(: [^\`]+)?\``))
  })
})
