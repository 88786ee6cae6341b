/** A due time that is later than this was missed, and the catch-up rule says what becomes of it. */
export const ON_TIME_MS = 60_000
/** One after which another has come is missed sooner: for so long the server may just have been slow. */
export const SLOW_MS = 10_000
/** Due times of one schedule that are decided at once; a longer gap is accounted for in the background. */
export const DUE_AT_ONCE = 200
/** Schedules that one transaction deals with. */
export const SCHEDULES_AT_ONCE = 250
/** Due times that may wait for a run to end, for each schedule. */
export const MAX_WAITING = 1000
/** Rows that a gap leaves; what is before them is one row. */
export const MAX_GAP_ROWS = 10_000
export const MAX_BACKFILL = 10_000
/** Rows that are kept of each schedule. */
export const MAX_HISTORY = 10_000
/** How often what is under way is looked at, and the least often that due times are. */
export const LOOK_EVERY_MS = 1000
/** How long what goes on by itself may take to end once it was asked to. */
export const CANCEL_LIMIT_MS = 60_000
export const MAX_LOG_LINES = 50
export const MAX_LINE_CHARS = 500
export const MAX_REASON_CHARS = 1000
export const MAX_RETRY_DELAY_S = 3600
/** When a schedule that can't be dealt with is tried again. */
export const PUT_OFF_MS = 60_000
/** How long a run that is caught up on, and goes on by itself, keeps others from being caught up on. */
export const RECOVERY_HOLDS_MS = 600_000
