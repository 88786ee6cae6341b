import { refusedHeader } from '../../../outbound/headers.ts'
import type { Authentication, CursorEntry, Entry, StreamEntry, Template } from '../entry.ts'
import { isTimeFormat } from '../reading/times.ts'
import { textAround } from '../template/template.ts'
import type { EntryFault } from './faults.ts'
import { escaped } from './templates.ts'

type Templates = Readonly<Record<string, Template>>

/** What could not be sent as it is told: headers, paths, braces that nothing closes, and times that nobody can write. */
export function requestFaults(entry: Entry): EntryFault[] {
  const { base, headers, check, usual, streams, authentication } = entry
  return [
    ...braceFaults(base, '/base'),
    ...headerFaults(headers, '/headers'),
    ...(typeof check === 'object' ? partFaults(check, '/check') : []),
    ...(usual === undefined ? [] : partFaults(usual, '/usual')),
    ...Object.entries(streams).flatMap(([name, stream]) => partFaults(stream, `/streams/${escaped(name)}`)),
    ...signInHeaderFaults(authentication, '/authentication')
  ]
}

function partFaults(part: Partial<StreamEntry>, pointer: string): EntryFault[] {
  const { path = '', base = '', headers, query = {}, paging, cursor } = part
  const byHeader = paging !== undefined && 'in' in paging && paging.in === 'header'
  return [
    ...pathFaults(path, `${pointer}/path`),
    ...braceFaults(base, `${pointer}/base`),
    ...headerFaults(headers, `${pointer}/headers`),
    ...Object.entries(query).flatMap(([name, value]) => braceFaults(value, `${pointer}/query/${escaped(name)}`)),
    ...(byHeader ? nameFaults(paging.param, `${pointer}/paging/param`) : []),
    ...(cursor === undefined ? [] : cursorFaults(cursor, `${pointer}/cursor`))
  ]
}

function pathFaults(path: Template, pointer: string): EntryFault[] {
  if (/^[/\\]{2}/.test(path))
    return [{ pointer, message: 'It must not begin with //, which would be another host; say that as base' }]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return [{ pointer, message: 'It must not have line breaks in it' }]
  return braceFaults(path, pointer)
}

/** In a body braces may be its own; in an address, a query and a header they are names that somebody has not closed. */
function braceFaults(template: Template, pointer: string): EntryFault[] {
  const text = textAround(template)
  const isJson = /^\s*[[{].*[\]}]\s*$/s.test(text) || /[{}]\s*["[{}]|["\]]\s*[{}]/.test(text)
  if (isJson || !/[{}]/.test(text)) return []
  return [{ pointer, message: 'A brace is not closed, or what is within is no name; names stand as {name}' }]
}

function headerFaults(headers: Templates | undefined, pointer: string): EntryFault[] {
  return Object.entries(headers ?? {}).flatMap(([name, value]) => {
    const at = `${pointer}/${escaped(name)}`
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    const isBroken = /[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)
    const broken = isBroken ? [{ pointer: at, message: 'A header must not have line breaks in it' }] : []
    return [...nameFaults(name, at), ...broken, ...braceFaults(value, at)]
  })
}

function nameFaults(name: string, pointer: string): EntryFault[] {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return [{ pointer, message: 'This can’t be the name of a header' }]
  return refusedHeader(name) ? [{ pointer, message: 'This header follows from the address; leave it out' }] : []
}

function cursorFaults({ format, since, until }: CursorEntry, pointer: string): EntryFault[] {
  const told = [
    [format, `${pointer}/format`],
    [since?.format, `${pointer}/since/format`],
    [until?.format, `${pointer}/until/format`]
  ] as const
  const formats = told.flatMap(([text, at]) =>
    text === undefined || isTimeFormat(text)
      ? []
      : [
          {
            pointer: at,
            message: 'It is no format of a time; it is written as strftime has it, such as %Y-%m-%d or %s'
          }
        ]
  )
  const names = [since, until].flatMap((bound, index) =>
    bound?.in === 'header' ? nameFaults(bound.param, `${pointer}/${index === 0 ? 'since' : 'until'}/param`) : []
  )
  return [...formats, ...names]
}

function signInHeaderFaults(authentication: Authentication, pointer: string): EntryFault[] {
  switch (authentication.kind) {
    case 'choice':
      return Object.entries(authentication.options).flatMap(([name, option]) =>
        signInHeaderFaults(option, `${pointer}/options/${escaped(name)}`)
      )
    case 'key':
      return authentication.in === 'header' ? nameFaults(authentication.name, `${pointer}/name`) : []
    case 'session': {
      const { in: place = 'header', name } = authentication
      const own = place === 'header' && name !== undefined ? nameFaults(name, `${pointer}/name`) : []
      return [...own, ...headerFaults(authentication.login.headers, `${pointer}/login/headers`)]
    }
    case 'hmac':
      return headerFaults(authentication.headers, `${pointer}/headers`)
    default:
      return []
  }
}
