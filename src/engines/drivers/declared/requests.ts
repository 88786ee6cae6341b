import { SourceError } from '../errors.ts'
import type { CheckRequest, Entry, StreamEntry, Template } from './entry.ts'
import type { Outgoing, OutgoingBody } from './outgoing.ts'
import { addressOf } from './sign/address.ts'
import { filledBody, filledHeaders, filledPath, filledValues } from './template/encode.ts'
import type { Scope } from './template/template.ts'

/** A stream with what all streams of its entry say unless it says something else. */
export function streamOf(entry: Entry, name: string): StreamEntry {
  const own = Object.hasOwn(entry.streams, name) ? entry.streams[name] : undefined
  if (own === undefined) throw new SourceError('not_found', `There is no stream ${JSON.stringify(name)}`)
  return { ...entry.usual, ...own }
}

/** Makes the requests of an entry for a configuration. */
export class Requests {
  readonly base: URL
  readonly #entry: Entry
  readonly #override: URL | undefined

  /** `override` is where the service is in place of where its entry says. */
  constructor(entry: Entry, scope: Scope, override: URL | undefined) {
    this.#entry = entry
    this.#override = override
    this.base = override ?? addressOf(entry.base, scope)
  }

  of(asked: StreamEntry | CheckRequest, scope: Scope): Outgoing {
    const form = 'form' in asked ? asked.form : undefined
    const body: OutgoingBody | undefined =
      form !== undefined
        ? { form: filledValues(form, scope) }
        : asked.body === undefined
          ? undefined
          : { json: filledBody(asked.body, scope) }
    const url = this.#url(asked, scope)
    for (const [name, value] of Object.entries(filledValues(asked.query, scope))) url.searchParams.set(name, value)
    return {
      method: asked.method ?? (body === undefined ? 'GET' : 'POST'),
      url,
      headers: filledHeaders({ ...lowered(this.#entry.headers), ...lowered(asked.headers) }, scope),
      body
    }
  }

  /** The same at the place that stands in for the service, where there is one. */
  moved(url: URL): URL {
    const override = this.#override
    if (override === undefined || url.origin === override.origin) return url
    return new URL(joined(override.href, `${url.pathname}${url.search}`))
  }

  #url(asked: StreamEntry | CheckRequest, scope: Scope): URL {
    const { path = '' } = asked
    const own = 'base' in asked ? asked.base : undefined
    if (/^https?:/i.test(path)) return this.moved(safely(path, scope))
    const base = own === undefined ? this.base : this.moved(safely(own, scope))
    return new URL(joined(base.href, filledPath(path, scope)))
  }
}

/** An address with values in it. Those of its path stay within their segments, see `filledPath`. */
function safely(template: Template, scope: Scope): URL {
  const [, rest = ''] = /^https?:\/\/[^/?#]*(.*)$/is.exec(template) ?? []
  filledPath(rest, scope)
  return addressOf(template, scope)
}

/** Behind an address, with one slash between. */
function joined(base: string, path: string): string {
  if (path === '') return base
  const start = base.replace(/[?#].*$/s, '').replace(/\/+$/, '')
  return path.startsWith('?') ? start + path : `${start}/${path.replace(/^\/+/, '')}`
}

const lowered = (headers: Readonly<Record<string, Template>> = {}): Record<string, Template> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
