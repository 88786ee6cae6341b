import { systemClock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead, StreamValue } from '../index.ts'
import { pointsChunk, pointsStream, refuseCursor, refuseEqualNames, unknownStream } from '../machines/records.ts'
import { reachSteps } from '../reach.ts'
import type { NamedValue, SnmpSettings, Table } from './config.ts'
import { Agent } from './session.ts'
import { COLUMN_TYPES, isNothing, toValue, typeName } from './values.ts'
import { walkRows } from './walk.ts'

const [VALUES, WALK] = ['values', 'walk']
const CHUNK_ROWS = 1000

/** What an agent of SNMP has, by the names in the configuration. */
export class SnmpSource implements OpenSource {
  readonly #settings: SnmpSettings
  readonly #outbound: Outbound
  readonly #agents = new Set<Agent>()

  constructor(settings: SnmpSettings, outbound: Outbound) {
    this.#settings = settings
    this.#outbound = outbound
  }

  get steps(): readonly Step[] {
    const [resolve, policy] = reachSteps(this.#settings, this.#outbound) as [Step, Step]
    return [resolve, policy, ...this.#own()]
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const streams = this.#streams()
    await this.#using(signal, (agent) => agent.check())
    return { streams: streams.slice(0, limit), isWhole: streams.length <= limit }
  }

  async *read({ stream, cursor, limit, signal }: StreamRead): AsyncGenerator<StreamChunk> {
    const found = this.#streams().find(({ name }) => name === stream)
    const table = this.#settings.tables.find(({ name }) => name === stream)
    if (found === undefined) throw unknownStream(stream)
    refuseCursor(cursor)
    const agent = await this.#open(signal)
    try {
      if (stream === VALUES) yield await this.#valuesOf(agent, found)
      else yield* chunksOf(found, limit, table === undefined ? this.#walk(agent) : rowsOf(agent, table))
    } finally {
      this.#drop(agent)
    }
  }

  async close(): Promise<void> {
    for (const agent of this.#agents) this.#drop(agent)
  }

  /** By UDP nothing can be connected to: an answer is what tells that something is there. */
  #own(): Step[] {
    return [
      {
        name: 'connect',
        run: async (signal) => {
          await Agent.reach(this.#settings, this.#outbound, signal)
          return `An agent answers at port ${this.#settings.port}`
        }
      },
      {
        name: 'authenticate',
        run: async (signal) => {
          await this.#using(signal, (agent) => agent.check()).catch((error) => {
            const isSilent = error instanceof SourceError && error.code === 'unreachable'
            throw isSilent && this.#settings.user !== undefined ? unanswered() : error
          })
          return 'The agent answers to whoever is configured'
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(signal) }
    ]
  }

  async #tryReading(signal: AbortSignal): Promise<string> {
    const [stream] = this.#streams()
    if (stream === undefined) throw nothingListed()
    let hasValue = false
    for await (const { columns, values } of this.read({ stream: stream.name, limit: 1, signal }))
      hasValue = columns.some(({ name }, at) => name !== 'time' && (values[at]?.[0] ?? null) !== null)
    const pointer = { [VALUES]: '/values', [WALK]: '/subtrees' }[stream.name] ?? '/columns'
    if (!hasValue)
      throw new SourceError(
        'not_found',
        `The agent has nothing of ${stream.name}, or does not show it; check the OIDs`,
        pointer
      )
    return `${stream.name} can be read`
  }

  #streams(): Stream[] {
    const { values, tables, subtrees } = this.#settings
    refuseEqualNames(namesOf(values), '/values')
    for (const { columns } of tables) refuseEqualNames(['index', ...namesOf(columns)], '/columns')
    if (tables.some(({ name }) => name === VALUES || name === WALK))
      throw new SourceError('bad_request', `No table can be called ${VALUES} or ${WALK}`, '/columns')
    return [
      ...(values.length > 0 ? [pointsStream(VALUES, values.map(toColumn))] : []),
      ...tables.map(tableStream),
      ...(subtrees.length > 0 ? [walkStream()] : [])
    ]
  }

  async #valuesOf(agent: Agent, stream: Stream): Promise<StreamChunk> {
    const { values } = this.#settings
    const found = await agent.get(values.map(({ oid }) => oid))
    const cells = values.map(({ type }, at) => (found[at] === undefined ? null : toValue(found[at], type)))
    return pointsChunk(stream, cells, systemClock.now())
  }

  async *#walk(agent: Agent): AsyncGenerator<StreamValue[]> {
    for (const subtree of this.#settings.subtrees)
      for await (const { cells } of walkRows(agent, [subtree]))
        for (const cell of cells)
          if (cell !== undefined && !isNothing(cell)) yield [cell.oid, typeName(cell), toValue(cell, 'text')]
  }

  async #open(signal: AbortSignal): Promise<Agent> {
    const agent = await Agent.open(this.#settings, this.#outbound, signal)
    this.#agents.add(agent)
    return agent
  }

  #drop(agent: Agent): void {
    agent.close()
    this.#agents.delete(agent)
  }

  async #using<T>(signal: AbortSignal, work: (agent: Agent) => Promise<T>): Promise<T> {
    const agent = await this.#open(signal)
    try {
      return await work(agent)
    } finally {
      this.#drop(agent)
    }
  }
}

const namesOf = (values: readonly NamedValue[]) => values.map(({ name }) => name)
const toColumn = ({ name, type }: NamedValue) => ({ name, type: COLUMN_TYPES[type] })

const tableStream = ({ name, columns }: Table): Stream => ({
  name,
  kind: 'table',
  isReadable: true,
  columns: [
    { name: 'index', type: 'text', nullable: false },
    ...columns.map((column) => ({ ...toColumn(column), nullable: true }))
  ],
  keys: ['index'],
  cursors: []
})

const walkStream = (): Stream => ({
  name: WALK,
  kind: 'table',
  isReadable: true,
  columns: ['oid', 'type', 'value'].map((name) => ({ name, type: 'text', nullable: name === 'value' })),
  keys: ['oid'],
  cursors: []
})

async function* rowsOf(agent: Agent, { columns }: Table): AsyncGenerator<StreamValue[]> {
  const prefixes = columns.map(({ oid }) => oid)
  for await (const { index, cells } of walkRows(agent, prefixes)) {
    yield [index, ...columns.map(({ type }, at) => (cells[at] === undefined ? null : toValue(cells[at], type)))]
  }
}

async function* chunksOf(
  { columns }: Stream,
  limit = Number.POSITIVE_INFINITY,
  rows: AsyncIterable<readonly StreamValue[]>
): AsyncGenerator<StreamChunk> {
  let values: StreamValue[][] = columns.map(() => [])
  const chunk = (): StreamChunk => ({ columns, values, rows: values[0]?.length ?? 0, position: undefined })
  let taken = 0
  for await (const row of rows) {
    for (const [at, cell] of row.entries()) values[at]?.push(cell)
    taken += 1
    if (taken >= limit) break
    if (chunk().rows < CHUNK_ROWS) continue
    yield chunk()
    values = columns.map(() => [])
  }
  if (chunk().rows > 0) yield chunk()
}

function unanswered(): SourceError {
  return new SourceError(
    'wrong_credentials',
    'The agent is there and does not answer to this user; check the privacy password and the cipher',
    '/privacyPassword'
  )
}

function nothingListed(): SourceError {
  return new SourceError('bad_request', 'Nothing is to be read: list values, columns of tables or subtrees', '/values')
}
