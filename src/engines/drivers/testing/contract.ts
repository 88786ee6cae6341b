import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Clock } from '../../clock.ts'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import {
  driverOf,
  findSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  type SourceFacts,
  type StepName,
  type StreamChunk,
  type StreamKind
} from '../index.ts'
import { type Present, provesEncryption, withFront } from './encryption.ts'
import { provesPolicy } from './policy.ts'

/** A real server of a source, to be tried with a configuration that works and others that do not. */
export interface UnderTest {
  readonly sourceId: string
  readonly missing: string | undefined
  /** Whether this stands in for a server that none here can be started of: then the source is experimental. */
  readonly isStandIn?: true
  start(): Promise<RunningSource>
}

export interface RunningSource {
  /** A configuration that works. */
  readonly config: SourceConfig
  /** Texts that no answer may hold. */
  readonly secrets: readonly string[]
  /** The steps that its test has. */
  readonly steps: readonly StepName[]
  /** Changes of the configuration after which the test fails at a step, with a code, and points at a field. */
  readonly wrong: Readonly<Record<string, WrongConfig>>
  /** A stream that is there, how it is found, and the values of one of its columns in the order they are read in. */
  readonly stream: ExpectedStream
  /** Where packages of drivers lie that are not shipped. */
  readonly packagesFolder?: string
  /** Where what was made just now has to look older. */
  readonly clock?: Clock
  /** Makes a user who may sign in and read nothing, and answers how to; left out where that can’t be. */
  makeStranger?(): Promise<SourceConfig>
  /** Left out where a connection is never encrypted with certificates, or is from its first byte on. */
  readonly present?: Present
  /** Runs a statement as the administrator. */
  execute?(statement: string): Promise<void>
  stop(): Promise<void>
  /** Ends the server as if its machine had died, and starts it again with the same data. */
  restart(): Promise<void>
}

export interface WrongConfig {
  readonly changes: SourceConfig
  readonly step: StepName
  readonly code: string
  readonly pointer: string | null
}

export interface ExpectedStream {
  /** What its name is, or ends with after a dot. */
  readonly name: string
  readonly kind: StreamKind
  /** As `name type`. */
  readonly columns: readonly string[]
  readonly keys: readonly string[]
  readonly cursors: readonly string[]
  readonly column: string
  readonly values: readonly unknown[]
  /** The column that reading goes on by, where it can. */
  readonly cursor?: string
}

const LIMIT_MS = 30_000
const signal = () => AbortSignal.timeout(LIMIT_MS)

