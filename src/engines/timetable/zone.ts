import { BoundedMap } from '../bounded-map.ts'
import { quoted, TimingError } from './timing.ts'

/** A time during which the clocks of a zone are ahead of UTC by the same. */
export interface Stretch {
  readonly startMs: number
  /** Not included. */
  readonly endMs: number
  readonly offsetMs: number
  /** The offset of the stretch before it, or its own where there is none. */
  readonly beforeMs: number
  /** The offset of the stretch after it, or its own where there is none. */
  readonly afterMs: number
}

export interface Zone {
  stretchAt(ms: number): Stretch
}

/** A little more than a year: few stretches are in one, and few of these are asked for. */
const SHELF_MS = 2 ** 35
const MAX_SHELVES = 32
/** More than there are. */
const MAX_ZONES = 700

const known = new BoundedMap<string, Zone>(MAX_ZONES)

export function zoneNamed(name: string): Zone {
  let zone = known.get(name)
  if (zone === undefined) {
    checkName(name)
    zone = makeZone(name)
    known.set(name, zone)
  }
  return zone
}

function checkName(name: string): void {
  if (/^([+-]|(utc|gmt)[+-])/i.test(name)) {
    throw new TimingError(
      '/timeZone',
      `${quoted(name)} is an offset, which does not know of daylight saving: name a zone such as Europe/Berlin, ` +
        'or Etc/GMT-2 for what is two hours ahead of UTC all year'
    )
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    throw new TimingError(
      '/timeZone',
      `There is no time zone ${quoted(name)}: give a name of the IANA database such as Europe/Berlin or UTC`
    )
  }
}

function makeZone(name: string): Zone {
  const shelves = new BoundedMap<number, readonly Stretch[]>(MAX_SHELVES)
  return {
    stretchAt(ms) {
      const number = Math.floor(ms / SHELF_MS)
      let shelf = shelves.get(number)
      if (shelf === undefined) {
        shelf = stretchesWithin(name, number * SHELF_MS, (number + 1) * SHELF_MS)
        shelves.set(number, shelf)
      }
      return shelf.find((stretch) => ms < stretch.endMs) as Stretch
    }
  }
}

function stretchesWithin(name: string, fromMs: number, toMs: number): Stretch[] {
  const stretches = [findStretch(name, fromMs)]
  for (;;) {
    const { endMs } = stretches.at(-1) as Stretch
    if (endMs >= toMs) return stretches
    stretches.push(findStretch(name, endMs))
  }
}

/** Takes some microseconds, the first time of a zone some hundred. */
function findStretch(name: string, ms: number): Stretch {
  const local = localAt(name, ms)
  const start = localAt(name, ms + 1).getTimeZoneTransition('previous')
  const end = local.getTimeZoneTransition('next')
  return {
    startMs: start?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    endMs: end?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: offsetMs(local),
    beforeMs: offsetMs(start === null ? local : localAt(name, start.epochMilliseconds - 1)),
    afterMs: offsetMs(end ?? local)
  }
}

function localAt(name: string, ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)
}

const offsetMs = (local: Temporal.ZonedDateTime): number => local.offsetNanoseconds / 1_000_000
