// Both: what has happened is asked of the database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AREAS } from '../src/areas.ts'
import { startTestApp } from './support/app.ts'

const ENOUGH_MS = 1000

describe('every event that alert rules can be about', () => {
  const declared = AREAS.flatMap(({ alertEvents = {} }) => Object.entries(alertEvents))

  it('has a name of its own, a sentence and names of labels', () => {
    assert.ok(declared.length >= 6)
    assert.equal(new Set(declared.map(([name]) => name)).size, declared.length)
    for (const [name, { about, labels }] of declared) {
      assert.match(name, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/)
      assert.match(about, /^[A-Z].*[^.]; it is over .*\.$/, `${name} says what it is and when it is over`)
      assert.ok(labels.length > 0 && labels.every((label) => /^[a-z][a-zA-Z]*$/.test(label)), name)
    }
  })

  it('answers at once that nothing has happened where there is nothing', async () => {
    const test = await startTestApp()
    try {
      const { metadata, clock } = test.platform
      for (const [name, { since }] of declared) {
        const startedMs = performance.now()
        const first = await since(metadata.db, null, clock.now())
        const again = await since(metadata.db, first.cursor, clock.now())
        assert.deepEqual([...first.happenings, ...again.happenings], [], name)
        assert.ok(performance.now() - startedMs < ENOUGH_MS, name)
      }
    } finally {
      await test.close()
    }
  })
})
