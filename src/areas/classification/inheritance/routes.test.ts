import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { hasRows } from '../../../engines/metadata/index.ts'
import type { ColumnMapping } from '../../lineage/index.ts'

const [RAW, TIDY, WIDE] = ['raw.csv', 'tidy.csv', 'wide/*'].map((key) => `object://lake/${key}`) as [
  string,
  string,
  string
]

const mapped = (from: string, column: string, to: string): ColumnMapping => ({
  from: { reference: from, column },
  to: { reference: to, column },
  kind: 'identity'
})

describe('the API of inherited levels', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    const told = (job: string, from: string, to: string, columns: ColumnMapping[]) =>
      world.saw({
        job: { reference: job },
        run: { id: 'r', state: 'completed', timeMs: Date.UTC(2026, 0, 1), isWhole: true },
        inputs: [{ reference: from }],
        outputs: [{ reference: to }],
        columns,
        provenance: { how: 'captured', who: 'test' }
      })
    await told('job://test/clean', RAW, TIDY, [mapped(RAW, 'email', TIDY), mapped(RAW, 'age', TIDY)])
    await told('job://test/widen', TIDY, WIDE, [mapped(TIDY, 'email', WIDE)])
  })
  after(() => world.close())

  const get = async (path: string) =>
    (await world.test.call('GET', `/api/classification/${path}`, { as: 'viewer' })).body
  const post = (path: string, body: unknown) =>
    world.test.call('POST', `/api/classification/${path}`, { as: 'editor', body })
  const effective = (reference: string) => get(`effective?resource=${encodeURIComponent(reference)}`)
  const followed = async () => {
    await eventually(async () => !(await hasRows(world.test.platform.metadata.db.selectFrom('classification_marks'))))
    assert.equal((await effective(RAW)).upToDate, true)
  }
  const label = async (level: string, columns: string[] = []) =>
    (await post('resources', { resource: RAW, level, columns })).body.id
  // biome-ignore lint/suspicious/noExplicitAny: answers
  const words = ({ resource, column, before, after }: any) => `${resource} ${column}: ${before} → ${after}`

  it('comes from data outside the platform too', async () => {
    const [people, copy] = ['dataset://snowflake/people', 'object://lake/copy.csv']
    await world.saw({
      job: { reference: 'job://test/copy' },
      run: { id: 'r', state: 'completed', timeMs: Date.UTC(2026, 0, 1), isWhole: true },
      inputs: [{ reference: people }],
      outputs: [{ reference: copy }],
      columns: [mapped(people, 'mail', copy)],
      provenance: { how: 'openlineage', who: 'test' }
    })
    const { status, body } = await post('resources', { resource: people, level: 'confidential', columns: ['mail'] })
    assert.deepEqual([status, body.warnings], [201, []])
    await followed()
    const found = await effective(copy)
    assert.deepEqual(
      found.columns.map(({ column, level, source }: Record<string, unknown>) => [column, level, source]),
      [['mail', 'confidential', 'inherited']]
    )
    assert.equal((await effective(people)).columns[0].source, 'given')
    await world.test.call('DELETE', `/api/classification/resources/${body.id}`, { as: 'admin' })
    await followed()
    assert.deepEqual((await effective(copy)).columns, [])
  })

  it('tells beforehand what a label would do, and changes nothing', async () => {
    const { status, body } = await post('preview', { resource: RAW, level: 'confidential', columns: ['email'] })
    assert.equal(status, 200)
    assert.deepEqual(body.changes.map(words), [
      `${TIDY} email: null → confidential`,
      `${WIDE} email: null → confidential`
    ])
    assert.equal(body.truncated, false)
    assert.deepEqual(
      body.changes[1].path.map(({ resource, kind, job }: Record<string, string>) => [resource, kind, job]),
      [
        [RAW, 'given', null],
        [TIDY, 'identity', 'job://test/clean'],
        [WIDE, 'identity', 'job://test/widen']
      ]
    )
    assert.equal((await get('inherited')).total, 0)
  })

  it('lists what is inherited, by resource, level and source', async () => {
    await label('confidential', ['email'])
    await label('internal')
    await followed()
    const { inherited, total } = await get('inherited')
    assert.deepEqual(
      inherited.map(({ resource, column, level }: Record<string, string>) => `${resource} ${column} ${level}`).sort(),
      [`${TIDY} age internal`, `${TIDY} email confidential`, `${WIDE} email confidential`]
    )
    assert.equal(total, 3)
    assert.equal((await get('inherited?level=internal')).total, 1)
    assert.equal((await get(`inherited?from=${encodeURIComponent(RAW)}`)).total, 3)
    assert.equal((await get(`inherited?resource=${encodeURIComponent(WIDE)}`)).total, 1)
    const first = await get('inherited?limit=2')
    const second = await get(`inherited?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([...first.inherited, ...second.inherited], inherited)
    assert.deepEqual(inherited[0].from, { resource: RAW, column: inherited[0].column === 'age' ? null : 'email' })
  })

  it('tells the levels that count, of given and inherited ones the strictest', async () => {
    const answer = await effective(TIDY)
    assert.deepEqual([answer.level, answer.source, answer.path], [null, null, []])
    assert.deepEqual(
      answer.columns.map(({ column, level, source, path }: Record<string, unknown[]>) => [
        column,
        level,
        source,
        path?.length
      ]),
      [
        ['age', 'internal', 'inherited', 2],
        ['email', 'confidential', 'inherited', 2]
      ]
    )
    await post('resources', { resource: TIDY, level: 'restricted', columns: ['age'] })
    await post('resources', { resource: TIDY, level: 'public' })
    const [age, email] = (await effective(TIDY)).columns
    assert.deepEqual([age.level, age.source, age.path], ['restricted', 'given', []])
    assert.deepEqual([email.level, email.source], ['confidential', 'inherited'])
    assert.equal((await effective(TIDY)).level, 'public')
  })

  it('tells the levels of a file that only a pattern names', async () => {
    const answer = await effective('object://lake/wide/part-1.parquet')
    assert.deepEqual(
      answer.columns.map(({ column, level }: Record<string, string>) => [column, level]),
      [['email', 'confidential']]
    )
    assert.equal(answer.columns[0].path.at(-1).kind, 'overlaps')
    assert.deepEqual((await effective('object://lake/other.csv')).columns, [])
  })

  it('shows in the impact of what it comes from', async () => {
    const { nodes } = await world.get(`impact/${encodeURIComponent(RAW)}`)
    const wide = nodes.find(({ id }: { id: string }) => id === WIDE)
    assert.deepEqual(wide.classification, { level: null, columns: [{ column: 'email', level: 'confidential' }] })
  })

  it('tells what would be undone, and undoes it', async () => {
    const { body } = await post('preview', { resource: RAW, level: null, columns: ['email'] })
    assert.deepEqual(body.changes.map(words), [
      `${TIDY} email: confidential → internal`,
      `${WIDE} email: confidential → internal`
    ])
    const { resources } = await get(`resources?resource=${encodeURIComponent(RAW)}`)
    for (const { id } of resources) {
      assert.equal(
        (await world.test.call('DELETE', `/api/classification/resources/${id}`, { as: 'editor' })).status,
        204
      )
    }
    await followed()
    assert.equal((await get(`inherited?from=${encodeURIComponent(RAW)}`)).total, 0)
  })

  it('follows another order of levels', async () => {
    await label('internal')
    await label('confidential', ['email'])
    const put = (rank: number) =>
      world.test.call('PUT', '/api/classification/levels/lvl_internal', { as: 'admin', body: { rank } })
    await put(35)
    await followed()
    const levelOf = async () => (await get(`inherited?resource=${encodeURIComponent(WIDE)}`)).inherited[0].level
    assert.equal(await levelOf(), 'internal')
    await put(20)
    await followed()
    assert.equal(await levelOf(), 'confidential')
  })

  it('refuses what is no data, and levels that are not there', async () => {
    const bad = await world.test.call('GET', '/api/classification/effective?resource=nothing', { as: 'viewer' })
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [400, '/query/resource'])
    const unknown = await post('preview', { resource: RAW, level: 'purple' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [400, '/level'])
    const dashboard = await post('preview', { resource: { type: 'dashboard', id: 'd' }, level: 'internal' })
    assert.deepEqual(dashboard.body, { changes: [], truncated: false })
  })
})
