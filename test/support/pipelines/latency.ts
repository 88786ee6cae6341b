const CALLS = 200

/** How long a call takes, one after the other, at the 99th percentile in milliseconds. */
export async function p99Of(call: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < CALLS; i++) {
    const sentMs = performance.now()
    await call()
    times.push(performance.now() - sentMs)
  }
  times.sort((a, b) => a - b)
  return times[Math.ceil(CALLS * 0.99) - 1] as number
}
