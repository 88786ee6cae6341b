import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import fc from 'fast-check'
import { chart } from './chart.ts'

/** Reads a picture back by the rules of PNG: sums, order, size; the colours by row. */
function read(png: Buffer): number[][] {
  assert.equal(png.subarray(0, 8).toString('hex'), '89504e470d0a1a0a')
  const parts: [string, Buffer][] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const content = png.subarray(at + 4, at + 8 + length)
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(content))
    parts.push([content.subarray(0, 4).toString(), content.subarray(4)])
    at += 12 + length
  }
  assert.deepEqual(
    parts.map(([type]) => type),
    ['IHDR', 'PLTE', 'IDAT', 'IEND']
  )
  const header = parts[0]?.[1] as Buffer
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const pixels = inflateSync(parts[2]?.[1] as Buffer)
  assert.equal(pixels.length, (width + 1) * height)
  return Array.from({ length: height }, (_, y) => {
    assert.equal(pixels[y * (width + 1)], 0)
    return [...pixels.subarray(y * (width + 1) + 1, (y + 1) * (width + 1))]
  })
}

const at = (seconds: number) => new Date(1_767_225_600_000 + seconds * 1000).toISOString()
const series = (values: readonly number[]) => values.map((value, i) => ({ time: at(i * 60), value }))
const rowsOf = (rows: number[][], color: number) => rows.flatMap((row, y) => (row.includes(color) ? [y] : []))

test('values rise from the left to the right, and the threshold lies where it is', () => {
  const rows = read(chart(series([0, 50, 100]), 50) as Buffer)
  assert.deepEqual([rows.length, rows[0]?.length], [120, 480])
  const firstOf = (x: number) => rows.findIndex((row) => row[x] === 2)
  assert.ok(firstOf(6) > firstOf(240) && firstOf(240) > firstOf(473))
  assert.deepEqual(rowsOf(rows, 3), [60])
  assert.deepEqual(rowsOf(read(chart(series([0, 100]), null) as Buffer), 3), [])
})

test('less than two values are no picture', () => {
  assert.equal(chart([], 1), undefined)
  assert.equal(chart(series([1]), 1), undefined)
  assert.equal(chart([...series([1, Number.NaN]), { time: 'never', value: 2 }], 1), undefined)
})

test('whatever the values are, the picture can be read and nothing is drawn outside of its frame', () => {
  const value = fc.oneof(fc.double(), fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, 0))
  const point = fc.record({ time: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()), value })
  const threshold = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
  fc.assert(
    fc.property(fc.array(point, { maxLength: 100 }), threshold, (points, limit) => {
      const png = chart(points, limit)
      if (png === undefined) return
      const rows = read(png)
      const frame = [...(rows[0] ?? []), ...(rows[119] ?? []), ...rows.flatMap((row) => [row[0], row[479]])]
      assert.ok(frame.every((color) => color === 1))
      assert.ok(rowsOf(rows, 2).length > 0)
    }),
    { numRuns: 60 }
  )
})
