import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Effort } from '../../effort.ts'
import type { FileNode } from '../syntax/nodes.ts'
import { parseFile } from '../syntax/parse-file.ts'
import { SourceText } from '../syntax/source-text.ts'
import { CONFLUENT } from './confluent.ts'
import { FILES_OF_PROTOBUFJS, GOOGLE_PROTOBUF } from './google-protobuf.ts'
import { GOOGLE_TYPE } from './google-type.ts'

const TEXTS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(GOOGLE_PROTOBUF).map(([path, text]) => [path, `package google.protobuf; ${text}`] as const),
  ...Object.entries(GOOGLE_TYPE).map(([path, text]) => [path, `package google.type; ${text}`] as const),
  ...Object.entries(CONFLUENT)
])
const EFFORT = 100_000
/** At most one for each path above. */
const parsed = new Map<string, FileNode>()

export function isWellKnown(file: FileNode): boolean {
  return parsed.get(file.source.dependency ?? '') === file
}

/** A file that may be imported without being registered. */
export function wellKnownFile(path: string): FileNode | undefined {
  const known = parsed.get(path)
  if (known !== undefined) return known
  const text = textOf(path)
  if (text === undefined) return undefined
  const file = parseFile(new SourceText(text, path), new Effort(EFFORT))
  parsed.set(path, file)
  return file
}

function textOf(path: string): string | undefined {
  const text = TEXTS.get(path)
  if (text !== undefined) return `syntax = "proto3"; ${text}`
  if (!FILES_OF_PROTOBUFJS.has(path)) return undefined
  return readFileSync(createRequire(import.meta.url).resolve(`protobufjs/${path}`), 'utf8')
}
