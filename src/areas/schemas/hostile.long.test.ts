// Once: it is about what never reaches a database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { within } from '../../../test/support/yardstick.ts'

const MAX_MS = 1000
const MAX_GROWTH_BYTES = 200 * 1024 * 1024
const LEVELS = 10_000

const repeat = (text: string, times = LEVELS) => text.repeat(times)
const nested = (open: string, inner: string, close: string) => repeat(open) + inner + repeat(close)

/** Lists in lists without end: each is short, what they unfold to is not. */
function laughs(place: string): string {
  const parts = Array.from({ length: 60 }, (_, n) => {
    const inner = `{"$ref": "#/${place}/l${n + 1}"}`
    return [`l${n}`, { anyOf: [JSON.parse(inner), JSON.parse(inner)] }]
  })
  return JSON.stringify({ $ref: `#/${place}/l0`, [place]: { ...Object.fromEntries(parts), l60: { type: 'string' } } })
}

/** Alternatives within alternatives, all nearly alike: whoever pairs each with each never ends. */
function alternatives(depth: number, leaf: string): object {
  if (depth === 0) return { type: 'object', properties: { [leaf]: { type: 'string' } } }
  return { anyOf: Array.from({ length: 6 }, (_, n) => alternatives(depth - 1, `${leaf}${n}`)) }
}

const REFUSED: Record<string, [type: string, schema: string]> = {
  '10 MB of Avro': ['avro', `{"type":"record","name":"A","doc":"${repeat('x', 10_000_000)}","fields":[]}`],
  '10 MB of JSON Schema': ['json', `{"description":"${repeat('x', 10_000_000)}"}`],
  '10 MB of Protobuf': ['protobuf', `syntax = "proto3"; // ${repeat('x', 10_000_000)}\nmessage A {}`],
  'Avro arrays 10,000 deep': ['avro', nested('{"type":"array","items":', '"int"', '}')],
  'JSON Schema 10,000 deep': ['json', nested('{"items":', 'true', '}')],
  'brackets 10,000 deep': ['json', nested('[', '', ']')],
  'Protobuf messages 10,000 deep': ['protobuf', `syntax = "proto3";${nested('message A {', '', '}')}`],
  'Protobuf options 10,000 deep': [
    'protobuf',
    `syntax = "proto3"; message A { string a = 1 [(x) = ${nested('{a:', '1', '}')}]; }`
  ],
  'a reference to itself': ['json', '{"$ref": "#"}'],
  'references in a circle': [
    'json',
    '{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}'
  ],
  'an import of nothing': ['protobuf', 'syntax = "proto3"; import "a.proto"; message A {}'],
  'a pattern that is none': ['json', '{"type":"string","pattern":"(a"}'],
  'an unclosed string of 900 KB': ['protobuf', `syntax = "proto3"; option x = "${repeat('a', 900_000)}`],
  'a name that is a prototype': ['avro', '{"type":"record","name":"A","fields":[{"name":"a","type":"__proto__"}]}']
}

describe('schemas of strangers', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    // The thread that looks at large ones is there before anything is measured.
    await test.call('POST', '/api/schemas', {
      as: 'editor',
      body: { name: 'warm', type: 'json', schema: { $comment: repeat('x', 20_000) } }
    })
  })
  after(() => test.close())

  /** Sends something and answers what came back, which must have come soon. */
  const soon = (path: string, body: object) => within(MAX_MS, () => test.call('POST', path, { as: 'editor', body }))

  for (const [name, [type, schema]] of Object.entries(REFUSED)) {
    it(`refuses ${name} within a second, and takes no more memory for it`, async () => {
      const before = process.memoryUsage().rss
      const answer = await soon('/api/schemas', { name, type, schema })
      assert.ok([400, 422].includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
      assert.match(answer.body.code, /^(invalid_schema|schema_\w+)$/)
      assert.ok(answer.body.detail.length < 2000, 'it repeats the schema')
      assert.ok(process.memoryUsage().rss - before < MAX_GROWTH_BYTES)
    })
  }

  it('takes schemas that unfold without end, and compares them or says that it is too much', async () => {
    for (const [name, schema] of [
      ['laughs', laughs('definitions')],
      ['alternatives', JSON.stringify(alternatives(4, 'a'))]
    ] as const) {
      const made = await soon('/api/schemas', { name, type: 'json', schema })
      assert.ok([201, 422].includes(made.status), made.text.slice(0, 300))
      if (made.status !== 201) continue
      const other = name === 'laughs' ? schema.replace('string', 'integer') : JSON.stringify(alternatives(4, 'b'))
      const checked = await soon(`/api/schemas/${made.body.id}/compatibility`, { schema: other, mode: 'FULL' })
      assert.ok([200, 422].includes(checked.status), checked.text.slice(0, 300))
    }
  })

  it('ends patterns that never end, and goes on', async () => {
    const evil = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$' } },
      patternProperties: { '^(a+)+$': { type: 'string' } }
    }
    const made = await soon('/api/schemas', { name: 'evil', type: 'json', schema: evil })
    assert.equal(made.status, 201, made.text)
    const path = `/api/schemas/${made.body.id}`
    const endless = `${repeat('a', 40)}!`
    const validated = await soon(`${path}/versions/1/validate`, { data: { a: endless } })
    assert.deepEqual([validated.status, validated.body.code], [422, 'schema_too_complex'])
    const properties = { [endless]: { type: 'string' } }
    const checked = await soon(`${path}/compatibility`, { schema: { ...evil, properties }, mode: 'FULL' })
    assert.ok([200, 422].includes(checked.status), checked.text)
    assert.equal((await soon(`${path}/versions/1/validate`, { data: { a: 'aaa' } })).body.valid, true)
  })

  it('answers others meanwhile', async () => {
    const made = await test.call('POST', '/api/schemas', {
      as: 'editor',
      body: { name: 'slow', type: 'json', schema: { type: 'string', pattern: '^(a+)+$' } }
    })
    const slow = test.call('POST', `/api/schemas/${made.body.id}/versions/1/validate`, {
      as: 'viewer',
      body: { data: `${repeat('a', 40)}!` }
    })
    const seen = await within(300, () => test.call('GET', `/api/schemas/${made.body.id}`, { as: 'viewer' }))
    assert.equal(seen.status, 200)
    assert.equal((await slow).status, 422)
  })
})
