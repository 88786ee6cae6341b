import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { data_, job_, LineageWorld, mapping } from '../../../../test/support/lineage-world.ts'
import { nodeKey } from '../references.ts'
import type { ColumnMapping, Sighting } from '../sighting.ts'

const T = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const at = (reference: string) => encodeURIComponent(reference)

interface Side {
  readonly id: string
  readonly column: string | null
}
const short = ({ id, column }: Side) => `${id.replace(data_(''), '')}.${column ?? '*'}`
// biome-ignore lint/suspicious/noExplicitAny: answers
const columnsOf = (answer: any): string[] => answer.columns.map(short).sort()

describe('columns', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
    await run('load', T, mapping('crm.mail -> raw.mail'), mapping('crm.name -> raw.name'))
    await run('tidy', T, mapping('raw.mail -> clean.mail', 'masked'), mapping('raw.name -> clean.who', 'computed'))
    await run('leak', T, mapping('raw.mail -> debug.text', 'computed'))
    await run('report', T, mapping('clean.mail -> page.mail'), mapping('clean.who -> page', 'filtered'))
    await run('count', T, mapping('page -> total.rows', 'computed'))
  })
  after(() => world.close())

  let runs = 0
  function run(job: string, timeMs: number, ...columns: ColumnMapping[]): Promise<void> {
    const references = (side: 'from' | 'to') =>
      [...new Set(columns.map((one) => one[side].reference))].map((reference) => ({ reference }))
    const sighting: Sighting = {
      job: { reference: job_(job) },
      run: { id: `r${++runs}`, state: 'completed', timeMs, isWhole: true },
      inputs: references('from'),
      outputs: references('to'),
      columns,
      provenance: { how: 'captured', who: 'test' }
    }
    return world.saw(sighting)
  }

  const ask = (root: string, column: string, rest = '') =>
    world.get(`columns?root=${at(data_(root))}&column=${column}${rest}`)

  it('goes where values go, with how far, and whether a mask is on every way', async () => {
    const answer = await ask('crm', 'mail', '&direction=downstream')
    const found = answer.columns.map((one: Side & { distance: number; masked: boolean }) => [
      short(one),
      one.distance,
      one.masked
    ])
    assert.deepEqual(
      found.map(([, distance]: [string, number]) => distance),
      [0, 1, 2, 2, 3, 4]
    )
    assert.deepEqual(found.sort(), [
      ['clean.mail', 2, true],
      ['crm.mail', 0, false],
      ['debug.text', 2, false],
      ['page.mail', 3, true],
      ['raw.mail', 1, false],
      ['total.rows', 4, true]
    ])
    const edge = answer.edges.find((one: { to: Side }) => short(one.to) === 'clean.mail')
    assert.deepEqual([short(edge.from), edge.kind, edge.job], ['raw.mail', 'masked', job_('tidy')])
    assert.deepEqual([edge.provenance[0].who, edge.endedAt], ['test', null])
    assert.deepEqual([answer.truncated, answer.nextCursor], [false, null])
  })

  it('goes where they come from, and both ways, as far as is asked', async () => {
    assert.deepEqual(columnsOf(await ask('page', 'mail', '&direction=upstream')), [
      'clean.mail',
      'crm.mail',
      'page.mail',
      'raw.mail'
    ])
    assert.deepEqual(columnsOf(await ask('clean', 'mail', '&depth=1')), ['clean.mail', 'page.mail', 'raw.mail'])
  })

  it('shows what decides about rows where it is asked for', async () => {
    assert.deepEqual(columnsOf(await ask('clean', 'who', '&direction=downstream')), ['clean.who'])
    const influenced = await ask('clean', 'who', '&direction=downstream&influences=true')
    assert.deepEqual(columnsOf(influenced), ['clean.who', 'page.*', 'total.rows'])
    const upstream = await ask('page', 'mail', '&direction=upstream&influences=true')
    assert.ok(columnsOf(upstream).includes('clean.who'))
  })

  it('is not masked where one way has no mask, however long', async () => {
    await run('second', T, mapping('debug.text -> copy.text'))
    await run('third', T, mapping('copy.text -> clean.mail'))
    const answer = await ask('raw', 'mail', '&direction=downstream&depth=1')
    const clean = answer.columns.find((one: Side) => short(one) === 'clean.mail')
    assert.deepEqual([clean.distance, clean.masked], [1, false])
    await run('third', T + DAY, mapping('other.text -> clean.mail'))
    const later = (await ask('raw', 'mail', '&direction=downstream')).columns
    assert.equal(later.find((one: Side) => short(one) === 'clean.mail').masked, true)
    const before = (await ask('raw', 'mail', '&direction=downstream&asOf=2026-01-01')).columns
    assert.equal(before.find((one: Side) => short(one) === 'clean.mail').masked, false)
  })

  it('goes along other names of the same data', async () => {
    await run('source', T, mapping('old.x -> middle.x'), mapping('new.x -> last.x'))
    await world.test.platform.metadata.transaction(async (tx) => {
      const ends = { from_node: nodeKey(data_('middle')), to_node: nodeKey(data_('new')) }
      const row = { ...ends, how: 'manual', started_ms: T, ended_ms: null, job: '', type: 'renamed' } as const
      await tx
        .insertInto('lineage_edges')
        .values({ ...row, seen_ms: null, runs: 0 })
        .execute()
    })
    const answer = await ask('old', 'x', '&direction=downstream')
    assert.deepEqual(columnsOf(answer), ['last.x', 'middle.x', 'new.x', 'old.x'])
    const edge = answer.edges.find((one: { from: Side }) => short(one.from) === 'middle.x')
    assert.deepEqual([short(edge.to), edge.kind, edge.job], ['new.x', 'identity', null])
  })

  it('comes in parts that make the whole', async () => {
    const whole = await ask('crm', 'mail', '&direction=downstream')
    const parts: { columns: string[]; edges: string[] } = { columns: [], edges: [] }
    const name = (edge: { from: Side; to: Side }) => `${short(edge.from)} ${short(edge.to)}`
    let cursor: string | null = ''
    for (let n = 0; cursor !== null; n++) {
      assert.ok(n < 50)
      const part = await ask('crm', 'mail', `&direction=downstream&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      parts.columns.push(...columnsOf(part))
      parts.edges.push(...part.edges.map(name))
      assert.equal(part.truncated, part.nextCursor !== null)
      cursor = part.nextCursor
    }
    assert.deepEqual(parts.columns.sort(), columnsOf(whole))
    assert.deepEqual(parts.edges.sort(), whole.edges.map(name).sort())
  })

  it('are on the edges of a graph where they are asked for, and say what is left out', async () => {
    const answer = await world.get(`downstream/${at(data_('raw'))}?depth=2&columns=true`)
    const into = (name: string) =>
      answer.edges.find((edge: { to: string; type: string }) => edge.to === data_(name) && edge.type === 'writes')
    assert.deepEqual(into('debug').columns, [
      { from: { id: data_('raw'), column: 'mail' }, column: 'text', kind: 'computed' }
    ])
    assert.equal(into('debug').columnsLeftOut, 0)
    const reads = answer.edges.find((edge: { type: string }) => edge.type === 'reads')
    assert.ok(!('columns' in reads))
    const many = Array.from({ length: 1100 }, (_, n) => mapping(`wide.c${n} -> wider.c${n}`))
    await run('broad', T, ...many)
    const broad = await world.get(`graph?root=${at(data_('wider'))}&columns=true&direction=upstream`)
    const edge = broad.edges.find((one: { type: string }) => one.type === 'writes')
    assert.deepEqual([edge.columns.length, edge.columnsLeftOut], [1000, 100])
    const past = await world.get(`downstream/${at(data_('clean'))}?types=dataset&columns=true`)
    const toPage = past.edges.find((one: { to: string }) => one.to === data_('page'))
    assert.deepEqual(toPage.columns.length, 2)
  })

  it('have a way from one to the other, or none', async () => {
    const path = (from: string, to: string) => {
      const [[a, x], [b, y]] = [from, to].map((side) => side.split('.')) as [string[], string[]]
      const ends = `from=${at(data_(a as string))}&to=${at(data_(b as string))}`
      return world.get(`path?${ends}${x ? `&fromColumn=${x}` : ''}${y ? `&toColumn=${y}` : ''}`)
    }
    const way = await path('crm.mail', 'page.mail')
    assert.deepEqual(
      way.columns.map((edge: { from: Side; to: Side }) => `${short(edge.from)} ${short(edge.to)}`),
      ['crm.mail raw.mail', 'raw.mail clean.mail', 'clean.mail page.mail']
    )
    assert.deepEqual(
      way.nodes.map(({ id }: { id: string }) => id.replace(/^\w+:\/\/test\//, '')),
      ['crm', 'load', 'raw', 'tidy', 'clean', 'report', 'page']
    )
    assert.equal((await path('crm.name', 'page.mail')).found, false)
    assert.equal((await path('crm.', 'clean.who')).columns.length, 2)
    assert.equal((await path('raw.mail', 'raw.mail')).found, true)
  })

  it('says what is not known', async () => {
    const unknown = await world.test.call('GET', `/api/lineage/columns?root=${at(data_('nobody'))}&column=x`, {
      as: 'viewer'
    })
    assert.equal(unknown.status, 404)
    assert.deepEqual(columnsOf(await ask('crm', 'nothing')), ['crm.nothing'])
  })

  it('that data does not have are refused, with the one that may have been meant', async () => {
    const columns = [{ name: 'city' }, { name: 'height' }]
    const reads = { inputs: [{ reference: data_('plants'), columns }], outputs: [{ reference: data_('list') }] }
    const seen: Sighting = {
      job: { reference: job_('list') },
      run: { id: 'first', state: 'completed', timeMs: T, isWhole: true },
      ...reads,
      columns: [mapping('plants.city -> list.city'), mapping('plants.once -> list.once')],
      provenance: { how: 'captured', who: 'test' }
    }
    await world.saw(seen)
    const root = at(data_('plants'))
    const list = at(data_('list'))
    for (const path of [
      `columns?root=${root}&column=cty`,
      `impact/${root}?column=cty`,
      `path?from=${root}&to=${list}&fromColumn=cty`
    ]) {
      const { status, body } = await world.test.call('GET', `/api/lineage/${path}`, { as: 'viewer' })
      assert.deepEqual([status, body.code], [404, 'not_found'], path)
      assert.equal(body.detail, `${data_('plants')} has no column "cty". "city" is one.`)
    }
    const far = await world.test.call('GET', `/api/lineage/columns?root=${root}&column=zzzzzz`, { as: 'viewer' })
    assert.match(far.body.detail, /lineage\/nodes\/:id/)
    assert.deepEqual(columnsOf(await ask('plants', 'city')), ['list.city', 'plants.city'])
    assert.deepEqual(columnsOf(await ask('plants', 'once')), ['list.once', 'plants.once'])
    assert.deepEqual(columnsOf(await ask('list', 'any')), ['list.any'])
  })
})
