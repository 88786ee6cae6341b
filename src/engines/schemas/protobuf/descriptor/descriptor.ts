import { createRequire } from 'node:module'
import type { Type } from 'protobufjs'
import type { Effort } from '../../fault.ts'
import type { SourceText } from '../syntax/cursor.ts'
import type { FileNode, ImportNode, MethodNode, ServiceNode, Syntax } from '../syntax/nodes.ts'
import { parseFile } from '../syntax/parse-file.ts'
import {
  checkedName,
  type EnumDescriptor,
  enumNode,
  extensionNode,
  type FieldDescriptor,
  type MessageDescriptor,
  messageNode,
  NOWHERE,
  type Options,
  optionNodes
} from './message-node.ts'

// What protobufjs makes of a descriptor, as far as it is used.

interface FileDescriptor {
  readonly package?: string
  readonly dependency?: readonly string[]
  readonly publicDependency?: readonly number[]
  readonly weakDependency?: readonly number[]
  readonly messageType?: readonly MessageDescriptor[]
  readonly enumType?: readonly EnumDescriptor[]
  readonly service?: readonly ServiceDescriptor[]
  readonly extension?: readonly FieldDescriptor[]
  readonly options?: Options
  readonly syntax?: string
  readonly edition?: string
}

interface ServiceDescriptor {
  readonly name?: string
  readonly method?: readonly MethodDescriptor[]
  readonly options?: Options
}

interface MethodDescriptor {
  readonly name?: string
  readonly inputType?: string
  readonly outputType?: string
  readonly clientStreaming?: boolean
  readonly serverStreaming?: boolean
  readonly options?: Options
}

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

const EDITIONS: Readonly<Record<string, Syntax>> = { EDITION_2023: '2023', EDITION_2024: '2024' }

function fileNode(source: SourceText, file: FileDescriptor, effort: Effort): FileNode {
  const syntax = syntaxOf(source, file)
  const context = { source, syntax, effort }
  return {
    source,
    syntax,
    packageName: checkedName(source, file.package ?? '', true),
    packageAt: NOWHERE,
    imports: (file.dependency ?? []).map((path, index) => importNode(file, path, index)),
    options: optionNodes(file.options),
    messages: (file.messageType ?? []).map((message) => messageNode(context, message, 0)),
    enums: (file.enumType ?? []).map((enumeration) => enumNode(source, enumeration)),
    services: (file.service ?? []).map((service) => serviceNode(source, service)),
    extensions: (file.extension ?? []).map((field) => extensionNode(context, field))
  }
}

function syntaxOf(source: SourceText, { syntax, edition }: FileDescriptor): Syntax {
  if (syntax === undefined || syntax === '' || syntax === 'proto2') return 'proto2'
  if (syntax === 'proto3') return 'proto3'
  const known = syntax === 'editions' ? EDITIONS[edition ?? ''] : undefined
  if (known === undefined) throw source.fault('The syntax or edition of the compiled text is not known', NOWHERE)
  return known
}

function importNode(file: FileDescriptor, path: string, index: number): ImportNode {
  const isPublic = file.publicDependency?.includes(index)
  const isWeak = file.weakDependency?.includes(index)
  return { path, modifier: isPublic ? 'public' : isWeak ? 'weak' : '', at: NOWHERE }
}

function serviceNode(source: SourceText, service: ServiceDescriptor): ServiceNode {
  return {
    name: checkedName(source, service.name),
    at: NOWHERE,
    methods: (service.method ?? []).map((method) => methodNode(source, method)),
    options: optionNodes(service.options)
  }
}

function methodNode(source: SourceText, method: MethodDescriptor): MethodNode {
  const input = checkedName(source, method.inputType, true)
  const output = checkedName(source, method.outputType, true)
  return {
    name: checkedName(source, method.name),
    at: NOWHERE,
    input: { name: input, at: NOWHERE, isStream: method.clientStreaming === true },
    output: { name: output, at: NOWHERE, isStream: method.serverStreaming === true },
    options: optionNodes(method.options)
  }
}
