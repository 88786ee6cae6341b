import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import type { Layout } from './layout.ts'

/** A hold that nobody has renewed for this long was left by a copy that died. */
export const HOLD_LIMIT_MS = 60_000
const RENEW_AFTER_MS = HOLD_LIMIT_MS / 6

export function isHeld({ hold }: Layout): boolean {
  const made = statSync(hold, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && Date.now() - made < HOLD_LIMIT_MS
}

/**
 * Keeps the store from removing contents until the answered function is called. The file names its last holder: a copy
 * that meets another one leaves the hold to end by itself, as it can't know whether the other is done.
 */
export function takeHold(layout: Layout): () => void {
  const holder = randomUUID()
  let isShared = isOfAnother(layout, holder)
  write(layout, holder)
  const timer = setInterval(() => {
    isShared ||= isOfAnother(layout, holder)
    try {
      write(layout, holder)
    } catch {
      // The disk is full, perhaps; the copy will notice that, and also any content that goes missing.
    }
  }, RENEW_AFTER_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (!isShared && !isOfAnother(layout, holder)) rmSync(layout.hold, { force: true })
  }
}

function isOfAnother(layout: Layout, holder: string): boolean {
  try {
    return isHeld(layout) && readFileSync(layout.hold, 'utf8') !== holder
  } catch {
    return true // it went between the two looks, and not by our hand
  }
}

function write({ hold }: Layout, holder: string): void {
  writeFileSync(hold, holder)
  const now = new Date()
  utimesSync(hold, now, now) // a network drive would use its own clock
}
