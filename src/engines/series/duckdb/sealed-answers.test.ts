import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { FUNCTIONS, type Query } from '../query/plan.ts'
import { type DuckdbSeries, openDuckdb } from './index.ts'

const START_S = 1_700_000_000

let folder = ''
let series: DuckdbSeries
let sources = 0
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-sealed-'))
  series = await openDuckdb({ folder, onFailure: (error) => assert.fail(error) })
})
after(async () => {
  await series.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Regular times, times with some missing, and times anywhere: files keep each of them in another form. */
const tagLines = fc.record({
  count: fc.integer({ min: 1, max: 1500 }),
  stepMs: fc.constantFrom(1, 250, 1000, 10_000),
  keepOneIn: fc.constantFrom(1, 1, 2, 3),
  jitter: fc.constantFrom(0, 0, 100, 999_999),
  decimals: fc.constantFrom(0, 2, 15)
})

const questions = fc.record({
  unit: fc.constantFrom('ms' as const, 's' as const, 'm' as const, 'h' as const, 'd' as const),
  count: fc.constantFrom(1, 5, 15),
  functions: fc.uniqueArray(fc.constantFrom(...FUNCTIONS), { minLength: 1, maxLength: 4 }),
  from: fc.double({ min: -0.1, max: 1, noNaN: true }),
  length: fc.double({ min: 0.001, max: 1.2, noNaN: true }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin')
})

function linesOf(
  tags: readonly { count: number; stepMs: number; keepOneIn: number; jitter: number; decimals: number }[]
) {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  return tags
    .flatMap(({ count, stepMs, keepOneIn, jitter, decimals }, tag) =>
      Array.from({ length: count }, (_, i) => {
        if (keepOneIn > 1 && random() * keepOneIn > 1) return ''
        const ns = BigInt(START_S) * 1_000_000_000n + BigInt(i * stepMs) * 1_000_000n
        return `m,t=${tag} value=${(50 + random()).toFixed(decimals)} ${ns + BigInt(Math.floor(random() * jitter))}`
      })
    )
    .join('\n')
}

async function answerOf(query: Query): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await series.query(query)).body) chunks.push(chunk)
  const { stats, ...answer } = JSON.parse(Buffer.concat(chunks).toString())
  return { ...answer, pointsRead: stats.pointsRead }
}

test('an answer is the same before and after the points are put into files', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(tagLines, { minLength: 1, maxLength: 4 }),
      fc.array(questions, { minLength: 5, maxLength: 5 }),
      async (tags, asked) => {
        const sourceId = `source-${sources++}`
        const body = new Uint8Array(Buffer.from(linesOf(tags)))
        await series.write({ sourceId, format: 'line', precision: 'ns', gzip: false, nowMs: 0, body })
        const spanNs = 1500 * 10_000 * 1_000_000
        const queries = asked.map(({ unit, count, functions, from, length, timeZone }): Query => {
          const fromNs = BigInt(START_S) * 1_000_000_000n + BigInt(Math.floor(from * spanNs))
          return {
            sourceId,
            tags: undefined,
            fromNs,
            toNs: fromNs + BigInt(Math.ceil(length * spanNs)),
            bucket: { count, unit },
            functions,
            fill: 'none',
            maxPoints: undefined,
            timeZone,
            format: 'json',
            units: {},
            aggregation: null,
            limitPoints: 10_000_000
          }
        })
        const inMemory = await Promise.all(queries.map(answerOf))
        await series.seal()
        assert.deepEqual(await Promise.all(queries.map(answerOf)), inMemory)
      }
    ),
    { numRuns: 12, endOnFailure: true }
  )
})
