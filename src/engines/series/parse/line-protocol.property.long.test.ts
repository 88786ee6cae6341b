import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Point } from '@influxdata/influxdb-client'
import fc from 'fast-check'
import type { TagType } from '../index.ts'
import { newlineEnded } from './bytes.ts'
import { CarefulLine } from './careful-line.ts'
import { Parser } from './index.ts'
import { Instant } from './instant.ts'
import { LineTags } from './line-tags.ts'
import { PlainValue } from './plain-value.ts'
import { PointBatch } from './points.ts'
import { SeriesCache } from './series-cache.ts'
import { tagNameOf } from './tag-name.ts'
import { MemoryTags, readable } from './testing/readable.ts'

const NOW_MS = 1_700_000_000_123

/** The result of the careful reader alone for a body. */
function carefully(body: string) {
  const registry = new MemoryTags()
  const out = new PointBatch()
  const [time, now] = [new Instant(), new Instant()]
  now.setMs(NOW_MS)
  const careful = new CarefulLine(new LineTags(registry, new SeriesCache()), new PlainValue(), time)
  const bytes = newlineEnded(Buffer.from(body))
  const read = { accepted: 0, codes: [] as string[] }
  for (let at = 0; at < bytes.length; at = careful.next) {
    const line = careful.read(bytes, at, now, out)
    if (typeof line !== 'number') read.codes.push(line.code)
    else if (line > 0) read.accepted++
  }
  return { ...read, points: readable(out, registry) }
}

/** The result of the parser for a body that it has seen before, so that it uses the fast reader where it can. */
function fast(body: string) {
  const registry = new MemoryTags()
  const parser = new Parser(registry)
  const request = { format: 'line', precision: 'ns', nowMs: NOW_MS, body: Buffer.from(body) } as const
  parser.parse(request, new PointBatch())
  const out = new PointBatch()
  const { accepted, errors } = parser.parse(request, out)
  return { accepted, codes: errors.map(({ code }) => code), points: readable(out, registry) }
}

const pieces = fc.constantFrom(
  ...[
    'm',
    'k',
    'v',
    'ä',
    '{',
    '.',
    ',',
    '=',
    ' ',
    '  ',
    '\\',
    '"',
    '#',
    '\t',
    '\r',
    '\n',
    '\n',
    '\0',
    '-',
    'i',
    'u',
    'e5'
  ],
  ...[
    'm,k=v a=1 5\n',
    'm,k=v a=1,b=2.5 5\n',
    'm\\ n a\\ b=1i\n',
    'm,k=v s="x" 5\n',
    ' v=',
    ' v=1',
    ',b=t',
    '="',
    '1',
    '1.5'
  ],
  ...['12345678901234567', '9007199254740993i', '1700000000000000000']
)

test('fast or with care, a body is the same points and refusals', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      assert.deepEqual(fast(parts.join('')), carefully(parts.join('')))
    }),
    { numRuns: 2000 }
  )
})

/** Lines with the same beginning, or with the same rest after another beginning, in any order. */
const alike = fc.constantFrom(
  ...['m a=1 5', 'm b=1 5', 'm a=1,b=2 5', 'm b=1,a=2 5', 'm ab=1 5', 'ma b=1 5', 'm,a=1 b=1 5', 'm,a=1 a=1,b=2 5'],
  ...[
    'n a=1 5',
    'n a=1,b=2 5',
    'n a=1,b=2,a=3 5',
    'm\\ a=1 a=1 5',
    'm,a=1 5',
    'm a71 5',
    'm a 5',
    '# m a=1 5',
    ' m a=1 5'
  ]
)

test('whatever came before a line, it is read the same', () => {
  fc.assert(
    fc.property(fc.array(alike, { maxLength: 30 }), (lines) => {
      assert.deepEqual(fast(lines.join('\n')), carefully(lines.join('\n')))
    }),
    { numRuns: 1000 }
  )
})

test('a body of any size is read whole', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `m,k=${index % 300} a=${index},b=${index}i,c=t ${index}`)
  assert.deepEqual(fast(lines.join('\n')), carefully(lines.join('\n')))
  assert.equal(fast(lines.join('\n')).points.length, 15_000)
})

