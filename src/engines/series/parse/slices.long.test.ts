import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Precision, WriteFormat, Written } from '../index.ts'
import { beginReading, Parser } from './index.ts'
import { PointBatch } from './points.ts'
import { MAX_POINT_BYTES, SLICE_BYTES } from './reading.ts'
import { TrialTags } from './trial-tags.ts'

interface Read {
  readonly written: Written
  readonly parts: number
  /** Days, times, values and texts, in the order in which they came. */
  readonly rows: readonly unknown[]
}

/** Reads a body part by part, and between the parts another one with other times, as of other writers. */
function readParts(body: Buffer, format: WriteFormat, precision: Precision = 'ns'): Read {
  const parser = new Parser(new TrialTags(() => undefined))
  const request = { format, precision, nowMs: 86_400_000, body: new Uint8Array(body) }
  const other = { format: 'line', precision: 'h', nowMs: 5, body: Buffer.from('z value=1\n') } as const
  const reading = beginReading(request)
  const rows: unknown[] = []
  let parts = 0
  for (let isMore = true; isMore; parts++) {
    const batch = new PointBatch()
    isMore = parser.next(reading, request, batch)
    for (let row = 0; row < batch.length; row++) {
      rows.push([batch.days[row], batch.ns[row], batch.values[row], batch.exact.get(row)])
    }
    parser.parse(other, new PointBatch())
  }
  return { written: reading.tally.written(), parts, rows }
}

const times = (count: number) => Array.from({ length: count }, (_, index) => index)
const enough = Math.ceil((SLICE_BYTES * 2.5) / 60)

describe('a large body is read part by part', () => {
  test('lines, with texts that hold newlines, blank lines, and some that are refused', () => {
    const text = fc.stringMatching(/^[a-z \n]{0,80}$/)
    const lineOf = fc.oneof(
      fc.nat(1000).map((value) => `cpu,host=h usage=${value} 5`),
      text.map((value) => `log value="${value}" 7`),
      fc.constantFrom('', '# nothing', 'cpu usage= 5', 'cpu usage=true 5', 'cpu')
    )
    fc.assert(
      fc.property(fc.array(lineOf, { minLength: 40, maxLength: 40 }), fc.boolean(), (lines, isEnded) => {
        const few = Buffer.from(`${lines.join('\n')}\n`)
        const once = readParts(few, 'line')
        const rounds = Math.ceil((SLICE_BYTES * 2.2) / few.length)
        const body = Buffer.from(`${lines.join('\n')}\n`.repeat(rounds).slice(0, isEnded ? undefined : -1))
        const all = readParts(body, 'line')
        assert.ok(all.parts >= 3)
        assert.equal(all.written.accepted, once.written.accepted * rounds)
        assert.equal(all.written.rejected, once.written.rejected * rounds)
        assert.equal(all.rows.length, once.rows.length * rounds)
        assert.deepEqual(all.rows.slice(0, once.rows.length), once.rows)
        assert.deepEqual(all.rows.slice(all.rows.length - once.rows.length), once.rows)
        const newlines = few.toString().split('\n').length - 1
        assert.deepEqual(
          all.written.errors.map(({ line, code }) => [((line - 1) % newlines) + 1, code]),
          times(all.written.errors.length).map((at) => {
            const { line, code } = once.written.errors[at % once.written.errors.length] as Written['errors'][number]
            return [line, code]
          })
        )
      }),
      { numRuns: 15 }
    )
  })

  const point = (value: number) => ({ tag: `t${value % 7}`, time: value, value, labels: { note: 'a , ] } \\" [ {' } })

  test('an array of points, alone and as a member, and lines of JSON', () => {
    const points = times(enough).map(point)
    const bodies = [
      ['json', `\ufeff ${JSON.stringify(points)} \n`],
      ['json', ` { "points" : ${JSON.stringify(points, null, 1)} }\n`],
      ['ndjson', points.map((one) => JSON.stringify(one)).join('\r\n\n')]
    ] as const
    for (const [format, body] of bodies) {
      const { written, parts, rows } = readParts(Buffer.from(body), format)
      assert.ok(parts >= 3)
      assert.deepEqual(written, { accepted: enough, rejected: 0, errors: [] })
      assert.deepEqual(
        rows,
        times(enough).map((value) => [0, value, value, undefined])
      )
    }
  })

  test('points of an array that are refused are told by their place', () => {
    const points: unknown[] = times(enough).map(point)
    points[enough - 3] = { tag: 'x' }
    const { written } = readParts(Buffer.from(JSON.stringify(points)), 'json')
    assert.deepEqual([written.accepted, written.rejected, written.errors[0]?.line], [enough - 1, 1, enough - 2])
  })

  test('nothing is taken of an array that is not JSON, wherever that shows', () => {
    const sound = JSON.stringify(times(enough).map(point))
    const rows = sound.split('},{').length
    assert.equal(rows, enough)
    const middle = sound.indexOf('},{', Math.floor(sound.length / 2)) + 2
    const spoilt: readonly [string, RegExp][] = [
      [sound.slice(0, -1), new RegExp(`column ${sound.length} on`)],
      [`${sound.slice(0, -1)},]`, new RegExp(`column ${sound.length + 1} on`)],
      [`${sound}]`, new RegExp(`column ${sound.length + 1} on`)],
      [`${sound.slice(0, -1)}}`, new RegExp(`column ${sound.length} on`)],
      [`${sound.slice(0, middle)},${sound.slice(middle)}`, new RegExp(`column ${middle + 1} on`)],
      [`${sound.slice(0, middle)}\n\né${sound.slice(middle)}`, /line 3, column 1 on/],
      [`${sound.slice(0, middle)}"${sound.slice(middle)}`, /not JSON/],
      [`{"points":${sound}`, /may have no other member|not JSON/],
      [`{"points":${sound},"more":1}`, /no other member/],
      [`{"point":${sound}}`, /must be an array of points/]
    ]
    for (const [body, message] of spoilt) {
      const { written, rows: taken } = readParts(Buffer.from(body), 'json')
      assert.deepEqual([written.accepted, written.rejected, taken.length], [0, 1, 0], body.slice(-20))
      assert.match(written.errors[0]?.message ?? '', message)
    }
  })

  test('one point, or line, that is too large is refused, and the others are taken', () => {
    const large = JSON.stringify({ tag: 'a', value: 'x'.repeat(MAX_POINT_BYTES) })
    const small = '{"tag":"b","value":1}'
    for (const [format, body] of [
      ['json', `[${[small, large, small, large].join(',')}]`],
      ['ndjson', [small, large, small, large].join('\n')],
      ['line', ['b value=1 5', `a ${'c=1,'.repeat(MAX_POINT_BYTES / 4 + 1)}c=1 5`, 'b value=1 6', 'x,'].join('\n')],
      ['line', ['b value=1 5', `a,${'c=1,'.repeat(MAX_POINT_BYTES / 4 + 1)}c=1 d=1 5`, 'b value=1 6', 'x,'].join('\n')]
    ] as const) {
      const { written } = readParts(Buffer.from(body), format)
      assert.deepEqual([written.accepted, written.rejected], [2, 2], format)
      assert.deepEqual(
        written.errors.map(({ line }) => line),
        [2, 4]
      )
    }
  })
})
