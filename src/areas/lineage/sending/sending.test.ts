import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { data_, job_, LineageWorld, mapping } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { AreaNeeds } from '../../../area.ts'
import { HealthProblem } from '../../../http/health-problem.ts'
import { lineage } from '../area.ts'
import type { RunState, Sighting } from '../sighting.ts'

const T = Date.UTC(2026, 4, 1)

interface Received {
  readonly key: string | undefined
  readonly path: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what was sent
  readonly event: any
}

/** A collector that answers as it is told to. */
class CollectorHere {
  readonly received: Received[] = []
  answers: { status: number; retryAfter?: string }[] = []
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<CollectorHere> {
    const server = createServer()
    const collector = new CollectorHere(server)
    server.on('request', async (request: IncomingMessage, response) => {
      const body = Buffer.concat(await request.toArray()).toString()
      const { authorization: key } = request.headers
      collector.received.push({ key, path: request.url, event: JSON.parse(body) })
      const { status, retryAfter } = collector.answers.shift() ?? { status: 201 }
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The types of events of a job that were received, in order. */
  typesOf(name: string): string[] {
    return this.received.filter(({ event }) => event.job.name === name).map(({ event }) => event.eventType)
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }
}

function seen(name: string, state: RunState, timeMs: number, how: 'captured' | 'openlineage' = 'captured'): Sighting {
  return {
    job: { reference: job_(name) },
    run: { id: `run_${name}`, state, timeMs, isWhole: true },
    inputs: [{ reference: data_('raw'), columns: [{ name: 'x', type: 'DOUBLE' }] }],
    outputs: [{ reference: data_('tidy') }],
    columns: [mapping('raw.x -> tidy.y', 'masked')],
    provenance: { how, who: 'test' }
  }
}

describe('a collector elsewhere', () => {
  let collector: CollectorHere
  let world: LineageWorld
  before(async () => {
    collector = await CollectorHere.start()
    const env = { OPENLINEAGE_URL: collector.url, OPENLINEAGE_API_KEY: 'marquez-key', ALLOWED_HOSTS: '127.0.0.1' }
    world = await LineageWorld.start({ env })
  })
  after(async () => {
    await world.close()
    await collector.close()
  })

  it('is told of our own runs, from start to end, with columns', async () => {
    await world.saw(seen('load', 'running', T))
    await eventually(() => assert.deepEqual(collector.typesOf('load'), ['START']))
    await world.saw(seen('load', 'completed', T + 1000))
    await eventually(() => assert.deepEqual(collector.typesOf('load'), ['START', 'COMPLETE']))
    const [first, last] = collector.received
    assert.deepEqual([first?.path, first?.key], ['/api/v1/lineage', 'Bearer marquez-key'])
    assert.equal(first?.event.run.runId, last?.event.run.runId)
    assert.deepEqual([last?.event.inputs[0].name, last?.event.outputs[0].name], ['raw', 'tidy'])
    const [input] = (last as Received).event.outputs[0].facets.columnLineage.fields.y.inputFields
    assert.deepEqual([input.name, input.field, input.transformations[0].masking], ['raw', 'x', true])
  })

  it('is not told what others have told us', async () => {
    await world.saw(seen('foreign', 'completed', T, 'openlineage'))
    await world.saw(seen('own', 'completed', T))
    await eventually(() => assert.deepEqual(collector.typesOf('own'), ['COMPLETE']))
    assert.deepEqual(collector.typesOf('foreign'), [])
  })

  it('is asked again when it was away, and not when it refuses', async () => {
    collector.answers = [{ status: 503, retryAfter: '1' }]
    await world.saw(seen('patient', 'completed', T))
    await eventually(() => assert.deepEqual(collector.typesOf('patient'), ['COMPLETE', 'COMPLETE']))
    collector.answers = [{ status: 422 }]
    await world.saw(seen('refused', 'completed', T))
    const failed = () =>
      world.test.platform.metadata.db.selectFrom('jobs').select('error').where('state', '=', 'failed').execute()
    await eventually(async () => assert.equal((await failed()).length, 1))
    assert.match((await failed())[0]?.error ?? '', /collector_refused.*422/)
    assert.deepEqual(collector.typesOf('refused'), ['COMPLETE'])
  })
})

describe('a collector that is away', () => {
  const clock = new ManualClock()
  let collector: CollectorHere
  let world: LineageWorld
  before(async () => {
    collector = await CollectorHere.start()
    world = await LineageWorld.start({ clock, env: { OPENLINEAGE_URL: collector.url, ALLOWED_HOSTS: '127.0.0.1' } })
  })
  after(async () => {
    await world.close()
    await collector.close()
  })

  const problem = async (): Promise<string> => {
    const [check] = lineage.checks?.(world.test.platform as unknown as AreaNeeds) ?? []
    return (check ?? assert.fail()).run().then(
      () => '',
      (error: unknown) => (error instanceof HealthProblem ? error.message : assert.fail(String(error)))
    )
  }

  /** Lets jobs go on, whose clock stands still. */
  const pass = () => {
    clock.advance(10)
    world.test.platform.jobs.wake()
  }

  it('is a matter of health when it lasts, and none any more when everything is sent', async () => {
    assert.equal(await problem(), '')
    const since = clock.iso()
    collector.answers = [{ status: 503 }]
    await world.saw(seen('waits', 'completed', T))
    const { metadata } = world.test.platform
    const tried = async () => {
      const open = await metadata.db.selectFrom('jobs').select('payload').where('kind', '=', 'lineage.send').execute()
      return open.some(({ payload }) => JSON.parse(payload).attempt === 2)
    }
    await eventually(() => {
      pass()
      return tried()
    })
    assert.equal(await problem(), '', 'a moment is nothing')
    collector.answers = Array.from({ length: 20 }, () => ({ status: 503 }))
    clock.correct(61_000)
    assert.match(
      await problem(),
      new RegExp(`^lineage can't be sent on since ${since}: status_503, and 1 events wait .*OPENLINEAGE_URL`)
    )
    collector.answers = []
    await eventually(async () => {
      pass()
      return (await problem()) === ''
    })
  })

  it('is one for an hour when it refuses', async () => {
    collector.answers = [{ status: 401 }]
    await world.saw(seen('unwelcome', 'completed', T))
    await eventually(async () => {
      pass()
      assert.match(await problem(), /did not take within the last hour: 1 /)
    })
    clock.correct(3_600_001)
    assert.equal(await problem(), '')
  })
})
