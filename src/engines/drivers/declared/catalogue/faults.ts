import type { Entry, StreamEntry } from '../entry.ts'
import { namesIn } from '../template/template.ts'
import { addressesOf, endsFixed, hostParts } from './address-parts.ts'
import { requestFaults } from './request-faults.ts'
import { isReadable, lineOf, parentNames, streamOf } from './streams.ts'
import { escaped, type Told, templatesOfEntry, templatesOfSignIn, templatesOfStream } from './templates.ts'

/** Something in an entry that is wrong, and where. */
export interface EntryFault {
  readonly pointer: string
  readonly message: string
}

/** What is wrong with an entry that fits its form: what names something that is not there. */
export function faultsOf(entry: Entry): EntryFault[] {
  return [
    ...settingFaults(entry),
    ...addressFaults(entry),
    ...requestFaults(entry),
    ...signInFaults(entry),
    ...templateFaults([...templatesOfEntry(entry)], entry, new Set()),
    ...Object.keys(entry.streams).flatMap((name) => streamFaults(entry, name)),
    ...checkFaults(entry)
  ]
}

const hasSetting = ({ settings }: Entry, name: string) => Object.hasOwn(settings, name)

function settingFaults(entry: Entry): EntryFault[] {
  return Object.entries(entry.settings).flatMap(([name, { when, choices, type = 'string', default: usual }]) => {
    const pointer = `/settings/${name}`
    const faults: EntryFault[] = []
    if (name in Object.prototype) faults.push({ pointer, message: 'No setting can be called so; take another name' })
    const other = when && entry.settings[when.setting]
    if (when !== undefined && (other?.choices === undefined || when.setting === name))
      faults.push({ pointer: `${pointer}/when/setting`, message: 'It has to name a setting that has choices' })
    for (const value of when?.is ?? [])
      if (other?.choices?.includes(value) === false)
        faults.push({ pointer: `${pointer}/when/is`, message: `${when?.setting} has no choice ${value}` })
    if (choices !== undefined && type !== 'string' && type !== 'list')
      faults.push({ pointer: `${pointer}/choices`, message: 'Only a text or a list has choices' })
    if (usual !== undefined && !fits(usual, type))
      faults.push({ pointer: `${pointer}/default`, message: `It has to be of the type ${type}` })
    if (typeof usual === 'string' && choices?.includes(usual) === false)
      faults.push({ pointer: `${pointer}/default`, message: 'It is none of the choices' })
    return faults
  })
}

function fits(value: NonNullable<Entry['settings'][string]['default']>, type: string): boolean {
  if (type === 'list') return Array.isArray(value)
  if (type === 'integer') return Number.isSafeInteger(value)
  return typeof value === (type === 'number' || type === 'boolean' ? type : 'string')
}

function addressFaults(entry: Entry): EntryFault[] {
  return addressesOf(entry).flatMap(({ pointer, address }) => {
    const parts = hostParts(address)
    if (typeof parts === 'string') return [{ pointer, message: parts }]
    return [...parts].flatMap(([name, part]) => {
      if (entry.settings[name]?.secret === true)
        return [{ pointer, message: `${name} is part of the host, so it can't be secret` }]
      if (part !== 'label' || hasSafeChoices(entry, name) || endsFixed(withChoices(entry, address))) return []
      return [
        { pointer, message: `The host has to end with a name of its own behind ${name}, or ${name} needs choices` }
      ]
    })
  })
}

const hasSafeChoices = ({ settings }: Entry, name: string) =>
  Object.hasOwn(settings, name) && settings[name]?.choices?.every((choice) => /^[A-Za-z0-9.-]+$/.test(choice)) === true

/** An address with the first choice in the place of each setting that has some. */
const withChoices = (entry: Entry, address: string) =>
  address.replace(/\{([\w-]+)\}/g, (whole, name) =>
    hasSafeChoices(entry, name) ? (entry.settings[name]?.choices?.[0] ?? whole) : whole
  )

function signInFaults(entry: Entry): EntryFault[] {
  const { authentication } = entry
  const own: EntryFault[] = []
  if (authentication.kind === 'choice') {
    const choices = entry.settings[authentication.setting]?.choices
    for (const option of Object.keys(authentication.options))
      if (choices?.includes(option) !== true)
        own.push({
          pointer: `/authentication/options/${escaped(option)}`,
          message: `${authentication.setting} has no such choice`
        })
    for (const choice of choices ?? [])
      if (!Object.hasOwn(authentication.options, choice))
        own.push({ pointer: '/authentication/options', message: `There is none for the choice ${choice}` })
  }
  return [...own, ...templateFaults([...templatesOfSignIn(authentication)], entry, SIGN_IN_NAMES)]
}

/** What `hmac` knows besides settings, and what `jwt` knows of the key file of a service account. */
const SIGN_IN_NAMES = new Set([
  ...['method', 'path', 'query', 'body', 'seconds', 'milliseconds', 'date', 'signature'],
  ...['account.client_email', 'account.private_key_id', 'account.token_uri', 'account.project_id']
])

/** Names that stand for nothing, and functions that there are not. */
function templateFaults(told: readonly Told[], entry: Entry, others: ReadonlySet<string>): EntryFault[] {
  return told.flatMap(({ pointer, template }) => {
    try {
      return namesIn(template)
        .filter((name) => !hasSetting(entry, name) && !others.has(name))
        .map((name) => ({
          pointer,
          message: `{${name}} stands for nothing: it is no setting, and nothing else that is known here`
        }))
    } catch (error) {
      return [{ pointer, message: (error as Error).message }]
    }
  })
}

function streamFaults(entry: Entry, name: string): EntryFault[] {
  const stream = streamOf(entry, name)
  if (stream === undefined || !isReadable(stream)) return []
  const pointer = `/streams/${escaped(name)}`
  const faults: EntryFault[] = []
  if (stream.path === undefined)
    faults.push({ pointer, message: 'It lacks its path, or the reason why it is unreadable' })
  if (stream.body !== undefined && stream.form !== undefined)
    faults.push({ pointer, message: 'It can have a body or a form, not both' })
  const line = lineOf(entry, name)
  if (line === undefined || !line.every(isReadable))
    faults.push({
      pointer: `${pointer}/each/stream`,
      message: 'It has to name another stream that can be read, without a circle'
    })
  if (stream.each !== undefined && 'setting' in stream.each && entry.settings[stream.each.setting]?.type !== 'list')
    faults.push({ pointer: `${pointer}/each/setting`, message: 'It has to name a setting that is a list' })
  if (stream.cursor?.start !== undefined && !hasSetting(entry, stream.cursor.start))
    faults.push({ pointer: `${pointer}/cursor/start`, message: 'There is no such setting' })
  return [
    ...faults,
    ...templateFaults([...templatesOfStream(stream, pointer)], entry, namesFor(stream, line ?? [stream]))
  ]
}

function namesFor({ cursor, paging }: StreamEntry, line: readonly StreamEntry[]): Set<string> {
  const names = new Set([...parentNames(line)].map((name) => `parent.${name}`))
  if (cursor !== undefined) names.add('slice.start').add('slice.end')
  if (paging !== undefined && 'in' in paging && paging.in === 'template') names.add(paging.param)
  return names
}

function checkFaults(entry: Entry): EntryFault[] {
  if (typeof entry.check !== 'string') return []
  const stream = streamOf(entry, entry.check)
  const isChild = stream?.each !== undefined && 'stream' in stream.each
  if (stream !== undefined && isReadable(stream) && !isChild) return []
  return [
    { pointer: '/check', message: 'It has to name a stream that can be read and is not for each record of another' }
  ]
}
