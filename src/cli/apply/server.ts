import { Trouble } from '../command.ts'
import type { Named } from './read-file.ts'

const PAGE = 1000

export interface Server {
  /** The address of the server. */
  readonly base: string
  readonly token: string
  /** Whether nothing is to be changed. */
  readonly isDry: boolean
  say(line: string): void
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API
  readonly body: any
}

export interface Applied {
  made: number
  changed: number
  same: number
  refused: number
}

/** Says what came of it, in one line. */
export function tellSum(server: Server, { made, changed, same, refused }: Applied): void {
  const told = `${made} made, ${changed} changed, ${same} as they are, ${refused} refused`
  server.say(server.isDry ? `dry run, nothing was done: ${told}` : told)
}

/** Everything of a list, page by page. */
export async function listAll(
  server: Server,
  path: string,
  plural: string
): Promise<Readonly<Record<string, unknown>>[]> {
  const found: Readonly<Record<string, unknown>>[] = []
  let cursor = ''
  do {
    const { status, body } = await call(server, 'GET', `${path}?limit=${PAGE}${cursor}`)
    if (status !== 200) {
      throw new Trouble(`${server.base} answers ${status}: ${body?.detail ?? `no ${plural} can be listed`}`)
    }
    found.push(...body[plural])
    cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`
  } while (cursor !== '')
  return found
}

/** Whether the server has taken it; in a dry run, whether `${path}/check` says that it would. */
export async function send(server: Server, method: string, path: string, sent: Named): Promise<boolean> {
  const { status, body } = server.isDry
    ? await call(server, 'POST', `${path}/check`, sent)
    : await call(server, method, path, sent)
  if (status < 300) return true
  const errors = (body?.errors ?? []) as { pointer: string; message: string }[]
  const faults = errors.map(({ pointer, message }) => `${pointer} ${message}`)
  const lacking = body?.permission === undefined ? '' : ` It is ${body.permission}.`
  server.say(`refused: ${sent.name}: ${faults.length > 0 ? faults.join('; ') : (body?.detail ?? status)}${lacking}`)
  return false
}

export async function call({ base, token }: Server, method: string, path: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
  try {
    const response = await fetch(new URL(path, base), {
      method,
      headers,
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
  } catch (error) {
    throw new Trouble(`${base} does not answer: ${(error as Error).message}. Is the server running there?`)
  }
}