/** What every driver has to show on a real server. */
export function driverContract(name: string, test: UnderTest): void {
  describe(name, { skip: test.missing ?? false }, () => {
    let server: RunningSource
    let outbound: Outbound
    const source = findSource(test.sourceId) as SourceFacts

    before(async () => {
      outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
      server = await test.start()
    })
    after(async () => {
      await server?.stop()
      await outbound?.close()
    })

    async function using<T>(changes: SourceConfig, work: (opened: OpenSource) => Promise<T>, by = outbound) {
      const { config, packagesFolder = '/nowhere', clock } = server
      const driver = await driverOf(source)
      const needs = { outbound: by, packagesFolder, ...(clock && { clock }) }
      const opened = await driver.open({ ...config, ...changes }, source, needs)
      try {
        return await work(opened)
      } finally {
        await opened.close()
      }
    }
    const check = (changes: SourceConfig = {}, by = outbound) =>
      using(changes, (opened) => runSteps(opened.steps, LIMIT_MS), by)

    it('passes every step of its test with a configuration that works', async () => {
      assert.equal(source.isProven, test.isStandIn !== true)
      const { success, message, checks } = await check()
      assert.deepEqual(
        checks.map(({ name: step, ok, code }) => [step, ok, code]),
        server.steps.map((step) => [step, true, null]),
        message
      )
      assert.ok(success)
    })

    it('tells apart what is wrong with a configuration', async () => {
      for (const [what, { changes, step, code, pointer }] of Object.entries(server.wrong)) {
        const { success, message, checks } = await check(changes)
        const failed = checks.findIndex(({ ok }) => !ok)
        const { name: at, code: why, pointer: where, message: said } = checks[failed] ?? {}
        assert.deepEqual([success, at, why, where], [false, step, code, pointer], `${what}: ${message}`)
        assert.ok(message.includes(said ?? 'nothing'))
        for (const secret of server.secrets) assert.ok(!JSON.stringify(checks).includes(secret), what)
        assert.ok(checks.slice(0, failed).every(({ ok }) => ok))
        assert.ok(checks.slice(failed + 1).every(({ ok, code: later }) => !ok && later === 'not_tried'))
      }
    })

    it('connects to nothing that the policy refuses', () => provesPolicy(using, server))

    it('finds what can be read, with columns, keys and what to go on by', async () => {
      const { streams, isWhole } = await using({}, (opened) => opened.discover({ limit: 100, signal: signal() }))
      assert.ok(isWhole)
      const { name: wanted, column: _, values: __, cursor: ___, ...expected } = server.stream
      const found = streams.find((stream) => isCalled(stream.name, wanted))
      assert.ok(found?.isReadable)
      const { kind, keys, cursors } = found
      const columns = found.columns.map(({ name: column, type }) => `${column} ${type}`)
      assert.deepEqual({ kind, columns, keys, cursors }, expected)
    })

    it('reads a stream once, and goes on from a position after the server was gone', async () => {
      const { column, values, cursor: by } = server.stream
      const stream = await using({}, nameOfStream)
      const seen: unknown[] = []
      let position: string | null = null
      const cursorAt = (after: string | null) => (by === undefined ? {} : { cursor: { column: by, after } })
      const add = ({ columns, values: chunk, position: at }: StreamChunk) => {
        seen.push(...(chunk[columns.findIndex(({ name: other }) => other === column)] ?? []))
        position = at ?? null
      }
      await using({}, async (opened) => {
        const limit = Math.ceil(values.length / 3)
        for await (const chunk of opened.read({ stream, ...cursorAt(null), limit, signal: signal() })) add(chunk)
        assert.equal(seen.length, limit)
        await server.restart()
        if (by === undefined) seen.length = 0
        for await (const chunk of opened.read({ stream, ...cursorAt(position), signal: signal() })) add(chunk)
      })
      assert.deepEqual(seen, values)
    })

    it('says which stream is not there', async () => {
      await using({}, (opened) => assert.rejects(readAll(opened, 'absent'), { code: 'not_found' }))
    })

    it('says which statements give what a user lacks, and these do', async () => {
      const stranger = await server.makeStranger?.()
      if (stranger === undefined) return
      const { success, checks, grants } = await check(stranger)
      assert.equal(success, false)
      assert.ok(grants.length > 0, JSON.stringify(checks))
      for (const statement of grants) await server.execute?.(statement)
      const { success: works, message, grants: none } = await check(stranger)
      assert.ok(works, message)
      assert.match(message, /can be read/)
      assert.deepEqual(none, [])
    })

    it('trusts the authority that is given, and says what is wrong with a certificate', async () => {
      const { properties } = (await driverOf(source)).schemaFor(source)
      if (!('tls' in properties) && server.present === undefined) return
      assert.ok('ca' in properties)
      const [pointer] = ['/urls', '/url', '/tls'].filter((name) => name.slice(1) in properties)
      const prove = (present: Present) => provesEncryption(using, present, pointer)
      await (server.present === undefined ? withFront(Number(server.config.port), prove) : prove(server.present))
    })

    const nameOfStream = async (opened: OpenSource) => {
      const { streams } = await opened.discover({ limit: 100, signal: signal() })
      return streams.find((stream) => isCalled(stream.name, server.stream.name))?.name ?? ''
    }
  })
}

const isCalled = (name: string, wanted: string) => name === wanted || name.endsWith(`.${wanted}`)

async function readAll(opened: OpenSource, stream: string): Promise<number> {
  let rows = 0
  for await (const chunk of opened.read({ stream, signal: signal() })) rows += chunk.rows
  return rows
}
