import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseBody } from './webhook-body.ts'

const record = fc.dictionary(
  fc.string({ maxLength: 8 }).filter((name) => !name.includes('\0')),
  fc.jsonValue(),
  {
    maxKeys: 5
  }
)
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown

test('the same records come as an array, as lines, indented, or alone', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\n\n'),
      (given, end) => {
        const records = plain(given) as object[]
        const forms = [
          JSON.stringify(records),
          JSON.stringify(records, null, 2),
          `\ufeff${records.map((one) => JSON.stringify(one)).join(end)}${end}`
        ]
        if (records.length === 1) forms.push(JSON.stringify(records[0]), JSON.stringify(records[0], null, 2))
        for (const form of forms) {
          const parsed = parseBody(Buffer.from(form))
          assert.deepEqual(parsed.records, records)
          assert.deepEqual(parsed.answer, { accepted: records.length, rejected: 0, errors: [] })
        }
      }
    )
  )
})

test('lines that are no records are told by their number, whatever stands around them', () => {
  const bad = fc.constantFrom('x', '1', '"a"', 'null', '[{"a":1}]', '{"a":', '{"a\\u0000":1}')
  const line = fc.oneof(
    record.map((one) => JSON.stringify(one)),
    bad
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (rest) => {
      const lines = ['{"first":1}', ...rest]
      const wrong = lines.flatMap((text, i) => (isRecord(text) ? [] : [i + 1]))
      const { records, answer } = parseBody(Buffer.from(lines.join('\n')))
      assert.deepEqual(
        answer.errors.map((error) => error.line),
        wrong
      )
      assert.equal(answer.accepted, lines.length - wrong.length)
      assert.equal(records.length, answer.accepted)
    })
  )
})

function isRecord(text: string): boolean {
  try {
    const value = JSON.parse(text) as unknown
    return (
      typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.keys(value).join().includes('\0')
    )
  } catch {
    return false
  }
}

test('nothing that is sent makes it fail', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const { records, answer } = parseBody(bytes)
      assert.equal(records.length, answer.accepted)
      assert.equal(answer.errors.length, answer.rejected)
    })
  )
  assert.deepEqual(
    ['[{"a":1}', '{"a":', '"x"', '\xff'].map((text) => parseBody(Buffer.from(text, 'latin1')).answer.errors[0]?.code),
    ['not_json', 'not_json', 'not_object', 'not_utf8']
  )
  const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  assert.equal(parseBody(Buffer.from(deep)).answer.errors[0]?.code, 'too_deep')
  const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`f${i}`, i])))
  assert.equal(parseBody(Buffer.from(wide)).answer.errors[0]?.code, 'too_many_fields')
})

test('a hundred errors are told, and all are counted', () => {
  const { answer } = parseBody(Buffer.from('x\n'.repeat(250)))
  assert.equal(answer.rejected, 250)
  assert.equal(answer.errors.length, 100)
})
