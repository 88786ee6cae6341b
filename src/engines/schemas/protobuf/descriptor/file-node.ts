import type { Effort } from '../../effort.ts'
import type { EnumNode, FileNode, ImportNode, MethodNode, ServiceNode, Syntax } from '../syntax/nodes.ts'
import type { SourceText } from '../syntax/source-text.ts'
import type { EnumDescriptor, FileDescriptor, MethodDescriptor, ServiceDescriptor } from './descriptor.ts'
import { extensionNode, messageNode } from './message-node.ts'
import { optionNodes } from './option-nodes.ts'

// There are no places in a compiled text.
export const NOWHERE = -1

const EDITIONS: Readonly<Record<string, Syntax>> = { EDITION_2023: '2023', EDITION_2024: '2024' }

export function fileNode(source: SourceText, file: FileDescriptor, effort: Effort): FileNode {
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

/** Names are printed and looked up; whoever made the descriptor may have put anything there. */
export function checkedName(source: SourceText, name: string | undefined, mayHaveDots = false): string {
  const pattern = mayHaveDots ? /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$|^$/ : /^[A-Za-z_]\w*$/
  if (name !== undefined && name.length <= 1_000 && pattern.test(name)) return name
  throw source.fault(`${JSON.stringify(name ?? '').slice(0, 100)} is not a name; compile the schema anew`, NOWHERE)
}

export function enumNode(source: SourceText, enumeration: EnumDescriptor): EnumNode {
  return {
    name: checkedName(source, enumeration.name),
    at: NOWHERE,
    values: (enumeration.value ?? []).map((value) => ({
      name: checkedName(source, value.name),
      at: NOWHERE,
      number: value.number ?? 0,
      options: optionNodes(value.options)
    })),
    // Unlike those of messages they include their ends.
    reserved: (enumeration.reservedRange ?? []).map(({ start = 0, end = 0 }) => ({
      from: start,
      to: end,
      at: NOWHERE
    })),
    reservedNames: (enumeration.reservedName ?? []).map((name) => ({ name, at: NOWHERE })),
    options: optionNodes(enumeration.options)
  }
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
