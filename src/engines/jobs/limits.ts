/** A lease outlives three missed renewals, and a dead replica is noticed in less than 10 s. */
export const LEASE_MS = 8000
export const RENEW_EVERY_MS = 2000
export const POLL_EVERY_MS = 1000

/** How long a worker may go on after its signal aborted. */
export const ABANDON_AFTER_MS = 5000

export const DEFAULT_TIMEOUT_MS = 600_000
export const DEFAULT_MAX_ATTEMPTS = 5
export const DEFAULT_CONCURRENCY = 4

export const FIRST_BACKOFF_MS = 1000
export const MAX_BACKOFF_MS = 300_000
export const BACKOFF_JITTER = 0.2

/** The longest wait that a timer of the platform can express, a little under 25 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1

export const MAX_JSON_BYTES = 64 * 1024
export const MAX_MESSAGE_CHARS = 2000
export const MAX_NOTE_CHARS = 500
