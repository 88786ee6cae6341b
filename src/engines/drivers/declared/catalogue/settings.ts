import type { SourceConfig } from '../../index.ts'
import type { FieldSchema, JsonSchema, ValueSchema } from '../../schema.ts'
import type { Entry, Setting } from '../entry.ts'
import { namesIn, type Scope } from '../template/template.ts'
import { type AddressPart, hostSettings, patternOf } from './address-parts.ts'
import { templatesOfSignIn } from './templates.ts'
import { descriptionOf, titleOf } from './words.ts'

const MAX_TEXT = 2000
const MAX_SECRET = 10_000
const MAX_LIST = 1000

/** The configuration of an entry as JSON Schema: its settings, flat. */
export function settingsSchema(entry: Entry): JsonSchema {
  const hosts = hostSettings(entry)
  const signIn = signInSettings(entry)
  const groupOf = (name: string): ValueSchema['x-group'] =>
    hosts.has(name) ? 'place' : signIn.has(name) ? 'sign-in' : 'reading'
  const settings = Object.entries(entry.settings)
  const allOf = settings.flatMap(([name, setting]) => conditionOf(entry, name, setting))
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    title: entry.name,
    required: settings.filter(([, setting]) => isNeeded(setting) && setting.when === undefined).map(([name]) => name),
    additionalProperties: false,
    properties: Object.fromEntries(
      settings.map(([name, setting]) => [name, fieldOf(name, setting, groupOf(name), hosts.get(name))])
    ),
    ...(allOf.length === 0 ? {} : { allOf })
  }
}

/** What templates know of a configuration: its settings, with what they are where nothing is said. */
export function scopeOf(entry: Entry, config: SourceConfig): Scope {
  const scope: Record<string, unknown> = {}
  for (const [name, { default: usual }] of Object.entries(entry.settings)) {
    const value = Object.hasOwn(config, name) ? config[name] : undefined
    if (value !== undefined || usual !== undefined) scope[name] = value ?? usual
  }
  return scope
}

const isNeeded = ({ optional, default: usual }: Setting) => optional !== true && usual === undefined

function signInSettings({ authentication, settings }: Entry): Set<string> {
  const names = new Set([...templatesOfSignIn(authentication)].flatMap(({ template }) => namesIn(template)))
  if (authentication.kind === 'choice') names.add(authentication.setting)
  for (const [name, { secret }] of Object.entries(settings)) if (secret === true) names.add(name)
  return names
}

/** Where it is needed only for some value of another setting; one that is not given has its default. */
function conditionOf({ settings }: Entry, name: string, setting: Setting): NonNullable<JsonSchema['allOf']>[number][] {
  const { when } = setting
  if (when === undefined || !isNeeded(setting)) return []
  const usual = settings[when.setting]?.default
  const isUsual = typeof usual === 'string' && when.is.includes(usual)
  const properties = { [when.setting]: { enum: when.is } }
  return [
    {
      if: isUsual ? { properties } : { properties, required: [when.setting] },
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
      then: { required: [name] }
    }
  ]
}

function fieldOf(
  name: string,
  setting: Setting,
  group: ValueSchema['x-group'],
  host: AddressPart | undefined
): FieldSchema {
  const { type = 'string', title = ownTitle(name, setting), description = descriptionOf(name), choices } = setting
  const told = { title, description, 'x-group': group }
  if (type === 'list') {
    const items = { type: 'string', ...(choices ? { enum: choices } : { minLength: 1, maxLength: MAX_TEXT }) } as const
    const usual = Array.isArray(setting.default) ? { default: setting.default } : {}
    return {
      ...told,
      type: 'array',
      items,
      ...(isNeeded(setting) ? { minItems: 1 } : {}),
      maxItems: MAX_LIST,
      ...usual
    }
  }
  const usual = setting.default as ValueSchema['default']
  const examples = examplesOf(setting, host)
  return {
    ...told,
    ...(type === 'date' || type === 'date-time' ? { type: 'string', format: type } : { type }),
    ...(type === 'string' ? textLimits(setting, host) : {}),
    ...(usual === undefined ? {} : { default: usual }),
    ...(examples.length === 0 ? {} : { examples }),
    ...(setting.secret === true ? { writeOnly: true } : {}),
    ...(setting.secret === true && /private|json|service_account|credentials/.test(name) ? { 'x-multiline': true } : {})
  }
}

/** Several of the same name, with numbers behind them, are for different ways to sign in. */
function ownTitle(name: string, { when }: Setting): string {
  const isOneOfSeveral = /_\d$/.test(name) && when !== undefined
  return isOneOfSeveral ? `${titleOf(name)} (${when.is.join(', ')})` : titleOf(name)
}

function textLimits(setting: Setting, host: AddressPart | undefined): Partial<ValueSchema> {
  if (setting.choices !== undefined) return { enum: setting.choices }
  const pattern = setting.pattern ?? (host === undefined ? undefined : patternOf(host))
  return {
    minLength: isNeeded(setting) ? 1 : 0,
    maxLength: setting.secret === true ? MAX_SECRET : MAX_TEXT,
    ...(pattern === undefined ? {} : { pattern })
  }
}

const HOST_EXAMPLES: Readonly<Record<AddressPart, string>> = {
  label: 'mycompany',
  host: 'mycompany.example.com',
  address: 'https://mycompany.example.com'
}

function examplesOf({ type, example, secret, choices }: Setting, host: AddressPart | undefined): (string | number)[] {
  if (example !== undefined) return [example]
  if (type === 'date') return ['2024-01-01']
  if (type === 'date-time') return ['2024-01-01T00:00:00Z']
  return host === undefined || secret === true || choices !== undefined ? [] : [HOST_EXAMPLES[host]]
}
