// Once: what is measured is the embedded database, which does its work in the server's own process.
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { assertMs } from '../../../../test/support/yardstick.ts'
import { inPieces } from '../host/letter-pieces.ts'
import { LetterBook } from './letter-book.ts'
import { insertLetters, totalOf } from './letter-rows.ts'

const LETTERS = 200_000
const MIN_PER_S = 50_000
const MAX_P99_MS = 40

test('200,000 dead letters are kept fast, and others have their turn meanwhile', async (t) => {
  const app = await startTestApp()
  try {
    await app.call('POST', '/api/buckets', { as: 'editor', body: { name: 'book' } })
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'object', config: { bucket: 'book', prefix: 'x/', format: 'csv' }, inputs: ['in'] }
    ]
    const { id: pipelineId } = (
      await app.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'book', nodes } })
    ).body
    const { metadata } = app.platform
    const letters = Array.from({ length: LETTERS }, (_, line) => ({
      nodeId: 'out',
      code: 'invalid_value',
      reason: "Could not convert string 'n/a' to DOUBLE when casting from source column celsius",
      record: JSON.stringify({ time: '2026-03-09T13:00:00Z', press: line, celsius: 'n/a', name: 'x'.repeat(60) }),
      origin: { object: 'object://uploads/march.csv', line }
    }))
    const book = new LetterBook({ runId: 'run_1', pipelineId, owner: 'own_1', fence: 1, version: 1 }, app.platform)
    await book.open()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const fromMs = performance.now()
    for (const piece of inPieces(letters)) {
      const rows = await book.rowsOf(piece)
      await metadata.transaction((tx) => insertLetters(tx, rows))
      book.staged(rows)
      await new Promise(setImmediate)
    }
    await metadata.transaction((tx) => book.commit(tx, [], []))
    book.committed()
    const tookMs = performance.now() - fromMs
    delay.disable()
    const p99Ms = delay.percentile(99) / 1e6
    const maxMs = delay.max / 1e6
    t.diagnostic(`${Math.round(tookMs)} ms, p99 ${p99Ms.toFixed(1)} ms, longest turn ${maxMs.toFixed(1)} ms`)
    assert.equal((await totalOf(metadata.db, pipelineId)).waiting, LETTERS)
    assertMs(tookMs, (LETTERS / MIN_PER_S) * 1000)
    assertMs(p99Ms, MAX_P99_MS)
  } finally {
    await app.close()
  }
})
