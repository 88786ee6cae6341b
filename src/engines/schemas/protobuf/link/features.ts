import type { OptionNode, OptionValue, Syntax } from '../syntax/nodes.ts'

/** What editions can choose and the two syntaxes before them have fixed. Only what matters to data is here. */
export interface Features {
  readonly presence: 'EXPLICIT' | 'IMPLICIT' | 'LEGACY_REQUIRED'
  readonly enums: 'OPEN' | 'CLOSED'
  readonly lists: 'PACKED' | 'EXPANDED'
  readonly messages: 'LENGTH_PREFIXED' | 'DELIMITED'
}

const EDITION: Features = { presence: 'EXPLICIT', enums: 'OPEN', lists: 'PACKED', messages: 'LENGTH_PREFIXED' }

export const DEFAULTS: Readonly<Record<Syntax, Features>> = {
  proto2: { presence: 'EXPLICIT', enums: 'CLOSED', lists: 'EXPANDED', messages: 'LENGTH_PREFIXED' },
  proto3: { presence: 'IMPLICIT', enums: 'OPEN', lists: 'PACKED', messages: 'LENGTH_PREFIXED' },
  '2023': EDITION,
  '2024': EDITION
}

const VALUES: ReadonlyMap<string, Partial<Features>> = new Map([
  ['field_presence=EXPLICIT', { presence: 'EXPLICIT' }],
  ['field_presence=IMPLICIT', { presence: 'IMPLICIT' }],
  ['field_presence=LEGACY_REQUIRED', { presence: 'LEGACY_REQUIRED' }],
  ['enum_type=OPEN', { enums: 'OPEN' }],
  ['enum_type=CLOSED', { enums: 'CLOSED' }],
  ['repeated_field_encoding=PACKED', { lists: 'PACKED' }],
  ['repeated_field_encoding=EXPANDED', { lists: 'EXPANDED' }],
  ['message_encoding=LENGTH_PREFIXED', { messages: 'LENGTH_PREFIXED' }],
  ['message_encoding=DELIMITED', { messages: 'DELIMITED' }]
])

/** The features of something within what has the features `outer`. */
export function featuresOf(outer: Features, options: readonly OptionNode[]): Features {
  let features = outer
  for (const { name, value } of options) {
    if (!name.startsWith('features')) continue
    const chosen = name === 'features' ? fieldsOf(value) : [[name.slice('features.'.length), value] as const]
    for (const [field, choice] of chosen) {
      if (choice.kind === 'plain') features = { ...features, ...VALUES.get(`${field}=${choice.value}`) }
    }
  }
  return features
}

function fieldsOf(value: OptionValue): readonly (readonly [string, OptionValue])[] {
  return value.kind === 'fields' ? value.fields : []
}
