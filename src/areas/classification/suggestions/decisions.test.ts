import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import type { Kind } from '../../../engines/detectors/index.ts'
import { tellChanges } from '../../../http/changes.ts'
import { LabelCache } from '../clearance/label-cache.ts'
import { Classification } from '../service.ts'
import { Feedback } from './feedback.ts'
import { Scans } from './scans.ts'

const path = '/api/classification/suggestions'
const evidence = {
  form: 'E-mail address',
  values: 9,
  matches: 9,
  broken: 0,
  name: 'for',
  examples: ['a@a.aa']
} as const

describe('what becomes of suggestions', () => {
  let test: TestApp
  const told: string[] = []

  before(async () => {
    test = await startTestApp()
    await test.call('GET', path, { as: 'viewer' })
    test.platform.bus.subscribe('classification-suggestion.*', ({ type, id }) => void told.push(`${type} ${id}`))
  })
  after(() => test.close())

  /** A look that found these kinds in these columns. */
  async function found(resource: string, columns: Record<string, Partial<Record<Kind, number>>>, rowsRead = 9) {
    const { metadata, clock, makeId, bus } = test.platform
    const scans = new Scans({ metadata, clock, makeId, plane: { query: () => assert.fail() } } as never)
    const sampled = {
      rowsRead,
      columnsLeftOut: 0,
      columns: Object.entries(columns).map(([name, kinds]) => ({
        name,
        suggestions: Object.entries(kinds).map(([kind, confidence]) => ({ kind: kind as Kind, confidence, evidence }))
      }))
    }
    const outcome = await metadata.transaction((tx) => scans.keep(tx, { resource, cause: 'hand' }, sampled))
    tellChanges(bus, outcome.changes)
    return outcome.answer
  }
  const decide = (id: string, what: string, body: object = {}) =>
    test.call('POST', `${path}/${id}/${what}`, { as: 'editor', body })
  const only = async (resource: string, column = 'email', kind: Kind = 'email') => {
    const { suggestions } = await found(resource, { [column]: { [kind]: 0.9 } })
    return suggestions[0]
  }

  it('what was accepted can be taken back, with the level that it gave', async () => {
    const resource = 'object://b/back.csv'
    const id = (await only(resource, 'mailbox'))?.id as string
    const levels = async () =>
      (await test.call('GET', `/api/classification/resources?resource=${resource}`, { as: 'editor' })).body.total
    await decide(id, 'accept')
    assert.equal(await levels(), 1)
    const { status, body } = await decide(id, 'reject', { note: 'Made up' })
    assert.deepEqual([status, body.status, await levels()], [200, 'rejected', 0])
    await decide(id, 'accept')
    const relabel = { resource, columns: ['mailbox'], level: 'public' }
    await test.call('POST', '/api/classification/resources', { as: 'editor', body: relabel })
    await decide(id, 'reject')
    assert.equal(await levels(), 1)
  })

  it('what was rejected is not suggested again for the same column', async () => {
    const resource = 'object://b/rejected.csv'
    const first = await found(resource, { note: { email: 0.9, phone: 0.8 } })
    assert.deepEqual(
      first.suggestions.map(({ kind, confidence, level }) => [kind, confidence, level]),
      [
        ['email', 0.9, 'confidential'],
        ['phone', 0.8, 'confidential']
      ]
    )
    const id = first.suggestions[0]?.id as string
    const { status, body } = await decide(id, 'reject', { note: 'Ours only' })
    assert.deepEqual([status, body.status, body.note], [200, 'rejected', 'Ours only'])
    assert.deepEqual(
      (await found(resource, { note: { email: 0.95, phone: 0.8 } })).suggestions.map(({ kind }) => kind),
      ['phone']
    )
    assert.equal((await decide(id, 'reject')).body.code, 'illegal_transition')
    assert.equal((await decide(id, 'accept')).body.status, 'accepted', 'after all')
    assert.ok(told.includes(`classification-suggestion.created ${id}`))
  })

  it('what is often rejected for a name is suggested with less confidence, and then no more', async () => {
    const confidenceOf = async (n: number) => (await only(`object://b/often-${n}.csv`, 'Batch_Mail'))?.confidence
    assert.equal(await confidenceOf(1), 0.9)
    for (const [n, left] of [
      [2, 0.6],
      [3, undefined]
    ] as const) {
      const resource = `object://b/often-${n - 1}.csv`
      const { body } = await test.call('GET', `${path}?resource=${resource}`, { as: 'viewer' })
      assert.equal((await decide(body.suggestions[0].id, 'reject')).status, 200)
      assert.equal(await confidenceOf(n), left)
    }
    assert.equal((await only('object://b/other-name.csv', 'mail'))?.confidence, 0.9)
    assert.equal((await only('object://b/other-kind.csv', 'batchMail', 'phone'))?.confidence, 0.9)
    assert.equal((await only('object://b/other-number.csv', 'batchMail2'))?.confidence, 0.9)
    assert.equal(await only('object://b/same-words.csv', 'batchMail'), undefined)
  })

  it('the rule of that is (accepted + 2) / (accepted + rejected + 2)', () => {
    const decisions = (accepted: number, rejected: number) => [
      { column_words: 'a b', kind: 'email' as const, status: 'accepted', decisions: accepted },
      { column_words: 'a b', kind: 'email' as const, status: 'rejected', decisions: rejected }
    ]
    const lowered = (accepted: number, rejected: number) =>
      new Feedback(decisions(accepted, rejected)).lowered(1, 'a b', 'email')
    assert.deepEqual([lowered(0, 0), lowered(0, 2), lowered(2, 4), lowered(9, 0)], [1, 0.5, 0.5, 1])
  })

  it('what is not found again is taken back, unless there was nothing to look at', async () => {
    const resource = 'object://b/gone.csv'
    const id = (await only(resource))?.id
    assert.equal((await found(resource, { email: {} }, 0)).withdrawn, 0)
    assert.equal((await found(resource, { email: {} })).withdrawn, 1)
    assert.equal((await test.call('GET', `${path}/${id}`, { as: 'viewer' })).status, 404)
    assert.ok(told.includes(`classification-suggestion.deleted ${id}`))
  })

  it('an open one is brought up to date, and keeps its id', async () => {
    const resource = 'object://b/same.csv'
    const first = await only(resource)
    assert.deepEqual(await only(resource), first)
    const { suggestions } = await found(resource, { email: { email: 0.7 } })
    assert.deepEqual(
      suggestions.map(({ id, confidence, version }) => [id, confidence, version]),
      [[first?.id, 0.7, 2]]
    )
  })

  it('accepting never lowers the level of a column by the way', async () => {
    const resource = 'object://b/strict.csv'
    const tag = (level: string) =>
      test.call('POST', '/api/classification/resources', {
        as: 'editor',
        body: { resource, level, columns: ['email'] }
      })
    await tag('restricted')
    const id = (await only(resource))?.id as string
    assert.equal((await decide(id, 'accept')).body.level, 'restricted')
    const other = (await only('object://b/chosen.csv'))?.id as string
    assert.equal((await decide(other, 'accept', { level: 'public' })).body.level, 'public')
    const bad = (await only('object://b/bad.csv'))?.id as string
    const refused = await decide(bad, 'accept', { level: 'no-such' })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [400, '/level'])
  })

  it('is decided once, when many decide together', async () => {
    const id = (await only('object://b/race.csv'))?.id as string
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id, 'reject')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  })

  it('is one row when many look at the same data together', async () => {
    const resource = 'object://b/together.csv'
    const all = await Promise.all(Array.from({ length: 6 }, () => only(resource)))
    assert.equal(new Set(all.map((one) => one?.id)).size, 1)
    const { scans } = (await test.call('GET', `/api/classification/scans?resource=${resource}`, { as: 'viewer' })).body
    assert.deepEqual([scans.length, scans[0].version], [1, 6])
  })

  it('kinds have levels that administrators change, which open suggestions follow', async () => {
    const kinds = '/api/classification/kinds'
    const { body } = await test.call('GET', kinds, { as: 'viewer' })
    assert.equal(body.kinds.length, 12)
    const put = (kind: string, change: object, as: 'admin' | 'editor' = 'admin') =>
      test.call('PUT', `${kinds}/${kind}`, { as, body: change })
    assert.equal((await put('iban', { level: 'public' }, 'editor')).status, 403)
    const open = (await only('object://b/iban.csv', 'konto', 'iban'))?.id
    const changed = await put('iban', { level: 'internal' })
    assert.deepEqual([changed.status, changed.body.level, changed.body.version], [200, 'internal', 2])
    assert.equal((await test.call('GET', `${path}/${open}`, { as: 'viewer' })).body.level, 'internal')
    assert.equal((await put('iban', { level: 'nope' })).body.errors[0].pointer, '/level')
    const { status, body: unknown } = await put('shoe-size', { enabled: false })
    assert.equal(status, 404)
    assert.match(unknown.detail, /there are email, phone, /)
    await put('iban', { enabled: false })
    assert.equal((await found('object://b/iban.csv', { konto: { iban: 0.9 } })).withdrawn, 1)
    const refused = await test.call('DELETE', '/api/classification/levels/lvl_internal', { as: 'admin' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'in_use'])
    assert.match(refused.body.detail, /suggested for iban, ip-address, mac-address/)
  })

  it('alert rules, metrics and the doctor know of those that are open', async () => {
    const { openSuggestions } = await import('./waiting.ts')
    const { checkSuggestions } = await import('./condition.ts')
    await only('object://b/alert.csv')
    const { happenings } = await openSuggestions(test.platform.metadata.db)
    assert.ok(happenings.some(({ resource, kind }) => resource === 'object://b/alert.csv' && kind === 'email'))
    const metrics = (await test.call('GET', '/metrics', { as: 'admin' })).text
    assert.match(metrics, /millrace_classification_suggestions\{status="open"\} [1-9]/)
    const [finding] = await checkSuggestions(test.platform as never)
    assert.match(JSON.stringify(finding), /suggestions are open/)
  })

  it('the doctor does not print what is said of data that not everybody may see, which may quote them', async () => {
    const { checkSuggestions } = await import('./condition.ts')
    const scans = new Scans(test.platform as never)
    const resource = 'object://b/unread.csv'
    const fault = { code: 'data_unreadable', message: 'The value canary is no number' } as const
    await test.platform.metadata.transaction((tx) => scans.keepFailure(tx, { resource, cause: 'hand' }, fault))
    const said = async () => JSON.stringify(await checkSuggestions(test.platform as never))
    assert.match(await said(), /unread\.csv \(The value canary/)
    const label = { resource, level: 'confidential', columns: [] }
    assert.equal((await test.call('POST', '/api/classification/resources', { as: 'admin', body: label })).status, 201)
    assert.match(await said(), /unread\.csv \(\*{8}\)/)
  })

  it('goes with the data, when they are deleted', async () => {
    const resource = 'pipeline://gone'
    const id = (await only(resource))?.id
    const { metadata, clock, makeId } = test.platform
    await metadata.transaction((tx) =>
      new Classification({ metadata, clock, makeId, cache: new LabelCache(test.platform) }).forget(tx, resource)
    )
    assert.equal((await test.call('GET', `${path}/${id}`, { as: 'viewer' })).status, 404)
  })
})
