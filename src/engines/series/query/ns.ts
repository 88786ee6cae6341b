import { NS_PER_DAY } from '../parse/points.ts'

export const MS_PER_DAY = 86_400_000
export const NS_PER_MS = 1_000_000

const DAY_NS = BigInt(NS_PER_DAY)
const MS_NS = BigInt(NS_PER_MS)

/** Nanoseconds rounded down to milliseconds, also before the epoch. */
export function floorMs(ns: bigint): number {
  return Number(floorDivided(ns, MS_NS))
}

/** A time as the day since the epoch and the nanoseconds into it. */
export function splitDay(ns: bigint): { readonly day: number; readonly ns: number } {
  const day = floorDivided(ns, DAY_NS)
  return { day: Number(day), ns: Number(ns - day * DAY_NS) }
}

function floorDivided(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient
}
