import type { EnumNode, FileNode, MessageNode } from '../syntax/nodes.ts'
import { declare, occupy, openPackage, type Scope } from './scopes.ts'

/** The scopes of all messages and enums, found by what declares them. */
export type Scopes = Map<MessageNode | EnumNode | FileNode, Scope>

/** Gives every name of a file its place, and refuses the second of a kind. */
export function declareFile(root: Scope, file: FileNode, scopes: Scopes): void {
  const scope = openPackage(root, file)
  scopes.set(file, scope)
  declareTypes(scope, file, file, scopes)
  for (const service of file.services) {
    const ofService = declare(scope, 'message', service.name, file, service.at)
    for (const method of service.methods) occupy(ofService, method.name, file, method.at)
  }
}

type Types = Pick<MessageNode, 'messages' | 'enums' | 'extensions'>

function declareTypes(scope: Scope, types: Types, file: FileNode, scopes: Scopes): void {
  for (const message of types.messages) declareMessage(scope, message, file, scopes)
  for (const enumeration of types.enums) declareEnum(scope, enumeration, file, scopes)
  for (const { field } of types.extensions) occupy(scope, field.name, file, field.at)
}

function declareMessage(parent: Scope, message: MessageNode, file: FileNode, scopes: Scopes): void {
  const scope = declare(parent, 'message', message.name, file, message.at)
  scopes.set(message, scope)
  for (const field of message.fields) {
    occupy(scope, field.name, file, field.at)
    if (field.type.kind === 'map') occupy(scope, entryName(field.name), file, field.at)
  }
  for (const oneof of message.oneofs) occupy(scope, oneof.name, file, oneof.at)
  declareTypes(scope, message, file, scopes)
}

/** Values are beside their enum, not within it. */
function declareEnum(parent: Scope, enumeration: EnumNode, file: FileNode, scopes: Scopes): void {
  scopes.set(enumeration, declare(parent, 'enum', enumeration.name, file, enumeration.at))
  for (const value of enumeration.values) occupy(parent, value.name, file, value.at)
}

/** On the wire a map is a list of messages, which have a name: `PriceByDayEntry`. */
export function entryName(field: string): string {
  const camel = field.replace(/(?:^|_)([a-zA-Z0-9])/g, (_, letter: string) => letter.toUpperCase()).replaceAll('_', '')
  return `${camel}Entry`
}
