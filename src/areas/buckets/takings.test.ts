import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { LineageWorld } from '../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { makeBucket, objectPath, put, send } from '../../../test/support/objects/client.ts'
import { Takings } from './takings.ts'

const MINUTE_MS = 60_000

describe('downloads in the lineage', () => {
  const clock = new ManualClock()
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start({ clock, env: { LINEAGE_DOWNLOADS: 'watched' } })
    for (const bucket of ['watched', 'unwatched']) {
      await makeBucket(world.test, bucket)
      await put(world.test, bucket, 'x.csv', 'id\n1\n')
    }
  })
  after(() => world.close())

  const get = async (bucket: string, user: string, headers = {}, method = 'GET') => {
    const token = await world.test.token(user, 'viewer')
    return world.test.call(method, objectPath(bucket, 'x.csv'), { as: { token }, headers })
  }
  /** What has been taken of an object: `name: times`. */
  const takers = async (bucket: string): Promise<string[]> => {
    const { nodes, edges } = await world.get(`downstream/${encodeURIComponent(`object://${bucket}/x.csv`)}`)
    const names = new Map(nodes.map(({ id, name }: { id: string; name: string }) => [id, name]))
    return edges
      .map(
        ({ to, provenance }: { to: string; provenance: { runs: number }[] }) =>
          `${names.get(to)}: ${provenance[0]?.runs}`
      )
      .sort()
  }

  it('are edges to who took the object, counted by the minute', async () => {
    for (const user of ['ada', 'bo', 'ada']) assert.equal((await get('watched', user)).status, 200)
    assert.equal((await get('watched', 'ada', { range: 'bytes=1-2' })).status, 206)
    clock.advance(MINUTE_MS)
    assert.equal((await get('watched', 'ada')).status, 200)
    clock.advance(MINUTE_MS)
    await eventually(async () => assert.deepEqual(await takers('watched'), ['ada: 2', 'bo: 1']))
    const { nodes } = await world.get(`impact/${encodeURIComponent('object://watched/x.csv')}`)
    assert.deepEqual(nodes.flatMap(({ owners }: { owners: string[] }) => owners).sort(), ['ada', 'bo'])
  })

  it('are those through a link, too, by which link it was', async () => {
    const body = { key: 'x.csv' }
    const link = (await world.test.call('POST', '/api/buckets/watched/links', { as: 'editor', body })).body
    const { pathname, search } = new URL(link.url)
    assert.equal((await send(world.test, 'GET', world.test.url + pathname + search, { as: null })).status, 200)
    clock.advance(MINUTE_MS)
    await eventually(async () => assert.deepEqual(await takers('watched'), ['ada: 2', 'bo: 1', `link ${link.id}: 1`]))
  })

  it('are not what gives no content, nor of a bucket that nobody asked for', async () => {
    // A name that no identifier can have by chance: they are written without these letters.
    const { headers } = await get('watched', 'lou', {}, 'HEAD')
    assert.equal((await get('watched', 'lou', { 'if-none-match': headers.get('etag') })).status, 304)
    assert.equal((await get('unwatched', 'lou')).status, 200)
    assert.equal((await get('watched', 'dan')).status, 200)
    clock.advance(MINUTE_MS)
    await eventually(async () => assert.ok((await takers('watched')).includes('dan: 1')))
    assert.deepEqual((await world.get('nodes?q=lou')).nodes, [])
    assert.deepEqual((await world.get('nodes?q=unwatched')).nodes, [])
  })
})

describe('downloads that are to be told', () => {
  /** Keeps what is told, after so many attempts that fail. */
  function make(failures: number) {
    const clock = new ManualClock()
    const [told, logged]: [string[][], string[]] = [[], []]
    const takings = new Takings({
      clock,
      lineageDownloads: ['*'],
      log: { warn: (_: object, text: string) => void logged.push(text) } as never,
      metadata: { transaction: (work: (tx: never) => unknown) => work(undefined as never) } as never,
      lineage: async () => ({
        saw: async (_, sightings) => {
          if (failures-- > 0) throw new Error('The disk is full')
          told.push(sightings.map(({ run, inputs }) => `${inputs[0]?.reference} ${run.id}`))
        }
      })
    })
    return { clock, told, logged, takings }
  }
  const ADA = { id: 'usr_1', name: 'ada' }

  it('are told when the server ends, also where that failed before', async () => {
    const { clock, told, logged, takings } = make(1)
    takings.downloaded(ADA, { bucket: 'b', key: 'k' })
    clock.advance(5000)
    await eventually(() => logged.length === 1)
    assert.deepEqual(told, [])
    await takings.close()
    assert.deepEqual(told, [['object://b/k 2026-01-01T00:00:00.000Z']])
  })

  it('are at most ten thousand, and what is left out is said', async () => {
    const { told, logged, takings } = make(0)
    for (let n = 0; n < 10_003; n++) takings.downloaded(ADA, { bucket: 'b', key: `k${n}` })
    await takings.close()
    assert.equal(told.flat().length, 10_000)
    assert.ok(told.every((some) => some.length <= 500))
    assert.deepEqual(logged, ['downloads were not told to the lineage: too many at once'])
  })
})
