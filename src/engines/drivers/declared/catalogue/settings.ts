import type { SourceConfig } from '../../index.ts'
import type { JsonSchema } from '../../schema.ts'
import type { Entry } from '../entry.ts'
import type { Scope } from '../template/template.ts'

/** Stands in for that of the catalogue until both are together. */
export function settingsSchema(entry: Entry): JsonSchema {
  const told = (name: string) => ({ title: name, description: name, 'x-group': 'sign-in' as const })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: entry.name,
    required: Object.entries(entry.settings).flatMap(([name, { optional }]) => (optional === true ? [] : [name])),
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(entry.settings).map(([name, { secret }]) => [
        name,
        { ...told(name), type: 'string' as const, ...(secret === true && { writeOnly: true as const }) }
      ])
    )
  }
}

export function scopeOf(entry: Entry, config: SourceConfig): Scope {
  const defaults = Object.entries(entry.settings).map(([name, setting]) => [name, setting.default])
  return { ...Object.fromEntries(defaults), ...config }
}
