export const DEFAULT_CHUNK_ROWS = 10_000
export const MAX_CHUNK_ROWS = 100_000
/** A chunk gets no more rows once it holds about this much. */
export const CHUNK_BYTES = 8 << 20
export const DEFAULT_TIMEOUT_MS = 300_000
export const MAX_TIMEOUT_MS = 24 * 3_600_000
export const CONNECT_LIMIT_MS = 10_000
/** How many statements, and so connections, there may be at one time. */
export const MAX_CONNECTIONS = 16
export const MAX_IDLE_CONNECTIONS = 2
/** An idle connection is not used again after that long: a firewall may have forgotten it. */
export const MAX_IDLE_MS = 30_000
export const MAX_QUERY_CHARS = 200_000
/** The size of one INSERT statement at most. */
export const BATCH_BYTES = 4 << 20
