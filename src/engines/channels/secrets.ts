import { endpointText, originText, type Place } from '../places/index.ts'
import {
  type ChannelConfigs,
  type ChannelKind,
  type ChannelTarget,
  type EmailConfig,
  NTFY_URL,
  PAGERDUTY_URL,
  smtpPort,
  TELEGRAM_URL
} from './configs.ts'

/** The secrets of a type by field, each with where it goes: kept for another place, it would be given away. */
type Secrets<C> = { readonly [F in keyof C & string]?: (config: C) => Place }

/** A whole address that is secret is its own place. */
const nowhere = (): Place => ({})
const origin = (url: string): Place => ({ url: [originText(url)] })

const SECRETS: { readonly [K in ChannelKind]: Secrets<ChannelConfigs[K]> } = {
  email: { password: mailbox },
  webhook: {
    // Secrets that sign don't leave, but what they signed for another receiver would be good at the first one too.
    secret: ({ url }) => origin(url),
    previousSecret: ({ url }) => origin(url),
    headers: ({ url }) => origin(url)
  },
  slack: { url: nowhere },
  teams: { url: nowhere },
  pagerduty: { routingKey: ({ url = PAGERDUTY_URL }) => origin(url) },
  ntfy: { topic: ({ url = NTFY_URL }) => origin(url), token: ({ url = NTFY_URL }) => origin(url) },
  telegram: { token: ({ url = TELEGRAM_URL }) => origin(url) }
}

function mailbox(config: EmailConfig): Place {
  return { host: [endpointText(config.host, smtpPort(config))], tls: [config.tls], user: [config.user ?? ''] }
}

/** The fields of a configuration that are sealed, and never shown. */
export const secretFields = (kind: ChannelKind): readonly string[] => Object.keys(SECRETS[kind])

/** Where each secret of a type goes with this configuration, by field. */
export function secretPlaces({ type, config }: ChannelTarget): Readonly<Record<string, Place>> {
  // A target has the configuration of its own type, which the compiler can't follow here.
  const places = Object.entries(SECRETS[type] as Record<string, (config: ChannelTarget['config']) => Place>)
  return Object.fromEntries(places.map(([field, placeOf]) => [field, placeOf(config)]))
}

/** What is shorter is no secret by itself, and would be found everywhere. */
const MIN_PART = 6

/** All texts of a configuration that must not be seen, with the parts that servers like to repeat alone. */
export function secretTexts({ type, config }: ChannelTarget): string[] {
  const fields = secretFields(type) as (keyof typeof config)[]
  return fields.flatMap((field) => {
    const value: unknown = config[field]
    if (value === undefined) return []
    if (typeof value === 'object') return Object.values(value as Record<string, string>).flatMap(headerTexts)
    const text = String(value)
    if (field === 'url') return addressTexts(text)
    if (type === 'email') return [text, `\0${config.user ?? ''}\0${text}`]
    // The token of a bot begins with its number, which is no secret.
    return type === 'telegram' ? [text, text.slice(text.indexOf(':') + 1)] : [text]
  })
}

/** `Bearer abc` and `abc`; of `Basic dXNlcjpwYXNzd29yZA==` also what it says. */
function headerTexts(value: string): string[] {
  const parts = value.split(/[\s,;]+/)
  const [, basic = ''] = /^basic\s+(\S+)$/i.exec(value) ?? []
  const [, ...password] = Buffer.from(basic, 'base64').toString().split(':')
  return [value, ...[...parts, password.join(':')].filter((part) => part.length >= MIN_PART)]
}

function addressTexts(address: string): string[] {
  const url = URL.parse(address)
  if (url === null) return [address]
  const parts = [...url.pathname.split('/'), ...url.searchParams.values()]
  const texts = [address, url.href, `${url.pathname}${url.search}`, ...parts]
  return texts.filter((text) => text.length >= MIN_PART)
}
