const CHECK_EVERY_MS = 25

/** Ends the process that takes more: DuckDB does not count all of its memory, and a single `repeat` makes gigabytes of text. */
export function limitMemory(maxResidentBytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > maxResidentBytes) process.kill(process.pid, 'SIGKILL')
  }, CHECK_EVERY_MS).unref()
}
