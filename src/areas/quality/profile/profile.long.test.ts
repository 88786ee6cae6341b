import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import type { ColumnProfile, Profile } from './schema.ts'

const dataset = 'object://lake/people.csv'
const PEOPLE = `id,name,age,joined,mail
1,Ada,36,2026-01-01T00:00:00Z,ada@example.org
2,Bo,,2026-01-02T00:00:00Z,bo@example.org
3,Cy,-4,2026-01-03T00:00:00Z,not a mail
4,${'x'.repeat(5000)},200,2026-01-04T00:00:00Z,
`

describe('POST /api/quality/profile', () => {
  let world: QualityWorld
  before(async () => {
    world = await QualityWorld.start()
    await world.put('people.csv', PEOPLE)
    await world.put('odd.ndjson', '{"l": [1, 2], "s": {"a": 1}, "n": 1}\n{"l": [], "s": {"a": 2}, "n": null}\n')
  })
  after(() => world.close())

  async function profile(body: object): Promise<Profile & { by: Record<string, ColumnProfile> }> {
    const { status, body: answer, text } = await world.post('profile', body)
    assert.equal(status, 200, text)
    return { ...answer, by: Object.fromEntries(answer.columns.map((column: ColumnProfile) => [column.name, column])) }
  }

  it('tells what each column looks like', async () => {
    const { rows, columns, by, suggestions } = await profile({ dataset })
    assert.deepEqual(
      [rows, columns.map(({ name }) => name), suggestions],
      [4, ['id', 'name', 'age', 'joined', 'mail'], undefined]
    )
    const { count, nulls, distinct, min, max, mean, drawn } = by.age as ColumnProfile
    assert.deepEqual([count, nulls, distinct, min, max], [3, 1, { count: 3, exact: true }, -4, 200])
    assert.equal(Math.round(Number(mean) * 1000), 77_333)
    assert.deepEqual(drawn, { values: 3, exact: true, error: 0 })
    assert.deepEqual([by.name?.lengths?.max, String(by.name?.max).length], [5000, 200])
    assert.deepEqual([by.joined?.type, by.joined?.max], ['TIMESTAMP WITH TIME ZONE', '2026-01-04T00:00:00.000Z'])
    assert.deepEqual(by.mail?.patterns.map(({ pattern }) => pattern).sort(), [
      'aa@aaaaaaa.aaa',
      'aaa a aaaa',
      'aaa@aaaaaaa.aaa'
    ])
  })

  it('looks at the columns and rows that it is asked for', async () => {
    const { rows, columns } = await profile({ dataset, columns: ['AGE', 'id'], where: "name <> 'Bo'" })
    assert.deepEqual([rows, columns.map(({ name }) => name)], [3, ['id', 'age']])
    const { rows: all, columns: sampled } = await profile({ dataset, sample: 100 })
    assert.deepEqual([all, sampled[0]?.drawn?.exact], [4, false])
  })

  it('has counts of nested values, and all of those beside them', async () => {
    const { by } = await profile({ dataset: 'object://lake/odd.ndjson' })
    assert.deepEqual([by.l?.count, by.l?.min, by.l?.drawn, by.s?.problem], [2, null, null, null])
    assert.deepEqual([by.n?.count, by.n?.nulls, by.n?.max], [1, 1, 1])
  })

  it('says what is wrong with what it was asked', async () => {
    const faults: [object, string, RegExp][] = [
      [{ dataset: 'people.csv' }, '/dataset', /must start with/],
      [{ dataset, columns: ['id', 'nam'] }, '/columns/1', /no column nam; there is name/],
      [{ dataset, where: 'true) OR (false' }, '/where', /one condition/],
      [{ dataset, where: 'nobody = 1' }, '/where', /nobody/],
      [{ dataset, where: "getenv('HOME') = 'x'" }, '/where', /getenv/],
      [{ dataset, sample: 0 }, '/sample', /./]
    ]
    for (const [body, pointer, message] of faults) {
      const answer = await world.post('profile', body)
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.pointer], [400, pointer], JSON.stringify(answer.body))
      assert.match(answer.body.errors[0].message, message)
    }
    const gone = await world.post('profile', { dataset: 'object://lake/gone.csv' })
    assert.deepEqual([gone.status, gone.body.cause], [422, 'nothing_matches'])
    const broken = await world.post('profile', { dataset, where: 'name::DATE IS NULL' })
    assert.deepEqual([broken.status, broken.body.cause], [422, 'sql_error'])
    const viewer = await world.test.call('POST', '/api/quality/profile', { as: 'viewer', body: { dataset } })
    assert.equal(viewer.status, 403)
  })
})
