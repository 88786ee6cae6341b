import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { data_, job_, LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { systemClock } from '../../../engines/clock.ts'
import type { Actor } from '../../../http/permissions.ts'
import { Claims } from '../claims/claims.ts'
import type { Sighting } from '../sighting.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { anySighting } from '../testing/sightings.ts'
import { pruneLineage } from '../upkeep/prune.ts'
import { Portable } from './service.ts'

const actor = { id: 'usr_test' } as Actor
const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 25 : 8

const portable = ({ metadata }: GraphDatabase) =>
  new Portable({
    metadata,
    clock: systemClock,
    makeId: () => 'lim_1',
    claims: new Claims(),
    requireEnds: async () => {},
    classification: async () => ({ above: async () => new Set(), maySeeAll: async () => false })
  })

async function fileOf(graph: GraphDatabase): Promise<string> {
  return (await Array.fromAsync(portable(graph).export())).join('')
}

/** In small pieces, which end within lines and letters. */
async function* pieces(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

const take = async (graph: GraphDatabase, text: string) => (await portable(graph).import(actor, pieces(text))).answer

/** Everything but what is made anew. */
async function contentOf(graph: GraphDatabase) {
  const { db } = graph.metadata
  const jobs = await db
    .selectFrom('lineage_jobs')
    .select(['job', 'how', 'who', 'runs', 'whole_runs', 'whole_ms', 'newest_run', 'newest_ms', 'open', 'base_ms'])
    .orderBy('job')
    .execute()
  const runs = await db.selectFrom('lineage_runs').selectAll().orderBy('job').orderBy('id').execute()
  const nodes = await db.selectFrom('lineage_nodes').selectAll().orderBy('key').execute()
  const links = await db.selectFrom('lineage_links').selectAll().orderBy('id').execute()
  return { ...(await graph.periods()), jobs, runs, nodes, links }
}

const prune = ({ metadata }: GraphDatabase, maxRuns: number) =>
  pruneLineage({ metadata, clock: systemClock, claims: new Claims(), keepDays: 0, maxRuns })({
    signal: new AbortController().signal,
    commit: (work: never) => metadata.transaction(work)
  } as never)

const tell = (graph: GraphDatabase, sightings: readonly Sighting[]) =>
  graph.metadata.transaction((tx) => graph.lineage.saw(tx, sightings))

describe('the lineage as a file', () => {
  let here: GraphDatabase
  let there: GraphDatabase
  before(async () => {
    here = await GraphDatabase.open()
    there = await GraphDatabase.open()
  })
  after(async () => {
    await here.close()
    await there.close()
  })
  const empty = () => Promise.all([here.empty(), there.empty()])
  const some = fc.array(anySighting, { minLength: 1, maxLength: 12 })

  it('makes an empty server the same, also where runs are gone, and changes nothing when read again', async () => {
    const property = fc.asyncProperty(some, some, fc.constantFrom(1, 2, 1000), async (old, told, maxRuns) => {
      await empty()
      await tell(here, old)
      await prune(here, maxRuns)
      await tell(here, told)
      const file = await fileOf(here)
      assert.equal((await take(there, file)).rejected, 0)
      assert.deepEqual(await contentOf(there), await contentOf(here))
      await take(there, file)
      assert.deepEqual(await contentOf(there), await contentOf(here))
      await take(here, file)
      assert.deepEqual(await contentOf(there), await contentOf(here))
    })
    await fc.assert(property, { numRuns })
  })

  it('adds what another server was told, as if it had been told here', async () => {
    const property = fc.asyncProperty(some, some, async (one, other) => {
      await empty()
      await tell(here, one)
      await tell(there, other)
      assert.equal((await take(there, await fileOf(here))).rejected, 0)
      await here.empty()
      await tell(here, [...one, ...other])
      assert.deepEqual(await there.periods(), await here.periods())
    })
    await fc.assert(property, { numRuns })
  })

  it('adds what another server knows of runs that it no longer has, once', async () => {
    const property = fc.asyncProperty(some, some, fc.constantFrom(1, 2), async (one, other, maxRuns) => {
      await empty()
      await tell(here, one)
      await prune(here, maxRuns)
      await tell(there, other)
      const file = await fileOf(here)
      assert.equal((await take(there, file)).rejected, 0)
      const first = await contentOf(there)
      await take(there, file)
      assert.deepEqual(await contentOf(there), first)
    })
    await fc.assert(property, { numRuns })
  })

  it('says that a file is not whole, wherever it was cut off', async () => {
    await empty()
    await tell(here, fc.sample(anySighting, { numRuns: 5, seed: 1 }))
    const lines = (await fileOf(here)).trimEnd().split('\n')
    for (let kept = 1; kept < lines.length; kept++) {
      const { rejected, errors } = await take(there, `${lines.slice(0, kept).join('\n')}\n`)
      assert.equal(rejected, 1)
      assert.match(errors[0]?.message ?? '', /lines are missing/)
      assert.equal(errors[0]?.line, kept)
    }
    const inTheMiddle = await take(there, lines.toSpliced(2, 1).join('\n'))
    assert.ok(inTheMiddle.errors.some(({ message }) => message.includes('lines are missing')))
    const whole = await take(there, lines.join('\n'))
    assert.deepEqual(whole.errors, [])
    // All but the first and the last.
    assert.equal(whole.accepted, lines.length - 2)
  })

  it('names the lines that it can’t take, and takes the others', async () => {
    await empty()
    await tell(here, [{ ...(fc.sample(anySighting, 1)[0] as Sighting), inputs: [{ reference: data_('ü') }] }])
    const lines = (await fileOf(here)).trimEnd().split('\n')
    lines.splice(
      1,
      0,
      'nonsense',
      '{"type":"what"}',
      '{"type":"job"}',
      '{"type":"node","key":"x","reference":"y","facts":{}}'
    )
    lines.push('')
    lines.push(
      '{"type":"runs","job":"job://a/b","how":"captured","who":"x","facts":[["r","AAAAAAAAAAAA"]],"runs":[{"id":"r","startMs":1,"wholeMs":1,"state":"completed","stateMs":1,"error":null}]}'
    )
    const { rejected, errors } = await take(there, lines.join('\n'))
    assert.equal(rejected, 5)
    assert.deepEqual(
      errors.map(({ line }) => line),
      [2, 3, 4, 5, lines.length]
    )
    assert.match(errors[0]?.message ?? '', /not JSON/)
    assert.match(errors[1]?.message ?? '', /one of these/)
    assert.match(errors[4]?.message ?? '', /no line before/)
    assert.deepEqual(await there.periods(), await here.periods())
    for (const file of ['', 'x\n', '{"type":"node"}', '{"type":"lineage","version":2}']) {
      await assert.rejects(take(there, file), { code: 'invalid_request' })
    }
  })
})

describe('a file over HTTP', () => {
  it('takes links and names to another server', async () => {
    const clock = new ManualClock()
    const here = await LineageWorld.start({ clock })
    const there = await LineageWorld.start({ clock: new ManualClock(clock.iso()) })
    try {
      await here.draw(clock.now(), 'raw > clean > tidy')
      const draw = (from: string, to: string, columns: object[] = []) =>
        here.test.call('POST', '/api/lineage/links', { as: 'editor', body: { from, to, columns } })
      const { body } = await draw(data_('tidy'), data_('sheet'), [{ from: 'a', to: 'b', kind: 'identity' }])
      const gone = await draw(data_('raw'), job_('gone'))
      clock.advance(1000)
      const at = clock.iso()
      const change = { as: 'editor' as const, body: { columns: [{ from: 'a', to: 'c', kind: 'masked' }] } }
      await here.test.call('PUT', `/api/lineage/links/${body.id}`, change)
      await here.test.call('DELETE', `/api/lineage/links/${gone.body.id}`, { as: 'editor' })
      const service = await here.test.app.service('lineage')
      await here.test.platform.metadata.transaction((tx) =>
        service.same(tx, data_('tidy'), data_('other'), clock.now(), { how: 'openlineage', who: 'spark' })
      )
      const file = await here.test.call('GET', '/api/lineage/backup', { as: 'viewer' })
      assert.equal(file.headers.get('content-type'), 'application/x-ndjson')
      const send = (as: 'viewer' | 'editor') =>
        there.test.call('POST', '/api/lineage/import', {
          as,
          body: file.text,
          headers: { 'content-type': 'application/x-ndjson' }
        })
      assert.equal((await send('viewer')).status, 403)
      const taken = await send('editor')
      assert.deepEqual([taken.status, taken.body.rejected], [200, 0], taken.text)
      await send('editor')
      for (const query of [`graph?asOf=${at}`, `graph?asOf=2100-01-01`, 'links?ended=true', 'links']) {
        assert.deepEqual(await there.get(query), await here.get(query), query)
      }
      const { metadata } = there.test.platform
      const mappings = await metadata.db.selectFrom('lineage_mappings').selectAll().execute()
      assert.deepEqual(mappings.map(({ to_column, ended_ms }) => [to_column, ended_ms !== null]).sort(), [
        ['b', true],
        ['c', false]
      ])
    } finally {
      await here.close()
      await there.close()
    }
  })
})
