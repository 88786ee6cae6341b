import { originText, type Place } from '../../../places/index.ts'
import type { SourceConfig } from '../../index.ts'
import type { Authentication, Entry, Template } from '../entry.ts'
import type { Scope } from '../template/template.ts'
import { addressOf, hostNames } from './address.ts'

/** What is changed to have an address lead elsewhere, where nothing of it is a setting. */
const FIXED = 'address'

/**
 * Where each secret of a configuration goes. That is every server that an entry calls: what one gives for a secret is
 * sent to the others, so a secret is bound to all of them.
 */
export function secretPlaces(entry: Entry, config: SourceConfig): Readonly<Record<string, Place>> {
  const secrets = Object.entries(entry.settings).flatMap(([name, { secret }]) => (secret === true ? [name] : []))
  const place = placeOf(entry, settingsIn(entry, config))
  return Object.fromEntries(secrets.map((name) => [name, place]))
}

function placeOf(entry: Entry, scope: Scope): Place {
  const place: Record<string, string[]> = {}
  for (const template of addressesOf(entry)) {
    const names = hostNames(template).map((name) => name.split('.')[0])
    const field = names.length === 0 ? FIXED : [...new Set(names)].join(', ')
    const origin = originOf(template, scope)
    const known = place[field] ?? []
    place[field] = known.includes(origin) ? known : [...known, origin]
  }
  return place
}

/** All addresses that an entry calls. Where private networks are allowed, `base_url` takes the place of the base. */
function addressesOf({ base, usual = {}, streams, authentication }: Entry): Template[] {
  const ofStreams = [usual, ...Object.values(streams)].flatMap(({ base: own, path }) => [
    ...(own === undefined ? [] : [own]),
    ...(path !== undefined && /^https?:/i.test(path) ? [path] : [])
  ])
  return [base, '{base_url|default:none}', ...ofStreams, ...signInAddresses(authentication)]
}

function signInAddresses(authentication: Authentication): Template[] {
  switch (authentication.kind) {
    case 'oauth2':
    case 'jwt':
      return [authentication.tokenUrl]
    case 'session':
      return [authentication.login.url]
    case 'choice':
      return Object.values(authentication.options).flatMap(signInAddresses)
    default:
      return []
  }
}

/** The server of an address, in one spelling; one that can't be known yet equals only itself. */
function originOf(template: Template, scope: Scope): string {
  try {
    return originText(addressOf(template, scope).href)
  } catch {
    return template
  }
}

/** The settings of a configuration, with what is usual where it says nothing. */
export function settingsIn({ settings }: Pick<Entry, 'settings'>, config: SourceConfig): Scope {
  const usual = Object.entries(settings).map(([name, setting]) => [name, setting.default])
  return { ...Object.fromEntries(usual), ...config }
}
