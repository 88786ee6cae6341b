import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { CHANNEL_KINDS, CONFIG_SCHEMAS } from './index.ts'
import { targetsAt } from './testing/messages.ts'

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })

test('schemas take what the channels take, and no field that nobody knows', () => {
  const email = { host: 'mail.example', tls: 'required', from: 'a@example.com', to: ['b@example.com'] }
  const targets = [...targetsAt('https://example.com'), { type: 'email' as const, config: email }]
  assert.deepEqual(targets.map(({ type }) => type).sort(), [...CHANNEL_KINDS].sort())
  for (const { type, config } of targets) {
    const validate = ajv.compile(CONFIG_SCHEMAS[type])
    assert.ok(validate(config), `${type}: ${JSON.stringify(validate.errors)}`)
    assert.ok(!validate({ ...config, urL: 'https://example.com' }))
    assert.ok(!validate({}))
  }
})

test('every text, number and list has a bound', () => {
  const visit = (schema: Record<string, unknown>, path: string) => {
    if (schema.type === 'string' && schema.enum === undefined) assert.ok(Number(schema.maxLength) > 0, path)
    if (schema.type === 'array') assert.ok(Number(schema.maxItems) > 0, path)
    if (schema.type === 'integer') assert.ok(Number.isInteger(schema.minimum) && Number.isInteger(schema.maximum), path)
    if (schema.type === 'object' && schema.properties === undefined) assert.ok(Number(schema.maxProperties) > 0, path)
    for (const [name, inner] of Object.entries(schema)) {
      if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
        visit(inner as Record<string, unknown>, `${path}/${name}`)
      }
    }
  }
  for (const kind of CHANNEL_KINDS) visit(CONFIG_SCHEMAS[kind] as Record<string, unknown>, kind)
})
