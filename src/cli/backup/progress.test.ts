import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { withProgress } from './progress.ts'

const MIB = 1024 * 1024

it('tells how far it is once a second, but only of what takes long', async (t) => {
  const clock = new ManualClock()
  const lines: string[] = []
  t.mock.method(console, 'error', (line: string) => lines.push(line))
  const total = await withProgress(clock, async (progress) => {
    clock.advance(2000)
    assert.deepEqual(lines, [])
    clock.advance(1000)
    progress.expect(2, 5 * MIB)
    progress.expect(1, MIB)
    progress.advance(4 * MIB)
    clock.advance(2000)
    progress.advance(MIB)
    clock.advance(1000)
    return progress.total()
  })
  clock.advance(10_000)
  const early = '  1 of 3 objects, 4 of 6 MiB'
  assert.deepEqual(lines, ['  preparing', early, early, '  2 of 3 objects, 5 of 6 MiB'])
  assert.equal(total, `3 objects in files, ${6 * MIB} bytes`)
})
