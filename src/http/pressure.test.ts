import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { Pressure, watchPressure } from './pressure.ts'

it('is high when the process is late again and again, and no longer when it is in time', () => {
  const pressure = new Pressure()
  for (const [lateMs, isHigh] of [
    [5000, false],
    [0, false],
    [1001, false],
    [1001, false],
    [1001, true],
    [1001, true],
    [1000, false]
  ] as const) {
    pressure.note(lateMs)
    assert.equal(pressure.isHigh, isHigh)
  }
})

it('is not high after one piece of work that took long, such as a start', async () => {
  const pressure = new Pressure()
  const noted: number[] = []
  const note = pressure.note.bind(pressure)
  pressure.note = (lateMs) => {
    noted.push(lateMs)
    note(lateMs)
  }
  const stop = watchPressure(pressure)
  for (const endMs = performance.now() + 1600; performance.now() < endMs; );
  await eventually(() => noted.length > 0)
  stop()
  assert.ok((noted[0] as number) > 1000)
  assert.equal(pressure.isHigh, false)
})
