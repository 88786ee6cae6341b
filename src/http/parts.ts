import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** Answers the requests to some addresses. It is made by the first of them. */
export interface Part {
  /** Beginnings of addresses: two segments below `/api`, one beside it. */
  readonly paths: readonly string[]
  make(): Promise<RequestListener>
}

interface KnownPart {
  readonly part: Part
  made: RequestListener | undefined
  making: Promise<RequestListener> | undefined
}

/** Gives requests to the part of the server that their address belongs to. The first request to a part makes it. */
export class Parts {
  readonly #byPath = new Map<string, KnownPart>()
  readonly #failed: (error: unknown) => Promise<RequestListener>

  /** `failed` makes the listener that answers in place of a part that can't be made; the next request tries again. */
  constructor(parts: readonly Part[], failed: (error: unknown) => Promise<RequestListener>) {
    this.#failed = failed
    for (const part of parts) {
      const known: KnownPart = { part, made: undefined, making: undefined }
      for (const path of part.paths) {
        if (this.#byPath.has(path)) throw new Error(`Two areas answer ${path}`)
        this.#byPath.set(path, known)
      }
    }
  }

  route(request: IncomingMessage, response: ServerResponse, otherwise: RequestListener): void {
    const known = this.#byPath.get(beginningOf(request.url ?? '/'))
    if (known === undefined) otherwise(request, response)
    else if (known.made !== undefined) known.made(request, response)
    else void this.#make(known).then((listener) => listener(request, response))
  }

  #make(known: KnownPart): Promise<RequestListener> {
    known.making ??= known.part.make().then(
      (listener) => {
        known.made = listener
        return listener
      },
      (error) => {
        known.making = undefined
        return this.#failed(error)
      }
    )
    return known.making
  }
}

/** The segments of an address that tell which part it belongs to. */
export function beginningOf(url: string): string {
  const path = url.startsWith('/') ? url : url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  const end = endOfSegments(path, path.startsWith('/api/') ? 2 : 1)
  const beginning = path.slice(0, end)
  return beginning.includes('%') ? beginningOfEncoded(path) : beginning
}

/** Does the same for an address with encoded characters, which the routes understand too. */
function beginningOfEncoded(path: string): string {
  const segments = path.split(/[?#]/, 1)[0]?.split('/').slice(0, 3) ?? []
  const [, first = '', second = ''] = segments.map(decoded)
  return first === 'api' && segments.length > 2 ? `/api/${second}` : `/${first}`
}

function decoded(segment: string): string {
  try {
    // An encoded slash does not divide segments.
    return segment.replaceAll(/%2f/gi, '%252F') === segment ? decodeURIComponent(segment) : segment
  } catch {
    return segment
  }
}

function endOfSegments(path: string, count: number): number {
  let segments = 0
  for (let at = 1; at < path.length; at++) {
    const character = path.charCodeAt(at)
    if (character === QUESTION || character === HASH) return at
    if (character === SLASH && ++segments === count) return at
  }
  return path.length
}

const [SLASH, QUESTION, HASH] = ['/', '?', '#'].map((character) => character.charCodeAt(0))
