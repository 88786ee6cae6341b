import { readFileSync } from 'node:fs'

const MAX_CONNECTIONS = 10_000
const MAX_PLACES = 2000
/**
 * Share of the file descriptors that connections may take. The engines need the rest: databases, files of points,
 * pipes.
 */
const SHARE_OF_CONNECTIONS = 0.45
/** Share of the file descriptors that requests may take: each may have a file open. */
const SHARE_OF_PLACES = 0.3
/** The usual limit of a system, for where the real one can't be found out. */
const USUAL_DESCRIPTORS = 1024

export interface ServerLimits {
  readonly connections: number
  /** Requests under way, over all connections. */
  readonly places: number
}

/** How many files, connections among them, this process may have open. The runtime has raised it as far as it may. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit ?? USUAL_DESCRIPTORS)
  } catch {
    return reportedLimit() // a system without /proc
  }
}

function reportedLimit(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } }
  const soft = userLimits?.open_files?.soft
  return soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft ?? USUAL_DESCRIPTORS)
}

/** Limits connections and requests so that the process does not run out of file descriptors. */
export function serverLimits(descriptors: number): ServerLimits {
  return {
    connections: Math.max(16, Math.min(MAX_CONNECTIONS, Math.floor(descriptors * SHARE_OF_CONNECTIONS))),
    places: Math.max(16, Math.min(MAX_PLACES, Math.floor(descriptors * SHARE_OF_PLACES)))
  }
}
