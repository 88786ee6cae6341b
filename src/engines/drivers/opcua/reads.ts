import { systemClock } from '../../clock.ts'
import type { ColumnType, Stream, StreamColumn, StreamValue } from '../index.ts'
import { timeText } from '../machines/times.ts'
import type { DescribedVariable } from './browse.ts'
import { fromStatus, isGood } from './errors.ts'
import type { UaValue } from './library.ts'
import type { Connection } from './session.ts'
import { timeOf, toValue } from './values.ts'

const VALUES_AT_ONCE = 1000

/** One with a history has all of it; of others there is the current value. */
export function toStream({ node, type, isReadable, hasHistory }: DescribedVariable): Stream {
  return {
    name: node,
    kind: hasHistory ? 'series' : 'points',
    isReadable: isReadable || hasHistory,
    columns: columnsOf(type),
    keys: [],
    cursors: hasHistory ? ['time'] : []
  }
}

const columnsOf = (type: ColumnType): StreamColumn[] => [
  { name: 'time', type: 'timestamptz', nullable: true },
  { name: 'value', type, nullable: true },
  { name: 'quality', type: 'text', nullable: false }
]

/** The current value of a variable. */
export async function* currentOf(connection: Connection, { node, type }: DescribedVariable) {
  const { AttributeIds } = connection.library.ua
  const [value] = await connection.ask((session) => session.read([{ nodeId: node, attributeId: AttributeIds.Value }]))
  if (value !== undefined) yield chunkOf([value], type)
}

/** What a variable was after a moment, in the order of time. */
export async function* historyOf(connection: Connection, { node, type }: DescribedVariable, after: bigint | null) {
  const { HistoryReadRequest, ReadRawModifiedDetails, TimestampsToReturn } = connection.library.ua
  const details = {
    isReadModified: false,
    startTime: new Date(after === null ? 0 : Number(after / 1_000_000n)),
    endTime: new Date(systemClock.now()),
    numValuesPerNode: VALUES_AT_ONCE,
    returnBounds: false
  }
  let continuationPoint: Buffer | null | undefined
  do {
    const request = new HistoryReadRequest({
      historyReadDetails: new ReadRawModifiedDetails(details),
      nodesToRead: [{ nodeId: node, continuationPoint }],
      timestampsToReturn: TimestampsToReturn.Source,
      releaseContinuationPoints: false
    })
    const [answer] = (await connection.ask((session) => session.historyRead(request))).results ?? []
    if (answer === undefined) return
    if (!isGood(answer.statusCode)) throw fromStatus(answer.statusCode, node)
    const values = (answer.historyData?.dataValues ?? []).filter((value) => isAfter(value, after))
    if (values.length > 0) yield chunkOf(values, type)
    continuationPoint = answer.continuationPoint
  } while (continuationPoint !== null && continuationPoint !== undefined && continuationPoint.length > 0)
}

/** Without a time there is nothing to go on by. */
function isAfter(value: UaValue, after: bigint | null): boolean {
  const time = timeOf(value)
  return time !== undefined && (after === null || time > after)
}

function chunkOf(found: readonly UaValue[], type: ColumnType) {
  const times = found.map((value): StreamValue => {
    const time = timeOf(value)
    return time === undefined ? null : timeText(time)
  })
  const values: StreamValue[][] = [times, found.map((value) => toValue(value, type)), found.map(qualityOf)]
  return { columns: columnsOf(type), values, rows: found.length }
}

const qualityOf = ({ statusCode }: UaValue): string => statusCode.name
