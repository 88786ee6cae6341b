import { readExclusions } from './exclusions.ts'
import type { Exclusion } from './timing.ts'
import { zoneNamed } from './zone.ts'

/**
 * The first moment at or after another that nothing excludes, however many exclusions follow one upon the other: it is
 * the moment itself where nothing excludes that. Undefined where there is none before a last moment.
 */
export function excludedUntil(
  { exclusions, timeZone }: { readonly exclusions: readonly Exclusion[]; readonly timeZone: string },
  fromMs: number,
  lastMs: number
): number | undefined {
  const zone = zoneNamed(timeZone)
  const excludedBy = readExclusions(exclusions)
  for (let atMs = fromMs; atMs <= lastMs; ) {
    const { offsetMs, endMs } = zone.stretchAt(atMs)
    const rule = excludedBy(atMs, atMs + offsetMs)
    if (rule === undefined) return atMs
    // What comes after a change of the clocks is judged by what they show then.
    atMs = Math.min(atMs + rule.lastsMs(atMs, atMs + offsetMs), endMs)
  }
  return undefined
}
