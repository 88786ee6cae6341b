import { MAX_JSON_BYTES } from './limits.ts'

/** The value as JSON (undefined as `null`); undefined where it has no JSON or is too large. */
export function boundedJson(value: unknown): string | undefined {
  try {
    const json: string | undefined = JSON.stringify(value ?? null)
    return json !== undefined && Buffer.byteLength(json) <= MAX_JSON_BYTES ? json : undefined
  } catch {
    return undefined
  }
}
