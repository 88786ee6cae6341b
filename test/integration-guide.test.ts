// Once: a document and the entry in it.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { parseEntry } from '../src/engines/drivers/declared/catalogue/parse.ts'
import { rowOf } from '../src/engines/drivers/declared/catalogue/row.ts'
import { scopeOf, settingsSchema } from '../src/engines/drivers/declared/catalogue/settings.ts'
import { streamOf } from '../src/engines/drivers/declared/catalogue/streams.ts'
import { ENTRY_FORM } from '../src/engines/drivers/declared/form.ts'
import { FUNCTIONS } from '../src/engines/drivers/declared/template/functions.ts'
import { fill } from '../src/engines/drivers/declared/template/template.ts'

const guide = readFileSync(join(import.meta.dirname, '../docs/integration.md'), 'utf8')
const text = /```yaml\n(.*?)```/s.exec(guide)?.[1] ?? ''

describe('the guide to sources over HTTP', () => {
  it('has an entry that is taken, with a form and a first request', () => {
    const entry = parseEntry(text)
    assert.deepEqual(rowOf(entry).supports, { check: true, discover: true, read: true, incremental: true })
    const { required, properties } = settingsSchema(entry)
    assert.deepEqual(required, ['shop', 'api_key'])
    assert.deepEqual(Object.keys(properties), ['shop', 'api_key', 'start_date'])
    const scope = scopeOf(entry, { shop: 'my-shop', api_key: 'k' })
    const stream = streamOf(entry, String(entry.check))
    assert.equal(fill(`${entry.base}${stream?.path}`, scope), 'https://my-shop.corner-shop.example/api/v2/customers')
  })

  it('has a source of one’s own that is taken', () => {
    const sent = /-d '(\{.*?\})'\n```/s.exec(guide)?.[1] ?? ''
    assert.equal(parseEntry(JSON.parse(sent)).id, 'plant-orders')
  })

  it('tells the fault that it says, with its place', () => {
    const broken = text.replace('{parent.customer_id}', '{parent.id}')
    assert.throws(() => parseEntry(broken), /\/streams\/orders\/path \{parent\.id\} stands for nothing/)
  })

  it('has every function and every field of a setting', () => {
    for (const name of FUNCTIONS.keys()) assert.match(guide, new RegExp(`^\\| \`${name}(:text)?\` `, 'm'), name)
    const settings = ENTRY_FORM.properties as { settings: { additionalProperties: { properties: object } } }
    for (const name of Object.keys(settings.settings.additionalProperties.properties))
      assert.ok(guide.includes(`\`${name}\``), name)
  })
})
