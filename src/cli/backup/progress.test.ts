import assert from 'node:assert/strict'
import { it } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { withProgress } from './progress.ts'

const MIB = 1024 * 1024

it('tells how far it is once a second, but only of what takes long', async (t) => {
  const clock = new ManualClock()
  const lines: string[] = []
  t.mock.method(console, 'error', (line: string) => lines.push(line))
  const totals = await withProgress(clock, async ({ objects, points, totals }) => {
    clock.advance(2000)
    assert.deepEqual(lines, [])
    clock.advance(1000)
    assert.deepEqual(totals(), [])
    objects.expect(2, 5 * MIB)
    objects.expect(1, MIB)
    objects.advance(3 * MIB)
    clock.advance(1000)
    objects.advance(MIB)
    objects.finish()
    clock.advance(2000)
    objects.advance(MIB)
    objects.finish()
    clock.advance(1000)
    points({ count: 1, sizeBytes: MIB }, { count: 5, sizeBytes: 7 * MIB })
    clock.advance(1000)
    points({ count: 1, sizeBytes: MIB }, { count: 2, sizeBytes: 6 * MIB }) // four have become one
    clock.advance(1000)
    return totals()
  })
  clock.advance(10_000)
  const early = '  1 of 3 objects, 4 of 6 MiB'
  assert.deepEqual(lines, [
    '  preparing',
    '  0 of 3 objects, 3 of 6 MiB',
    early,
    early,
    '  2 of 3 objects, 5 of 6 MiB',
    '  1 of 5 files of points, 1 of 7 MiB',
    '  1 of 2 files of points, 1 of 6 MiB'
  ])
  assert.deepEqual(totals, [`3 objects in files, ${6 * MIB} bytes`, `2 files of points, ${6 * MIB} bytes`])
})
