import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'

/** A hold that nobody has renewed for this long was left by a copy that died. */
export const HOLD_LIMIT_MS = 60_000
const RENEW_AFTER_MS = HOLD_LIMIT_MS / 6

export function isHeld(file: string): boolean {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  return made !== undefined && Date.now() - made < HOLD_LIMIT_MS
}

/**
 * Keeps the store from removing contents until the answered function is called. The file names its last holder: a copy
 * that meets another one leaves the hold to end by itself, as it can't know whether the other is done.
 */
export function takeHold(file: string): () => void {
  const holder = randomUUID()
  let isShared = isOfAnother(file, holder)
  write(file, holder)
  const timer = setInterval(() => {
    isShared ||= isOfAnother(file, holder)
    try {
      write(file, holder)
    } catch {
      // The disk is full, perhaps; the copy will notice that, and also any content that goes missing.
    }
  }, RENEW_AFTER_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    if (!isShared && !isOfAnother(file, holder)) rmSync(file, { force: true })
  }
}

function isOfAnother(file: string, holder: string): boolean {
  return isHeld(file) && readFileSync(file, 'utf8') !== holder
}

function write(file: string, holder: string): void {
  writeFileSync(file, holder)
  const now = new Date()
  utimesSync(file, now, now) // a network drive would use its own clock
}
