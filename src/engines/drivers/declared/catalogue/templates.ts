import type { Authentication, Entry, StreamEntry } from '../entry.ts'

/** A template of an entry, and where it stands. */
export interface Told {
  readonly pointer: string
  readonly template: string
}

/** All texts in a value, at whatever depth. */
function* textsIn(value: unknown, pointer: string): Generator<Told> {
  if (typeof value === 'string') yield { pointer, template: value }
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsIn(member, `${pointer}/${escaped(name)}`)
}

const NO_TEMPLATES: readonly string[] = ['kind', 'grant', 'client', 'in', 'service', 'algorithm', 'encoding', 'setting']

/** What is filled in when somebody signs in. */
export function* templatesOfSignIn(authentication: Authentication, pointer = '/authentication'): Generator<Told> {
  if (authentication.kind === 'choice') {
    for (const [name, option] of Object.entries(authentication.options))
      yield* templatesOfSignIn(option, `${pointer}/options/${escaped(name)}`)
    return
  }
  for (const [name, value] of Object.entries(authentication))
    if (!NO_TEMPLATES.includes(name)) yield* textsIn(value, `${pointer}/${name}`)
}

/** What is filled in for each request of a stream. */
export function* templatesOfStream(stream: Partial<StreamEntry>, pointer: string): Generator<Told> {
  for (const name of ['path', 'base', 'query', 'headers', 'body', 'form'] as const)
    yield* textsIn(stream[name], `${pointer}/${name}`)
}

/** What is filled in for every request, and for a test. */
export function* templatesOfEntry({ base, headers, check }: Entry): Generator<Told> {
  yield { pointer: '/base', template: base }
  yield* textsIn(headers, '/headers')
  if (typeof check === 'object')
    for (const name of ['path', 'query', 'headers', 'body'] as const) yield* textsIn(check[name], `/check/${name}`)
}

/** A name as a part of a JSON Pointer. */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')