/**
 * Names that the public client can write: no `__proto__`, no control characters, which it changes, no backslash at an
 * end.
 */
const clientName = fc
  .string({
    unit: fc.oneof(fc.constantFrom(...'ab,= \\"{}.#'), fc.string({ unit: 'grapheme', maxLength: 1 })),
    minLength: 1
  })
  .filter((name) => !/^#|\\$|\p{Cc}|^$|^__proto__$/u.test(name) && Buffer.byteLength(name) < 100)

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...'",\\ =\n\r'), fc.string({ unit: 'grapheme', maxLength: 1 }))
})

interface WrittenField {
  readonly type: TagType
  readonly value: number | bigint | boolean | string
}

/** The client writes minus zero as zero; `+ 0` does the same here. */
const fieldValue: fc.Arbitrary<WrittenField> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => ({ type: 'float' as const, value: value + 0 })),
  int64.map((value) => ({ type: 'integer' as const, value })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((value) => ({ type: 'unsigned' as const, value })),
  fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
  text.map((value) => ({ type: 'string' as const, value: value.replaceAll('\0', '') }))
)

const point = fc.record({
  measurement: clientName,
  labels: fc.dictionary(clientName, clientName, { maxKeys: 4 }),
  fields: fc.dictionary(clientName, fieldValue, { minKeys: 1, maxKeys: 4 }),
  ns: fc.bigInt({ min: -(2n ** 63n) + 2n, max: 2n ** 63n - 2n })
})
type WrittenPoint = typeof point extends fc.Arbitrary<infer T> ? T : never

function expected({ measurement, labels, fields, ns }: WrittenPoint): string[] {
  return Object.entries(fields).map(([field, { type, value }]) => {
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
    return `${tagNameOf(measurement, labels, field)} ${type} ${shown} @${ns}`
  })
}

/** `Point` sorts fields and labels; it leaves integers beyond 2^53 to the caller, as texts. */
function writtenByClient({ measurement, labels, fields, ns }: WrittenPoint): string {
  const written = new Point(measurement).timestamp(`${ns}`)
  for (const [key, value] of Object.entries(labels)) written.tag(key, value)
  for (const [key, { type, value }] of Object.entries(fields)) {
    if (type === 'float') written.floatField(key, value)
    else if (type === 'integer') written.fields[key] = `${value}i`
    else if (type === 'unsigned') written.uintField(key, String(value))
    else if (type === 'boolean') written.booleanField(key, value)
    else written.stringField(key, value)
  }
  return written.toLineProtocol() as string
}

/** The same point by the rules of the protocol, with other spellings where there are some. */
function writtenByRule({ measurement, labels, fields, ns }: WrittenPoint): string {
  const escaped = (name: string) => name.replaceAll(/[,= ]/g, '\\$&')
  const series = [measurement.replaceAll(/[, ]/g, '\\$&')]
  for (const [key, value] of Object.entries(labels).reverse()) series.push(`${escaped(key)}=${escaped(value)}`)
  const values = Object.entries(fields).map(([key, { type, value }]) => {
    if (type === 'string') return `${escaped(key)}="${String(value).replaceAll(/["\\]/g, '\\$&')}"`
    if (type === 'boolean') return `${escaped(key)}=${value ? 'T' : 'False'}`
    if (type === 'float') return `${escaped(key)}=${(value as number).toExponential()}`
    return `${escaped(key)}=${value}${type === 'integer' ? 'i' : 'u'}`
  })
  return ` ${series.join(',')}  ${values.join(',')}  ${ns} \r`
}

for (const [writer, write] of Object.entries({ 'the public client': writtenByClient, 'the rules': writtenByRule })) {
  test(`points written by ${writer} are read as they were`, () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 4 }), (points) => {
        // If several points had the same tag, it would have the type of the first.
        const apart = points.map((each, index) => ({ ...each, measurement: `${index}${each.measurement}` }))
        const read = fast(apart.map(write).join('\n'))
        assert.deepEqual(read.codes, [])
        assert.deepEqual(read.points.toSorted(), apart.flatMap(expected).toSorted())
      }),
      { numRuns: 300 }
    )
  })
}
