import { isUtf8 } from 'node:buffer'
import { Worker } from 'node:worker_threads'
import { compiledCodeEnv } from '../../engines/compiled-code.ts'
import { Problem } from '../../errors.ts'
import { parseJson } from '../json-body.ts'
import type { ReadYaml } from './yaml-text.ts'

/** What can be wrong with a document that is sent. */
export const DOCUMENT_ERRORS = [
  'malformed_json',
  'malformed_yaml',
  'body_incomplete',
  'payload_too_large',
  'unsupported_media_type',
  'overloaded'
] as const

const YAML_TYPES = new Set(['application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml', 'text/plain'])
const LIMIT_MS = 5000
const HEAP_MIB = 128
/** Of what was made last, which V8 takes three times 32 MiB for where nothing is said. */
const YOUNG_MIB = 24
/** Documents that are read at once. */
const MAX_AT_ONCE = 4

/** Whether a body of this media type is YAML rather than JSON. */
export function isYaml(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return false
  if (YAML_TYPES.has(type)) return true
  const detail = 'Send the definition with the header "Content-Type: application/json" or "application/yaml".'
  throw new Problem('unsupported_media_type', { detail })
}

export async function readDocument(body: Buffer, yaml: boolean, limitMs = LIMIT_MS): Promise<unknown> {
  if (!yaml) return parseJson(body)
  if (!isUtf8(body)) throw malformed('it is not valid UTF-8')
  // By way of JSON, so that what comes of YAML is held to the same rules: depth, names, texts.
  return parseJson(Buffer.from(await readYaml(body.toString('utf8'), limitMs)))
}

let underWay = 0

/** On a thread of its own: a small text can take many seconds, and those who wrote it may want that. */
async function readYaml(text: string, limitMs: number): Promise<string> {
  if (underWay >= MAX_AT_ONCE) throw new Problem('overloaded', { headers: { 'retry-after': '1' } })
  underWay += 1
  const worker = new Worker(new URL('yaml-worker.ts', import.meta.url), {
    workerData: text,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
    env: compiledCodeEnv()
  })
  const answer = Promise.withResolvers<ReadYaml>()
  const timer = setTimeout(() => answer.resolve({ problem: 'it takes too long to read' }), limitMs)
  worker.once('message', answer.resolve)
  worker.once('error', ({ message }) => answer.resolve({ problem: message.slice(0, 200) }))
  try {
    const read = await answer.promise
    if ('problem' in read) throw malformed(read.problem)
    return read.json
  } finally {
    clearTimeout(timer)
    await worker.terminate()
    underWay -= 1
  }
}

function malformed(why: string): Problem {
  return new Problem('malformed_yaml', { detail: `The body is not YAML that could be JSON: ${why}.` })
}

export async function writeYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 120 })
}
