import type { ConfigFault } from '../../contract/node-type.ts'

/** What DuckDB reads times by. */
const KNOWN = /^%(?:[aAbBcdfgGhHIjmMnpSuUVwWxXyYzZ%]|-[dHIjmMSyY])$/
const DATES = [/%-?[yY]|%[xcG]/, /%-?m|%[bBh]|%-?j|%[xcUWV]/, /%-?[dj]|%[xcwuaA]/]
const HOURS = /%-?[HI]|%[Xc]/

interface Formats {
  readonly dateFormat?: string | undefined
  readonly timestampFormat?: string | undefined
}

/** Formats by which nothing could be read, or not all of a date. */
export function timeFormatFaults({ dateFormat, timestampFormat }: Formats): ConfigFault[] {
  const faults: ConfigFault[] = []
  const day = dateFormat === undefined ? undefined : faultOf(dateFormat, DATES, 'year, month and day')
  if (day !== undefined) faults.push({ pointer: '/csv/dateFormat', message: `${day}, such as %d.%m.%Y` })
  const time =
    timestampFormat === undefined ? undefined : faultOf(timestampFormat, [...DATES, HOURS], 'year, month, day and hour')
  if (time !== undefined) {
    faults.push({ pointer: '/csv/timestampFormat', message: `${time}, such as %d.%m.%Y %H:%M:%S` })
  }
  return faults
}

function faultOf(format: string, needed: readonly RegExp[], what: string): string | undefined {
  const places = format.match(/%-?.?/gsu) ?? []
  const unknown = places.find((place) => !KNOWN.test(place))
  if (unknown !== undefined)
    return `must not hold ${unknown}, which stands for nothing; it says where parts of a time are`
  const plain = format.replaceAll('%%', '')
  return needed.every((part) => part.test(plain)) ? undefined : `must say with % where ${what} are`
}
