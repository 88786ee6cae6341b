const FIRST_MS = 5000
const LONGEST_MS = 600_000

/** How long to wait after so many attempts: 5 s, 10 s, 20 s … up to ten minutes; longer where the receiver asked for it. */
export function waitAfter(attempts: number, retryAfterMs = 0): number {
  return Math.max(retryAfterMs, Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempts - 1)))
}

/** So many failures in a row are no accident. */
export const HELD_FROM = 3
const LONGEST_HOLD_MS = 60_000

/** How long nothing is sent to a receiver that has failed so often in a row: whatever else waits would fail too. */
export function holdAfter(failures: number, retryAfterMs = 0): number {
  if (failures < HELD_FROM) return retryAfterMs
  return Math.max(retryAfterMs, Math.min(LONGEST_HOLD_MS, FIRST_MS * 2 ** (failures - HELD_FROM)))
}
