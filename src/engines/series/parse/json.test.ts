import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { LineErrorCode, Precision } from '../index.ts'
import { Parser } from './index.ts'
import { jsonFaultAt } from './json-fault.ts'
import { PointBatch } from './points.ts'
import { MemoryTags, readable } from './testing/readable.ts'

const NOW = '@1700000000123000000'

function source(maxTags?: number) {
  const registry = new MemoryTags(maxTags)
  const parser = new Parser(registry)
  const parse = (body: string | Buffer, format: 'json' | 'ndjson' | 'line' = 'json', precision: Precision = 'ms') => {
    const out = new PointBatch()
    const written = parser.parse({ format, precision, nowMs: 1_700_000_000_123, body: Buffer.from(body) }, out)
    return { ...written, points: readable(out, registry) }
  }
  return { registry, parser, parse }
}

/** Points, and what is read of them or why they are refused. */
const CASES: readonly (readonly [
  point: string,
  expected: string | { readonly code: LineErrorCode },
  precision?: Precision
])[] = [
  ['{"tag":"a","value":1}', `a float 1 ${NOW}`],
  ['{"tag":"a","value":-0.0}', `a float -0 ${NOW}`],
  ['{"tag":"a","value":12345678901234567}', `a float 12345678901234568 ${NOW}`],
  ['{"tag":"a","value":true}', `a boolean true ${NOW}`],
  ['{"tag":"a","value":""}', `a string "" ${NOW}`],
  ['{"tag":"a","value":"ä\\n\\"b"}', `a string "ä\\n\\"b" ${NOW}`],
  [`{"tag":"a","value":"${'x'.repeat(65_536)}"}`, `a string "${'x'.repeat(65_536)}" ${NOW}`],
  ['{"tag":"a.b{c=d","value":1}', `a.b{c=d float 1 ${NOW}`],
  ['{"tag":"a","value":1,"quality":"good"}', `a float 1 ${NOW}`],
  ['{"tag":"a","value":1,"quality":"uncertain"}', `a float 1 ${NOW} uncertain`],
  ['{"tag":"a","value":"x","quality":"bad"}', `a string "x" ${NOW} bad`],
  ['{"tag":"a","value":1,"time":5}', 'a float 1 @5000000'],
  ['{"tag":"a","value":1,"time":-5}', 'a float 1 @-5000000'],
  ['{"tag":"a","value":1,"time":5.0}', 'a float 1 @5000000'],
  ['{"tag":"a","value":1,"time":5e0}', 'a float 1 @5000000000', 's'],
  ['{"tag":"a","value":1,"time":1700000000123456789}', 'a float 1 @1700000000123456789', 'ns'],
  [
    '{"tag":"a","value":0.1234567890123456,"time":9223372036854775806}',
    'a float 0.1234567890123456 @9223372036854775806',
    'ns'
  ],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:00:00Z"}', 'a float 1 @1769860800000000000'],
  ['{"tag":"a","value":1,"time":"2026-01-31t12:00:00.123456789z"}', 'a float 1 @1769860800123456789'],
  ['{"tag":"a","value":1,"time":"2026-01-31 14:00:00,5+02"}', 'a float 1 @1769860800500000000'],
  ['{"tag":"a","value":1,"time":"2026-01-31T06:30-0530"}', 'a float 1 @1769860800000000000'],
  ['{"tag":"a","value":1,"time":"1969-12-31T23:59:59.5Z"}', 'a float 1 @-500000000'],
  ['{"tag":"a","value":1,"time":"2024-02-29T00:00:00Z"}', 'a float 1 @1709164800000000000'],
  ['{"tag":"a","value":1,"time":9223372036854775807}', { code: 'time_out_of_range' }, 'ns'],
  ['{"tag":"a","value":1,"time":1e300}', { code: 'time_out_of_range' }],
  ['{"tag":"a","value":1,"time":"1600-01-01T00:00:00Z"}', { code: 'time_out_of_range' }],
  ['{"tag":"a","value":1,"time":"2262-12-01T00:00:00Z"}', { code: 'time_out_of_range' }],
  ['{"tag":"a","value":1,"time":1e999}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":1.5}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":null}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":true}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"5"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:00:00"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-02-30T12:00:00Z"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-13-01T12:00:00Z"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T24:00:00Z"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:60:00Z"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:00:60Z"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:00:00+24:00"}', { code: 'invalid_time' }],
  ['{"tag":"a","value":1,"time":"2026-01-31T12:00:00.1234567890Z"}', { code: 'invalid_time' }],
  ['{"tag":"a"}', { code: 'invalid_point' }],
  ['{"value":1}', { code: 'invalid_point' }],
  ['{"tag":5,"value":1}', { code: 'invalid_point' }],
  ['{"tag":"a","value":null}', { code: 'invalid_point' }],
  ['{"tag":"a","value":[1]}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"unit":"C"}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"__proto__":{}}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"quality":"GOOD"}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"quality":null}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"quality":"constructor"}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"labels":["x"]}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"labels":{"x":1}}', { code: 'invalid_point' }],
  ['{"tag":"a","value":1,"labels":{"x":""}}', { code: 'invalid_name' }],
  [`{"tag":"a","value":1,"labels":{"x":"${'y'.repeat(1024)}"}}`, { code: 'name_too_long' }],
  ['{"tag":"","value":1}', { code: 'invalid_name' }],
  [`{"tag":"${'é'.repeat(513)}","value":1}`, { code: 'name_too_long' }],
  ['{"tag":"a\\u0000","value":1}', { code: 'invalid_text' }],
  ['{"tag":"a\\ud800","value":1}', { code: 'invalid_text' }],
  ['{"tag":"a","value":"\\ud800"}', { code: 'invalid_text' }],
  ['{"tag":"a","value":1,"labels":{"x":"\\u0000"}}', { code: 'invalid_text' }],
  ['{"tag":"a","value":1e999}', { code: 'value_out_of_range' }],
  [`{"tag":"a","value":"${'ä'.repeat(32_769)}"}`, { code: 'value_too_long' }],
  ['[]', { code: 'invalid_point' }],
  ['5', { code: 'invalid_point' }],
  ['null', { code: 'invalid_point' }]
]

