import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import type { RunSpec } from '../protocol/run-spec.ts'
import { createHost } from './host.ts'

const SETTINGS = {
  memoryBytes: 1 << 28,
  threads: 2,
  spillBytes: 1 << 28,
  allowPrivateNetworks: false,
  allowedHosts: []
}
const NODES = [
  {
    id: 'gen',
    type: 'generate',
    config: { count: 10, fields: { n: 'n', time: "TIMESTAMP '2026-01-01'" } },
    inputs: []
  },
  { id: 'out', type: 'series', config: { source: 's', time: 'time', tag: "'t'", value: 'n' }, inputs: ['gen'] }
]

const specOf = (runId: string): RunSpec => ({
  pipelineId: `pl_${runId}`,
  runId,
  runNumber: 1,
  nodes: NODES,
  checkpoint: null,
  counted: null
})

/** A server that answers calls one by one, in whatever order it pleases. */
function slowServer(order: readonly number[]) {
  const waiting: (() => void)[] = []
  let isOver = false
  let turn = 0
  const answers: Record<string, unknown> = { writeSeries: { written: 10, rejected: 0, errors: [] } }
  const call = <T>(method: string): Promise<T> =>
    new Promise((resolve) => waiting.push(() => resolve(answers[method] as T)))
  const answering = async () => {
    while (!isOver) {
      const at = (order[turn++ % order.length] ?? 0) % Math.max(1, waiting.length)
      for (const answer of waiting.splice(at, 1)) answer()
      await nextTurn()
    }
  }
  return { call, answering, end: () => (isOver = true) }
}

const Asked = fc.array(fc.constantFrom('run', 'run', 'run', 'stop', 'check', 'preview'), {
  minLength: 5,
  maxLength: 25
})
const Order = fc.array(fc.nat(50), { minLength: 1, maxLength: 50 })

test('whatever is asked of a host at once, in whatever order it is answered, every run ends as it should', async () => {
  await fc.assert(
    fc.asyncProperty(Asked, Order, fc.boolean(), async (asked, order, isConfigured) => {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-host-'))
      const server = slowServer(order)
      const host = createHost(server.call)
      const answered = server.answering()
      const configured = host.configure({ ...SETTINGS, folder })
      if (isConfigured) await configured
      const runs: Promise<string>[] = []
      const stopped = new Set<number>()
      const others: Promise<unknown>[] = []
      for (const what of asked) {
        if (what === 'run') runs.push(host.run(specOf(`run_${runs.length}`)))
        if (what === 'stop' && runs.length > 0) {
          stopped.add(runs.length - 1)
          others.push(host.stop(`run_${runs.length - 1}`))
        }
        if (what === 'check') others.push(host.check(NODES).then((problems) => assert.deepEqual(problems, [])))
        if (what === 'preview') {
          const samples = { gen: [{ n: 1, time: '2026-01-01T00:00:00Z' }] }
          others.push(
            host.preview(NODES, samples, { series: false }).then(({ nodes }) => assert.equal(nodes.length, 2))
          )
        }
      }
      const ends = await Promise.all(runs)
      await Promise.all([configured, ...others])
      server.end()
      await answered
      rmSync(folder, { recursive: true })
      for (const [i, end] of ends.entries()) {
        assert.ok(end === 'completed' || (end === 'stopped' && stopped.has(i)), `run ${i} ended as ${end}`)
      }
    }),
    { numRuns: 15 }
  )
})
