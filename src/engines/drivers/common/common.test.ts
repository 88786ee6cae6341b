// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { StreamChunk } from '../index.ts'
import { chunksOf } from './chunks.ts'
import { parseJson } from './json.ts'
import type { Page } from './system.ts'
import { decimalText, double, isoTime, jsonText, smallNumber, timeText, wholeNumber } from './values.ts'

const columns = [{ name: 'n', type: 'integer' as const }]
const signal = new AbortController().signal
const ask = (more: object) => ({ stream: 's', signal, ...more })

async function* pagesAfter(values: readonly number[], after: string | null, size: number): AsyncGenerator<Page> {
  const rest = values.filter((value) => after === null || value > Number(after))
  for (let at = 0; at < rest.length; at += size)
    yield { columns, rows: rest.slice(at, at + size).map((value) => [value]) }
}

async function read(chunks: AsyncIterable<StreamChunk>): Promise<{ values: unknown[]; position: string | null }> {
  const values: unknown[] = []
  let position: string | null = null
  for await (const chunk of chunks) {
    values.push(...(chunk.values[0] ?? []))
    position = chunk.position ?? null
  }
  return { values, position }
}

describe('chunks of pages', () => {
  it('lead through all values once, whatever the limits and pages are', async () => {
    const sorted = fc
      .array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 })
      .map((list) => list.sort((a, b) => a - b))
    await fc.assert(
      fc.asyncProperty(
        sorted,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, limit, size) => {
          const seen: unknown[] = []
          let after: string | null = null
          for (;;) {
            const request = ask({ cursor: { column: 'n', after }, limit })
            const part = await read(chunksOf(pagesAfter(all, after, size), request))
            if (part.values.length === 0) break
            seen.push(...part.values)
            after = part.position
          }
          assert.deepEqual(seen, all)
        }
      )
    )
  })

  it('end where a value does, so that each position leaves nothing out', async () => {
    const all = Array.from({ length: 45_000 }, (_, at) => Math.floor(at / 7))
    for (const stop of [1, 2, 3]) {
      const seen: unknown[] = []
      let position: string | null = null
      let chunks = 0
      for await (const chunk of chunksOf(pagesAfter(all, null, 999), ask({ cursor: { column: 'n', after: null } }))) {
        seen.push(...(chunk.values[0] ?? []))
        position = chunk.position ?? null
        chunks += 1
        if (chunks === stop) break
      }
      const rest = await read(
        chunksOf(pagesAfter(all, position, 999), ask({ cursor: { column: 'n', after: position } }))
      )
      assert.deepEqual([...seen, ...rest.values], all)
    }
  })

  it('tell the position of many equal values only once all of them are out', async () => {
    const all = Array.from({ length: 25_000 }, () => 5)
    const told: (string | undefined)[] = []
    for await (const { position } of chunksOf(
      pagesAfter(all, null, 1000),
      ask({ cursor: { column: 'n', after: null } })
    )) {
      told.push(position)
    }
    assert.deepEqual([told.at(-1), new Set(told.slice(0, -1))], ['5', new Set([undefined])])
  })

  it('take a column to go on by only where there is one', async () => {
    const request = ask({ cursor: { column: 'absent', after: null } })
    await assert.rejects(read(chunksOf(pagesAfter([1], null, 1), request)), { code: 'not_found' })
  })
})

describe('values of other systems', () => {
  it('keep whole numbers of any size in JSON, there and back', () => {
    fc.assert(
      fc.property(fc.bigInt(), (number) => {
        const parsed = parseJson(`{"a":[${number}],"pad":"1234567890123456"}`) as { a: [number | bigint] }
        assert.equal(wholeNumber(parsed.a[0]), number)
        assert.equal(jsonText(parsed), `{"a":[${number}],"pad":"1234567890123456"}`)
      })
    )
  })

  it('keep them wherever they stand in a text, and nothing else that looks like them', () => {
    const digits = fc.stringMatching(/^[1-9]\d{0,39}$/)
    const part = fc.oneof(
      digits,
      digits.map((whole) => `-${whole}`),
      fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
      digits.map((whole) => `${whole}e1`),
      digits.map((whole) => `{"${whole}": "a: ${whole}, b", "c" :${whole}}`)
    )
    const space = fc.constantFrom('', ' ', '\n', '\r\n\t  ')
    const list = fc.tuple(space, fc.array(part)).map(([between, parts]) => `[${parts.join(`${between},${between}`)}]`)
    fc.assert(
      fc.property(fc.oneof(part, list), (text) => {
        assert.deepEqual(parseJson(text), JSON.parse(text, wholeAsBigint as never))
      })
    )
  })

  it('are times in UTC, and what is none is null', () => {
    assert.equal(timeText('2026-03-01T08:00:00.5Z'), '2026-03-01 08:00:00.500000')
    assert.equal(timeText('2026-03-01T08:00'), '2026-03-01 08:00:00.000000')
    assert.equal(timeText('soon'), null)
    assert.equal(isoTime('2026-03-01'), '2026-03-01T00:00:00Z')
    assert.equal(isoTime('2026-03-01 08:00:00.5'), '2026-03-01T08:00:00.5Z')
    assert.equal(isoTime('2026-03-01 08:00:00+02'), '2026-03-01T08:00:00+02')
  })

  it('are numbers only where they are', () => {
    assert.deepEqual(['12', 12, 1.5, 'x', 2 ** 40, null].map(smallNumber), [12, 12, null, null, null, null])
    assert.deepEqual(['-1.5', 'NaN', '-Infinity', 'x', '', true].map(double), [-1.5, NaN, -Infinity, null, null, null])
    assert.deepEqual(['1.50', '-3', 'x', 2].map(decimalText), ['1.50', '-3', null, '2'])
  })
})

/** Looks at every number, as it is written. */
const wholeAsBigint = (_: string, value: unknown, { source = '' }: { readonly source?: string }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source) ? BigInt(source) : value
