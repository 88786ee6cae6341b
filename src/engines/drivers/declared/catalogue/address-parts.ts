import type { Entry } from '../entry.ts'
import { templatesOfSignIn } from './templates.ts'

/**
 * How a setting is part of an address: a `label` of its host, the whole `host`, or the `address` with its scheme. What is
 * taken for each is in `patternOf`, so that no value becomes another host.
 */
export type AddressPart = 'label' | 'host' | 'address'

const NAME = '\\{([A-Za-z_][\\w-]*)(?:\\|[^{}]*)?\\}'
const ADDRESS = new RegExp(`^${NAME}(?:/|$)`)
const HOST = new RegExp(`^https?://${NAME}(?::\\d+)?(?:/|$)`)
const LABELS = new RegExp(`^https?://((?:[a-z0-9-]|\\.|${NAME})+?)(?::\\d+)?(?:/|$)`, 'i')
const ANY_NAME = new RegExp(NAME, 'g')

const PATTERNS: Readonly<Record<AddressPart, string>> = {
  label: '^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$',
  host: '^(https://)?[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?/?$',
  address: '^https?://[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?(/[^\\s?#]*)?$'
}

export const patternOf = (part: AddressPart): string => PATTERNS[part]

/** The settings in the host of an address, or why it can't be one. */
export function hostParts(address: string): ReadonlyMap<string, AddressPart> | string {
  const whole = ADDRESS.exec(address)
  if (whole?.[1] !== undefined) return new Map([[whole[1], 'address']])
  const host = HOST.exec(address)
  if (host?.[1] !== undefined) return new Map([[host[1], 'host']])
  const labels = LABELS.exec(address)?.[1]
  if (labels === undefined)
    return 'It has to be an address that begins with https://; settings can be labels of its host, or all of it'
  return new Map([...labels.matchAll(ANY_NAME)].map(([, name = '']) => [name, 'label']))
}

/** Whether the end of a host is told by the entry, so that a label can't make it somebody else's. */
export function endsFixed(address: string): boolean {
  const labels = LABELS.exec(address)?.[1] ?? ''
  return /(^|\.)[a-z0-9-]+\.[a-z]{2,}$/i.test(labels)
}

/** Addresses that an entry calls: each begins a host. */
export function addressesOf(entry: Entry): { readonly pointer: string; readonly address: string }[] {
  const streams = Object.entries({ ...entry.streams }).flatMap(([name, { base }]) =>
    base === undefined ? [] : [{ pointer: `/streams/${name}/base`, address: base }]
  )
  const signIn = [...templatesOfSignIn(entry.authentication)]
    .filter(({ pointer }) => /\/(tokenUrl|authorizeUrl|login\/url)$/.test(pointer))
    .map(({ pointer, template }) => ({ pointer, address: template }))
  const usual = entry.usual?.base === undefined ? [] : [{ pointer: '/usual/base', address: entry.usual.base }]
  return [{ pointer: '/base', address: entry.base }, ...usual, ...streams, ...signIn]
}

/** How each setting is part of a host, where it is one of one. */
export function hostSettings(entry: Entry): ReadonlyMap<string, AddressPart> {
  const found = new Map<string, AddressPart>()
  for (const { address } of addressesOf(entry)) {
    const parts = hostParts(address)
    if (typeof parts === 'string') continue
    for (const [name, part] of parts) found.set(name, found.get(name) ?? part)
  }
  return found
}
