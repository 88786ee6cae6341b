import { toIso } from '../../../clock.ts'
import type { LostPart } from './log.ts'

/** What is lost of a log, as far as the headers of its records can still be read. */
export interface Lost {
  readonly sizeBytes: number
  /** The number of damaged parts; one part may have held several records. */
  readonly parts: number
  readonly points: number
  /** Whether every part still has its header. */
  readonly isAllKnown: boolean
  /** ISO 8601; undefined where no lost point is known. */
  readonly from?: string
  readonly to?: string
}

export function lostIn(parts: readonly LostPart[]): Lost {
  const known = parts.flatMap(({ held }) => (held === undefined ? [] : [held]))
  const withPoints = known.filter(({ points }) => points > 0)
  const times = withPoints.flatMap(({ firstNs, lastNs }) => [firstNs, lastNs]).sort((a, b) => (a < b ? -1 : 1))
  const [first, last] = [times[0], times.at(-1)]
  return {
    sizeBytes: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    parts: parts.length,
    points: known.reduce((sum, { points }) => sum + points, 0),
    isAllKnown: known.length === parts.length,
    ...(first !== undefined && last !== undefined && { from: isoOfNs(first), to: isoOfNs(last) })
  }
}

/** The loss as a sentence without a full stop. */
export function describeLost(file: string, parts: readonly LostPart[]): string {
  return `${file} is damaged in ${wordsOf(lostIn(parts))}`
}

export function wordsOf({ sizeBytes, points, isAllKnown, from, to }: Lost): string {
  const between = from === undefined ? '' : `, of times from ${from} to ${to}`
  return `${sizeBytes} bytes with ${points} points${isAllKnown ? '' : ' or more'}${between}`
}

const isoOfNs = (ns: bigint) => toIso(Number(ns / 1_000_000n))