test('each point is read or refused, in an array, under points, and on a line', () => {
  for (const [point, expected, precision] of CASES) {
    const bodies = [
      [`[${point}]`, 'json'],
      [`{"points":[${point}]}`, 'json'],
      [`\n${point}\r\n`, 'ndjson']
    ] as const
    for (const [body, format] of bodies) {
      const { accepted, rejected, errors, points } = source().parse(body, format, precision)
      const name = `${body.slice(0, 100)} ${errors[0]?.message}`
      const line = format === 'ndjson' ? 2 : 1
      if (typeof expected === 'string')
        assert.deepEqual({ accepted, rejected, points }, { accepted: 1, rejected: 0, points: [expected] }, name)
      else
        assert.deepEqual(
          [accepted, rejected, errors.map((each) => [each.line, each.code])],
          [0, 1, [[line, expected.code]]],
          name
        )
    }
  }
})

test('a body may be one point, or none', () => {
  const { parse } = source()
  assert.deepEqual(parse('\uFEFF{"tag":"a","value":1}').points, [`a float 1 ${NOW}`])
  assert.deepEqual(parse('[]'), { accepted: 0, rejected: 0, errors: [], points: [] })
  assert.deepEqual(parse('', 'ndjson'), { accepted: 0, rejected: 0, errors: [], points: [] })
})

test('good points are taken though others are not, which are told by their places', () => {
  const { parse } = source()
  const { accepted, rejected, errors, points } = parse('[{"tag":"a","value":1},{"tag":"a"},{"tag":"a","value":2},7]')
  assert.deepEqual([accepted, rejected, errors.map(({ line }) => line)], [2, 2, [2, 4]])
  assert.deepEqual(points, [`a float 1 ${NOW}`, `a float 2 ${NOW}`])
})

test('numbers are taken by tags of whole numbers, exactly', () => {
  const { parse } = source()
  parse('int value=1i 5\nuns value=1u 5', 'line')
  const value = (tag: string, number: string) => {
    const { points, errors } = parse(`{"tag":"${tag}","value":${number}}`)
    return errors[0]?.code ?? points[0]?.split(' ').slice(1, 3).join(' ')
  }
  assert.equal(value('int', '5'), 'integer 5')
  assert.equal(value('int', '5.0'), 'integer 5')
  assert.equal(value('int', '-0'), 'integer 0')
  assert.equal(value('int', '9007199254740993'), 'integer 9007199254740993')
  assert.equal(value('int', '-9223372036854775808'), 'integer -9223372036854775808')
  assert.equal(value('int', '9223372036854775808'), 'value_out_of_range')
  assert.equal(value('int', '5.5'), 'type_conflict')
  assert.equal(value('int', '"5"'), 'type_conflict')
  assert.equal(value('uns', '18446744073709551615'), 'unsigned 18446744073709551615')
  assert.equal(value('uns', '1e19'), 'unsigned 10000000000000000000')
  assert.equal(value('uns', '18446744073709551616'), 'value_out_of_range')
  assert.equal(value('uns', '-1'), 'value_out_of_range')
})

