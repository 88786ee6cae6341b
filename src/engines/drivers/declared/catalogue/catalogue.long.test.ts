// Once: no database.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { say } from '../../../../../test/support/say.ts'
import { CATALOGUE } from '../../catalogue/index.ts'
import type { FieldSchema, JsonSchema } from '../../schema.ts'
import type { Authentication, CheckRequest, Entry, StreamEntry } from '../entry.ts'
import { fill, type Scope } from '../template/template.ts'
import { declaredIndex, isReadable, loadEntry, parseEntry, streamOf } from './index.ts'
import { scopeOf, settingsSchema } from './settings.ts'
import { templatesOfSignIn } from './templates.ts'

const FOLDER = new URL('../../../../../resources/integration-sources/', import.meta.url)
const ENTRIES: readonly Entry[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => parseEntry(readFileSync(new URL(name, FOLDER), 'utf8')))

/** A value that a field takes, as far as its schema tells one. */
function exampleOf(field: FieldSchema): unknown {
  if (field.type === 'array') return field.default ?? ['enum' in field.items ? field.items.enum?.[0] : 'x']
  const { type, default: usual, examples, enum: choices } = field
  return usual ?? examples?.[0] ?? choices?.[0] ?? { string: 'x', boolean: false, integer: 1, number: 1 }[type]
}

const configFor = ({ properties }: JsonSchema) =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field)]))

/** The templates without which a request can't be made. */
function needed(entry: Entry, asked: StreamEntry | CheckRequest): string[] {
  const base = 'base' in asked ? asked.base : undefined
  return [base ?? entry.base, asked.path ?? '', ...Object.values(entry.headers ?? {})]
}

/** What is filled in to sign in, but for what is known only then: a key file that is opened, a request that is signed. */
function signInTemplates(authentication: Authentication, scope: Scope): string[] {
  if (authentication.kind === 'choice')
    return signInTemplates(authentication.options[String(scope[authentication.setting])] as Authentication, scope)
  if (authentication.kind === 'hmac') return [authentication.key]
  return [...templatesOfSignIn(authentication)]
    .map(({ template }) => template)
    .filter((one) => !one.includes('{account.'))
}

/** What the first request of a stream knows besides settings. */
function scopeFor({ each, cursor }: StreamEntry, settings: Scope): Scope {
  const scope = { ...settings, ...(cursor && { slice: { start: '2024-01-01', end: '2024-01-02' } }) }
  if (each === undefined || 'stream' in each) return scope
  const [first] = 'values' in each ? each.values : (settings[each.setting] as readonly string[])
  return { ...scope, parent: { [each.as]: first } }
}

/** What can't be filled in of the request that a test sends. */
function unfilled(entry: Entry, config: Readonly<Record<string, unknown>>): string[] {
  const { check } = entry
  const scope = scopeOf(entry, config)
  const asked = typeof check === 'string' ? streamOf(entry, check) : check
  if (asked === undefined) return ['there is no test']
  const own = typeof check === 'string' ? scopeFor(asked as StreamEntry, scope) : scope
  return [...needed(entry, asked), ...signInTemplates(entry.authentication, scope)].filter(
    (template) => fill(template, own) === undefined
  )
}

