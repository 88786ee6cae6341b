import { createRequire } from 'node:module'
import type { Type } from 'protobufjs'
import type { Effort } from '../../effort.ts'
import type { FileNode } from '../syntax/nodes.ts'
import { parseFile } from '../syntax/parse-file.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { FileDescriptor } from './descriptor.ts'
import { fileNode } from './file-node.ts'

/** No `.proto` text is without a semicolon or a brace, and base64 has neither. */
const NOT_BASE64 = /[^A-Za-z0-9+/=\s]/

/** A `.proto` text, or a compiled one in base64, as some clients register it. */
export function readSource(source: SourceText, effort: Effort): FileNode {
  if (source.text.trim() === '') throw source.fault('The text is empty; write a schema', 0)
  if (NOT_BASE64.test(source.text)) return parseFile(source, effort)
  const descriptor = decode(source.text)
  if (descriptor === undefined) {
    throw source.fault('The text is neither a .proto text nor a compiled one (FileDescriptorProto) in base64', 0)
  }
  return fileNode(source, descriptor, effort)
}

function decode(text: string): FileDescriptor | undefined {
  const require = createRequire(import.meta.url)
  const { FileDescriptorProto } = require('protobufjs/ext/descriptor.js') as { FileDescriptorProto: Type }
  try {
    const message = FileDescriptorProto.decode(Buffer.from(text, 'base64'))
    return FileDescriptorProto.toObject(message, { enums: String, longs: String, bytes: String }) as FileDescriptor
  } catch {
    return undefined
  }
}
