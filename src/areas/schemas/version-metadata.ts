import { invalidField } from '../../errors.ts'

const MAX_CHARS = 16 * 1024

/** What was sent to be kept with a version, as it is kept. */
export function metadataText(metadata: unknown = {}): string {
  const isObject = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  if (!isObject) throw invalidField('/metadata', 'must be an object')
  const text = JSON.stringify(metadata)
  if (text.length > MAX_CHARS) throw invalidField('/metadata', `must have at most ${MAX_CHARS} characters as JSON`)
  return text
}