describe('the declared sources', () => {
  it('are as many as were promised, and none is a driver as well', async () => {
    const index = await declaredIndex()
    assert.deepEqual(
      index.map(({ id }) => id),
      ENTRIES.map(({ id }) => id)
    )
    const drivers = new Set(CATALOGUE.map(({ id }) => id))
    assert.deepEqual(
      index.filter(({ id }) => drivers.has(id)),
      []
    )
    const count = (does: (row: (typeof index)[number]) => boolean) => index.filter(does).length
    const streams = index.reduce((sum, { readable }) => sum + readable, 0)
    const table = [
      ['entries', index.length],
      ['with the sources of drivers', index.length + drivers.size],
      ['can be tested', count(({ supports }) => supports.check)],
      ['can be discovered', count(({ supports }) => supports.discover)],
      ['can be read', count(({ supports }) => supports.read)],
      ['go on where they ended', count(({ supports }) => supports.incremental)],
      ['streams that can be read', streams]
    ] as const
    for (const [what, number] of table) say(`${String(number).padStart(5)}  ${what}`)
    for (const line of reasons()) say(line)
    assert.ok(index.length + drivers.size >= 550)
    assert.ok(count(({ supports }) => supports.check) >= 500)
    assert.ok(count(({ supports }) => supports.read) >= 450)
    assert.ok(streams >= 4500)
  })

  it('have a valid schema each, which takes a configuration made from it, and a test that can be sent', () => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true })
    ajvFormats.default(ajv)
    for (const word of ['x-group', 'x-multiline']) ajv.addKeyword(word)
    for (const entry of ENTRIES) {
      const schema = settingsSchema(entry)
      assert.ok(ajv.validateSchema(schema), `${entry.id}: ${ajv.errorsText()}`)
      const config = configFor(schema)
      // To compile a schema takes far longer than all else; those alike are compiled once.
      const validate = compiled(ajv, schema)
      assert.ok(validate(config), `${entry.id}: ${ajv.errorsText(validate.errors)}`)
      if (entry.check !== undefined) assert.deepEqual(unfilled(entry, config), [], entry.id)
      for (const [name, { secret }] of Object.entries(entry.settings))
        assert.equal(schema.properties[name]?.writeOnly, secret, `${entry.id} ${name}`)
    }
  })

  it('have titles that people understand: words, and nothing that only a program says', () => {
    const odd = [
      [/_| \d$|^X |\btitle\b/, 'a name of a program'],
      [/\b(env|img|lang|lat|lon|org|uri|uuid|val|q)\b/i, 'a short form'],
      [/\b(?!(?:android|avoid|grid|paid|plaid|valid)\b)[a-z]{2,}id\b|[a-z]{4,}(by|size|than|prefix)\b/i, 'words in one']
    ] as const
    const found = ENTRIES.flatMap((entry) =>
      Object.entries(settingsSchema(entry).properties).flatMap(([name, { title }]) =>
        odd.flatMap(([pattern, what]) =>
          pattern.test(title.replaceAll(/\bURI\b|\bUUID\b|\b[GU]U?ID\b/g, ''))
            ? [`${entry.id} ${name}: ${title} (${what})`]
            : []
        )
      )
    )
    assert.deepEqual(found, [])
    // The secret of an app goes with the app; alone it is something else, and is called so.
    const alone = ENTRIES.filter(({ settings }) => {
      const names = Object.keys(settings)
      return settings.client_secret?.title === undefined && names.includes('client_secret') && !names.some(isClient)
    })
    assert.deepEqual(
      alone.map(({ id }) => id),
      []
    )
  })

  it('have titles of their own within an entry', () => {
    for (const entry of ENTRIES) {
      const titles = Object.values(settingsSchema(entry).properties).map(({ title }) => title)
      assert.equal(new Set(titles).size, titles.length, `${entry.id}: ${titles.join(', ')}`)
    }
  })

  it('ask Google for permission that lasts while nobody is there', () => {
    const addresses = ENTRIES.flatMap(({ authentication }) => [...templatesOfSignIn(authentication)])
      .map(({ template }) => template)
      .filter((template) => template.startsWith('https://accounts.google.com/'))
    assert.ok(addresses.length > 0)
    for (const address of addresses) {
      const { searchParams } = new URL(address)
      assert.deepEqual([searchParams.get('access_type'), searchParams.get('prompt')], ['offline', 'consent'])
    }
  })

  it('are loaded by their id, and by nothing else', async () => {
    const [first] = ENTRIES
    assert.deepEqual(await loadEntry(first?.id ?? ''), first)
    for (const id of ['nothing', '../../package', 'index', '', 'stripe.yaml'])
      assert.equal(await loadEntry(id), undefined)
  })
})

const isClient = (name: string) => /^(client|app|application)_?id/i.test(name)

const validators = new Map<string, ReturnType<Ajv2020['compile']>>()

function compiled(ajv: Ajv2020, { title: _, ...schema }: JsonSchema) {
  const key = JSON.stringify(schema)
  const validate = validators.get(key) ?? ajv.compile(schema)
  validators.set(key, validate)
  return validate
}

/** Why streams can't be read and sources can't be tested, with how many there are. */
function reasons(): string[] {
  const counts = new Map<string, number>()
  for (const entry of ENTRIES) {
    if (entry.check === undefined) count(counts, `source without a test: ${entry.id}`)
    for (const name of Object.keys(entry.streams)) {
      const stream = streamOf(entry, name)
      if (stream !== undefined && !isReadable(stream))
        count(
          counts,
          `streams can't be read: ${stream.unreadable?.replace(/of \S+, which/, 'of another, which').replace(/:.*/, '')}`
        )
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([reason, number]) => `${String(number).padStart(5)}  ${reason}`)
}

const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
