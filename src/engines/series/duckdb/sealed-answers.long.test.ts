import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { FUNCTIONS, type Query } from '../query/plan.ts'
import { type DuckdbSeries, openDuckdb } from './index.ts'

/** Today, because files of past days are merged at once, and there would be one for each day. */
const START_S = Math.floor(Date.now() / 86_400_000) * 86_400

let folder = ''
/** An engine that puts everything into files after each write. */
let sealing: DuckdbSeries
/** An engine that keeps everything in memory. */
let remembering: DuckdbSeries
let sources = 0
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-sealed-'))
  const open = (name: string) =>
    openDuckdb({ folder: join(folder, name), sizes: { idleMs: 1e9 }, onFailure: (error) => assert.fail(error) })
  sealing = await open('sealing')
  remembering = await open('remembering')
})
after(async () => {
  await sealing.close()
  await remembering.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Regular times, times with gaps, and random times: files encode each of them differently. */
const tagLines = fc.record({
  count: fc.integer({ min: 1, max: 1500 }),
  stepMs: fc.constantFrom(1, 250, 1000, 10_000),
  keepOneIn: fc.constantFrom(1, 1, 2, 3),
  jitter: fc.constantFrom(0, 0, 100, 999_999),
  decimals: fc.constantFrom(0, 2, 15)
})

interface TagShape {
  readonly count: number
  readonly stepMs: number
  readonly keepOneIn: number
  readonly jitter: number
  readonly decimals: number
}

const questions = fc.record({
  unit: fc.constantFrom('s' as const, 'm' as const, 'h' as const, 'd' as const),
  count: fc.constantFrom(1, 5, 15),
  functions: fc.uniqueArray(fc.constantFrom(...FUNCTIONS), { minLength: 1, maxLength: 4 }),
  from: fc.double({ min: -0.1, max: 1, noNaN: true }),
  length: fc.double({ min: 0.001, max: 1.2, noNaN: true }),
  timeZone: fc.constantFrom('UTC', 'Europe/Berlin')
})

const PARTS = 3

/** The points in several parts, which overlap and replace points of each other. */
function partsOf(tags: readonly TagShape[], spreadRows: number): string[] {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  const parts: string[][] = Array.from({ length: PARTS }, () => [])
  for (const [tag, { count, stepMs, keepOneIn, jitter, decimals }] of tags.entries()) {
    for (let i = 0; i < count; i++) {
      if (keepOneIn > 1 && random() * keepOneIn > 1) continue
      const ns = BigInt(START_S) * 1_000_000_000n + BigInt(i * stepMs) * 1_000_000n
      const time = ns + BigInt(Math.floor(random() * jitter))
      const line = () => `m,t=${tag} value=${(50 + random()).toFixed(decimals)} ${time}`
      const place = Math.floor(((i + (random() - 0.5) * spreadRows) / count) * PARTS)
      const part = Math.min(PARTS - 1, Math.max(0, place))
      parts[part]?.push(line())
      if (spreadRows > 0 && random() < 0.02) parts[PARTS - 1]?.push(line())
    }
  }
  return parts.map((lines) => lines.join('\n'))
}

type Question = typeof questions extends fc.Arbitrary<infer Q> ? Q : never

/** Rounds sums, because they depend on the order of adding. */
const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(11)) : value)

async function answerOf(series: DuckdbSeries, query: Query): Promise<unknown> {
  const chunks: Uint8Array[] = []
  for await (const chunk of (await series.query(query)).body) chunks.push(chunk)
  const { stats, ...answer } = JSON.parse(Buffer.concat(chunks).toString(), rounded)
  return { ...answer, pointsRead: stats.pointsRead }
}

test('an answer is the same wherever the points are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(tagLines, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(0, 20, 2000),
      fc.array(questions, { minLength: 5, maxLength: 5 }),
      async (tags, spreadRows, asked) => {
        const sourceId = `source-${sources++}`
        for (const part of partsOf(tags, spreadRows)) {
          const request = { sourceId, format: 'line', precision: 'ns', nowMs: 0 } as const
          for (const series of [sealing, remembering]) {
            await series.write({ ...request, body: new Uint8Array(Buffer.from(part)) })
          }
          await sealing.seal()
        }
        for (const question of asked) {
          const query = queryOf(sourceId, question)
          assert.deepEqual(await answerOf(sealing, query), await answerOf(remembering, query))
        }
      }
    ),
    { numRuns: 15, endOnFailure: true }
  )
})

const SPAN_NS = 1500 * 10_000 * 1_000_000

function queryOf(sourceId: string, { unit, count, functions, from, length, timeZone }: Question): Query {
  const fromNs = BigInt(START_S) * 1_000_000_000n + BigInt(Math.floor(from * SPAN_NS))
  return {
    sourceId,
    tags: undefined,
    fromNs,
    toNs: fromNs + BigInt(Math.ceil(length * SPAN_NS)),
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
}
