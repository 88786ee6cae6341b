import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

const dataset = 'object://lake/people.csv'
const PEOPLE = `id,name,age,joined,mail
1,Ada,36,2026-01-01T00:00:00Z,ada@example.org
2,Bo,,2026-01-02T00:00:00Z,bo@example.org
3,Cy,-4,2026-01-03T00:00:00Z,not a mail
3,${'x'.repeat(5000)},200,2026-01-04T00:00:00Z,
`

// biome-ignore lint/suspicious/noExplicitAny: answers
type Result = any

describe('an evaluation', () => {
  let world: QualityWorld
  const ids = new Map<string, string>()
  before(async () => {
    world = await QualityWorld.start()
    const schema = {
      type: 'object',
      required: ['id', 'city'],
      properties: { id: { type: 'integer' }, age: { type: 'string' } }
    }
    const { body } = await world.test.call('POST', '/api/schemas', {
      as: 'editor',
      body: { name: 'people', type: 'json', schema: JSON.stringify(schema) }
    })
    const rules: [string, object][] = [
      ['notNull', { type: 'notNull', config: { column: 'age' } }],
      ['unique', { type: 'unique', config: { columns: ['id'] }, warnThreshold: 1 }],
      ['range', { type: 'range', config: { column: 'age', min: 0, max: 120 }, failThreshold: '70%' }],
      [
        'referential',
        { type: 'referential', config: { column: 'id', to: { dataset: 'object://lake/known.csv', column: 'id' } } }
      ],
      ['schemaMatches', { type: 'schemaMatches', config: { schemaId: body.id } }],
      ['sql', { type: 'sql', config: { query: 'SELECT name AS who FROM dataset WHERE age > 100' } }],
      // It is whole, and fails only when it meets a value.
      ['broken', { type: 'sql', config: { query: 'SELECT * FROM dataset WHERE name::DATE > DATE $$2026-01-01$$' } }]
    ]
    for (const [name, rule] of rules) ids.set(name, await world.make({ name, dataset, ...rule }))
    await world.put('people.csv', PEOPLE)
    await world.put('known.csv', 'id\n1\n2\n')
  })
  after(() => world.close())

  const byName = (results: readonly Result[]): Record<string, Result> =>
    Object.fromEntries(results.map((result) => [result.ruleName, result]))

  it('asks all rules of a dataset, and one that is broken spoils none of the others', async () => {
    const { results, id } = await world.evaluate({ dataset })
    const found = byName(results)
    const shown = Object.fromEntries(
      Object.entries(found).map(([name, { status, measured, rowsChecked, rowsFailed }]) => [
        name,
        [status, measured, rowsChecked, rowsFailed]
      ])
    )
    assert.deepEqual(shown, {
      notNull: ['failed', 1, 4, 1],
      unique: ['warned', 2, 4, 2],
      range: ['passed', 200 / 3, 3, 2],
      referential: ['failed', 2, 4, 2],
      schemaMatches: ['failed', 2, 0, 0],
      broken: ['error', null, 0, 0],
      sql: ['failed', 1, 4, 1]
    })
    assert.match(found.broken.reason.message, /Ada|date/i)
    assert.equal(
      found.schemaMatches.reason.message,
      'city is required and not there; age is BIGINT where the schema says string.'
    )
    assert.deepEqual(
      found.unique.sample.map((row: Result) => [row.id, row.name.length]),
      [
        [3, 2],
        [3, 200]
      ]
    )
    assert.deepEqual(found.sql.sample, [{ who: 'x'.repeat(200) }])
    assert.deepEqual(found.referential.failingRowsQuery.relations, { dataset, other: 'object://lake/known.csv' })
    const { results: listed, total } = await world.get(`results?evaluationId=${id}&status=failed&limit=3`)
    assert.deepEqual([listed.length, total], [3, 4])
    const rule = await world.get(`rules/${ids.get('unique')}`)
    assert.deepEqual([rule.status, rule.statusSince], ['warned', found.unique.evaluatedAt])
    const audited = await world.test.call('GET', '/api/audit/logs?action=quality.evaluate', { as: 'admin' })
    assert.equal(audited.body.logs[0].resourceId, id)
  })

  it('masks what is confidential, in samples and in what errors say', async () => {
    const level = { resource: dataset, level: 'confidential', columns: ['name'] }
    await world.test.call('POST', '/api/classification/resources', { as: 'editor', body: level })
    const ruleIds = ['notNull', 'broken', 'sql'].map((name) => ids.get(name))
    const found = byName((await world.evaluate({ dataset, ruleIds })).results)
    const [row] = found.notNull.sample
    assert.deepEqual([row.name, row.mail], ['********', 'bo@example.org'])
    assert.deepEqual([found.sql.rowsFailed, found.sql.sample], [1, []])
    assert.match(found.broken.reason.message, /not shown, because the data are confidential/)
    const rows = await world.test.platform.metadata.db
      .selectFrom('quality_results')
      .select('outcome')
      .where('evaluation_id', '=', found.sql.evaluationId)
      .execute()
    assert.doesNotMatch(JSON.stringify(rows), /"Bo"|Ada|Cy/)
  })

  it('needs a rule of that dataset', async () => {
    const none = await world.post('evaluate', { dataset: 'object://lake/other.csv' })
    assert.deepEqual([none.status, none.body.code], [422, 'nothing_to_evaluate'])
    const stranger = await world.post('evaluate', { dataset: 'object://lake/other.csv', ruleIds: [ids.get('unique')] })
    assert.deepEqual([stranger.status, stranger.body.errors[0].pointer], [400, '/ruleIds/0'])
  })
})
