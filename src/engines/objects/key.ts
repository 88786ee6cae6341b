export const MAX_KEY_BYTES = 1024
/** Azure allows no more segments in a name. */
const MAX_SEGMENTS = 254

/** The prefix under which stores without uploads in parts keep the parts. */
export const RESERVED_PREFIX = '.millrace-uploads/'

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNWRITABLE = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/

/**
 * Why a key can't be used, in any store; undefined where it can. What one store refuses or would change is refused
 * for all of them, so that data can move between stores.
 */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'must not be empty'
  if (!key.isWellFormed()) return 'must not hold half of a surrogate pair'
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `must have at most ${MAX_KEY_BYTES} bytes in UTF-8`
  // XML listings can't hold these.
  if (UNWRITABLE.test(key)) return 'must not hold control characters, U+FFFE or U+FFFF'
  const segments = key.split('/')
  if (segments.length > MAX_SEGMENTS) return `must have at most ${MAX_SEGMENTS - 1} slashes`
  // Browsers, curl and proxies resolve them away before the address reaches any server.
  if (segments.some((segment) => segment === '.' || segment === '..')) {
    return "must not have '.' or '..' between its slashes"
  }
  // Azure removes dots at the end, and turns a backslash into a slash.
  if (segments.some((segment) => segment.endsWith('.'))) return 'must not have a dot at its end or before a slash'
  if (key.includes('\\')) return 'must not hold a backslash'
  if (key.startsWith(RESERVED_PREFIX)) return `must not begin with ${RESERVED_PREFIX}`
  return undefined
}
