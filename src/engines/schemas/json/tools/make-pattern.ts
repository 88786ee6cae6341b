/** Many patterns are older than the flag for Unicode, which refuses escapes without need. */
export function makePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}
