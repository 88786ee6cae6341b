// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { StreamChunk } from '../index.ts'
import { linesOf } from './lines.ts'
import { afterOf, untilLimit } from './timed.ts'
import { parseTime, timeText } from './times.ts'

const COLUMNS = [{ name: 'time', type: 'timestamptz' }] as const

async function* chunked(times: readonly string[], sizes: readonly number[]) {
  let at = 0
  for (let n = 0; at < times.length; n++) {
    const some = times.slice(at, at + (sizes[n % sizes.length] ?? 1))
    at += some.length
    yield { columns: COLUMNS, values: [some], rows: some.length }
  }
}

async function collect(chunks: AsyncIterable<StreamChunk>, onChunk?: (seen: unknown[], position?: string) => void) {
  const seen: unknown[] = []
  let position: string | undefined
  for await (const chunk of chunks) {
    assert.equal(chunk.rows, chunk.values[0]?.length)
    seen.push(...(chunk.values[0] ?? []))
    position = chunk.position
    onChunk?.(seen, position)
  }
  return { seen, position }
}

const anyTimes = fc
  .array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 })
  .map((times) => times.sort((a, b) => a - b).map((time) => timeText(BigInt(time))))
const anySizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
const anyLimit = fc.integer({ min: 1, max: 10 })

describe('records by time', () => {
  it('come once each when reading goes on from position to position, however they are chunked', async () => {
    await fc.assert(
      fc.asyncProperty(anyTimes, anySizes, anyLimit, async (times, sizes, limit) => {
        const all: unknown[] = []
        let after: string | null = null
        for (;;) {
          const from: string | null = after
          const rest: string[] = times.filter((time) => from === null || time > from)
          const { seen, position } = await collect(
            untilLimit(chunked(rest, sizes), { cursor: { column: 'time', after: from }, limit }),
            // As if the server died now: what comes after the position is what is missing.
            (sofar, at = '') =>
              assert.deepEqual(
                sofar,
                rest.filter((time) => time <= at)
              )
          )
          if (seen.length === 0) break
          assert.ok(seen.length >= Math.min(limit, rest.length))
          all.push(...seen)
          after = position ?? null
        }
        assert.deepEqual(all, times)
      })
    )
  })

  it('are as many as asked for without a cursor', async () => {
    await fc.assert(
      fc.asyncProperty(anyTimes, anySizes, anyLimit, async (times, sizes, limit) => {
        const { seen, position } = await collect(untilLimit(chunked(times, sizes), { limit }))
        assert.deepEqual([seen, position], [times.slice(0, limit), undefined])
      })
    )
  })

  it('have times that are written as they are read, to the nanosecond', () => {
    const range = { min: -(2n ** 61n), max: 2n ** 62n }
    fc.assert(fc.property(fc.bigInt(range), (ns) => assert.equal(parseTime(timeText(ns)), ns)))
    assert.equal(parseTime('2026-03-01'), parseTime('2026-03-01T00:00:00Z'))
    assert.equal(parseTime('2026-03-01 08:00:00.5+00'), parseTime('2026-03-01T08:00:00.500000Z'))
    for (const text of ['', 'now', '2026-13-01', "2026-03-01' OR 1=1", '2026-03-01 08:00:00+02'])
      assert.throws(() => afterOf({ column: 'time', after: text }), { code: 'bad_request' }, text)
    assert.throws(() => afterOf({ column: 'value', after: null }), { code: 'bad_request' })
  })
})

describe('lines of an answer', () => {
  it('are the same in whatever parts they come, and have a bound', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.integer({ min: 1, max: 7 }),
        async (texts, size) => {
          const lines = texts.map((text) => text.replaceAll('\n', ' '))
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
          const parts = (async function* () {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
          })()
          const seen: string[] = []
          for await (const line of linesOf(parts, 10_000)) seen.push(line)
          assert.deepEqual(seen, lines)
        }
      )
    )
    const endless = (async function* () {
      for (;;) yield Buffer.alloc(1000, 'x')
    })()
    await assert.rejects(linesOf(endless, 5000).next(), { code: 'unavailable' })
  })
})
