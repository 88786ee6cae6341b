import { SCHEMA_TYPES, type SchemaType } from '../format.ts'

/** The formats that a question needs. */
export function typesIn(input: unknown): SchemaType[] {
  const { type, to, candidate, from } = input as Record<string, unknown>
  const named = [type, to, (candidate as { type?: unknown })?.type, (from as { type?: unknown })?.type]
  return SCHEMA_TYPES.filter((one) => named.includes(one))
}
