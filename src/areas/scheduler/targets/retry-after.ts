/**
 * How long to wait by a `Retry-After`, which is seconds or a date; undefined where it says neither. What is over by now
 * is no wait.
 */
export function retryAfterMs(text: string | string[] | undefined, nowMs: number): number | undefined {
  if (typeof text !== 'string') return undefined
  if (/^\d{1,10}$/.test(text)) return 1000 * Number(text)
  // Dates of HTTP begin with the day of the week; Date.parse would take much else.
  const atMs = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
