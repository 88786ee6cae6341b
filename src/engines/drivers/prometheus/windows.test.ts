// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { TooLargeAnswer } from '../machines/api.ts'
import type { Span } from './client.ts'
import { windows } from './windows.ts'

const anyTimes = fc.array(fc.nat({ max: 2_000_000_000 }), { maxLength: 200 })

async function collect(times: readonly number[], span: Span, most: number): Promise<number[]> {
  const seen: number[] = []
  const ask = async ({ fromMs, toMs }: Span) => {
    const found = times.filter((time) => time >= fromMs && time <= toMs)
    if (found.length > most) throw new TooLargeAnswer('unavailable', 'too much')
    return found
  }
  for await (const found of windows(span, ask, (answer) => answer.length)) seen.push(...found.sort((a, b) => a - b))
  return seen
}

describe('windows of time', () => {
  it('have everything once and in order, however little an answer holds', async () => {
    await fc.assert(
      fc.asyncProperty(anyTimes, fc.integer({ min: 1, max: 50 }), async (times, most) => {
        const distinct = [...new Set(times)]
        const span = { fromMs: 1000, toMs: 1_999_999_000 }
        const expected = distinct.filter((time) => time >= span.fromMs && time <= span.toMs).sort((a, b) => a - b)
        assert.deepEqual(await collect(distinct, span, most), expected)
      })
    )
  })

  it('end where one moment has more than an answer holds', async () => {
    await assert.rejects(collect([5, 5, 5], { fromMs: 0, toMs: 10 }, 2), { code: 'bad_request' })
  })
})
