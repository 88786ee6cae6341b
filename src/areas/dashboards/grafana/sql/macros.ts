import { entryOf } from '../reading.ts'
import { secondsOf } from '../times.ts'
import { Untranslatable } from './values.ts'

const FROM = 'CAST($from AS TIMESTAMP)'
const TO = 'CAST($to AS TIMESTAMP)'
const INTERVAL = '$interval_seconds'

/** What stands in brackets behind a macro: each argument as it was written, and as SQL of ours. */
export interface Argument {
  readonly written: string
  readonly ours: string
}

/** What a macro is in SQL of ours; undefined where there is none of that name. */
export function macroSql(name: string, given: readonly Argument[], note: (text: string) => void): string | undefined {
  const macro = entryOf(MACROS, name)
  if (macro === undefined) return undefined
  const most = macro.fills ? macro.takes + 1 : macro.takes
  if (given.length < macro.takes || given.length > most) {
    throw new Untranslatable(`$${name} takes ${macro.takes} arguments, not ${given.length}`)
  }
  if (given.length > macro.takes) note('Gaps between its points are not filled.')
  return macro.sql(...(given as [Argument, Argument]))
}

interface Macro {
  readonly takes: number
  /** Whether one more argument may say what fills the gaps. */
  readonly fills?: true
  sql(column: Argument, width: Argument): string
}

const within = (column: Argument, from: string, to: string) => `(${column.ours} >= ${from} AND ${column.ours} < ${to})`

/** Seconds of a width such as '5m', of the width that fits the picture, or of what a variable has chosen. */
function widthOf({ written, ours }: Argument): string {
  const plain = /^'?([^']*)'?$/.exec(written.trim())?.[1] ?? ''
  if (/^\$(?:\{__interval\}|__interval)$/.test(plain)) return INTERVAL
  const seconds = secondsOf(plain)
  if (seconds !== undefined) return String(seconds)
  if (/^\$\w+$/.test(ours)) return `epoch(CAST(${ours} AS INTERVAL))`
  throw new Untranslatable(`the width ${written.trim()} of its groups is not understood`)
}

const group = (time: string, width: string) => `to_timestamp(floor(${time} / ${width}) * ${width})`
const timeGroup = (column: Argument, width: Argument) => group(`epoch(${column.ours})`, widthOf(width))
const epochGroup = (column: Argument, width: Argument) => group(column.ours, widthOf(width))

const MACROS: Readonly<Record<string, Macro>> = {
  __time: { takes: 1, sql: ({ ours }) => `${ours} AS "time"` },
  __timeEpoch: { takes: 1, sql: ({ ours }) => `${ours} AS "time"` },
  __timeFilter: { takes: 1, sql: (column) => within(column, '$from', '$to') },
  __timeFrom: { takes: 0, sql: () => '$from' },
  __timeTo: { takes: 0, sql: () => '$to' },
  __timeGroup: { takes: 2, fills: true, sql: timeGroup },
  __timeGroupAlias: { takes: 2, fills: true, sql: (column, width) => `${timeGroup(column, width)} AS "time"` },
  __unixEpochFilter: { takes: 1, sql: (column) => within(column, `epoch(${FROM})`, `epoch(${TO})`) },
  __unixEpochFrom: { takes: 0, sql: () => `epoch(${FROM})` },
  __unixEpochTo: { takes: 0, sql: () => `epoch(${TO})` },
  __unixEpochNanoFilter: { takes: 1, sql: (column) => within(column, `epoch_ns(${FROM})`, `epoch_ns(${TO})`) },
  __unixEpochNanoFrom: { takes: 0, sql: () => `epoch_ns(${FROM})` },
  __unixEpochNanoTo: { takes: 0, sql: () => `epoch_ns(${TO})` },
  __unixEpochGroup: { takes: 2, fills: true, sql: epochGroup },
  __unixEpochGroupAlias: { takes: 2, fills: true, sql: (column, width) => `${epochGroup(column, width)} AS "time"` },
  __interval_ms: { takes: 0, sql: () => `(${INTERVAL} * 1000)` },
  __interval: { takes: 0, sql: () => `to_seconds(${INTERVAL})` },
  __from: { takes: 0, sql: () => `epoch_ms(${FROM})` },
  __to: { takes: 0, sql: () => `epoch_ms(${TO})` }
}
