import type { Content } from '../model/schema.ts'
import { inOurWay } from './mentions.ts'
import { type Fields, lineOf, objectsOf, shortened, textOf } from './reading.ts'
import type { Notes } from './report.ts'

type Links = Content['links']

const MAX_LOOKED_AT = 200
const MAX_TITLE_CHARS = 200
const MAX_URL_CHARS = 2000
const ADDRESS = /^https?:\/\/\S*$/

/** Links to other places. Those to what lies in Grafana itself lead nowhere here. */
export function linksOf(value: unknown, most: number, variables: { has(name: string): boolean }, notes: Notes): Links {
  const links: Links = []
  for (const link of objectsOf(value).slice(0, MAX_LOOKED_AT)) {
    const told = lineOf(link.title) || textOf(link.url) || textOf(link.type)
    const url = addressOf(link, variables)
    if (typeof url !== 'string') notes.add(`The link ${shortened(told, 100)} is left out: ${url.problem}.`)
    else if (links.length === most) notes.add(`Only the first ${most} links are taken.`)
    else links.push({ title: shortened(lineOf(link.title), MAX_TITLE_CHARS).trim() || hostOf(url), url })
  }
  return links
}

function addressOf(link: Fields, variables: { has(name: string): boolean }): string | { problem: string } {
  const type = textOf(link.type)
  const written = textOf(link.url)
  if (type === 'dashboards' || type === 'dashboard') return { problem: 'it leads to dashboards of Grafana' }
  if (written.length > MAX_URL_CHARS) return { problem: 'its address is too long' }
  if (written.startsWith('/') || written.startsWith('d/')) return { problem: 'it leads into Grafana' }
  const { text, unknown } = inOurWay(written.replaceAll(/\s/g, '%20'), variables)
  if (unknown.length > 0) return { problem: `${unknown[0]} is not known here` }
  if (!ADDRESS.test(text)) return { problem: 'it has no address with http or https' }
  return text.length > MAX_URL_CHARS ? { problem: 'its address is too long' } : text
}

const hostOf = (url: string): string =>
  shortened(url.replace(/^https?:\/\//, '').replace(/[/?#].*$/s, ''), MAX_TITLE_CHARS) || 'Link'
