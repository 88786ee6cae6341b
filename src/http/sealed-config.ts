import { type Place, strangeFields } from '../engines/places/index.ts'
import type { Vault } from '../engines/vault/index.ts'
import { type FieldError, Problem } from '../errors.ts'

/** What is shown in place of a secret; sent back, it means the secret that is kept. */
export const MASK = '********'

/** A configuration as it was sent, or as it is kept: what it holds is only known once it was checked. */
export type Config = Readonly<Record<string, unknown>>

/** A configuration as rows keep it: masks in place of its secrets, and these sealed as one. */
export interface SealedConfig {
  readonly config: string
  readonly secrets: string | null
}

/** Seals the secret fields of a configuration for a context, such as `connector:cn_1/secrets`. */
export function sealConfig(
  vault: Vault,
  context: string,
  whole: Config,
  secretFields: readonly string[]
): SealedConfig {
  const fields = secretFields.filter((field) => Object.hasOwn(whole, field))
  const secrets = Object.fromEntries(fields.map((field) => [field, whole[field]]))
  const sealed = fields.length === 0 ? null : vault.seal(JSON.stringify(secrets), context)
  return { config: JSON.stringify(maskedConfig(whole, secretFields)), secrets: sealed }
}

/** The configuration with masks in place of its secrets. */
export function maskedConfig(whole: Config, secretFields: readonly string[]): Config {
  const fields = secretFields.filter((field) => Object.hasOwn(whole, field))
  return { ...whole, ...Object.fromEntries(fields.map((field) => [field, maskOf(whole[field])])) }
}

/** The configuration with its secrets, for whoever uses it. */
export function openConfig(vault: Vault, context: string, { config, secrets }: SealedConfig): Config {
  return { ...JSON.parse(config), ...(secrets === null ? {} : JSON.parse(vault.open(secrets, context))) }
}

/** The names of headers are no secrets. */
function maskOf(secret: unknown): unknown {
  return isRecord(secret) ? Object.fromEntries(Object.keys(secret).map((name) => [name, MASK])) : MASK
}

interface Completed {
  readonly config: Config
  /** The secret fields in which something is as it was kept. */
  readonly kept: readonly string[]
}

/**
 * The configuration that was sent, with the secrets that are kept in place of masks and of those that were left out. Null
 * takes one away. Nothing else of it was checked.
 */
export function completeConfig(sent: Config, known: Config, secretFields: readonly string[]): Completed {
  const config: Record<string, unknown> = { ...sent }
  const kept: string[] = []
  const errors: FieldError[] = []
  for (const field of secretFields) {
    const given = Object.hasOwn(sent, field) ? sent[field] : undefined
    if (given === null) delete config[field]
    else if (given === undefined || given === MASK) {
      if (Object.hasOwn(known, field)) {
        config[field] = known[field]
        kept.push(field)
      } else if (given === MASK) errors.push(notItself(`/config/${field}`))
    } else if (isRecord(given)) {
      const before = isRecord(known[field]) ? known[field] : {}
      const masked = Object.keys(given).filter((name) => given[name] === MASK)
      const unknown = masked.filter((name) => !Object.hasOwn(before, name))
      errors.push(...unknown.map((name) => notItself(`/config/${field}/${escaped(name)}`)))
      config[field] = { ...given, ...Object.fromEntries(masked.map((name) => [name, before[name]])) }
      if (masked.length > 0) kept.push(field)
    }
  }
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
  return { config, kept }
}

type Places = Readonly<Record<string, Place>>

/** Refuses to keep secrets for another place: a caller who may not see them could have them sent elsewhere. */
export function requireSamePlaces(kept: readonly string[], given: Places, wanted: Places): void {
  const errors = kept.flatMap((field): FieldError[] => {
    const strange = strangeFields(given[field] ?? {}, wanted[field] ?? {}).join(', ')
    if (strange === '') return []
    const message = `was given for another ${strange}; send it itself, or ${strange} as before`
    return [{ pointer: `/config/${field}`, message }]
  })
  if (errors.length > 0) throw new Problem('secret_bound', { errors })
}

const notItself = (pointer: string): FieldError => ({ pointer, message: 'must be the secret itself' })

const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 200)

export function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
