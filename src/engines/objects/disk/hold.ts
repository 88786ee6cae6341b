import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import type { Layout } from './layout.ts'

/** A hold that was not renewed for this long was left by a backup that died. */
export const HOLD_LIMIT_MS = 60_000
const RENEW_AFTER_MS = HOLD_LIMIT_MS / 6

export function isHeld({ hold }: Layout): boolean {
  const made = statSync(hold, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && Date.now() - made < HOLD_LIMIT_MS
}

/**
 * Keeps the store from removing contents until the returned function is called. The file names its last holder: a
 * backup that finds another one's hold lets it expire, since it can't know whether the other is done.
 */
export function takeHold(layout: Layout): () => void {
  const holder = randomUUID()
  let isShared = isHeldByAnother(layout, holder)
  write(layout, holder)
  const timer = setInterval(() => {
    isShared ||= isHeldByAnother(layout, holder)
    try {
      write(layout, holder)
    } catch {
      // The disk may be full; the backup will notice that, and also missing contents.
    }
  }, RENEW_AFTER_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (!isShared && !isHeldByAnother(layout, holder)) rmSync(layout.hold, { force: true })
  }
}

function isHeldByAnother(layout: Layout, holder: string): boolean {
  try {
    return isHeld(layout) && readFileSync(layout.hold, 'utf8') !== holder
  } catch {
    return true // it vanished between the two checks, and we did not remove it
  }
}

function write({ hold }: Layout, holder: string): void {
  writeFileSync(hold, holder)
  const now = new Date()
  utimesSync(hold, now, now) // a network drive would use its own clock
}