test('the first type of a tag is its type', () => {
  const { parse } = source()
  const { errors } = parse(
    '[{"tag":"a","value":1},{"tag":"a","value":"1"},{"tag":"b","value":true},{"tag":"b","value":1}]'
  )
  assert.deepEqual(
    errors.map(({ message }) => message),
    [
      'tag a is float; this point has a text: give a number',
      'tag b is boolean; this point has a number: give true or false'
    ]
  )
})

test('a tag that both write is the same one', () => {
  const { registry, parse } = source()
  parse('temperature value=1 5', 'line')
  parse('{"tag":"temperature","value":2}')
  assert.equal(registry.tags.length, 1)
})

test('labels are told to the registry, and are no part of the name', () => {
  const { registry, parse } = source()
  parse('{"tag":"a","value":1,"labels":{"__proto__":"x","room":"1"}}')
  assert.equal(registry.tags[0]?.name, 'a')
  assert.deepEqual(Object.entries(registry.tags[0]?.labels ?? {}), [
    ['__proto__', 'x'],
    ['room', '1']
  ])
})

test('a source with all its tags refuses others', () => {
  const { parse } = source(1)
  const { accepted, errors } = parse('[{"tag":"a","value":1},{"tag":"b","value":1},{"tag":"a","value":1}]')
  assert.deepEqual([accepted, errors.map(({ line, code }) => [line, code])], [2, [[2, 'too_many_tags']]])
})

test('what is known is forgotten when told so', () => {
  const { registry, parser, parse } = source()
  parse('{"tag":"a","value":1}')
  registry.resolve = () => ({ id: 0, type: 'boolean' })
  assert.equal(parse('{"tag":"a","value":1}').rejected, 0)
  parser.forget()
  assert.equal(parse('{"tag":"a","value":1}').errors[0]?.code, 'type_conflict')
})

test('a body that is no JSON is one refusal that says where', () => {
  const message = (body: string | Buffer, format: 'json' | 'ndjson' = 'json') => {
    const { accepted, rejected, errors } = source().parse(body, format)
    assert.deepEqual([accepted, rejected, errors.length], [0, 1, 1])
    return `${errors[0]?.line} ${errors[0]?.code}: ${errors[0]?.message}`
  }
  assert.equal(message('[{"tag":"a","value":1}'), '1 invalid_point: this is not JSON from column 23 on')
  assert.equal(message('[\n {"tag":"a" "value":1}]'), '1 invalid_point: this is not JSON from line 2, column 13 on')
  assert.equal(message('\n\n{tag:1}', 'ndjson'), '3 invalid_point: this is not JSON from column 2 on')
  assert.equal(message(Buffer.from('7b22ff223a317d', 'hex')), '1 invalid_text: JSON must be UTF-8, and this is not')
  assert.match(message('{"points":5}'), /^1 invalid_point: beside points/)
  assert.match(message('{"points":[],"x":1}'), /^1 invalid_point: beside points/)
})

test('however deep a body is nested, it is refused and no more', () => {
  const deep = (inside: string) => `${'['.repeat(200_000)}${inside}${']'.repeat(200_000)}`
  for (const body of [deep(''), deep('12345678901234567'), '['.repeat(200_000), '{"a":'.repeat(200_000)]) {
    assert.equal(source().parse(body).errors[0]?.code, 'invalid_point')
  }
})

test('what is cut off or changed in a JSON text is found where it is', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const cut = json.slice(0, at % (json.length + 1))
      assert.ok(jsonFaultAt(cut) <= cut.length)
      const isStill = () => {
        try {
          JSON.parse(`${cut}\u0001`)
          return true
        } catch {
          return false
        }
      }
      assert.ok(!isStill() && jsonFaultAt(`${cut}\u0001`) <= cut.length)
      assert.equal(jsonFaultAt(`${json}\u0001`), json.length)
    }),
    { numRuns: 500 }
  )
})
