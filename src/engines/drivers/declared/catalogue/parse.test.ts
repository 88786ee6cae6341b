// Once: no database.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Entry, StreamEntry } from '../entry.ts'
import { ENTRY_FORM } from '../form.ts'
import { hostParts, patternOf } from './address-parts.ts'
import { EntryError, parseEntry } from './parse.ts'
import { scopeOf, settingsSchema } from './settings.ts'
import { titleOf } from './words.ts'

const STREAM: Required<Omit<StreamEntry, 'form' | 'unreadable'>> = {
  path: '/orders',
  base: 'https://orders.example.com',
  method: 'POST',
  query: { state: 'open' },
  headers: { 'X-Account': '{account}' },
  body: { from: '{slice.start}', at: '{page}' },
  records: 'data.orders',
  paging: { kind: 'offset', param: 'page', in: 'template', start: 1, size: 50, sizeParam: 'count' },
  key: ['shop', 'number'],
  cursor: {
    ...{ field: 'changed', format: '%s', start: 'start_date', step: 'P30D', back: 'PT1H' },
    since: { param: 'from', in: 'body', format: '%Y-%m-%d' },
    until: { param: 'to', in: 'body', format: '%Y-%m-%d' }
  },
  each: { values: ['open', 'closed'], as: 'state' },
  columns: { number: 'text' },
  uncertain: 'where the next page is told'
}

/** Says all that an entry can say; the compiler holds it against `entry.ts`, the tests against the form. */
const FULL: Required<Entry> = {
  ...{ id: 'corner-shop', name: 'Corner Shop', category: 'commerce', documentation: 'https://example.com/docs' },
  hint: 'Ask the owner for a key.',
  settings: {
    way: { type: 'string', title: 'Way', description: 'How to sign in', choices: ['key', 'login'], default: 'key' },
    api_key: { secret: true, when: { setting: 'way', is: ['key'] } },
    password: { secret: true, optional: true, when: { setting: 'way', is: ['login'] } },
    account: { example: '42', pattern: '^[0-9]+$' },
    shops: { type: 'list', optional: true },
    start_date: { type: 'date-time', optional: true }
  },
  authentication: {
    kind: 'choice',
    setting: 'way',
    options: {
      key: { kind: 'key', in: 'header', name: 'X-Key', value: '{api_key}' },
      login: { kind: 'basic', user: '{account}', password: '{password}' }
    }
  },
  base: 'https://api.example.com/v1',
  headers: { Accept: 'application/json' },
  rate: { requests: 10, seconds: 1 },
  check: 'shops',
  usual: { key: 'id', records: 'data' },
  streams: {
    shops: { path: '/shops' },
    orders: STREAM,
    items: { path: '/orders/{parent.number}/items', each: { stream: 'orders', as: { number: 'id' } } },
    stock: { path: '/stock/{parent.shop}', form: { day: 'today' }, each: { setting: 'shops', as: 'shop' } },
    secrets: { unreadable: 'nobody may' }
  }
}

/** Where an entry is at fault once something in it, told by its pointer, is something else. */
function faultsWith(pointer: string, value: unknown): string[] {
  const entry: object = structuredClone(FULL)
  const path = pointer.split('/').slice(1)
  const last = path.pop() as string
  let place = entry as Record<string, unknown>
  for (const name of path) place = place[name] as Record<string, unknown>
  place[last] = value
  try {
    parseEntry(entry)
    return []
  } catch (error) {
    assert.ok(error instanceof EntryError)
    return error.faults.map((fault) => fault.pointer)
  }
}

