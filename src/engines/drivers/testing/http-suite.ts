import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import type { SourceFacts } from '../catalogue/facts.ts'
import {
  type Driver,
  driverOf,
  findSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  SourceError,
  type StreamChunk
} from '../index.ts'
import { provesEncryption, withFront } from './encryption.ts'
import type { ToldServer } from './http-server.ts'

export interface HttpUnderTest {
  readonly sourceId: string
  /** The driver where it is not as the catalogue loads it, because it would go to a host of its makers. */
  readonly driver?: Driver
  readonly server: ToldServer
  config(port: number): SourceConfig
  /** A change after which the server does not let us in, and the field that is at fault. */
  readonly stranger: SourceConfig
  readonly secretPointer: string
  readonly secrets: readonly string[]
  /** A stream of 25,000 records, which has each value of `cursor` seven times. */
  readonly stream: string
  readonly columns: readonly string[]
  readonly keys: readonly string[]
  readonly cursors: readonly string[]
  readonly cursor: string
  /** The column that has the numbers from 0 on. */
  readonly counted: string
  /** Whether what comes next has an address that the server gives. */
  readonly hasLinks?: boolean
}

export const RECORDS = 25_000
const signal = () => AbortSignal.timeout(30_000)
const STEPS = ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read']

/** Runs a server for the tests of a suite; it forgets after each what it was told. What is answered is there once they run. */
export function runTold(server: ToldServer): { readonly port: number; readonly outbound: Outbound } {
  let port = 0
  let outbound: Outbound | undefined
  before(async () => {
    port = await server.start()
    outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  })
  afterEach(() => server.reset())
  after(async () => {
    server.stop()
    await outbound?.close()
  })
  return {
    get port() {
      return port
    },
    get outbound() {
      return outbound as Outbound
    }
  }
}

