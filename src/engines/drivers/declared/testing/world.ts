import { ManualClock } from '../../../../../test/support/manual-clock.ts'
import { createOutbound, type Outbound } from '../../../outbound/index.ts'
import { ANSWER_LIMIT_MS } from '../../common/answers.ts'
import type { StreamChunk } from '../../index.ts'
import { declaredDriver } from '../driver.ts'
import type { Entry, Paging, StreamEntry } from '../entry.ts'
import type { JsonRecord } from '../reading/records.ts'
import { HastyClock } from './hasty-clock.ts'
import { type SimulatedStream, Simulator } from './simulator.ts'

const signal = () => AbortSignal.timeout(60_000)

/** An entry of these streams. */
export const entryOf = (streams: Record<string, StreamEntry>): Entry => ({
  id: `simulated-${crypto.randomUUID()}`,
  name: 'Simulated',
  category: 'other',
  documentation: 'https://example.com',
  settings: { token: { secret: true }, start: { optional: true }, places: { type: 'list', optional: true } },
  authentication: { kind: 'bearer', token: '{token}' },
  base: 'https://api.example.com/v1',
  check: Object.keys(streams)[0] ?? '',
  streams
})

/** Every kind of paging in every place. */
export const pagings: readonly Paging[] = [
  { kind: 'none' },
  ...(['query', 'header', 'body', 'form'] as const).flatMap((place): Paging[] => [
    { kind: 'page', param: 'page', in: place, size: 7, sizeParam: 'per_page' },
    { kind: 'page', param: 'page', in: place, start: 0 },
    { kind: 'offset', param: 'skip', in: place, size: 7, sizeParam: 'take' },
    { kind: 'offset', param: 'skip', in: place, start: 1 },
    { kind: 'cursor', param: 'after', in: place, next: 'answer.meta.next', size: 7, sizeParam: 'take' },
    { kind: 'cursor', param: 'after', in: place, next: 'header.X-Next' },
    { kind: 'cursor', param: 'after', in: place, next: 'last.id' },
    { kind: 'cursor', param: 'after', in: place, next: 'answer.data.-1.id' },
    { kind: 'cursor', param: 'after', in: place, next: 'usual' }
  ]),
  { kind: 'next-url', next: 'link.next', size: 7, sizeParam: 'per_page' },
  { kind: 'next-url', next: 'answer.links.next' },
  { kind: 'next-url', next: 'answer.@odata.nextLink' },
  { kind: 'next-url', next: 'usual' }
]

/** A stream with such paging. */
export const streamOf = (paging: Paging): StreamEntry => ({
  path: '/things',
  records: 'data',
  key: 'id',
  paging,
  ...('in' in paging && paging.in === 'body' && { body: { kind: 'all' } }),
  ...('in' in paging && paging.in === 'form' && { form: { kind: 'all' } })
})

export const recordsOf = (count: number): JsonRecord[] =>
  Array.from({ length: count }, (_, id) => ({ id: id + 1, name: `n${id}` }))

/** Runs something with a source whose service is simulated. */
export async function using<T>(
  streams: Record<string, SimulatedStream>,
  settings: ConstructorParameters<typeof Simulator>[1],
  work: (world: World) => Promise<T>
): Promise<T> {
  // That of calls, which end by it where nothing is answered.
  const patience = new ManualClock()
  const passTime = () => patience.advance(ANSWER_LIMIT_MS)
  const simulator = new Simulator(Object.values(streams), { passTime, ...settings })
  const base_url = await simulator.start()
  const clock = new HastyClock()
  const outbound: Outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], clock: patience })
  const entry = entryOf(Object.fromEntries(Object.entries(streams).map(([name, { stream }]) => [name, stream])))
  const config = { token: 's3cret-token', start: '2025-06-01', places: ['north', 'south'], base_url }
  const source = await declaredDriver(entry).open(config, {} as never, { outbound, packagesFolder: '', clock })
  const read = async (stream: string, more: object = {}) => {
    const chunks = await Array.fromAsync(source.read({ stream, signal: signal(), ...more }))
    return { chunks, values: chunks.flatMap(rowsIn), position: chunks.at(-1)?.position }
  }
  try {
    return await work({ simulator, clock, read })
  } finally {
    await source.close()
    simulator.stop()
    await outbound.close()
  }
}

export interface World {
  readonly simulator: Simulator
  readonly clock: HastyClock
  read(
    stream: string,
    more?: object
  ): Promise<{ chunks: StreamChunk[]; values: JsonRecord[]; position: string | undefined }>
}

/** The ids of what was read. */
export const ids = ({ values }: { values: readonly JsonRecord[] }) => values.map(({ id }) => Number(id))

function rowsIn({ columns, values, rows }: StreamChunk): JsonRecord[] {
  return Array.from({ length: rows }, (_, at) =>
    Object.fromEntries(columns.map(({ name }, column) => [name, values[column]?.[at]]))
  )
}
