import { createHash } from 'node:crypto'

export interface Held {
  readonly content: Buffer
  readonly generation: string
  readonly contentType: string
  readonly metadata: Readonly<Record<string, string>> | undefined
  readonly composed: boolean
  readonly updated: string
}

export class Refusal extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Buckets and objects with generations, as the documents of Google's JSON API describe them. */
export class JsonApiObjects {
  readonly buckets = new Map<string, Map<string, Held>>()
  #generation = 1_700_000_000_000_000

  bucket(name: string): Map<string, Held> {
    const bucket = this.buckets.get(name)
    if (bucket === undefined) throw new Refusal(404, 'The specified bucket does not exist.')
    return bucket
  }

  object(bucket: string, name: string, generation?: string | null): Held {
    const held = this.bucket(bucket).get(name)
    if (held === undefined || (generation && generation !== held.generation)) {
      throw new Refusal(404, `No such object: ${bucket}/${name}`)
    }
    return held
  }

  check(bucket: string, name: string, ifGenerationMatch: string | null): void {
    if (ifGenerationMatch === null) return
    if ((this.bucket(bucket).get(name)?.generation ?? '0') !== ifGenerationMatch) {
      throw new Refusal(412, 'At least one of the pre-conditions you specified did not hold.')
    }
  }

  write(bucket: string, name: string, object: Partial<Held> & Pick<Held, 'content'>): unknown {
    const held = {
      contentType: 'application/octet-stream',
      metadata: undefined,
      composed: false,
      ...object,
      generation: String(this.#generation++),
      updated: new Date().toISOString()
    }
    this.bucket(bucket).set(name, held)
    return resourceOf(name, held)
  }

  /** Objects and folders, sorted by their UTF-8 bytes; both count towards the limit. */
  list(bucket: string, query: URLSearchParams): unknown {
    const prefix = query.get('prefix') ?? ''
    const from = query.get('pageToken') ?? query.get('startOffset') ?? ''
    const entries = new Map<string, unknown>()
    const names = [...this.bucket(bucket).keys()].filter((name) => name.startsWith(prefix)).sort(byBytes)
    for (const name of names) {
      const slash = query.get('delimiter') === '/' ? name.indexOf('/', prefix.length) : -1
      const shown = slash === -1 ? name : name.slice(0, slash + 1)
      if (byBytes(shown, from) < 0) continue
      // A folder and an object can't have the same name: a key that ends in the slash is in the folder.
      entries.set(shown, slash === -1 ? resourceOf(name, this.object(bucket, name)) : undefined)
    }
    const all = [...entries]
    const page = all.slice(0, Number(query.get('maxResults')))
    return {
      items: page.flatMap(([, item]) => (item === undefined ? [] : [item])),
      prefixes: page.flatMap(([name, item]) => (item === undefined ? [name] : [])),
      nextPageToken: all[page.length]?.[0]
    }
  }

  compose(bucket: string, name: string, sources: readonly { name: string }[], contentType: string): unknown {
    if (sources.length === 0 || sources.length > 32) throw new Refusal(400, 'The number of source components is wrong')
    const content = Buffer.concat(sources.map((source) => this.object(bucket, source.name).content))
    return this.write(bucket, name, { content, contentType, composed: true })
  }
}

export function resourceOf(name: string, held: Held): unknown {
  const { content, generation, contentType, metadata, composed, updated } = held
  const md5Hash = composed ? {} : { md5Hash: createHash('md5').update(content).digest('base64') }
  const etag = Buffer.from(generation).toString('base64')
  return { name, generation, size: String(content.length), updated, etag, contentType, metadata, ...md5Hash }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