/** What every source has to show that is spoken to over HTTP and that no test can have a real server of. */
export function httpSuite(name: string, test: HttpUnderTest, more?: (opened: Using) => void): void {
  describe(name, () => {
    const { server } = test
    const source = findSource(test.sourceId) as SourceFacts
    const running = runTold(server)

    const using: Using = async (work, changes = {}, by = running.outbound) => {
      const driver = test.driver ?? (await driverOf(source))
      const needs = { outbound: by, packagesFolder: '/nowhere' }
      const opened = await driver.open({ ...test.config(running.port), ...changes }, source, needs)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    }
    const check = (changes: SourceConfig = {}, by = running.outbound) =>
      using((opened) => runSteps(opened.steps, 30_000), changes, by)

    async function failing(step: string, code: string, changes: SourceConfig = {}) {
      const { success, checks, grants, message } = await check(changes)
      const failed = checks.find(({ ok }) => !ok)
      assert.deepEqual([success, failed?.name, failed?.code], [false, step, code], message)
      for (const secret of test.secrets) assert.ok(!JSON.stringify(checks).includes(secret))
      return { pointer: failed?.pointer, grants, message }
    }

    it('passes every step, and is not called proven', async () => {
      assert.equal(source.isProven, false)
      const { message, checks } = await check()
      assert.deepEqual(
        checks.map(({ name: step, ok }) => [step, ok]),
        STEPS.map((step) => [step, true]),
        message
      )
    })

    it('tells apart what is wrong', async () => {
      const wrong = await failing('authenticate', 'wrong_credentials', test.stranger)
      assert.equal(wrong.pointer, test.secretPointer)
      server.instead = () => ({ status: 429, headers: { 'retry-after': '7' }, body: {} })
      assert.match((await failing('authenticate', 'rate_limited')).message, /try again in 7 s/)
      server.instead = () => ({ status: 503, body: 'busy' })
      await failing('authenticate', 'unavailable')
      server.instead = () => ({ status: 302, headers: { location: 'http://127.0.0.1:1/' } })
      await failing('authenticate', 'bad_request')
      server.instead = () => ({ body: '<html>' })
      await failing('authenticate', 'bad_request')
      server.reset()
      server.diesAfter = 0
      await failing('authenticate', 'unreachable')
    })

    it('says which rights are missing, and what gives them', async () => {
      let answers = 0
      server.instead = () => {
        answers += 1
        return answers > 1 ? { status: 403, body: {} } : undefined
      }
      const { checks, grants } = await check()
      assert.ok(checks.some(({ code }) => code === 'missing_permission'))
      assert.ok(grants.length > 0)
    })

    it('connects to nothing that the policy refuses', async () => {
      const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
      const seen = server.connections
      const { checks } = await check({}, guarded)
      assert.equal(checks.find(({ ok }) => !ok)?.code, 'refused_by_policy')
      const read = using((opened) => collect(opened, { stream: test.stream }), {}, guarded)
      await assert.rejects(read, { code: 'refused_by_policy' })
      assert.equal(server.connections, seen)
      await guarded.close()
    })

    it('finds what can be read', async () => {
      const { streams, isWhole } = await using((opened) => opened.discover({ limit: 100, signal: signal() }))
      assert.ok(isWhole)
      const found = streams.find((stream) => stream.name === test.stream)
      assert.deepEqual(found && [found.columns.map((one) => `${one.name} ${one.type}`), found.keys, found.cursors], [
        test.columns,
        test.keys,
        test.cursors
      ])
      const first = await using((opened) => opened.discover({ limit: 1, signal: signal() }))
      assert.deepEqual([first.streams.length, first.isWhole], [1, streams.length === 1])
    })

    it('reads all, in chunks of a bounded size', async () => {
      const chunks = await using((opened) => collect(opened, { stream: test.stream }))
      assert.ok(chunks.length >= 2 && chunks.every(({ rows }) => rows <= 10_001))
      assert.deepEqual(countedIn(chunks, test.counted), allNumbers)
      const few = await using((opened) => collect(opened, { stream: test.stream, limit: 3 }))
      assert.deepEqual(countedIn(few, test.counted), [0, 1, 2])
      await assert.rejects(
        using((opened) => collect(opened, { stream: 'absent.absent' })),
        { code: 'not_found' }
      )
    })

    it('goes on by a cursor after the server was gone, with nothing twice and nothing missing', async () => {
      const seen: number[] = []
      let position: string | null = null
      const take = ({ position: at, ...chunk }: StreamChunk) => {
        seen.push(...countedIn([chunk as StreamChunk], test.counted))
        position = at ?? null
      }
      const readOn = (limit?: number) =>
        using(async (opened) => {
          const cursor = { column: test.cursor, after: position }
          const request = { stream: test.stream, cursor, ...(limit !== undefined && { limit }), signal: signal() }
          for await (const chunk of opened.read(request)) take(chunk)
        })
      await readOn(100)
      assert.equal(seen.length, 105, 'all that have the same value as the last')
      let deaths = 0
      for (let answers = 2; seen.length < RECORDS; answers += 4) {
        server.reset()
        server.diesAfter = answers
        const error = await readOn().then(
          () => undefined,
          (reason) => reason
        )
        if (error !== undefined) assert.ok(error instanceof SourceError && error.isTransient, String(error))
        deaths += error === undefined ? 0 : 1
      }
      assert.ok(deaths > 0)
      assert.deepEqual(seen, allNumbers)
    })

    const followsNothing = async () => {
      server.instead = ({ origin }) => {
        server.instead = undefined
        return { body: { nextUri: `${origin.replace('127.0.0.1', 'localhost')}/v1/elsewhere` } }
      }
      const read = using((opened) => collect(opened, { stream: test.stream }))
      await assert.rejects(read, { code: 'refused_by_policy', message: /another host/ })
    }
    // Others have no addresses in their answers.
    if (test.hasLinks) it('follows nothing to another host', followsNothing)

    it('ends with the signal', async () => {
      const ending = new AbortController()
      const read = using(async (opened) => {
        for await (const _ of opened.read({ stream: test.stream, signal: ending.signal }))
          ending.abort(new Error('over'))
      })
      await assert.rejects(read, { message: 'over' })
    })

    it('trusts the authority that is given, and says what is wrong with a certificate', async () => {
      const driver = test.driver ?? (await driverOf(source))
      // Services of a vendor have certificates that everybody trusts.
      if (!('ca' in driver.schemaFor(source).properties)) return
      server.scheme = 'https'
      await withFront(running.port, (present) =>
        provesEncryption((changes, work, by) => using(work, changes, by), present)
      )
    })

    more?.(using)
  })
}

export type Using = <T>(work: (opened: OpenSource) => Promise<T>, changes?: SourceConfig, by?: Outbound) => Promise<T>

const allNumbers = Array.from({ length: RECORDS }, (_, at) => at)

export async function collect(
  opened: OpenSource,
  request: Omit<Parameters<OpenSource['read']>[0], 'signal'>
): Promise<StreamChunk[]> {
  return Array.fromAsync(opened.read({ ...request, signal: signal() }))
}

function countedIn(chunks: readonly StreamChunk[], column: string): number[] {
  return chunks.flatMap(({ columns, values }) =>
    (values[columns.findIndex(({ name }) => name === column)] ?? []).map(Number)
  )
}