describe('an entry', () => {
  it('can say all that its type has, as an object, YAML or JSON', () => {
    assert.deepEqual(parseEntry(FULL), FULL)
    assert.deepEqual(parseEntry(JSON.stringify(FULL)), FULL)
    assert.deepEqual(Object.keys(ENTRY_FORM.properties).sort(), Object.keys(FULL).sort())
    const told = [...Object.keys(STREAM), 'form', 'unreadable'].sort()
    assert.deepEqual(
      Object.keys((ENTRY_FORM.properties as { usual: { properties: object } }).usual.properties).sort(),
      told
    )
  })

  it('is refused with every place that is wrong', () => {
    const wrong: readonly (readonly [string, unknown, string?])[] = [
      ['/id', 'Corner Shop'],
      ['/colour', 'red'],
      ['/base', 'https://api.{account}'],
      ['/base', 'https://{password}/', '/base'],
      ['/settings/account/when', { setting: 'start_date', is: ['x'] }, '/settings/account/when/setting'],
      ['/settings/way/default', 'post'],
      ['/settings/shops/default', 'x'],
      ['/authentication/options/login/user', '{nobody}'],
      ['/authentication/options/post', { kind: 'none' }],
      ['/authentication/kind', 'magic'],
      ['/headers/Accept', '{account|reverse}'],
      ['/check', 'items'],
      ['/check', 'nothing'],
      ['/check', 'secrets'],
      ['/streams/shops/path', '/{parent.id}'],
      ['/streams/shops/path', '/{slice.start}'],
      ['/streams/shops/colour', 'red'],
      ['/streams/shops/path', undefined, '/streams/shops'],
      ['/streams/items/each/stream', 'items'],
      ['/streams/items/each/stream', 'secrets'],
      ['/streams/stock/each/setting', 'account'],
      ['/streams/stock/body', {}, '/streams/stock'],
      ['/streams/orders/cursor/start', 'never'],
      ['/streams/orders/cursor/step', 'a month'],
      ['/streams/orders/paging/next', 'answer.next']
    ]
    for (const [pointer, value, at = pointer] of wrong) {
      const faults = faultsWith(pointer, value)
      assert.ok(faults.includes(at), `${pointer} as ${JSON.stringify(value)}: ${faults.join(' ')}`)
    }
    assert.throws(() => parseEntry('id: ['), EntryError)
    assert.throws(() => parseEntry('a: &a [*a]'), EntryError)
    assert.throws(() => parseEntry(' '.repeat(1_000_000)), EntryError)
  })

  it('is either taken or refused with reasons, whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(FULL), 'x'), fc.jsonValue(), (name, value) => {
        const given = { ...FULL, [name]: value }
        try {
          parseEntry(given)
        } catch (error) {
          assert.ok(error instanceof EntryError && error.faults.length > 0, String(error))
        }
      })
    )
    fc.assert(fc.property(fc.string(), (text) => void assert.throws(() => parseEntry(text), EntryError)))
  })
})

describe('the settings of an entry', () => {
  it('are needed where another one has a value, or has it unless said', () => {
    const { required, allOf, properties } = settingsSchema(FULL)
    assert.deepEqual(required, ['account'])
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    assert.deepEqual(allOf, [{ if: { properties: { way: { enum: ['key'] } } }, then: { required: ['api_key'] } }])
    assert.deepEqual(
      Object.entries(properties).map(([name, field]) => [name, field['x-group'], field.writeOnly]),
      [
        ['way', 'sign-in', undefined],
        ['api_key', 'sign-in', true],
        ['password', 'sign-in', true],
        ['account', 'sign-in', undefined],
        ['shops', 'reading', undefined],
        ['start_date', 'reading', undefined]
      ]
    )
    assert.deepEqual(scopeOf(FULL, { account: '42', strange: 1 }), { way: 'key', account: '42' })
    assert.deepEqual(['api_key', 'clientId', 'X-Api-Key', 'start_date', 'apikey'].map(titleOf), [
      'API key',
      'Client ID',
      'API key',
      'Start date',
      'API key'
    ])
  })

  it('never become another host', () => {
    const parts = (address: string) => {
      const found = hostParts(address)
      return typeof found === 'string' ? 'none' : Object.fromEntries(found)
    }
    assert.deepEqual(parts('https://{shop}.example.com/x'), { shop: 'label' })
    assert.deepEqual(parts('https://{shop}/x'), { shop: 'host' })
    assert.deepEqual(parts('{shop}/x'), { shop: 'address' })
    assert.deepEqual(parts('https://api.example.com/{shop}'), {})
    assert.equal(parts('ftp://{shop}'), 'none')
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a1-./:@?#%\\\n é') }), (value) => {
        if (!new RegExp(patternOf('label'), 'u').test(value)) return
        assert.equal(new URL(`https://${value}.example.com/x`).hostname, `${value.toLowerCase()}.example.com`)
      })
    )
  })
})
