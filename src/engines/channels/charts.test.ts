import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { Charts } from './charts.ts'
import { alert, message } from './testing/messages.ts'

/** Charts, and what they log. */
function open(clock = new ManualClock()) {
  const logged: string[] = []
  const charts = new Charts({ clock, log: { warn: (fields) => logged.push(String((fields as { err: unknown }).err)) } })
  return { charts, logged }
}

const { signal } = new AbortController()

test('alerts with values have a picture in twice the size that it is shown in, at most five of them', async (t) => {
  const { charts, logged } = open()
  t.after(() => charts.close())
  const without = alert({ lastValues: [] })
  const alerts = [without, ...Array.from({ length: 7 }, () => alert())]
  const made = await charts.of(message({ alerts }), signal)
  assert.deepEqual([...made.keys()], [1, 2, 3, 4, 5])
  const png = made.get(1) as Buffer
  assert.equal(png.subarray(1, 4).toString(), 'PNG')
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1120, 420])
  assert.deepEqual(logged, [])
})

test('charts that take too long or are called back are left out, which is logged', async (t) => {
  const clock = new ManualClock()
  const { charts, logged } = open(clock)
  t.after(() => charts.close())
  const late = charts.of(message(), signal)
  clock.advance(10_000)
  assert.equal((await late).size, 0)
  const controller = new AbortController()
  const aborted = charts.of(message(), controller.signal)
  controller.abort()
  assert.equal((await aborted).size, 0)
  assert.deepEqual(logged, ['Error: They took longer than 10 s', 'Error: The message was cancelled'])
})

test('none is made once they are closed', async () => {
  const { charts, logged } = open()
  await charts.close()
  assert.equal((await charts.of(message(), signal)).size, 0)
  assert.deepEqual(logged, ['Error: The server is about to end'])
})
