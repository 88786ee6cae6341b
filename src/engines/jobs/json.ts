import { MAX_JSON_BYTES } from './limits.ts'

/** The value as JSON (nothing at all as `null`), or `undefined` where it has none or is too large to keep. */
export function boundedJson(value: unknown): string | undefined {
  try {
    const json: string | undefined = JSON.stringify(value ?? null)
    return json !== undefined && Buffer.byteLength(json) <= MAX_JSON_BYTES ? json : undefined
  } catch {
    return undefined
  }
}
