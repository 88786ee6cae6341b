import type { ExpectedStream, RunningSource, WrongConfig } from '../../testing/contract.ts'

export const STEPS: RunningSource['steps'] = ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read']

export const wrong = (
  changes: WrongConfig['changes'],
  step: WrongConfig['step'],
  code: string,
  pointer: string
): WrongConfig => ({ changes, step, code, pointer })

/** What is wrong in the same way with every queue. */
export const WRONG_PLACES: RunningSource['wrong'] = {
  'a name that is none': wrong({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
  'a closed port': wrong({ port: 1 }, 'connect', 'unreachable', '/port')
}

/** A stream of messages with these ids, which reading goes on by. */
export function messagesWithIds(name: string, ids: readonly string[]): ExpectedStream {
  return {
    name,
    kind: 'messages',
    columns: COLUMNS,
    keys: ['id'],
    cursors: ['id'],
    column: 'id',
    values: ids,
    cursor: 'id'
  }
}

/** A stream of messages that have no ids, with these bodies. */
export function messagesWithout(name: string, bodies: readonly string[]): ExpectedStream {
  return { name, kind: 'messages', columns: COLUMNS, keys: [], cursors: [], column: 'body', values: bodies }
}

const COLUMNS = ['id text', 'time timestamptz', 'topic text', 'key text', 'headers json', 'body text', 'bytes blob']
